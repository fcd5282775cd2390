#include "engine/render/light/far_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/model/exact_math.h"
#include "engine/render/light/far_mix.h"

namespace kiln {
namespace {

/// A float transform's error, as a share of the brightest light it sums, with room: measured at
/// most 3e-8 of it (tests/kernels/density_far_test.cpp).
constexpr double transform_error = 1e-7;
/// What --de exact promises of covered pixels.
constexpr double exact_error = 1e-3;
/// Where fewer one-hit buckets than this reach a destination it is summed directly: the rims of
/// kernels show there, and the sum is cheap.
constexpr double sparse_sources = 150;
/// The most far sources around a tile that is summed directly for being dim, where --de exact does
/// not insist: many can be dim where an xform is nearly transparent.
constexpr int sparse_sources_most = 1500;

/// Spans of widths as the tables have them (density_plan.cpp): distance / width <= 1 in double.
MaskFar::Span span_of(double width, int reach) {
  const auto inside = [&](std::int64_t square) { return std::sqrt(double(square)) / width <= 1; };
  std::int64_t square = std::int64_t(width * width);
  while (inside(square + 1)) ++square;
  while (!inside(square)) --square;
  return {i32(square), reach};
}

}  // namespace

std::uint64_t FarPlan::bytes() const {
  std::uint64_t work = 0, rest = 0;
  for (const FarLevel& level : levels) {
    work = std::max(work, level.work_cells() * sizeof(Vec4));
    rest += level.coefficients.size() * sizeof(float);
    rest += level.kept_spectra() * level.spectrum_bytes();
    if (level.step > 1) rest += level.whole.sources.cells() * sizeof(Vec4);
  }
  return work + rest;
}

double FarPlan::transformed_cells() const {
  double cells = 0;
  for (const FarLevel& level : levels) {
    cells += double(level.count) * double(level.parts.size()) * double(level.padded_width) *
             double(level.padded_height);
  }
  return cells;
}

std::uint64_t FarPlan::worth_products() const {
  std::uint64_t products = 0;
  for (const FarLevel& level : levels)
    products += level.count * (level.step == 1 ? products_a_kernel : products_a_coarse_kernel);
  return products;
}

FarPlan plan_far(const OutputPlan& plan, double unit, bool exact, std::uint64_t memory_bytes) {
  const DensityPlan& density = plan.density;
  FarPlan far;
  if (!density.active()) return far;
  while (far.split <= density.last && density.widths[std::size_t(far.split)] > gathered_width)
    ++far.split;
  if (far.split == 0) return far;
  for (int k = 0; k < far.split; ++k) {
    far.spans.push_back(
        span_of(density.widths[std::size_t(k)], density.kernels[std::size_t(k)].reach));
  }
  if (!exact) far.nodes = choose_nodes(density, far.split);
  if (exact || far.nodes.size() == std::size_t(far.split)) {
    far.nodes.clear();
    for (int k = 0; k < far.split; ++k) {
      far.nodes.push_back(k);
      far.shares.emplace_back(far.spans.size(), 0.0f);
      far.shares.back()[std::size_t(k)] = 1;
    }
  } else {
    far.shares = mix_kernels(density, far.nodes, far.split);
  }
  // A minimum above the near widths makes far sources of the brightest: their rims need all
  // buckets.
  far.levels = make_levels(density, far.nodes, exact || far.split > density.last);
  if (!size_levels(far.levels, plan.density_grid, memory_bytes)) return {};  // direct
  const auto light_of_alpha = [&](double alpha) {
    return double(plan.log_curve.k1) * exact::log1p(double(plan.log_curve.k2) * alpha);
  };
  const double widest = density.widths[0];
  double trusted = light_of_alpha(255) * sparse_sources / (std::numbers::pi * widest * widest);
  if (exact) {
    // a minimum above the near widths leaves hits unbounded: whatever a histogram can hold
    const double hits = far.split > density.last
                            ? 0x1p63
                            : double(density_thresholds(density, unit)[std::size_t(far.split) - 1]);
    trusted = std::max(trusted, light_of_alpha(hits * unit) * transform_error / exact_error);
  }
  far.trusted = float(trusted);
  far.most_sources = exact ? std::numeric_limits<int>::max() : sparse_sources_most;
  return far;
}

}  // namespace kiln
