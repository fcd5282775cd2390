// SPDX-License-Identifier: MIT
#include "engine/render/schedule/probe_schedule.h"

#include <algorithm>
#include <cmath>

#include "engine/model/exact_math.h"
#include "kernels/pool.h"

namespace kiln {

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
