#include "engine/render/accumulate/noise_look.h"

#include <utility>

#include "engine/model/crop.h"
#include "engine/program/sample_shares.h"
#include "kernels/pool.h"

namespace kiln {

PictureNoise NoiseLook::operator()(const std::vector<std::vector<std::uint64_t>>& halves,
                                   std::uint64_t units) {
  const auto start = Clock::now();
  const std::uint64_t odd = units / 2, even = units - odd;
  const Image first = picture(halves[0], units, double(units) / double(even));
  const Image second = picture(halves[1], units, double(units) / double(odd));
  const PictureNoise noise =
      noise_of_halves(first, second, picture(sum_of(halves, options_.stop), units, 1));
  seconds_ += seconds_since(start);
  ++count_;
  return noise;
}

void NoiseLook::take(std::uint64_t units, double more) {
  Flame flame = frame_.flame;
  flame.quality = quality_of_samples(flame, units * unit_samples);
  light_.take(plan_log_curve(flame, 1), more);
}

Image NoiseLook::picture(const std::vector<std::uint64_t>& sums, std::uint64_t units, double more) {
  device_.upload(buffers_.histogram.data(), sums.data(), sums.size() * sizeof(std::uint64_t));
  DeviceArray<float> hits = std::exchange(buffers_.hits, {});  // that of linear light
  take(units, more);
  light_.run(0, buffers_);
  OutputPlan plan = frame_.plan;
  plan.bits = 16;
  plan.transparent = false;
  plan.tone = plan_tone(frame_.flame, false);
  RenderStatistics ignored;
  Image image = develop_.run(plan, buffers_, Clock::now(), ignored);
  if (options_.crop) crop(image, *options_.crop);
  buffers_.hits = std::move(hits);
  return image;
}

}  // namespace kiln
