#include "cli/forecast.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <thread>
#include <utility>

#include "cli/console.h"
#include "engine/animation/frame_at.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/io/picture/png_writer.h"
#include "engine/model/exact_math.h"
#include "engine/render/still.h"
#include "engine/render/stripes.h"

namespace kiln::cli {
namespace {

constexpr double least_buckets = 60'000;

PreparedFrame prepared(const Flame& flame, const RenderOptions& options) {
  return prepare(Frame{flame, {}, {}, 0}, options);
}

/// Of a picture's file, which all threads compress.
double file_seconds(const Image& image, int threads) {
  if (image.bits() == 32) return 60e-9 * image.width * image.height;  // OpenEXR, one core
  const auto start = Clock::now();
  png_bytes(image, {}, {.threads = threads});
  return seconds_since(start);
}

double buckets_of(const PreparedFrame& frame) {
  return static_cast<double>(frame.plan.geometry.width) * frame.plan.geometry.height;
}

double samples_of(const PreparedFrame& frame) {
  double samples = 0;
  for (int pass = 0; pass < frame.flame.passes; ++pass)
    samples += static_cast<double>(frame.compiled.samples_of_pass(pass));
  return samples;
}

double pixels_of(const PreparedFrame& frame) {
  return static_cast<double>(frame.plan.width) * frame.plan.height;
}

}  // namespace

Forecaster::Forecaster(const RenderOptions& options, bool measures)
    : measures_(measures), device_(open_device(options)) {
  settings(options);
  device_->choose_game(options.game);
  begin_s_ = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}
Forecaster::~Forecaster() = default;

void Forecaster::settings(const RenderOptions& options) {
  options_ = options;
  options_.on_progress = {};
  options_.crop = {};  // the whole picture is rendered whatever is cut out of it
}

std::string Forecaster::device() const { return device_->describe(); }

/// Enough for every thread to have work of its own: some 30 ms a core, 10 ms on a GPU.
double Forecaster::wanted_samples() const {
  const bool on_gpu = device_->describe().rfind("cuda", 0) == 0;
  const double threads =
      options_.threads > 0 ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
  return on_gpu ? 5e8 : 4.2e6 * threads;
}

/// From a game of so many samples and the one before, which had fewer: what a game takes to begin,
/// settling at all moments of a frame for one, is no matter of samples.
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

/// What comes after the game, of a picture that is large enough for it, by `samples`: in a tiny one
/// beginning each stage takes longer than its work.
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

/// The noise of a small picture in halves, as near to where the picture ends as the time allows.
void Forecaster::measure_noise(const Flame& flame, double all) {
  constexpr double first_quality = 40;
  RenderOptions options = options_;
  options.max_memory_bytes = 0;
  options.until_noise = options.time_limit_s = options.most_quality = 0;
  options.halves = true;
  options.on_rows = {};
  const double affordable = std::min(wanted_samples(), 0.1 / rates_.seconds_a_sample);
  Renderer renderer(options);
  double quality = first_quality;
  for (int round = 0; round < 2; ++round) {
    Still small{flame};
    small.flame.quality = quality;
    const double at_quality = all * quality / flame.quality;
    small.flame = shrink_to(affordable, at_quality, flame.width)(small.flame);
    RenderStatistics statistics;
    render_still(renderer, options, small, &statistics);
    if (statistics.noise < 0) return;  // too few samples for halves
    rates_.noise = statistics.noise + statistics.noise_error;
    rates_.noise_samples_a_pixel = static_cast<double>(statistics.samples) /
                                   (static_cast<double>(small.flame.width) * small.flame.height);
    const double ratio = rates_.noise / options_.until_noise;
    quality = std::clamp(small.flame.quality * ratio * ratio, 10.0, 1e4);
  }
}

/// How many of the samples fall into the picture: those of the small one do.
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
  plan_memory(prepared(flame, options_), options_, *device_).or_throw();
}

/// The memory of a picture, of its largest stripe where it is made in several; sets how many.
MemoryNeed Forecaster::memory_of(const PreparedFrame& frame, int& count) const {
  const MemoryPlan plan = plan_memory(frame, options_, *device_);
  count = static_cast<int>(plan.stripes.size());
  return memory_need(plan, frame, options_, *device_);
}

Forecast Forecaster::of(const Flame& flame) {
  if (!measures_) return of_the_same_rate(flame);
  const auto start = Clock::now();
  const PreparedFrame whole = prepared(flame, options_);
  rates_ = {.begin_s = std::exchange(begin_s_, 0)};
  rates_.prepare_s = seconds_since(start);
  measure([&](const Shrink& shrink) { return Frame{shrink(flame), {}, {}, 0}; }, whole);
  if (options_.until_noise > 0) measure_noise(flame, samples_of(whole));
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
  return of_frame(whole);
}

Forecast Forecaster::of_the_same_rate(const Flame& flame) {
  return of_frame(prepared(flame, options_));
}

/// Where noise or time end the picture before its quality does.
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

Forecast Forecaster::of_frame(const PreparedFrame& frame) {
  Forecast forecast;
  forecast.samples = samples_of(frame);
  forecast.pixels = pixels_of(frame);
  MemoryNeed& memory = forecast.memory = memory_of(frame, forecast.stripes);
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

std::string forecast_text(const Forecast& forecast) {
  const MemoryNeed& memory = forecast.memory;
  std::string text = fmt::format("{} samples, {} of memory", with_prefix(forecast.samples),
                                 byte_size(memory.usual()));
  if (memory.transforms > memory.usual() / 20)
    text += fmt::format(" (at most {})", byte_size(memory.most()));
  if (forecast.stripes > 1)
    text += fmt::format(", in {0} stripes: the game is played {0} times", forecast.stripes);
  if (forecast.stripes == 0) text += ", which is not there";
  if (forecast.seconds > 0) text += ", about " + clock_time(std::ceil(forecast.seconds));
  if (forecast.ends_by == "noise") text += " by an estimate of its noise";
  if (forecast.ends_by == "time") text += " as the time limit ends it";
  return text;
}

}  // namespace kiln::cli
