// SPDX-License-Identifier: MIT
#include "engine/render/stages/density/density_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr double kernels_at_most = 1e7;  // flam3 refuses larger sets
constexpr double always_small_bytes = 6.4e7;
constexpr int linear_widths = 100;  // flam3: up to here one width a hit, then steps that grow

/// Width of kernel k before the minimum cuts it.
double free_width(int k, double largest, double curve) {
  const double hits = k < linear_widths
                          ? k + 1.0
                          : exact::pow(double(k - linear_widths), 1 / curve) + linear_widths + 1;
  return largest / exact::pow(hits, curve);
}

/// exp(-4.5 d^2) inside the width, on the integer grid.
double kernel_value(int dx, int dy, double width) {
  const double distance = std::sqrt(double(dx) * dx + double(dy) * dy) / width;
  return distance <= 1 ? exact::exp(-4.5 * distance * distance) : 0;
}

int reach_of(double width) { return int(std::ceil(width)) - 1; }

/// Sum of the kernel over |dx|, |dy| <= reach: from the quarter plane, axes counted twice, the rest
/// four times.
double kernel_sum(double width, int reach) {
  double sum = 0;
  const int end = std::min(reach, int(width));
  for (int dy = 0; dy <= end; ++dy) {
    for (int dx = 0; dx <= end; ++dx) {
      sum += kernel_value(dx, dy, width) * (dx == 0 ? 1 : 2) * (dy == 0 ? 1 : 2);
    }
  }
  return sum;
}

/// Coefficients of every kernel: a half plane, as it is symmetric in y and read along x.
void tabulate(DensityPlan& plan) {
  plan.coefficients.assign(density_run, 0);
  for (double width : plan.widths) {
    const double norm = kernel_sum(width, plan.reach);
    const int reach = reach_of(width);
    plan.kernels.push_back({std::uint32_t(plan.coefficients.size()), reach});
    for (int dy = 0; dy <= reach; ++dy) {
      for (int dx = -reach; dx <= reach; ++dx)
        plan.coefficients.push_back(float(kernel_value(dx, dy, width) / norm));
    }
  }
  plan.coefficients.resize(plan.coefficients.size() + density_run);
}

/// Throws where the tables would take more memory than there is: their size follows from a few
/// numbers of the file, whatever the picture's.
void check_tables(const DensityPlan& plan, double radius, std::uint64_t max_memory_bytes) {
  double coefficients = 0;
  for (double width : plan.widths) {
    const double reach = reach_of(width);
    coefficients += (reach + 1) * (2 * reach + 1);
  }
  const double bytes = coefficients * sizeof(float);
  if (bytes <= always_small_bytes) return;
  std::uint64_t limit = available_memory_bytes() / 2;  // a copy goes to the device
  if (max_memory_bytes) limit = std::min(limit, max_memory_bytes);
  constexpr double counted = 4294967295.0;  // DensityKernel::first
  if (coefficients <= counted && bytes <= double(limit)) return;
  fail(ErrorKind::device,
       "the tables of density estimation (estimator_radius {}, curve {}, supersample {}) need "
       "{:.0f} MB of memory and {:.0f} MB are allowed; lower the radius or --supersample, or raise "
       "the curve or --max-memory",
       radius, plan.curve, plan.supersample, bytes / 1e6,
       std::min(double(limit), counted * sizeof(float)) / 1e6);
}

DensityPlan make_plan(double radius, double minimum, double curve, int supersample,
                      std::uint64_t max_memory_bytes, bool tables) {
  DensityPlan plan;
  plan.supersample = supersample;
  plan.curve = curve;
  if (!(radius >= 0) || !(minimum >= 0)) {
    fail(ErrorKind::input, "estimator_radius {} and estimator_minimum {} must not be negative",
         radius, minimum);
  }
  if (radius == 0) return plan;
  if (!(curve > 0))
    fail(ErrorKind::input, "estimator_curve {} must be above 0 (or set estimator_radius to 0)",
         curve);
  if (radius < minimum) {
    fail(ErrorKind::input, "estimator_radius {} must not be below estimator_minimum {}", radius,
         minimum);
  }

  const double largest = radius * supersample + 1, smallest = minimum * supersample + 1;
  const double hits = std::ceil(exact::pow(largest / smallest, 1 / curve));
  if (!(hits <= kernels_at_most)) {
    fail(ErrorKind::input,
         "estimator_radius {} with estimator_curve {} and supersample {} needs more than 1e7 "
         "density kernels; "
         "raise estimator_curve or estimator_minimum",
         radius, curve, supersample);
  }
  int count = int(hits);
  plan.cutoff = hits;
  if (hits > linear_widths) {
    count = int(std::ceil(linear_widths + exact::pow(hits - linear_widths, curve))) + 1;
    plan.cutoff = std::trunc(exact::pow(double(count - linear_widths), 1 / curve)) + linear_widths;
  }

  plan.last = count - 1;
  for (int k = 0; k < count; ++k) {
    const double width = free_width(k, largest, curve);
    if (width <= smallest) {
      plan.widths.push_back(smallest);
      if (k > 0) plan.last = k;
      break;
    }
    plan.widths.push_back(width);
  }
  KILN_CHECK(int(plan.widths.size()) == plan.last + 1 && plan.last < 0xffff,
             "{} density widths, last {}", plan.widths.size(), plan.last);
  if (!plan.active()) return plan;
  plan.reach = reach_of(largest);
  check_tables(plan, radius, max_memory_bytes);
  if (tables) tabulate(plan);
  return plan;
}

/// The last result of a thread, for callers that want the same again: thousands of small pictures.
template <class Key, class Made>
struct MadeLast {
  Key key{};
  Made made{};
  bool is_there = false;
};

}  // namespace

DensityPlan plan_density(double radius, double minimum, double curve, int supersample,
                         std::uint64_t max_memory_bytes, bool tables) {
  if (!tables) return make_plan(radius, minimum, curve, supersample, max_memory_bytes, tables);
  using Key = std::tuple<double, double, double, int>;
  thread_local MadeLast<Key, DensityPlan> last;
  const Key key = {radius, minimum, curve, supersample};
  if (last.is_there && last.key == key) return last.made;
  DensityPlan plan = make_plan(radius, minimum, curve, supersample, max_memory_bytes, tables);
  constexpr std::size_t most_kept = 1 << 16;
  last.is_there = plan.coefficients.size() <= most_kept;
  if (last.is_there) {
    last.key = key;
    last.made = plan;
  }
  return plan;
}

float DensityPlan::coefficient(int k, int dx, int dy) const {
  const auto [first, reach_k] = kernels[k];
  if (std::max(std::abs(dx), std::abs(dy)) > reach_k) return 0;
  return coefficients[first + std::size_t(std::abs(dy)) * (2 * reach_k + 1) + reach_k + dx];
}

int density_width(const DensityPlan& plan, std::uint64_t hits, double unit) {
  double f = double(hits) * unit / 255;
  if (plan.supersample % 2 == 0) {
    const double share = double(plan.supersample) / (plan.supersample + 1);
    f *= share * share;
  }
  if (f > plan.cutoff) return plan.last;
  const double width = f <= linear_widths
                           ? std::ceil(f) - 1
                           : linear_widths + std::floor(exact::pow(f - linear_widths, plan.curve));
  return int(std::clamp(width, 0.0, double(plan.last)));
}

std::vector<std::uint64_t> density_thresholds(const DensityPlan& plan, double unit) {
  using Key = std::tuple<int, double, double, int, double>;  // all that density_width() looks at
  thread_local MadeLast<Key, std::vector<std::uint64_t>> last;
  const Key key = {plan.last, plan.cutoff, plan.curve, plan.supersample, unit};
  if (last.is_there && last.key == key) return last.made;
  std::vector<std::uint64_t> thresholds;
  std::uint64_t below = 0;
  for (int k = 0; k < plan.last;
       ++k) {  // bisection on the rule itself, so both agree at every integer
    std::uint64_t above = std::uint64_t(1) << 63;
    while (above - below > 1) {
      const std::uint64_t middle = below + (above - below) / 2;
      (density_width(plan, middle, unit) <= k ? below : above) = middle;
    }
    thresholds.push_back(below);
  }
  last = {key, thresholds, true};
  return thresholds;
}

DensityGrid density_grid(const DensityPlan& plan, int width, int height, int hidden) {
  DensityGrid grid;
  grid.width = width;
  grid.height = height;
  grid.tiles_x = (width + density_tile - 1) / density_tile;
  grid.tiles_y = (height + density_tile - 1) / density_tile;
  grid.margin = (plan.reach + density_tile - 1) / density_tile;
  grid.hidden = hidden;
  return grid;
}

std::int64_t cell_count(const DensityGrid& grid) {
  return std::int64_t(grid.tiles_x + 2 * grid.margin) * (grid.tiles_y + 2 * grid.margin);
}

std::int64_t source_count(const DensityGrid& grid) {
  return cell_count(grid) * density_tile * density_tile;
}

}  // namespace kiln
