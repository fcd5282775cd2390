// SPDX-License-Identifier: MIT
#include "engine/pipeline/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "engine/animation/frame_at.h"
#include "engine/base/cores.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/device/device_kind.h"
#include "engine/io/picture/png_writer.h"
#include "engine/model/exact_math.h"
#include "engine/program/sample_shares.h"
#include "engine/render/schedule/probe_schedule.h"
#include "engine/render/stages/stages.h"
#include "engine/render/still.h"
#include "engine/render/stripes.h"
#include "kernels/pool.h"

namespace kiln {
namespace {

constexpr double least_buckets = 60'000;

PreparedFrame prepared(const Flame& flame, const RenderOptions& options) {
  return prepare(Frame{flame, {}, {}, 0}, options);
}

/// Seconds to make a picture's file, which all threads compress.
double file_seconds(const Image& image, int threads) {
  if (image.bits() == 32) return 60e-9 * image.width * image.height;  // OpenEXR, one core
  const auto start = Clock::now();
  png_bytes(image, {}, {.threads = threads});
  return seconds_since(start);
}

double buckets_of(const PreparedFrame& frame) {
  return static_cast<double>(frame.plan.geometry.width) * frame.plan.geometry.height;
}

double pixels_of(const PreparedFrame& frame) {
  return static_cast<double>(frame.plan.width) * frame.plan.height;
}

constexpr double first_quality = 40;  // to find noise

/// The options for stills whose noise can be told.
RenderOptions options_in_halves(RenderOptions options) {
  options.max_memory_bytes = 0;
  options.until_noise = options.time_limit_s = options.most_quality = 0;
  options.halves = true;
  options.linear = false;
  options.crop = {};
  options.crop_marks = 0;
  options.on_rows = {};
  options.on_progress = {};
  return options;
}

struct SmallNoise {
  double noise = 0;  // upper end of its interval
  double quality = 0, samples_a_pixel = 0;
  double quality_for(double goal, double fall = 0.5) const {
    return quality * exact::pow(noise / goal, 1 / fall);
  }
};

/// The noise of the flame at this quality, made so small that it takes about `most_samples`. None
/// if those are too few for halves, or the picture is black.
std::optional<SmallNoise> noise_of_small(Renderer& renderer, const RenderOptions& options,
                                         Flame flame, double quality, double most_samples) {
  flame.quality = quality;
  Still small{shrink_to(most_samples, samples_of(prepared(flame, options)), flame.width)(flame)};
  RenderStatistics statistics;
  render_still(renderer, options, small, &statistics);
  if (statistics.noise <= 0) return std::nullopt;
  const double pixels = static_cast<double>(small.flame.width) * small.flame.height;
  return SmallNoise{statistics.noise + statistics.noise_error, small.flame.quality,
                    static_cast<double>(statistics.samples) / pixels};
}

/// Rounds of small pictures, each as good as the one before promises: noise that falls slower takes more.
int rounds_of_noise(const Flame& flame) {
  return light_stage(flame).noise.small_fall < 0.5 ? 3 : 2;
}

}  // namespace

Forecaster::Forecaster(const RenderOptions& options, bool measures)
    : measures_(measures), device_(open_device(options)) {
  settings(options);
  device_->choose_game(options.game);
  begin_s_ = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}
Forecaster::~Forecaster() = default;

void Forecaster::settings(const RenderOptions& options, bool has_state) {
  options_ = options;
  has_state_ = has_state;
  options_.on_progress = {};
  options_.crop = {};  // the whole picture is rendered whatever is cut out of it
  options_.crop_marks = 0;
}

std::string Forecaster::device() const { return device_->describe(); }

/// Samples that give every thread work of its own: some 30 ms a core, 10 ms on a GPU.
double Forecaster::wanted_samples() const {
  const bool on_gpu = is_gpu(device_->describe());
  const double threads = options_.threads > 0 ? options_.threads : usable_cores();
  return on_gpu ? 5e8 : 4.2e6 * threads;
}

/// Sets the rate by a game of so many samples and the one before, which had fewer: the time that a game takes to begin,
/// for one the burn-in at all time samples of a frame, does not grow with samples.
void Forecaster::set_sample_rate(double samples, double seconds) {
  constexpr double certain = 0.25;  // of what there is a sample altogether: measurements stray
  const double rate = seconds / std::max(samples, 1.0);
  const double more = samples - last_samples_, longer = seconds - last_seconds_;
  rates_.seconds_a_sample = last_samples_ > 0 && more > samples / 4
                                ? std::clamp(longer / more, certain * rate, rate)
                                : rate;
  rates_.game_s = std::max(0.0, seconds - samples * rates_.seconds_a_sample);
  last_samples_ = samples;
  last_seconds_ = seconds;
}

void Forecaster::measure(const MakeFrame& make, const PreparedFrame& whole) {
  constexpr double enough_s = 0.15, most_s = 0.5, growth = 4;
  RenderOptions options = options_;
  options.max_memory_bytes = 0;
  options.until_noise = options.time_limit_s = 0;
  options.halves = false;
  options.on_rows = {};
  last_samples_ = last_seconds_ = 0;
  const double all = samples_of(whole), most = 4 * wanted_samples();
  const auto begun = Clock::now();
  Renderer renderer(options);
  int rung = 0;
  for (double wanted = wanted_samples() / 16;; wanted *= growth) {
    const Shrink shrink = shrink_to(wanted, all, whole.plan.width);
    const PreparedFrame small = prepare(make(shrink), options);
    const auto start = Clock::now();
    const std::clock_t cpu = std::clock();
    RenderStatistics statistics;
    const Image image = renderer.render(small, &statistics);
    const double took = std::max(seconds_since(start), 1e-6);
    rates_.busy_cores = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC / took;
    set_sample_rate(static_cast<double>(statistics.samples), statistics.iterate_s);
    rates_.seconds_a_bucket = statistics.output_s / buckets_of(small);
    const bool is_last = (shrink.side == 1 && shrink.quality == 1) ||
                         (took >= enough_s && rung > 1) || wanted >= most ||
                         seconds_since(begun) + growth * took > most_s;
    ++rung;
    if (!is_last) continue;
    rates_.seconds_a_pixel = file_seconds(image, options.threads) / pixels_of(small);
    if (buckets_of(small) < least_buckets && shrink.side < 1)
      measure_output(renderer, make, whole, static_cast<double>(statistics.samples));
    return;
  }
}

/// Measures the stages after the game on a picture that is large enough for it, by `samples`: in a
/// tiny one beginning each stage takes longer than its work.
void Forecaster::measure_output(Renderer& renderer, const MakeFrame& make,
                                const PreparedFrame& whole, double samples) {
  Shrink shrink;
  shrink.side = std::min(1.0, std::sqrt(2 * least_buckets / buckets_of(whole)));
  shrink.quality = std::min(1.0, samples / (samples_of(whole) * shrink.side * shrink.side));
  const PreparedFrame small = prepare(make(shrink), options_);
  RenderStatistics statistics;
  const Image image = renderer.render(small, &statistics);
  rates_.seconds_a_bucket = statistics.output_s / buckets_of(small);
  rates_.seconds_a_pixel = file_seconds(image, options_.threads) / pixels_of(small);
}

/// Finds the noise as near to where the picture ends as the time allows.
void Forecaster::measure_noise(const Flame& flame) {
  const RenderOptions options = options_in_halves(options_);
  const double affordable = std::min(wanted_samples(), 0.1 / rates_.seconds_a_sample);
  Renderer renderer(options);
  double quality = first_quality;
  rates_.noise_fall = light_stage(flame).noise.small_fall;
  for (int round = 0; round < rounds_of_noise(flame); ++round) {
    auto found = noise_of_small(renderer, options, flame, quality, affordable);
    if (!found && affordable < wanted_samples())  // a busy machine affords too few for halves
      found = noise_of_small(renderer, options, flame, quality, wanted_samples());
    if (!found) return;
    rates_.noise = found->noise;
    rates_.noise_samples_a_pixel = found->samples_a_pixel;
    quality = std::clamp(found->quality_for(options_.until_noise, rates_.noise_fall), 10.0, 1e4);
  }
}

/// The share of the samples that fall into the picture: that of the small one.
double Forecaster::share_in_picture(const PreparedFrame& frame) const {
  Flame small = frame.flame;
  constexpr double width = 64;
  const double shrink = width / small.width * exact::exp(small.zoom * 0.693147180559945309417);
  small.height = std::clamp(static_cast<int>(small.height * width / small.width), 1, 1000);
  small.width = static_cast<int>(width);
  small.scale *= shrink;
  small.zoom = small.estimator_radius = small.estimator_minimum = 0;
  small.supersample = small.passes = 1;
  small.quality = 20;
  small.effects = {};
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = 1;
  options.linear = true;
  RenderStatistics statistics;
  const Image image = render(small, options, &statistics);
  double hits = 0;
  for (float pixel : image.linear().hits) hits += pixel;
  return std::clamp(hits / std::max(1.0, static_cast<double>(statistics.samples)), 0.0, 1.0);
}

void Forecaster::check_memory(const Flame& flame) const {
  plan_of(prepared(flame, options_), false).or_throw();
}

/// Bytes of sums that outlive the game, as still.cpp keeps them; none if they do not.
std::optional<std::uint64_t> Forecaster::kept_bytes_of(const PreparedFrame& frame) const {
  if (!has_state_ && !options_.halves && !ends_early(options_)) return {};
  Checkpoint checkpoint;
  checkpoint.sums.shape.halves = options_.halves || options_.until_noise > 0;
  if (has_state_) checkpoint.save = [](const SavedSums&) {};
  return kept_bytes(frame, checkpoint);
}

MemoryPlan Forecaster::plan_of(const PreparedFrame& frame, bool in_film) const {
  if (in_film && joins_frames(frame)) return plan_window(frame, options_, *device_);
  const auto kept = in_film ? std::nullopt : kept_bytes_of(frame);
  return kept ? plan_memory(frame, options_, *device_, *kept, why_kept_sums_are_whole)
              : plan_memory(frame, options_, *device_);
}

/// The memory of a picture, of its largest stripe where it is made in several; sets how many.
MemoryNeed Forecaster::memory_of(const PreparedFrame& frame, bool in_film, int& count) const {
  const MemoryPlan plan = plan_of(frame, in_film);
  count = static_cast<int>(plan.stripes.size());
  MemoryNeed need = memory_need(plan, frame, options_, *device_);
  if (!in_film)
    need.picture += kept_bytes_of(frame).value_or(0);
  else if (joins_frames(frame))
    need.picture += bytes_of_window(frame, options_);
  return need;
}

Forecast Forecaster::of(const Flame& flame) {
  if (!measures_) return of_the_same_rate(flame);
  const auto start = Clock::now();
  const PreparedFrame whole = prepared(flame, options_);
  rates_ = {.begin_s = std::exchange(begin_s_, 0)};
  rates_.prepare_s = seconds_since(start);
  measure([&](const Shrink& shrink) { return Frame{shrink(flame), {}, {}, 0}; }, whole);
  if (options_.until_noise > 0) measure_noise(flame);
  return of_frame(whole);
}

Forecast Forecaster::of(const std::vector<Flame>& keys, const FrameTime& time) {
  const auto start = Clock::now();
  const PreparedFrame whole = prepare(frame_at(keys, time), options_);
  rates_ = {.begin_s = std::exchange(begin_s_, 0)};
  rates_.prepare_s = seconds_since(start);
  std::vector<Flame> small;
  const auto make = [&](const Shrink& shrink) {
    small = keys;
    for (Flame& key : small) key = shrink(key);
    return frame_at(small, time);
  };
  if (measures_) measure(make, whole);
  return of_frame(whole, true);
}

Forecast Forecaster::of_the_same_rate(const Flame& flame) {
  return of_frame(prepared(flame, options_));
}

/// Sets the samples at which noise or time end the picture before its quality does.
void Forecaster::set_ends(const PreparedFrame& frame, Forecast& forecast, Work& work) const {
  double samples = forecast.samples;
  if (options_.until_noise > 0 && rates_.noise_samples_a_pixel > 0) {
    const double most = options_.most_quality > 0
                            ? samples * options_.most_quality / frame.flame.quality
                            : 4e12;  // still.cpp: hours of the fastest devices
    samples = samples_until(options_.until_noise, rates_, work.pixels, most, work.looks);
    if (samples < most) forecast.ends_by = "noise";
  }
  const double playable = options_.time_limit_s / std::max(rates_.seconds_a_sample, 1e-15);
  if (options_.time_limit_s > 0 && rates_.seconds_a_sample > 0 && samples > playable) {
    samples = playable;
    forecast.ends_by = "time";
  }
  forecast.samples = work.samples = samples;
}

Forecast Forecaster::of_frame(const PreparedFrame& frame, bool in_film) {
  Forecast forecast;
  forecast.samples = samples_of(frame);
  forecast.pixels = pixels_of(frame);
  forecast.in_double = frame.compiled.program.fine;
  forecast.resolution = resolution_of(frame.compiled);
  forecast.resolution_warning = resolution_warning(frame.compiled);
  MemoryNeed& memory = forecast.memory = memory_of(frame, in_film, forecast.stripes);
  constexpr std::uint64_t matters = 20;  // of the whole: a twentieth
  if (memory.records > memory.usual() / matters) {
    memory.records =
        static_cast<std::uint64_t>(share_in_picture(frame) * static_cast<double>(memory.records));
  }
  if (!measures_) return forecast;
  Work work{forecast.samples, buckets_of(frame), pixels_of(frame), forecast.stripes};
  set_ends(frame, forecast, work);
  forecast.seconds = seconds_of(work, rates_, options_.time_limit_s);
  return forecast;
}

double quality_for_noise(const KeyFrames& film, const RenderOptions& asked, double goal) {
  constexpr std::size_t most_looks = 5;
  // of each small picture, whose quality is what the one before it promises
  constexpr double samples[] = {4.0 * double(unit_samples), 16.0 * double(unit_samples),
                                16.0 * double(unit_samples)};
  const RenderOptions options = options_in_halves(asked);
  Renderer renderer(options);
  const std::size_t looks = std::min(most_looks, film.frames.size());
  double most = 0;
  for (std::size_t look = 0; look < looks; ++look) {
    const std::size_t last = film.frames.size() - 1;
    const FrameTime& time = film.frames[looks > 1 ? last * look / (looks - 1) : 0];
    const Flame still = frame_at(film.keys, time, MotionBlur::without).flame;
    double quality = first_quality;
    for (const double wanted : std::span(samples).first(std::size_t(rounds_of_noise(still)))) {
      const double least = samples[0] / (double(still.width) * still.height);
      const auto found = noise_of_small(renderer, options, still, std::max(quality, least), wanted);
      quality = found ? std::clamp(found->quality_for(goal), 1.0, 1e6) : 0;
      if (!found) break;
    }
    most = std::max(most, quality);
  }
  double digit = 1;
  while (most >= 100 * digit) digit *= 10;
  return std::ceil(most / digit) * digit;
}

std::string forecast_text(const Forecast& forecast) {
  const MemoryNeed& memory = forecast.memory;
  std::string text = fmt::format("{} samples, {} of memory", with_prefix(forecast.samples),
                                 byte_size(memory.usual()));
  if (memory.perhaps > memory.usual() / 20)
    text += fmt::format(" (at most {})", byte_size(memory.most()));
  if (forecast.stripes > 1)
    text += fmt::format(", in {0} stripes: the game is played {0} times", forecast.stripes);
  if (forecast.stripes == 0) text += ", which is not there";
  if (forecast.seconds > 0) text += ", about " + clock_time(std::ceil(forecast.seconds));
  if (forecast.ends_by == "noise") text += " by an estimate of its noise";
  if (forecast.ends_by == "time") text += " as the time limit ends it";
  return text;
}

Flame Shrink::operator()(Flame flame) const {
  const double width = std::max(1.0, std::floor(flame.width * side));
  const double factor = width / flame.width;
  flame.height = std::max(1, static_cast<int>(flame.height * factor));
  flame.width = static_cast<int>(width);
  flame.scale *= factor;
  flame.quality *= quality;
  return flame;
}

Shrink shrink_to(double wanted, double all, int width) {
  constexpr double narrowest = 48;
  const double share = std::min(1.0, wanted / std::max(all, 1.0));
  Shrink shrink;
  shrink.side = std::max(std::sqrt(share), std::min(1.0, narrowest / width));
  shrink.quality = std::min(1.0, share / (shrink.side * shrink.side));
  return shrink;
}

double seconds_of(const Work& work, const Rates& rates, double limit_s) {
  const double game =
      (rates.game_s + work.samples * rates.seconds_a_sample) * std::max(work.stripes, 1) +
      3 * work.looks * work.buckets * rates.seconds_a_bucket;
  return rates.begin_s + rates.prepare_s + (limit_s > 0 ? std::min(game, limit_s) : game) +
         work.buckets * rates.seconds_a_bucket + work.pixels * rates.seconds_a_pixel;
}

double film_seconds(const FrameSeconds& frame, double frames, double cores, bool sequential) {
  if (frames <= 0) return 0;
  const double video_cores = std::clamp(cores, 1.0, frame.video_cores);
  const double beside = std::max(0.0, frame.video - frame.video_tail * video_cores / frames);
  const double work = frame.prepare + frame.render_cpu + frame.file + beside;
  const double one = frame.prepare + frame.render + frame.file;
  const double video = beside / video_cores;
  const double a_frame =
      sequential ? std::max(one, video)
                 : std::max({frame.prepare, frame.render, video, work / std::max(cores, 1.0)});
  return one + a_frame * (frames - 1) + frame.video_tail;
}

double samples_until(double noise_goal, const Rates& rates, double pixels, double most,
                     int& looks) {
  constexpr double unit = unit_samples;
  looks = 0;
  std::uint64_t units = first_probe(static_cast<std::uint64_t>(pixels), 0);
  for (;; ++looks) {
    const double samples = static_cast<double>(units) * unit;
    if (samples >= most) return most;
    PictureNoise noise;
    noise.rms =
        rates.noise * exact::pow(rates.noise_samples_a_pixel * pixels / samples, rates.noise_fall);
    if (is_enough(noise, noise_goal)) {
      ++looks;
      return samples;
    }
    units = next_probe(units, noise, noise_goal);
  }
}

PictureCost rough_cost(const Flame& flame, const RenderOptions& options) {
  // of one core: measured 2026-11-23, as those of engine/render/plan/progress_report.cpp
  constexpr double sample_s = 10e-9, bucket_s = 80e-9, byte_s = 12e-9, moment_s = 5e-4;
  const double pixels = static_cast<double>(flame.width) * flame.height;
  const double buckets = pixels * flame.supersample * flame.supersample;
  const double bytes = options.linear ? 8 : options.bits == 16 ? 6 : 3;
  PictureCost cost;
  cost.render = rough_samples(flame) * sample_s + buckets * bucket_s + moment_s;
  cost.file = pixels * bytes * byte_s;
  if (options.time_limit_s > 0) cost.render = std::min(cost.render, options.time_limit_s);
  return cost;
}

double rough_gpu_seconds(double samples, const RenderOptions& options) {
  constexpr double samples_a_second =
      30e9;  // a median of flames with kernels of their own, one H100
  const double seconds = samples / samples_a_second;
  return options.time_limit_s > 0 ? std::min(seconds, options.time_limit_s) : seconds;
}

int gpus_worth(double seconds) {
  constexpr double start_s = 0.35;  // of each GPU: three more took a second, on a host of four H100
  constexpr int most = 64;
  int count = 1;
  while (count < most && seconds > start_s * count * (count + 1)) ++count;
  return count;
}

double time_to_go(double now, double ready_s, double known, double all) {
  const double rate = known > 0 ? (now + ready_s) / known : 1;
  return ready_s + rate * std::max(0.0, all - known);
}

void TimeToGo::start(int number) {
  for (; number_ < static_cast<std::size_t>(number); ++number_)
    behind_ += costs_[number_].render + costs_[number_].file;
}

Progress TimeToGo::of_all(const Progress& picture, double now) {
  // files are written beside the next picture, the last one after it
  double ahead = costs_.back().file, known = behind_;
  for (std::size_t i = number_ + 1; i < costs_.size(); ++i) ahead += costs_[i].render;
  const bool has_begun = picture.elapsed_s > 0;
  (has_begun ? known : ahead) += costs_[number_].render;
  Progress all = picture;
  all.elapsed_s = now;
  all.remaining_s = time_to_go(now, picture.remaining_s, known, known + ahead);
  const double share = now > 0 ? now / (now + all.remaining_s) : 0;
  most_done_ = std::max(most_done_, share);
  all.done = most_done_;
  return all;
}

}  // namespace kiln
