#include "cli/forecast.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "cli/talk.h"
#include "engine/base/text.h"
#include "engine/model/exact_math.h"
#include "engine/render/stripes.h"

namespace kiln::cli {
namespace {

PreparedFrame prepared(const Flame& flame, const RenderOptions& options) {
  return prepare(Frame{flame, {}, {}, 0}, options);
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

/// The flame in a picture that takes about `samples`, at its own quality: where estimation blurs
/// wide and where it does not then lie as in the whole picture.
Flame small_picture(Flame flame, double samples, double wanted) {
  constexpr double narrowest = 48;
  const double shrink =
      std::min(1.0, std::max(std::sqrt(wanted / samples), narrowest / flame.width));
  const double width = std::max(1.0, std::floor(flame.width * shrink));
  const double factor = width / flame.width;
  flame.height = std::max(1, static_cast<int>(flame.height * factor));
  flame.width = static_cast<int>(width);
  flame.scale *= factor;
  return flame;
}

}  // namespace

Forecaster::Forecaster(const RenderOptions& options, bool measures)
    : measures_(measures), device_(open_device(options)) {
  settings(options);
  device_->choose_game(options.game);
}
Forecaster::~Forecaster() = default;

void Forecaster::settings(const RenderOptions& options) {
  options_ = options;
  options_.on_progress = {};
  options_.crop = {};  // the whole picture is rendered whatever is cut out of it
}

std::string Forecaster::device() const { return device_->describe(); }

void Forecaster::measure(const Flame& flame) {
  // enough for every thread to have work of its own: some 30 ms a core, 10 ms on a GPU
  const bool on_gpu = device_->describe().rfind("cuda", 0) == 0;
  const double threads =
      options_.threads > 0 ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
  const double wanted = on_gpu ? 5e8 : 4.2e6 * threads;
  RenderOptions options = options_;
  options.max_memory_bytes = 0;
  const double all = samples_of(prepared(flame, options));
  const Flame small = small_picture(flame, std::max(all, 1.0), wanted);
  RenderStatistics statistics;
  render(small, options, &statistics);
  const double samples = std::max(1.0, static_cast<double>(statistics.samples));
  seconds_a_sample_ = statistics.iterate_s / samples;
  seconds_a_bucket_ = statistics.output_s / buckets_of(prepared(small, options));
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
  plan_stripes(prepared(flame, options_), options_, *device_);
}

/// The memory of a picture, of its largest stripe where it is made in several; sets how many.
MemoryNeed Forecaster::memory_of(const PreparedFrame& frame, int& count) const {
  std::vector<Stripe> stripes;
  try {
    stripes = plan_stripes(frame, options_, *device_);
  } catch (const Error&) {  // it does not fit
  }
  count = static_cast<int>(stripes.size());
  if (count < 2) return memory_need(frame, options_, *device_);
  const PreparedFrame part = frame_of(frame, stripes[stripes.size() / 2]);
  MemoryNeed need = memory_need(part, options_, *device_);
  if (!options_.on_rows)
    need.pixels = memory_need(frame, options_).pixels;
  else if (options_.linear)  // their hits wait for the hash
    need.pixels += static_cast<std::uint64_t>(frame.plan.width) *
                   static_cast<std::uint64_t>(frame.plan.height) * sizeof(float);
  return need;
}

Forecast Forecaster::of(const Flame& flame) {
  if (measures_) measure(flame);
  return of_the_same_rate(flame);
}

Forecast Forecaster::of_the_same_rate(const Flame& flame) {
  const PreparedFrame frame = prepared(flame, options_);
  Forecast forecast;
  forecast.samples = samples_of(frame);
  MemoryNeed& memory = forecast.memory = memory_of(frame, forecast.stripes);
  constexpr std::uint64_t matters = 20;  // of the whole: a twentieth
  if (memory.records > memory.usual() / matters) {
    memory.records =
        static_cast<std::uint64_t>(share_in_picture(frame) * static_cast<double>(memory.records));
  }
  forecast.seconds = forecast.samples * seconds_a_sample_ * std::max(forecast.stripes, 1) +
                     buckets_of(frame) * seconds_a_bucket_;
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
  return text;
}

}  // namespace kiln::cli
