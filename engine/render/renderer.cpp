// The algorithm, top to bottom: compile the flame, play the chaos game into an integer histogram,
// log scale it, estimate densities, filter, spread light, tone map, pack. docs/algorithm.md has the
// mathematics; each stage's arithmetic is in kernels/<stage>.h.
#include "engine/render/renderer.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "engine/device/device.h"
#include "engine/model/error.h"
#include "engine/render/chaos_game.h"
#include "engine/render/density_stage.h"
#include "engine/render/effects.h"
#include "engine/render/memory_need.h"
#include "engine/render/prepared_frame.h"

namespace kiln {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Turns samples done into progress calls, at most ten a second.
class ProgressReport {
 public:
  ProgressReport(const RenderOptions& options, std::uint64_t samples)
      : options_(options), samples_(samples) {}

  void iterated(std::uint64_t done) {
    report(iterate_share * double(done) / double(std::max<std::uint64_t>(samples_, 1)), "iterate",
           done);
  }
  void stage(const char* name, double share) { report(share, name, samples_); }

  static constexpr double iterate_share =
      0.95;  // the rest stands for everything after the histogram

 private:
  void report(double done, const char* stage, std::uint64_t samples) {
    if (!options_.on_progress) return;
    const double elapsed = seconds_since(start_);
    if (elapsed - last_ < 0.1 && done < 1) return;
    last_ = elapsed;
    Progress progress;
    progress.done = done;
    progress.elapsed_s = elapsed;
    progress.remaining_s = done > 0 ? elapsed * (1 - done) / done : 0;
    progress.samples_per_s = elapsed > 0 ? double(samples) / elapsed : 0;
    progress.stage = stage;
    options_.on_progress(progress);
  }

  const RenderOptions& options_;
  std::uint64_t samples_;
  Clock::time_point start_ = Clock::now();
  double last_ = 0;
};

/// From the histogram to linear light in the supersampled buffer: log scale, with or without
/// density estimation.
class LightStage {
 public:
  LightStage(Device& device, const OutputPlan& plan, const CompiledFlame& flame,
             const std::uint64_t* sums, bool exact_density)
      : device_(device), plan_(plan) {
    histogram_ = {sums, plan.geometry.width, plan.geometry.height, flame.table.opaque ? 4 : 5,
                  float(flame.unit)};
    if (plan.density.active()) density_.emplace(device, plan, flame.unit, exact_density);
  }

  void run(Vec4* light, bool accumulate) {
    if (density_) {
      density_->run(histogram_, light, accumulate);
      return;
    }
    LogScale scale{histogram_, plan_.log_curve, light, accumulate};
    device_.launch(scale, scale.block_count());
  }

 private:
  Device& device_;
  const OutputPlan& plan_;
  Buckets histogram_;
  std::optional<DensityStage> density_;
};

template <class Pack, class Channel>
std::vector<Channel> pack(Device& device, const OutputPlan& plan, const Vec4* picture,
                          std::size_t pixels, void* memory, Clock::time_point histogram_done,
                          double& packed_s) {
  Channel* packed = static_cast<Channel*>(memory);
  const Pack kernel{picture, packed, i64(pixels), plan.transparent};
  device.launch(kernel, kernel.block_count());
  device.wait();
  packed_s = seconds_since(histogram_done);
  std::vector<Channel> values(pixels * 4);
  device.download(values.data(), packed, values.size() * sizeof(Channel));
  return values;
}

/// The linear picture as it is, for a compositor.
Image linear_image(Device& device, const OutputPlan& plan, const Vec4* picture,
                   const DeviceArray<float>& hits) {
  Image image;
  image.width = plan.width;
  image.height = plan.height;
  image.bits = 32;
  image.hits = hits.download();
  image.linear.resize(image.hits.size() * 4);
  device.download(image.linear.data(), picture, image.linear.size() * sizeof(float));
  for (float& value : image.linear) value /= 255;
  return image;
}

/// Adds the raw counts of a pass to `hits`.
void count_hits(Device& device, const OutputPlan& plan, const CompiledFlame& flame,
                const DeviceArray<std::uint64_t>& histogram, bool accumulate,
                const DeviceArray<float>& hits) {
  CountHits count;
  count.sums = histogram.data();
  count.channels = flame.table.opaque ? 4 : 5;
  count.buffer_width = plan.geometry.width;
  count.gutter = plan.geometry.gutter;
  count.supersample = plan.geometry.supersample;
  count.a_hit = 255 / flame.unit;
  count.hits = hits.data();
  count.width = plan.width;
  count.height = plan.height;
  count.accumulate = accumulate;
  device.launch(count, count.block_count());
}

/// From linear light to pixels: spatial filter, bloom and glare, tone mapping (these before the
/// filter with earlyclip), packing. Allocates next to nothing: the filter goes from `light`
/// [buffer] to the histogram's memory, which nobody needs any more, and back; spread light and
/// packed pixels take the histogram's place again. Fresh memory would cost more than the
/// arithmetic. `hits`: of the linear picture if that is wanted, else empty; `effects`: kept from
/// frame to frame, since their spectrum takes longer than they.
Image develop(Device& device, const OutputPlan& plan, DeviceArray<Vec4>& light,
              DeviceArray<std::uint64_t>& histogram, const DeviceArray<float>& hits,
              std::optional<EffectsStage>& effects, Clock::time_point histogram_done,
              RenderStatistics& statistics) {
  const DeviceArray<float> taps_x(device, plan.filter.x), taps_y(device, plan.filter.y);
  const std::size_t pixels = std::size_t(plan.width) * std::size_t(plan.height);
  const std::size_t row_values = std::size_t(plan.filter_rows()) * std::size_t(plan.width);
  KILN_CHECK(row_values * sizeof(Vec4) <= histogram.size() * sizeof(std::uint64_t) &&
                 pixels <= light.size(),
             "{} x {} pixels from {} x {} buckets", plan.width, plan.height, plan.geometry.width,
             plan.geometry.height);
  Vec4* rows = reinterpret_cast<Vec4*>(histogram.data());
  Vec4* picture = light.data();
  const auto tone_map = [&](Vec4* buffer, std::int64_t count) {
    const ToneMap kernel{buffer, buffer, count, plan.tone};
    device.launch(kernel, kernel.block_count());
  };

  const auto spread_light = [&](Vec4* buffer) {
    if (!plan.effects.active()) return;
    if (!effects || !effects->has_kernel_of(plan.effects)) effects.emplace(device, plan.effects);
    statistics.light_lost = effects->run(plan.effects, buffer, rows).lost();
  };

  if (plan.earlyclip) {
    spread_light(light.data());
    tone_map(light.data(), std::int64_t(plan.geometry.width) * plan.geometry.height);
  }
  const SpatialFilter across = filter_rows(plan, light.data(), taps_x.data(), rows);
  device.launch(across, across.block_count());
  const SpatialFilter down = filter_columns(plan, rows, taps_y.data(), picture);
  device.launch(down, down.block_count());
  if (!plan.earlyclip) spread_light(picture);
  if (hits.size() > 0) return linear_image(device, plan, picture, hits);
  if (!plan.earlyclip) tone_map(picture, std::int64_t(pixels));

  Image image;
  image.width = plan.width;
  image.height = plan.height;
  image.bits = plan.bits;
  image.opaque = !plan.transparent;
  if (plan.bits == 8) {
    image.pixels8 = pack<Pack8, std::uint8_t>(device, plan, picture, pixels, histogram.data(),
                                              histogram_done, statistics.packed_s);
  } else {
    image.pixels16 = pack<Pack16, std::uint16_t>(device, plan, picture, pixels, histogram.data(),
                                                 histogram_done, statistics.packed_s);
  }
  return image;
}

/// Puts the log scale and the estimator of a pass into the frame's plan.
void plan_pass(const PreparedFrame& frame, int pass, OutputPlan& plan) {
  if (frame.passes.empty()) return;  // all passes of a still are alike
  const PreparedFrame::Pass& own = frame.passes[std::size_t(pass)];
  plan.log_curve = own.log_curve;
  plan.density = own.density;
  plan.density_grid = own.density_grid;
}

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::uint64_t(usage.ru_maxrss) * 1024;
}

}  // namespace

class Renderer::Implementation {
 public:
  explicit Implementation(const RenderOptions& options)
      : options_(options),
        device_(open_device(options)),
        permutations_(*device_, pool_permutations()) {
    device_->choose_game(options.game);
  }
  Image render(const PreparedFrame& frame, RenderStatistics* statistics);
  const RenderOptions& options() const { return options_; }

 private:
  const RenderOptions options_;
  const std::unique_ptr<Device> device_;
  const DeviceArray<std::uint16_t> permutations_;
  std::optional<EffectsStage> effects_;  // of the last frame that had any
};

Image Renderer::Implementation::render(const PreparedFrame& frame, RenderStatistics* statistics) {
  const Flame& flame = frame.flame;
  const RenderOptions& options = options_;
  OutputPlan plan =
      frame.plan;  // of the frame; the log scale and the estimator are those of a pass
  const PlotArea area{plan.geometry.supersample, plan.geometry.gutter, plan.geometry.width,
                      plan.geometry.height};
  const CompiledFlame& compiled = frame.compiled;
  const int channels = compiled.table.opaque ? 4 : 5;

  if (options.linear && options.earlyclip) {
    fail(ErrorKind::usage,
         "with earlyclip there is no linear picture: colours are clipped before "
         "the filter; leave --earlyclip out");
  }
  if (options.game != Game::permutation && compiled.program.moment_count > 1) {
    fail(ErrorKind::usage,
         "--strategy divergent and --rng mtgp32 play a flame at one moment; leave them out for "
         "flames in motion");
  }
  if (options.crop) check_window(*options.crop, flame.width, flame.height);
  const MemoryNeed need = memory_need(frame, options);
  check_memory(flame, need, *device_, options);
  RenderStatistics totals;
  totals.device = device_->describe();
  if (compiled.beyond_float) {
    totals.warning = fmt::format(
        "{}:{}: pixels are {:.2g} apart, finer than float coordinates resolve here: expect blocks",
        flame.source, flame.line, compiled.pixel_pitch);
  }

  std::uint64_t samples = 0;
  for (int pass = 0; pass < flame.passes; ++pass) samples += compiled.samples_of_pass(pass);
  ProgressReport progress(options, samples);
  const std::size_t buckets = std::size_t(area.width) * std::size_t(area.height);
  DeviceArray<std::uint64_t> histogram(*device_, buckets * std::size_t(channels));
  DeviceArray<Vec4> light(*device_, buckets);
  const DeviceArray<float> hits =
      options.linear
          ? DeviceArray<float>(*device_, std::size_t(plan.width) * std::size_t(plan.height))
          : DeviceArray<float>();
  plan_pass(frame, 0, plan);
  std::optional<LightStage> to_light;
  to_light.emplace(*device_, plan, compiled, histogram.data(), options.exact_density);
  const Clock::time_point start = Clock::now();
  double output_s = 0;
  Clock::time_point histogram_done = start;
  {
    const std::uint64_t room =
        options.max_memory_bytes ? options.max_memory_bytes - need.picture : 0;
    GameRunner game(*device_, compiled, room, permutations_.data());
    game.number(frame.number);
    for (int pass = 0; pass < flame.passes; ++pass) {
      histogram.clear();
      const std::uint64_t before = totals.samples;
      const std::uint32_t fuse = options.earlyclip ? flam3_earlyclip_steps : flam3_warm_up_steps;
      const GameTotals played =
          game.play(histogram.data(), options.seed, pass, options.compat_flam3 ? fuse : 0,
                    [&](std::uint64_t samples) { progress.iterated(before + samples); });
      totals.samples += played.samples;
      totals.bad_values += played.bad_values;
      const Clock::time_point scaling = histogram_done = Clock::now();
      if (pass + 1 == flame.passes)
        progress.stage("density estimation", ProgressReport::iterate_share);
      if (options.linear) count_hits(*device_, plan, compiled, histogram, pass > 0, hits);
      if (pass > 0 && !frame.passes.empty()) {
        plan_pass(frame, pass, plan);
        to_light.emplace(*device_, plan, compiled, histogram.data(), options.exact_density);
      }
      to_light->run(light.data(), pass > 0);
      output_s += seconds_since(scaling);
    }
  }
  totals.iterate_s = seconds_since(start) - output_s;
  const Clock::time_point developing = Clock::now();
  progress.stage("filter", 0.98);
  Image image = develop(*device_, plan, light, histogram, hits, effects_, histogram_done, totals);
  image.pixel_aspect = flame.pixel_aspect;
  if (options.crop) crop(image, *options.crop);
  totals.output_s = output_s + seconds_since(developing);
  totals.peak_memory_bytes = peak_memory();
  if (statistics) *statistics = totals;
  return image;
}

Renderer::Renderer(const RenderOptions& options)
    : implementation_(std::make_unique<Implementation>(options)) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

Image Renderer::render(const Frame& frame, RenderStatistics* statistics) {
  return implementation_->render(prepare(frame, implementation_->options()), statistics);
}
Image Renderer::render(const PreparedFrame& frame, RenderStatistics* statistics) {
  return implementation_->render(frame, statistics);
}

Image render(const Flame& flame, const RenderOptions& options, RenderStatistics* statistics) {
  return Renderer(options).render(Frame{flame, {}, {}, 0}, statistics);
}

}  // namespace kiln
