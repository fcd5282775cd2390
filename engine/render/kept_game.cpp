#include "engine/render/kept_game.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/stop.h"
#include "engine/program/sample_shares.h"
#include "engine/render/look_plan.h"
#include "engine/render/noise_look.h"
#include "engine/render/sums_digest.h"

namespace kiln {

void check_keeping(const PreparedFrame& frame, const RenderOptions& options) {
  const std::string place = frame.flame.place();
  if (frame.flame.passes > 1) {
    fail(ErrorKind::usage,
         "{}: the flame has {} passes, each with sums of its own, and a state holds one; "
         "--set passes=1 renders it in one",
         place, frame.flame.passes);
  }
  if (frame.compiled.program.moment_count > 1)
    fail(ErrorKind::usage, "{}: a state holds no motion blur; animations go on by --resume", place);
  if (!options.helpers.empty()) {
    fail(ErrorKind::usage,
         "{}: the sums of several devices are not kept together; leave --devices out, or give each "
         "device a --shard of its own",
         place);
  }
  if (options.game != Game::permutation)
    fail(ErrorKind::usage, "{}: cross-checks have no state; leave --strategy and --rng out", place);
}

std::uint64_t kept_bytes(const PreparedFrame& frame, const Keeping& keeping) {
  const BufferGeometry& buffer = frame.plan.geometry;
  const std::uint64_t channels = frame.compiled.table.opaque ? 4 : 5;
  const std::uint64_t bytes =
      std::uint64_t(buffer.width) * std::uint64_t(buffer.height) * channels * sizeof(std::uint64_t);
  if (!keeping.sums.shape.halves) return keeping.save ? bytes : 0;
  // the odd half, copies of both and their sum, three pictures of 16 bits
  const std::uint64_t pixels = std::uint64_t(frame.plan.width) * std::uint64_t(frame.plan.height);
  return 4 * bytes + 3 * 8 * pixels;
}

KeptGame::KeptGame(Device& device, GameRunner& game, const PreparedFrame& frame,
                   const RenderOptions& options, Keeping& keeping, std::uint64_t* histogram,
                   Look look)
    : device_(device),
      game_(game),
      frame_(frame),
      options_(options),
      keeping_(keeping),
      look_(std::move(look)),
      shape_(sums_shape(frame, options)),
      histograms_{histogram} {
  if (frame.plan.density.active()) fall_ = 0.25;  // where it blurs much
  shape_.halves = keeping.sums.shape.halves;
  game_.begin(options.seed, 0, flam3_fuse(options), shape_.halves ? 2 : 1);
  shape_.lineages = std::uint32_t(game_.lineages());
  shape_.pool_bytes = game_.lineages() ? std::uint32_t(game_.pool_bytes()) : 0;
  if (!keeping.sums.shape.digest.empty()) check_shape();
  check_ends();
  if (shape_.halves) {
    odd_half_ = {device, shape_.values()};
    odd_half_.clear();
    histograms_.push_back(odd_half_.data());
  }
  restore();
}

void KeptGame::check_shape() const {
  const SumsShape& there = keeping_.sums.shape;
  if (there.width != shape_.width || there.height != shape_.height ||
      there.supersample != shape_.supersample) {
    fail(ErrorKind::usage,
         "the state has sums of {} x {} buckets (supersample {}, {} around the picture), and this "
         "picture needs {} x {} (supersample {}, {}); sizes, supersample and reach of filter and "
         "estimator have to stay, or the flame is rendered anew",
         there.width, there.height, there.supersample, there.gutter, shape_.width, shape_.height,
         shape_.supersample, shape_.gutter);
  }
  if (there != shape_)
    fail(ErrorKind::usage,
         "the state is of another flame, seed, camera, palette or --compat than this picture: its "
         "sums cannot be gone on with; leave out what changed, or render anew");
  const std::uint64_t whole = game_.whole_units();
  if (keeping_.sums.done.end() > whole) {
    fail(ErrorKind::usage,
         "the state has unit {} already and this picture ends with unit {}: sums cannot be taken "
         "back; ask for a higher --quality, or render anew",
         keeping_.sums.done.end() - 1, whole);
  }
}

void KeptGame::check_ends() const {
  if (options_.ranks && (options_.until_noise > 0 || options_.time_limit_s > 0 || shape_.halves))
    fail(ErrorKind::usage,
         "ranks play to the end of the quality, each its part; leave --until-noise, --until-psnr, "
         "--time-limit and --halves out");
  if (options_.until_noise > 0 && !shape_.halves)
    fail(ErrorKind::usage,
         "the state's sums are whole, and noise is measured from two halves; render the flame anew "
         "with --until-noise or --halves");
}

void KeptGame::restore() {
  SavedSums& sums = keeping_.sums;
  if (sums.shape.digest.empty()) {
    device_.clear(histograms_[0], shape_.values() * sizeof(std::uint64_t));
    sums.shape = shape_;
    return;
  }
  for (std::size_t i = 0; i < histograms_.size(); ++i) {
    KILN_CHECK(sums.histograms[i].size() == shape_.values(), "{} sums", sums.histograms[i].size());
    device_.upload(histograms_[i], sums.histograms[i].data(),
                   shape_.values() * sizeof(std::uint64_t));
  }
  for (const auto& [lineage, pool] : sums.pools) {
    if (lineage < game_.units()) game_.restore_pool(lineage, pool);
  }
  sums.histograms.clear();  // the device has them
  done_ = sums.done;
  earlier_ = done_.count();
  earlier_bad_values_ = sums.bad_values;
  next_look_ = sums.next_look;
}

std::uint64_t KeptGame::samples_to_play() const {
  if (options_.until_noise > 0) {
    const double units = std::max(expected_units_, double(std::max(next_look_, done_.count() + 1)));
    return std::uint64_t(std::min(units, double(game_.units())) - double(earlier_)) * unit_samples;
  }
  const UnitSet shard = units_of_shard(game_.whole_units(), game_.lineages(), keeping_.shard);
  std::uint64_t units = 0;
  for (const UnitRange& range : shard.ranges()) units += done_.missing_of(range).count();
  return std::max<std::uint64_t>(units, 1) * unit_samples;
}

int KeptGame::looks_to_come() const {
  if (options_.until_noise <= 0) return shape_.halves ? 1 : 0;
  constexpr int usual = 2;  // before the first
  return keeping_.noise && measured_ > 0
             ? kiln::looks_to_come(next_look_, measured_, *keeping_.noise, options_.until_noise,
                                   fall_)
             : usual;
}

GameTotals KeptGame::totals() const {
  return {earlier_samples() + played_.samples, earlier_bad_values_ + played_.bad_values};
}

bool KeptGame::play(const OnProgress& on_progress) {
  try {
    if (play_shard(on_progress) != Course::stopped) return finish();
    finish_saving(true);
    keeping_.all_saved = keeping_.stopped = true;
    return false;
  } catch (const Error& error) {
    if (error.kind == ErrorKind::device) rescue();
    if (error.kind != ErrorKind::stopped || !use_copies_ || !keeping_.save) throw;
    finish_saving(false);
    keeping_.save(keeping_.sums);  // stopped amid a look
    keeping_.all_saved = keeping_.stopped = true;
    return false;
  } catch (const std::bad_alloc&) {
    rescue();
    throw;
  }
}

KeptGame::Course KeptGame::play_shard(const OnProgress& on_progress) {
  const UnitSet shard = units_of_shard(game_.whole_units(), game_.lineages(), keeping_.shard);
  for (const UnitRange& wanted : shard.ranges()) {
    const UnitSet missing = done_.missing_of(wanted);
    if (keeping_.only_look && missing.count() > 0)
      fail(ErrorKind::input, "units {} are missing; kiln render of the state renders them",
           in_words(missing));
    for (const UnitRange& range : missing.ranges()) {
      const Course course = play_range(range, on_progress);
      if (course != Course::on) return course;
    }
  }
  return Course::on;
}

KeptGame::Course KeptGame::play_range(UnitRange range, const OnProgress& on_progress) {
  const auto ask = [&] { on_progress(played_.samples); };
  if (options_.until_noise > 0 && (next_look_ == 0 || next_look_ < range.first)) {
    const std::uint64_t pixels =
        std::uint64_t(frame_.plan.width) * std::uint64_t(frame_.plan.height);
    next_look_ = first_look(pixels, range.first);
    if (expected_units_ <= 0) expected_units_ = usual_units(pixels, options_.until_noise);
  }
  while (range.first < range.end) {
    if (options_.until_noise > 0 && next_look_ == range.first && noise_is_enough())
      return Course::complete;
    UnitRange part = range;
    if (next_look_ > range.first) part.end = std::min(part.end, next_look_);
    range.first += play_part(part, ask);
    ask();
    const Course course = after_part();
    if (course != Course::on) return course;
  }
  return Course::on;
}

std::uint64_t KeptGame::play_part(const UnitRange& part, const std::function<void()>& ask) {
  const auto launch = [&](std::uint64_t units) {  // a look may have changed what there is to play
    launch_ = std::min(units, std::uint64_t(game_.units_of_a_launch()));
    ask();
  };
  if (!shape_.halves) {
    launch(part.count());
    const std::uint64_t count = game_.play_some(part, histograms_[0], played_, ask);
    done_.add({part.first, part.first + count});
    return count;
  }
  const auto every_other = [&](const UnitRange& units) {
    launch((units.count() + 1) / 2);
    const std::uint64_t count = game_.play_some(units, histograms_[units.first % 2], played_, ask);
    for (std::uint64_t u = units.first; u < units.first + 2 * count; u += 2) done_.add({u, u + 1});
    return 2 * count;
  };
  const std::uint64_t end = std::min(part.end, part.first + every_other(part));
  for (UnitRange others{part.first + 1, end}; others.first < others.end;)
    others.first += every_other(others);
  return end - part.first;
}

/// What is to be done after some units: nothing, saving, or an end.
KeptGame::Course KeptGame::after_part() {
  const Keeping::Wish wish = keeping_.ask ? keeping_.ask() : Keeping::Wish::go_on;
  if (wish == Keeping::Wish::stop) {
    finish_saving(false);
    start_saving();
    return Course::stopped;
  }
  const double limit_s = options_.time_limit_s;
  if (limit_s > 0 && seconds_since(begun_) >= limit_s && is_picture() && !done_.contains(whole())) {
    keeping_.end = Keeping::End::time;
    return Course::complete;
  }
  wants_save_ |= wish == Keeping::Wish::save;
  if (wants_save_ && !is_saving()) {
    finish_saving(false);
    start_saving();
  }
  return Course::on;
}

bool KeptGame::noise_is_enough() {
  if (!is_picture()) {  // units behind a gap are there already
    next_look_ = look_from(next_look_ + 1);
    return false;
  }
  const std::uint64_t before = measured_;
  const PictureNoise noise_before = before > 0 ? *keeping_.noise : PictureNoise{};
  measure();
  const std::uint64_t units = done_.count();
  if (before > 0) fall_ = fall_of(before, noise_before, units, *keeping_.noise);
  expected_units_ = expected_units(units, *keeping_.noise, options_.until_noise, fall_);
  if (is_enough(*keeping_.noise, options_.until_noise)) {
    keeping_.end = Keeping::End::noise;
    return true;
  }
  next_look_ = next_look(units, *keeping_.noise, options_.until_noise);
  return false;
}

void KeptGame::measure() {
  finish_saving(false);
  copy_sums();
  use_copies_ = true;
  const std::vector<std::uint64_t>& first = keeping_.sums.histograms[0];
  measured_ = done_.count();
  if (keeping_.stop.stop_possible()) device_.watch(keeping_.stop);
  keeping_.noise = look_(keeping_.sums.histograms, measured_);
  if (keeping_.stop.stop_possible()) device_.watch(options_.stop);
  device_.upload(histograms_[0], first.data(), first.size() * sizeof(std::uint64_t));
  use_copies_ = false;
}

/// Measures and saves what there is; true if it is a picture, whose histogram is then complete.
bool KeptGame::finish() {
  const bool ends_early = keeping_.end != Keeping::End::quality;
  // ranks meet whatever each of them has, one with all units too
  const bool complete = ends_early || (!options_.ranks && done_.contains(whole()));
  if (complete && shape_.halves && is_picture() && done_.count() > 1 && measured_ != done_.count())
    measure();
  finish_saving(false);
  if (keeping_.save) {
    start_saving();
    use_copies_ = true;
  }
  if (ends_early) keeping_.quality = quality_now();
  if (complete && shape_.halves) join_halves();
  if (complete && !ends_early) play_cut_unit(played_);
  try {
    finish_saving(true);
    keeping_.all_saved = bool(keeping_.save);
  } catch (...) {
    if (!complete && !options_.ranks) throw;
    keeping_.unsaved = std::current_exception();
  }
  return complete;
}

void KeptGame::play_cut_unit(GameTotals& totals) {
  if (game_.whole_units() < game_.units())
    game_.play_some({game_.whole_units(), game_.units()}, histograms_[0], totals, [] {});
}

/// The device failed, or memory ran out. What a launch left half done is of no use, and a device
/// that is lost gives nothing back: then the state is as it was written last.
void KeptGame::rescue() {
  if (!keeping_.save || keeping_.all_saved) return;
  try {
    finish_saving(false);
    if (!use_copies_) {
      if (game_.is_amid_launch()) return;
      copy_sums();
    }
    keeping_.save(keeping_.sums);
    keeping_.all_saved = true;
  } catch (const std::exception&) {
    return;
  }
}

double KeptGame::quality_now() const {
  return quality_of_samples(frame_.flame, done_.count() * unit_samples);
}

void KeptGame::copy_sums() {
  SavedSums& sums = keeping_.sums;
  sums.histograms.resize(histograms_.size());
  const std::size_t values = shape_.values();
  constexpr std::size_t values_at_once = 1 << 23;  // 64 MB
  for (std::size_t i = 0; i < histograms_.size(); ++i) {
    std::vector<std::uint64_t>& to = sums.histograms[i];
    to.reserve(values);
    for (std::size_t at = 0; at < values; at += values_at_once) {
      check_stop(options_.stop);
      const std::size_t end = std::min(at + values_at_once, values);
      to.resize(std::max(to.size(), end));  // memory is touched as it goes on
      device_.download(to.data() + at, histograms_[i] + at, (end - at) * sizeof(std::uint64_t));
    }
  }
  for (std::uint64_t lineage = 0; lineage < game_.lineages(); ++lineage) {
    if (done_.contains({lineage, lineage + 1}))
      sums.pools[std::uint32_t(lineage)] = game_.pool(lineage);
  }
  sums.done = done_;
  sums.bad_values = totals().bad_values;
  sums.next_look = next_look_;
  const bool is_open = options_.until_noise > 0 || keeping_.end != Keeping::End::quality;
  if (is_open && keeping_.genome_at && done_.count() > 0)
    sums.genome = keeping_.genome_at(quality_now());
}

void KeptGame::start_saving() {
  wants_save_ = false;
  copy_sums();
  const auto save = [this] { keeping_.save(keeping_.sums); };
  const auto policy = options_.threads == 1 ? std::launch::deferred : std::launch::async;
  try {
    saving_ = std::async(policy, save);
  } catch (const std::system_error&) {  // no thread is to be had
    saving_ = std::async(std::launch::deferred, save);
  }
  if (saving_.wait_for(std::chrono::seconds(0)) == std::future_status::deferred)
    saving_.wait();  // by this thread, at once: a state that is not written helps nobody
}

bool KeptGame::is_saving() const {
  return saving_.valid() &&
         saving_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
}

void KeptGame::finish_saving(bool last) {
  if (!saving_.valid()) return;
  try {
    saving_.get();
  } catch (const Error& error) {
    if (last) throw;
    if (keeping_.warn) keeping_.warn(error.what());
  }
}

void KeptGame::join_halves() {
  if (keeping_.sums.histograms.empty()) copy_sums();
  const std::vector<std::uint64_t> sum = sum_of(keeping_.sums.histograms, options_.stop);
  device_.upload(histograms_[0], sum.data(), sum.size() * sizeof(std::uint64_t));
}

}  // namespace kiln
