// SPDX-License-Identifier: MIT
#include "engine/render/accumulate/noise_probe.h"

#include <algorithm>
#include <cmath>

#include "engine/model/exact_math.h"
#include "engine/program/sample_shares.h"
#include "engine/render/stages/log_scale/log_scale_stage.h"
#include "engine/render/stages/stages.h"
#include "kernels/pool.h"

namespace kiln {

namespace {

std::size_t packed_values(const OutputPlan& plan) {
  return 4 * std::size_t(plan.width) * std::size_t(plan.height);
}

}  // namespace

LogCurve log_curve_of(Flame flame, std::uint64_t units) {
  flame.quality = quality_of_samples(flame, units * unit_samples);
  return plan_log_curve(flame, 1);
}

void NoiseProbe::make_room(std::size_t values) {
  scratch_ = {device_, values};
  packed_ = {device_, 2 * packed_values(frame_.plan)};
}

std::uint64_t NoiseProbe::bytes(const OutputPlan& plan, std::uint64_t sums_bytes) {
  return sums_bytes + 2 * packed_values(plan) * sizeof(std::uint16_t);
}

PictureNoise NoiseProbe::operator()(Accumulation& sums) {
  const auto start = Clock::now();
  const std::uint64_t units = sums.done.count(), odd = units / 2, even = units - odd;
  // the last picture is packed where nothing is developed any more
  std::uint16_t *whole = packed_.data(), *first = whole + packed_values(frame_.plan),
                *second = reinterpret_cast<std::uint16_t*>(scratch_.data());
  sums.sum_halves(scratch_.data());
  const LogCurve curve = log_curve_of(frame_.flame, units);
  make_({scratch_.data(), curve, 1, scratch_, whole});
  make_({sums.half(0).data(), curve, double(units) / double(even), scratch_, first});
  make_({sums.half(1).data(), curve, double(units) / double(odd), scratch_, second});
  const OutputPlan& plan = frame_.plan;
  const Window all{0, 0, plan.width, plan.height};
  const PictureNoise noise =
      measure_noise(device_, {first, second, whole}, plan.width, options_.crop.value_or(all),
                    light_stage(plan).noise.has_bias);
  seconds_ += seconds_since(start);
  ++count_;
  return noise;
}

PictureNoise measure_noise(Device& device, const HalvesAndWhole& pictures, int width,
                           const Window& window, bool is_cleaned) {
  const std::size_t corner =
      4 * (std::size_t(window.y) * std::size_t(width) + std::size_t(window.x));
  MeasureNoise kernel{pictures.first + corner,
                      pictures.second + corner,
                      pictures.whole + corner,
                      width,
                      window.width,
                      window.height};
  const DeviceArray<NoiseSums> sums(device, std::size_t(kernel.block_count()));
  kernel.sums = sums.data();
  if (is_cleaned) kernel.bias = MeasureNoise::bias_of_cleaning;
  device.launch(kernel, kernel.block_count());
  NoiseSums all;
  for (const NoiseSums& part : sums.download()) {
    all.squares += part.squares;
    all.squares_of_patches += part.squares_of_patches;
  }
  return noise_of(all, std::uint64_t(window.width) * std::uint64_t(window.height), is_cleaned);
}

}  // namespace kiln
