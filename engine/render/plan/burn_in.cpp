// SPDX-License-Identifier: MIT
// Points begin at random places, and what they leave before they have forgotten them is no part of
// the picture. Most flames forget in 20 steps; a spiral that is left once in a hundred steps, or
// two lobes that xaos seldom connects, need thousands. A few pools find out, from a seed of their
// own: so a flame has one burn-in, on every device and for every seed.
//
// Remembered is measured, not the distance from the end, because a start can be near the end by chance
// in what one looks at, and because a measured memory of 7 % after t steps says that 0.1 % are left
// after 2.5 t: what a few thousand points show, not what a million would. Points stay in their
// places, so two looks at a pool, at steps t and 2 t, are pairs of points t steps apart. Their
// planes are cut into cells of equally many points (a k-d tree of the later look), colors into
// equal parts, and with xaos the last xforms are classes too. Where the classes of pairs are
// independent, chi squared of their table is as large as its degrees of freedom; what is above
// them, divided by the number of points, is the sum of the squares of the canonical correlations.
//
// Nobody goes on until a slow flame has forgotten. After 512 steps what is left is known well enough to be
// extrapolated (burn_in_modes.cpp): places and xforms by the parts of their memory, colors by how far they
// still are from where they will be.
//
// What never fades is no start to wait for: two parts of a flame that no point leaves, a color that
// nobody changes, rotations. What would take 10 000 steps to fall to a third counts as such.
//
// Cost: 48 steps of one pool for a flame that forgets at once, about 1 % of a unit's time. Else up
// to 512 steps of four and, where 32 points at a time forget together, 1024 of two, a block or a thread
// each, in vain where the flame is known already (burn_in_memory.h).

#include "engine/render/plan/burn_in.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "engine/base/resources.h"
#include "engine/device/device_kind.h"
#include "engine/program/compile.h"

namespace kiln {
namespace {

/// Points are cut into classes where some of them would be.
constexpr std::size_t cutting_points = 2048;
std::vector<Point> some_of(const std::vector<Point>& points) {
  std::vector<Point> some;
  const std::size_t stride = std::max<std::size_t>(1, points.size() / cutting_points);
  for (std::size_t i = 0; i < points.size(); i += stride) some.push_back(points[i]);
  return some;
}

/// Halves points again and again, at medians of x and y in turn.
class Cells {
 public:
  static constexpr int levels = 6, count = 1 << levels;

  explicit Cells(const std::vector<Point>& points) {
    std::vector<Place> places;
    for (const Point& point : some_of(points)) places.push_back({point.x, point.y});
    split(places, 0, places.size(), 1, 0);
  }
  std::uint16_t operator()(const Point& point) const {
    const Place place = {point.x, point.y};
    std::size_t cell = 1;
    for (int level = 0; level < levels; ++level)
      cell = 2 * cell + std::size_t(place[std::size_t(level % 2)] >= border_[cell]);
    return std::uint16_t(cell - count);
  }

 private:
  using Place = std::array<float, 2>;
  void split(std::vector<Place>& places, std::size_t first, std::size_t last, std::size_t cell,
             int level) {
    if (level == levels) return;
    const std::size_t axis = std::size_t(level % 2), middle = (first + last) / 2;
    const auto at = [&](std::size_t i) { return places.begin() + std::ptrdiff_t(i); };
    std::nth_element(at(first), at(middle), at(last),
                     [=](const Place& a, const Place& b) { return a[axis] < b[axis]; });
    border_[cell] = places[middle][axis];
    split(places, first, middle, 2 * cell, level + 1);
    split(places, middle, last, 2 * cell + 1, level + 1);
  }
  std::array<float, count> border_{};  // [cell], the whole plane is cell 1
};

/// Parts with equally many colors.
class Shades {
 public:
  static constexpr int count = 16;

  explicit Shades(const std::vector<Point>& points) {
    std::vector<float> colors;
    // one that is no number, which has no place among others, is the first, as in the palette
    for (const Point& point : some_of(points))
      colors.push_back(std::isnan(point.color) ? 0 : point.color);
    std::sort(colors.begin(), colors.end());
    for (std::size_t i = 1; i < count; ++i) border_[i - 1] = colors[i * colors.size() / count];
  }
  std::uint16_t operator()(const Point& point) const {
    return std::uint16_t(std::upper_bound(border_.begin(), border_.end(), point.color) -
                         border_.begin());
  }

 private:
  std::array<float, count - 1> border_{};
};

/// The correlation of the classes of points at two times.
struct Remembered {
  double amount = 0;  // sum of the squares of the canonical correlations
  bool shows = false;
  bool whole = false;  // every point is in the class that it was in
};

/// Classes with few points, less than a 128th of them, become one, 0. Gives back how many there are.
std::size_t join_rare(std::vector<Classes>& seen, std::size_t classes, std::uint16_t most) {
  std::vector<std::size_t> points(classes);
  for (const Classes& all : seen)
    for (const std::uint16_t c : all) ++points[c];
  std::vector<std::uint16_t> number(classes, 0);
  std::uint16_t next = 1;
  for (std::size_t c = 0; c < classes; ++c)
    if (points[c] * 128 >= seen.size() * seen[0].size() && next < most) number[c] = next++;
  for (Classes& all : seen)
    for (std::uint16_t& c : all) c = number[c];
  return next;
}

/// The limit that chi squared exceeds by chance once in 30 000 times (Wilson and Hilferty: its cube
/// root is nearly normal).
double surprising(double degrees) {
  constexpr double deviations = 4;
  const double variance = 2 / (9 * degrees);
  const double limit = 1 - variance + deviations * std::sqrt(variance);
  return degrees * limit * limit * limit;
}

Remembered memory_of(const Classes& before, const Classes& after, std::size_t classes) {
  const double points = double(before.size());
  std::vector<std::uint32_t> table(classes * classes), rows(classes), columns(classes);
  for (std::size_t i = 0; i < before.size(); ++i) {
    ++table[before[i] * classes + after[i]];
    ++rows[before[i]];
    ++columns[after[i]];
  }
  double chi = 0;
  std::uint32_t stayed = 0;
  for (std::size_t r = 0; r < classes; ++r) {
    stayed += table[r * classes + r];
    for (std::size_t c = 0; c < classes; ++c) {
      const double n = table[r * classes + c];
      if (n > 0) chi += n * n / (double(rows[r]) * columns[c]);
    }
  }
  const auto used = [](const std::vector<std::uint32_t>& n) {
    return double(n.size()) - double(std::count(n.begin(), n.end(), 0u));
  };
  const double degrees = (used(rows) - 1) * (used(columns) - 1);
  Remembered memory;
  memory.amount = std::max(0.0, chi - 1 - degrees / points);
  memory.shows = degrees > 0 && (chi - 1) * points > surprising(degrees);
  memory.whole = stayed == before.size();
  return memory;
}

/// Points more than chance, `chance`, keeps in a cell that tell of a part that is seldom left.
double surprising_stay(double chance) { return 6 + 4.5 * std::sqrt(chance); }

/// Whether more points stay in some cell than chance keeps there: small parts of a flame that are
/// seldom left.
bool some_stay(const Classes& before, const Classes& after, std::size_t classes) {
  std::vector<std::uint32_t> stayed(classes), was(classes), is(classes);
  for (std::size_t i = 0; i < before.size(); ++i) {
    ++was[before[i]];
    ++is[after[i]];
    stayed[before[i]] += before[i] == after[i];
  }
  for (std::size_t c = 0; c < classes; ++c) {
    const double chance = double(was[c]) * is[c] / double(before.size());
    if (stayed[c] > chance + surprising_stay(chance)) return true;
  }
  return false;
}

constexpr double least_memory = 1e-9;
constexpr std::size_t features = 3;  // places, colors, xforms
using Memories = std::array<Remembered, features>;

using Looks = std::vector<std::vector<Point>>;  // at the same points

template <class Cut>
std::vector<Classes> classes_of(const Looks& seen, const Cut& cut) {
  std::vector<Classes> classes(seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i)
    for (const Point& point : seen[i]) classes[i].push_back(cut(point));
  return classes;
}
std::uint16_t last_xform(const Point& point) { return std::uint16_t(point.meta & meta_last_mask); }

/// Cells of a sixteenth of the points instead of a 64th.
constexpr std::size_t places = Cells::count / 4;
std::vector<Classes> joined_cells(std::vector<Classes> cells) {
  for (Classes& all : cells)
    for (std::uint16_t& cell : all) cell /= Cells::count / places;
  return cells;
}

/// Two looks.
Memories compare(const Looks& seen, const Program& program) {
  Memories memories;
  const auto of_places = classes_of(seen, Cells(seen.back()));
  const bool stay = some_stay(of_places[0], of_places[1], Cells::count);
  const auto large = joined_cells(of_places);
  memories[0] = memory_of(large[0], large[1], places);
  if (stay) memories[0] = {std::max(memories[0].amount, least_memory), true, memories[0].whole};
  const auto shades = classes_of(seen, Shades(seen.back()));
  memories[1] = memory_of(shades[0], shades[1], Shades::count);
  if (program.has_xaos) {
    auto last = classes_of(seen, last_xform);
    memories[2] =
        memory_of(last[0], last[1], join_rare(last, std::size_t(program.xform_count) + 1, 64));
  }
  return memories;
}

/// Finds the steps after which a memory is gone, from what is left of it after more and more.
class Fading {
 public:
  /// Whether more has to be known.
  bool add(std::uint32_t lag, const Remembered& memory) {
    if (steps_ > 0) return false;
    lags_.push_back(lag);
    amounts_.push_back(memory.amount);
    if (memory.whole)
      steps_ = since();
    else if (!memory.shows)
      steps_ = lag;
    return steps_ == 0;
  }
  /// 0: it still fades.
  std::uint32_t steps() const { return steps_; }
  /// The first lag at which the memory was about as small as it is now.
  std::uint32_t since() const {
    constexpr double same = 0.85;
    std::size_t first = 0;
    while (first + 1 < lags_.size() && amounts_[first] > amounts_.back() / same) ++first;
    return lags_[first];
  }

 private:
  std::vector<std::uint32_t> lags_;
  std::vector<double> amounts_;
  std::uint32_t steps_ = 0;
};

/// Lags grow by the square root of two: a look at twice a lag is one of the looks to come.
constexpr std::array<std::uint32_t, 9> looks = {32, 45, 64, 90, 128, 181, 256, 362, 512};
/// The last one is not among them.
constexpr std::array<std::uint32_t, 3> first_looks = {looks[0], looks[1], warm_up_steps * 3 / 4};
/// Looks to extrapolate from: late, as a start far from the end fades as slowly at first as if
/// nothing did, and at no regular distances, as rotations would be in step with them.
constexpr std::array<std::uint32_t, 25> instants = {0,   14,  19,  28,  41,  52,  67,  75,  81,
                                                    95,  108, 120, 130, 143, 146, 163, 167, 182,
                                                    190, 200, 214, 222, 236, 243, 256};
std::vector<std::uint32_t> watch(std::uint32_t first, std::uint32_t last) {
  std::vector<std::uint32_t> steps;
  for (const std::uint32_t instant : instants)
    steps.push_back(first + instant * (last - first) / instants.back());
  return steps;
}

/// Steps after which no more is left of each than what is enough; 0: the first, of all points, lasts.
std::uint32_t extrapolated(const std::vector<std::pair<Fade, double>>& fades) {
  constexpr double most = most_burn_in_steps, first = 362.0387;
  if (fades[0].first.all_last()) return 0;
  double steps = 0;
  for (const auto& [fade, enough] : fades) steps = std::max(steps, fade.steps_to(enough, most));
  // the first of the looks that there would be: what the last bits say does not matter
  double look = first;
  while (look < steps) look *= 1.41421356;
  return std::uint32_t(look + 0.5);
}

std::uint32_t extrapolated(const std::vector<std::uint32_t>& steps, const Looks& seen,
                           std::size_t feature, const Program& program) {
  const auto enough = [&](std::size_t classes) {
    const double degrees = std::max(1.0, double(classes - 1) * double(classes - 1));
    return (surprising(degrees) - degrees) / double(seen[0].size());
  };
  if (feature == 0) {
    const std::vector<Classes> cells = classes_of(seen, Cells(seen.back()));
    const double stay = surprising_stay(double(seen[0].size()) / (Cells::count * Cells::count));
    return extrapolated({{fade_of_classes({steps, joined_cells(cells)}, places), enough(places)},
                         {fade_of_staying({steps, cells}, Cells::count, stay), stay * stay}});
  }
  if (feature == 1) {
    constexpr double slope = 0.05;
    Watched<float> colors{steps, {}};
    for (const std::vector<Point>& look : seen) {
      colors.points.emplace_back();
      for (const Point& point : look) colors.points.back().push_back(point.color);
    }
    return extrapolated({{fade_of_colors(colors), slope * slope}});
  }
  std::vector<Classes> last = classes_of(seen, last_xform);
  const std::size_t xforms = join_rare(last, std::size_t(program.xform_count) + 1, 16);
  return extrapolated({{fade_of_classes({steps, last}, xforms), enough(xforms)}});
}

/// One time sample of a flame: what its pools tell, if nobody remembers it.
class WatchedTimeSample {
 public:
  WatchedTimeSample(const CompiledFlame& flame, std::size_t time_sample, Device& device,
                    BurnInMemory* memory)
      : flame_(flame), time_sample_(time_sample), device_(device), memory_(memory) {
    if (!memory) return;
    key_ = burn_in_key(flame, time_sample);
    known_ = memory->recall(key_);
  }
  /// The memory of the points of one pool, from the 32nd step to the 48th.
  double first_look();
  /// Steps to forget, where first_look() showed some memory. Ends the pilot's game.
  std::uint32_t forgetting_steps();
  /// Ends the pilot's game.
  void rest() { pilot_.reset(); }

 private:
  Pilot& pilot();
  std::uint32_t seen_fading();
  std::uint32_t far_off(const std::vector<std::uint32_t>& steps, const Looks& seen,
                        std::size_t feature, const Fading& fading);
  void keep();

  const CompiledFlame& flame_;
  std::size_t time_sample_;
  Device& device_;
  BurnInMemory* memory_;
  std::string key_;
  std::optional<TimeSampleBurnIn> known_;
  std::unique_ptr<Pilot> pilot_;
  double seconds_ = 0;
};

Pilot& WatchedTimeSample::pilot() {
  if (!pilot_) pilot_ = std::make_unique<Pilot>(device_, flame_, time_sample_);
  return *pilot_;
}

void WatchedTimeSample::keep() {
  constexpr double long_s = 0.02;
  const bool all = known_->first_look == 0 || known_->forgotten > 0;
  const bool still =
      flame_.program.time_sample_count == 1;  // time samples of films would be very many
  if (memory_) memory_->keep(key_, *known_, all && still && seconds_ > long_s);
}

double WatchedTimeSample::first_look() {
  if (known_) return known_->first_look;
  const Clock::time_point start = Clock::now();
  Looks seen = {pilot().at(first_looks[0], 1)};
  pilot().at(first_looks[1], 1);  // for the others to come
  seen.push_back(pilot().at(first_looks[2], 1));
  double most = 0;
  for (const Remembered& memory : compare(seen, flame_.program))
    if (memory.shows && !memory.whole) most = std::max(most, memory.amount);
  known_ = {most, 0};
  seconds_ += seconds_since(start);
  keep();
  return most;
}

std::uint32_t WatchedTimeSample::forgetting_steps() {
  if (known_->forgotten > 0) return known_->forgotten;
  const Clock::time_point start = Clock::now();
  known_->forgotten = seen_fading();
  rest();
  seconds_ += seconds_since(start);
  keep();
  return known_->forgotten;
}

std::uint32_t WatchedTimeSample::seen_fading() {
  const std::vector<std::uint32_t> steps = watch(256, looks.back());
  Looks seen, late;
  std::array<Fading, features> fading;
  bool more = true;
  for (std::size_t look = 0; more && look < looks.size(); ++look) {
    while (late.size() < steps.size() && steps[late.size()] <= looks[look])
      late.push_back(pilot().at(steps[late.size()], Pilot::most_pools));
    seen.push_back(pilot().at(looks[look], Pilot::most_pools));
    if (look < 2) continue;
    const Memories memories = compare({seen[look - 2], seen[look]}, flame_.program);
    more = false;
    for (std::size_t f = 0; f < features; ++f)
      more |= fading[f].add(looks[look] - looks[look - 2], memories[f]);
  }
  std::uint32_t forgotten = 0;
  for (std::size_t f = 0; f < features; ++f)
    forgotten = std::max(
        forgotten, fading[f].steps() ? fading[f].steps() : far_off(steps, late, f, fading[f]));
  return forgotten;
}

/// Steps to forget a feature whose memory outlasted the looks.
std::uint32_t WatchedTimeSample::far_off(const std::vector<std::uint32_t>& steps, const Looks& seen,
                                         std::size_t feature, const Fading& fading) {
  constexpr std::uint32_t near = 2048;
  constexpr int pools = 2;
  std::uint32_t forgotten = extrapolated(steps, seen, feature, flame_.program);
  // without xaos 32 points at a time are torn from what they remember: it takes longer to see enough
  if (feature == 0 && !flame_.program.has_xaos && (forgotten == 0 || forgotten > near)) {
    const std::vector<std::uint32_t> later = watch(looks.back(), 3 * looks.back());
    Looks on;
    for (const std::uint32_t step : later) on.push_back(pilot().at(step, pools));
    forgotten = extrapolated(later, on, feature, flame_.program);
  }
  return forgotten > 0 ? std::min(forgotten, most_burn_in_steps) : fading.since();
}

/// Gives xforms single slots instead of rows of 32 where points settle slowly: 32 points that take
/// a rare xform in one step stay together for as long as the flame remembers it, and are one trail
/// instead of 32. Slots are what flames with xaos have, so it becomes one whose rows are all alike.
/// Images of one xform come in turn anew in every step, and together are no rarer than it.
void share_slots(CompiledFlame& out) {
  constexpr double two_to_32 = 4294967296.0;
  constexpr double few_rows = 1;
  constexpr std::size_t most_shares = 1 << 20;  // 4 MB
  Program& program = out.program;
  const std::size_t count = std::size_t(program.xform_count);
  const std::size_t time_samples = std::size_t(program.time_sample_count), rows = count + 1;
  if (program.has_xaos || count < 2 || rows * count * time_samples > most_shares) return;
  bool rare = false;
  const std::size_t images = std::size_t(program.copy_count);
  for (std::size_t i = 0; i < out.cumulative.size(); i += images) {
    const double end = i % count + images < count ? out.cumulative[i + images] : two_to_32;
    const double share = end - out.cumulative[i];
    rare |= share > 1 && share * pool_rows < few_rows * two_to_32;
  }
  if (!rare) return;
  std::vector<std::uint32_t> all;
  all.reserve(rows * count * time_samples);
  for (std::size_t m = 0; m < time_samples; ++m) {
    const auto row = out.cumulative.begin() + std::ptrdiff_t(m * count);
    for (std::size_t r = 0; r < rows; ++r) all.insert(all.end(), row, row + std::ptrdiff_t(count));
  }
  out.cumulative = std::move(all);
  program.has_xaos = 1;
  program.share_stride = i32(rows * count);
}

/// A CPU device for frames that are prepared while their device plays others. It stays with the
/// thread: opened anew for each frame of a film its memory would be scattered over the heap.
Device& cpu_of_thread() {
  thread_local const std::unique_ptr<Device> cpu = open_cpu(1);
  return *cpu;
}

constexpr std::uint64_t pilot_seed = 0x73657474;

/// The flame at one of its time samples, without what its picture needs.
CompiledFlame at_time_sample(const CompiledFlame& flame, std::size_t time_sample) {
  CompiledFlame one;
  one.program = flame.program;
  one.program.time_sample_count = 1;
  one.program.tiling.tiles_x = one.program.tiling.tile_count = 1;  // nothing is recorded
  one.table = flame.table;
  one.terms = flame.terms;
  one.parameters = flame.parameters;
  one.fine_terms = flame.fine_terms;
  const auto slice = [time_sample](const auto& all, i32 stride, auto& out) {
    if (all.empty()) return;
    const auto begin = all.begin() + std::ptrdiff_t(time_sample) * stride;
    out.assign(begin, begin + stride);
  };
  slice(flame.xforms, flame.program.xform_stride, one.xforms);
  slice(flame.cumulative, flame.program.share_stride, one.cumulative);
  slice(flame.symmetry, flame.program.copy_count, one.symmetry);
  slice(flame.cameras, 1, one.cameras);
  slice(flame.views, 1, one.views);
  slice(flame.fine_xforms, flame.program.xform_stride, one.fine_xforms);
  slice(flame.fine_cameras, 1, one.fine_cameras);
  return one;
}

}  // namespace

std::uint32_t burn_in_steps(const CompiledFlame& flame, Device* device, BurnInMemory* memory) {
  if (!device) device = &cpu_of_thread();
  const std::size_t time_samples = std::size_t(flame.program.time_sample_count);
  double most = 0;
  std::optional<WatchedTimeSample> slowest;
  for (const std::size_t at : std::set<std::size_t>{0, time_samples / 2, time_samples - 1}) {
    WatchedTimeSample time_sample(flame, at, *device, memory);
    const double remembered = time_sample.first_look();
    if (time_samples > 1) time_sample.rest();  // a device has one game
    if (remembered > most) slowest.emplace(std::move(time_sample));
    most = std::max(most, remembered);
  }
  if (most == 0) return warm_up_steps;
  const std::uint32_t forgotten = slowest->forgetting_steps();
  if (2 * forgotten <= u32(warm_up_steps)) return warm_up_steps;
  return std::min((forgotten * 5 / 2 + 31) / 32 * 32, most_burn_in_steps);
}

void plan_burn_in(CompiledFlame& out, Device* device, BurnInMemory* memory) {
  constexpr std::uint32_t enough = 256, long_trails = 512;
  out.burn_in_steps = burn_in_steps(out, device, memory);
  if (out.burn_in_steps > u32(warm_up_steps) && out.program.time_sample_count == 1)
    out.chains = enough;
  if (out.burn_in_steps > long_trails) share_slots(out);
}

Pilot::Pilot(Device& device, const CompiledFlame& flame, std::size_t time_sample)
    : device_(device),
      flame_(at_time_sample(flame, time_sample)),
      loaded_(device, flame_),
      permutations_(is_cpu(device) ? DeviceArray<std::uint16_t>()
                                   : DeviceArray<std::uint16_t>(device, pool_permutations())),
      points_(device, std::size_t(most_pools) * pool_slots),
      random0_(device, std::size_t(most_pools) * pool_lanes),
      random1_(device, random0_.size()),
      step_(device, most_pools),
      recorded_(device, most_pools),
      bad_(device, most_pools) {
  const std::size_t more = std::size_t(flame_.program.more_numbers());
  if (more > 0) more_ = DeviceArray<float>(device, more * points_.size());
  constexpr std::uint64_t least_memory = 1;
  device_.game().begin(device_.game().plan(flame_, most_pools, least_memory), flame_);
}

Pilot::~Pilot() { device_.game().end(); }

std::vector<Point> Pilot::at(std::uint32_t step, int pools) {
  if (begun_ > 0 && step > behind_) warm_up(0, begun_, step, true);  // who is ahead stays there
  if (begun_ < pools) warm_up(begun_, pools, step, false);
  begun_ = pools;
  behind_ = step;
  std::vector<Point> points(std::size_t(pools) * pool_slots);
  device_.download(points.data(), points_.data(), points.size() * sizeof(Point));
  if (pools == 1)
    alone_[step] = points;
  else if (const auto first = alone_.find(step); first != alone_.end())
    std::copy(first->second.begin(), first->second.end(), points.begin());
  return points;
}

/// Brings these pools to their first `step` steps.
void Pilot::warm_up(int first, int end, std::uint32_t step, bool goes_on) {
  ChaosGame game{};
  game.program = loaded_.program();
  const std::size_t pool = std::size_t(first), slot = pool * pool_slots, lane = pool * pool_lanes;
  game.state = {points_.data() + slot,
                random0_.data() + lane,
                random1_.data() + lane,
                step_.data() + pool,
                recorded_.data() + pool,
                bad_.data() + pool,
                nullptr,
                more_.data() + slot * std::size_t(flame_.program.more_numbers())};
  game.permutations = permutations_.data() ? permutations_.data() : pool_permutations().data();
  game.seed = pilot_seed;
  game.first_unit = std::uint32_t(first);
  game.total_samples = most_pools * unit_samples;
  game.recorded_from = ~std::uint32_t(0);
  game.hidden_until = step;
  game.goes_on = goes_on;
  device_.game().warm_up(game, end - first);
}

}  // namespace kiln
