#include "engine/render/accumulate/noise_probe.h"

#include <algorithm>
#include <cmath>

#include "engine/model/exact_math.h"
#include "engine/program/sample_shares.h"
#include "engine/render/stages/log_scale/log_scale_stage.h"
#include "engine/render/stages/stages.h"
#include "engine/render/stages/tone/tone_stage.h"
#include "kernels/pool.h"

namespace kiln {

namespace {

std::size_t packed_values(const OutputPlan& plan) {
  return 4 * std::size_t(plan.width) * std::size_t(plan.height);
}

LogCurve log_curve_of(Flame flame, std::uint64_t units) {
  flame.quality = quality_of_samples(flame, units * unit_samples);
  return plan_log_curve(flame, 1);
}

}  // namespace

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
  develop(scratch_.data(), units, 1, whole);
  develop(sums.half(0).data(), units, double(units) / double(even), first);
  develop(sums.half(1).data(), units, double(units) / double(odd), second);
  const OutputPlan& plan = frame_.plan;
  const Window all{0, 0, plan.width, plan.height};
  const PictureNoise noise =
      measure_noise(device_, {first, second, whole}, plan.width, options_.crop.value_or(all),
                    light_stage(plan).noise.has_bias);
  seconds_ += seconds_since(start);
  ++count_;
  return noise;
}

void NoiseProbe::set_light(std::uint64_t units) {
  light_.set(log_curve_of(frame_.flame, units), 1);
}

void NoiseProbe::develop(const std::uint64_t* sums, std::uint64_t units, double more,
                         std::uint16_t* packed) {
  light_.set(log_curve_of(frame_.flame, units), more);
  light_.run_of(sums, buffers_.light.data());
  RenderStatistics ignored;
  develop_.develop(frame_.picture(), plan_tone(frame_.flame, false), buffers_.light, scratch_,
                   ignored);
  const Pack16 pack{buffers_.light.data(), packed, i64(packed_values(frame_.plan) / 4), 0};
  device_.launch(pack, pack.block_count());
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

std::uint64_t probe_from(std::uint64_t units) {
  constexpr std::uint64_t halves = 2, steps = 16;
  std::uint64_t step = halves;
  while (units > step * 2 * steps) step *= 2;
  return std::max(halves, (units + step - 1) / step * step);
}

std::uint64_t first_probe(std::uint64_t pixels, std::uint64_t units) {
  constexpr std::uint64_t quality = 8;
  return probe_from(std::max(units, pixels * quality / unit_samples));
}

bool is_enough(const PictureNoise& noise, double goal) { return noise.rms + noise.error <= goal; }

double units_for(std::uint64_t units, const PictureNoise& noise, double goal) {
  const double ratio = (noise.rms + noise.error) / goal;
  return double(units) * ratio * ratio;
}

double fall_of(std::uint64_t units_before, const PictureNoise& before, std::uint64_t units,
               const PictureNoise& noise) {
  constexpr double least = 0.15, root = 0.5;
  const double fell = exact::log(std::max(before.rms, 1e-12) / std::max(noise.rms, 1e-12));
  return std::clamp(fell / exact::log(double(units) / double(units_before)), least, root);
}

double expected_units(std::uint64_t units, const PictureNoise& noise, double goal, double fall) {
  const double ratio = std::max((noise.rms + noise.error) / goal, 1.0);
  return double(units) * exact::exp(exact::log(ratio) / fall);
}

double usual_units(std::uint64_t pixels, double goal) {
  constexpr double at_quality_1 = 0.1;  // noise; 0.06 to 0.3 of 20 flames at 1 %
  return double(pixels) * (at_quality_1 / goal) * (at_quality_1 / goal) / unit_samples;
}

std::uint64_t next_probe(std::uint64_t units, const PictureNoise& noise, double goal) {
  constexpr double farthest = 8, far = 1.5, not_the_whole_way = 0.85;
  const double factor = units_for(units, noise, goal) / double(units);
  const double step = std::min(factor > far ? factor * not_the_whole_way : factor, farthest);
  return probe_from(std::max(units + 1, std::uint64_t(std::ceil(double(units) * step))));
}

int probes_to_come(std::uint64_t next, std::uint64_t units, const PictureNoise& noise, double goal,
                   double fall) {
  constexpr int most = 30;
  for (int probes = 1; probes < most; ++probes) {
    PictureNoise then = noise;
    const double factor = exact::exp(fall * exact::log(double(units) / double(next)));
    then.rms *= factor;
    then.error *= factor;
    if (is_enough(then, goal)) return probes;
    next = next_probe(next, then, goal);
  }
  return most;
}

void ProbeSchedule::begin(std::uint64_t first) {
  if (goal_ <= 0 || next_ >= std::max<std::uint64_t>(first, 1)) return;
  next_ = first_probe(pixels_, first);
  if (expected_ <= 0) expected_ = usual_units(pixels_, goal_);
}

bool ProbeSchedule::judge(std::uint64_t units, const PictureNoise& noise) {
  if (units_ > 0) fall_ = fall_of(units_, noise_, units, noise);
  units_ = units;
  noise_ = noise;
  expected_ = kiln::expected_units(units, noise, goal_, fall_);
  if (is_enough(noise, goal_)) return true;
  next_ = next_probe(units, noise, goal_);
  return false;
}

int ProbeSchedule::probes_to_come() const {
  constexpr int usual = 2;  // before the first
  return units_ > 0 ? kiln::probes_to_come(next_, units_, noise_, goal_, fall_) : usual;
}

}  // namespace kiln
