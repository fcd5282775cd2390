// SPDX-License-Identifier: MIT
#include "engine/model/temporal.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

/// The filter at step i of n, up to a constant factor.
double filter_value(const Flame& flame, std::int64_t i, std::int64_t n) {
  switch (flame.temporal_filter) {
    case TemporalFilter::gaussian: {
      // flam3 centers it on n / 2, not (n - 1) / 2: the last steps weigh more than the first
      const double middle = 0.5 * double(n);
      const double z = 1.5 * std::fabs(double(i) - middle) / middle;
      return exact::exp(-2 * z * z);
    }
    case TemporalFilter::exp: {
      const double e = flame.temporal_filter_exp;
      const double share = e >= 0 ? double(i + 1) / double(n) : double(n - i) / double(n);
      return exact::pow(share, std::fabs(e));
    }
    case TemporalFilter::box:
      break;
  }
  return 1;
}

}  // namespace

std::vector<TemporalStep> temporal_steps(const Flame& flame) {
  const std::int64_t n = std::int64_t(flame.passes) * flame.temporal_samples;
  constexpr std::int64_t most = 1'000'000;
  if (flame.passes < 1 || flame.temporal_samples < 1 || n > most) {
    // between keys both are within bounds, beyond them they go on as between the nearest two
    fail(ErrorKind::input,
         "{}: at time {} the flame has {} passes of {} temporal_samples: a frame can have 1 to "
         "{} time samples; change passes or temporal_samples, or choose a time between the keys",
         flame.place(), flame.time, flame.passes, flame.temporal_samples, most);
  }
  if (n == 1) return {TemporalStep{}};
  std::vector<TemporalStep> steps(static_cast<std::size_t>(n));
  double largest = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    TemporalStep& step = steps[std::size_t(i)];
    step.time_offset = (double(i) / double(n - 1) - 0.5) * flame.temporal_filter_width;
    step.weight = filter_value(flame, i, n);
    largest = std::max(largest, step.weight);
  }
  for (TemporalStep& step : steps) step.weight /= largest;
  return steps;
}

double mean_weight(const std::vector<double>& weights) {
  if (weights.empty()) return 1;
  double sum = 0;
  for (double weight : weights) sum += weight;
  return sum / double(weights.size());
}

}  // namespace kiln
