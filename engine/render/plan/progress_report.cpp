#include "engine/render/plan/progress_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/resources.h"
#include "engine/device/device_kind.h"
#include "engine/fft/transform.h"
#include "engine/model/exact_math.h"
#include "engine/render/stages/density/far_plan.h"

namespace kiln {

void ProgressReport::expect(StageSeconds seconds) {
  constexpr double pictures_of_a_look = 6;  // three (noise_probe.h), and comparing them
  a_look_s_ = pictures_of_a_look * std::accumulate(seconds.begin() + 1, seconds.end(), 0.0);
  a_sample_s_ = seconds[0] / double(std::max<std::uint64_t>(samples_, 1));
  for (std::size_t s = 1; s < stage_count; ++s) seconds[s] *= parts_;
  for (std::size_t s = 0; s < stage_count; ++s) clock_.expect(RenderStage(s), seconds[s]);
}

void ProgressReport::looks(int count, double seconds, int to_come) {
  clock_.pass(now());
  clock_.looks(seconds, to_come * (count > 0 ? seconds / count : a_look_s_));
}

void ProgressReport::iterated(std::uint64_t done, std::uint64_t a_launch) {
  played_ = done;
  launch_ = a_launch;
  clock_.at(RenderStage::iterate, double(done) / double(std::max<std::uint64_t>(samples_, 1)),
            now());
  report();
}

void ProgressReport::at(RenderStage stage, double done) {
  const double time = now();
  if (stage != clock_.stage()) clock_.at(clock_.stage(), of_all(1), time);
  for (int s = int(clock_.stage()) + 1; s < int(stage); ++s) {
    clock_.expect(RenderStage(s), 0);
    clock_.at(RenderStage(s), of_all(1), time);
  }
  clock_.at(stage, of_all(done), time);
  report();
}

bool ProgressReport::is_young(const Device& device) const {
  constexpr double of_gpu_s = 1;  // after it reading its rows twice is a hundredth
  return now() < (is_cpu(device) ? report_s : of_gpu_s);
}

double ProgressReport::contention(const Device& device) const {
  constexpr double long_enough_s = 0.2, most = 8;
  const double wall = now();
  const double cpu = double(std::clock() - cpu_start_) / CLOCKS_PER_SEC;
  if (wall < long_enough_s || !is_cpu(device)) return 1;
  return std::clamp(wall * device.units_at_once() / std::max(cpu, 1e-3), 1.0, most);
}

void ProgressReport::next_part() {
  clock_.at(clock_.stage(), of_all(1), now());
  ++part_;
}

void ProgressReport::hear(int kernel, double done) {
  if (!is_wanted()) return;
  constexpr double before_sums = 0.8;  // of a launch of the game: the rest adds up its records
  if (clock_.stage() == RenderStage::gather &&
      (kernel == kernel_id<GatherDensity> || kernel == kernel_id<CleanLight>))
    clock_.at(RenderStage::gather, of_all(done), now());
  else if (clock_.stage() == RenderStage::iterate && kernel == Device::playing && samples_ > 0)
    clock_.at(RenderStage::iterate,
              (double(played_) + before_sums * done * double(launch_)) / double(samples_), now());
  else
    clock_.pass(now());
  report();
}

void ProgressReport::report() {
  if (!is_wanted()) return;
  const double elapsed = now();
  if (elapsed - last_ < report_s) return;
  last_ = elapsed;
  const double playing = clock_.spent(RenderStage::iterate);
  Progress progress;
  progress.done = clock_.done();
  progress.elapsed_s = elapsed;
  progress.remaining_s = clock_.remaining();
  progress.samples_per_s = playing > 0 ? double(played_) / playing : 0;
  static const OutputPlan usual{};
  progress.stage = name_of(clock_.stage(), plan_ ? *plan_ : usual);
  options_.on_progress(progress);
}

namespace {

/// What is left of a stage that took longer than it was to: so much of it.
constexpr double never_less = 0.02;

}  // namespace

const char* name_of(RenderStage stage, const OutputPlan& plan) {
  switch (stage) {
    case RenderStage::iterate:
      return "iterate";
    case RenderStage::select:
    case RenderStage::far:
    case RenderStage::gather:
      if (plan.clean > 0) return "clean";
      return plan.density.active() ? "density estimation" : "log scale";
    default:
      return "filter";
  }
}

void StageClock::pass(double now) {
  spent_[std::size_t(stage_)] += std::max(0.0, now - now_);
  now_ = std::max(now_, now);
}

void StageClock::looks(double spent, double to_come) {
  const double more = std::max(0.0, spent - looked_s_);
  spent_[0] = std::max(0.0, spent_[0] - more);
  if (limit_ > 0) limit_ = std::max(limit_ - more, 1e-9);
  looked_s_ = std::max(looked_s_, spent);
  looks_s_ = to_come;
}

void StageClock::at(RenderStage stage, double done, double now) {
  pass(now);
  stage_ = stage;
  const std::size_t s = std::size_t(stage);
  done_[s] = std::clamp(done, 0.0, 1.0);
  spent_when_said_[s] = spent_[s];
}

/// How many times as long as expected the stages after the game take here.
double StageClock::correction() const {
  double expected = 0, spent = 0, all = 0;
  for (std::size_t s = 1; s < stage_count; ++s) {
    all += expected_[s];
    expected += done_[s] * expected_[s];
    spent += done_[s] > 0 ? spent_when_said_[s] : 0;
  }
  const double trust = 0.1 * all;  // in what was expected: of little nothing follows
  return all > 0 ? (spent + trust) / (expected + trust) : 1;
}

/// All of a stage.
double StageClock::seconds_of(RenderStage stage) const {
  // pieces of the far part are unlike each other
  const double enough = stage == RenderStage::far ? 0.3 : 0.05;
  const std::size_t s = std::size_t(stage);
  const double expected = expected_[s] * (stage == RenderStage::iterate ? 1 : correction());
  if (done_[s] <= 0) return expected;
  const double measured = spent_when_said_[s] / done_[s], weight = std::min(1.0, done_[s] / enough);
  return weight * measured + (1 - weight) * expected;
}

double StageClock::remaining() const {
  double sum = 0;
  for (std::size_t s = 0; s < stage_count; ++s) {
    if (done_[s] >= 1) continue;
    const double left = seconds_of(RenderStage(s)) * (1 - done_[s]);
    const double since = spent_[s] - spent_when_said_[s];
    double seconds = std::max(left - since, never_less * left);
    if (limit_ > 0 && RenderStage(s) == RenderStage::iterate)
      seconds = std::min(seconds, std::max(0.0, limit_ - spent_[s]));
    sum += seconds;
  }
  if (stage_ == RenderStage::iterate) sum += looks_s_;
  return sum;
}

double StageClock::done() {
  const double left = remaining();
  const double share = now_ + left > 0 ? now_ / (now_ + left) : 0;
  return most_done_ = std::max(most_done_, share);
}

namespace {

constexpr double ns = 1e-9;

double squared_side(const OutputPlan& plan, int width) {
  const int reach = int(std::ceil(plan.density.widths[std::size_t(width)])) - 1;
  return (2.0 * reach + 1) * (2 * reach + 1);
}

/// Adds buckets of which a share of `lit` is lit, by as many hits each.
void add_buckets(const OutputPlan& plan, double hits, double lit, DensityLoad& load) {
  if (!(lit > 0)) return;
  const int around = plan.density.supersample / 2 * 2 + 1;  // whose hits choose the width
  const double chosen_by = std::max(hits, 1.0) * around * around;
  const int width = density_width(plan.density, std::uint64_t(std::min(chosen_by, 1e15)), 255);
  const bool is_far = plan.density.widths[std::size_t(width)] > gathered_width;
  (is_far ? load.far : load.near) += lit * squared_side(plan, width);
}

/// The share that is lit of buckets with so many hits on average.
double lit_by_chance(double hits) { return 1 - exact::exp(-hits); }

}  // namespace

DensityLoad even_load(const PreparedFrame& frame) {
  DensityLoad load;
  if (!frame.plan.density.active()) return load;
  const BufferGeometry& buffer = frame.plan.geometry;
  const double hits =
      double(frame.compiled.samples_of_pass(0)) / (double(buffer.width) * buffer.height);
  add_buckets(frame.plan, hits, lit_by_chance(hits), load);
  return load;
}

DensityLoad density_load(const OutputPlan& plan, const CompiledFlame& flame, Device& device,
                         const std::uint64_t* histogram, double more) {
  constexpr int row_count = 8, most_bands = 16;
  DensityLoad load;
  if (!plan.density.active()) return load;
  const int side = more > 1 ? row_count : 1;  // of squares whose hits are counted together
  const std::size_t channels = flame.table.opaque ? 4 : 5;
  const std::size_t width = std::size_t(plan.geometry.width);
  const int rows = plan.geometry.height, columns = plan.geometry.width / side;
  const int bands = std::min(most_bands, rows / row_count);
  const double one_of = double(bands) * columns * (row_count / side);
  std::vector<std::uint64_t> sums(width * channels * row_count);
  for (int band = 0; band < bands; ++band) {
    const std::int64_t first = std::int64_t(rows - row_count) * (2 * band + 1) / (2 * bands);
    device.download(sums.data(), histogram + std::size_t(first) * width * channels,
                    sums.size() * sizeof sums[0]);
    for (int square = 0; square < columns * (row_count / side); ++square) {
      const std::size_t corner =
          std::size_t(square / columns * side) * width + std::size_t(square % columns * side);
      double hits = 0;
      for (int i = 0; i < side * side; ++i) {
        const std::size_t bucket = corner + std::size_t(i / side) * width + std::size_t(i % side);
        hits += double(sums[bucket * channels + channels - 1]);
      }
      hits *= more * flame.unit / 255 / (side * side);
      add_buckets(plan, hits, (side == 1 ? double(hits > 0) : lit_by_chance(hits)) / one_of, load);
    }
  }
  return load;
}

StageSeconds stage_costs(const PreparedFrame& frame, double samples, const DensityLoad& load,
                         const FarWork& far) {
  const OutputPlan& plan = frame.plan;
  const double buckets = double(plan.geometry.width) * plan.geometry.height;
  const double pixels = double(plan.width) * plan.height;
  const auto set = [](StageSeconds& seconds, RenderStage stage, double value) {
    seconds[std::size_t(stage)] = value;
  };
  StageSeconds seconds{};
  set(seconds, RenderStage::iterate, samples * 10 * ns);
  set(seconds, RenderStage::select, buckets * 4 * ns);
  if (plan.clean > 0) set(seconds, RenderStage::gather, buckets * 380 * ns);
  if (plan.density.active()) {
    const bool transforms = far.cells > 0 && load.far > far.worth_products;
    set(seconds, RenderStage::select, buckets * (far.cells > 0 ? 40 : 24) * ns);
    if (transforms) set(seconds, RenderStage::far, far.cells * 28 * ns);
    set(seconds, RenderStage::gather,
        buckets * (25 + (load.near + (transforms ? 0 : load.far))) * ns);
  }
  set(seconds, RenderStage::filter,
      (double(plan.width) * plan.filter_rows() + pixels) * (2 + plan.filter.size) * 0.5 * ns);
  if (plan.effects.active()) {
    const double padded =
        2.0 * plan.effects.kernel.padded_width * plan.effects.kernel.padded_height;
    set(seconds, RenderStage::effects, padded * exact::log(padded) / exact::log(2) * 0.6 * ns);
  }
  set(seconds, RenderStage::tone, pixels * (plan.curves.empty() ? 6 : 10) * ns);
  return seconds;
}

double slowness_of(Device& device) {
  constexpr i64 points = 4096;
  constexpr i32 lines = 32;
  constexpr double of_one_core = 0.72e-3;
  const Fft fft(device, points, lines);
  DeviceArray<Complex> numbers(device, std::size_t(points) * lines);
  numbers.clear();
  double seconds = 1e9;
  for (int i = 0; i < 4; ++i) {  // the first time tables and caches are cold
    const auto start = Clock::now();
    fft.forward(numbers.data(), numbers.data());
    fft.inverse(numbers.data(), numbers.data());
    device.wait();
    seconds = std::min(seconds, seconds_since(start));
  }
  return seconds / of_one_core;
}

}  // namespace kiln
