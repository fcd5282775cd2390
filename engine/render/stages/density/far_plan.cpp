// SPDX-License-Identifier: MIT
#include "engine/render/stages/density/far_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/base/error.h"
#include "engine/fft/plan.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

/// A float transform's error, as a share of the brightest light it sums, with room: measured at
/// most 3e-8 of it (tests/kernels/density_far_test.cpp).
constexpr double transform_error = 1e-7;
/// The largest relative error of covered pixels that --de exact allows.
constexpr double exact_error = 1e-3;
/// A destination that fewer one-hit buckets than this reach is summed directly: the rims of kernels
/// show there, and the sum is cheap.
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

/// More parts of a picture than this help no more.
constexpr std::size_t most_parts = 1024;

/// The variance in buckets^2 that is added to a kernel by bringing light down to cells and up
/// again, and by the mean over a cell in coarse_kernel.
double coarse_variance(int step) {
  const double square = double(step) * step;
  // [1 3 3 1]/8: 3/4 at each halving, 3 of 4 times 4
  return 0.5 * (square - 1) + (square - 1) / 12;
}

/// Appends kernel k on cells: the mean over each of a Gaussian that is narrower by what down and up
/// will widen, with the light of the kernel itself.
DensityKernel coarse_kernel(const DensityPlan& density, int k, int step,
                            std::vector<float>& coefficients) {
  const double width = density.widths[std::size_t(k)], middle = 0.5 * (step - 1);
  const double rate = 4.5 / (width * width - 9 * coarse_variance(step));
  const int reach = int((width + middle) / step);
  const std::size_t first = coefficients.size(), row = 2 * std::size_t(reach) + 1;
  std::vector<double> values;
  double sum = 0;
  for (int y = 0; y <= reach; ++y) {
    for (int x = -reach; x <= reach; ++x) {
      double value = 0;
      for (int j = 0; j < step; ++j) {
        for (int i = 0; i < step; ++i) {
          const double dx = x * step + i - middle, dy = y * step + j - middle;
          const double square = dx * dx + dy * dy;
          if (square <= width * width) value += exact::exp(-rate * square);
        }
      }
      values.push_back(value);
      sum += value * (y == 0 ? 1 : 2);
    }
  }
  const double scale = kernel_light(density, k) / sum;
  for (double value : values) coefficients.push_back(float(value * scale));
  KILN_CHECK(coefficients.size() == first + row * (std::size_t(reach) + 1), "reach {}", reach);
  return {u32(first), reach};
}

int step_of(double width, const CellWidths& cells) {
  return width < cells.two ? 1 : width < cells.four ? 2 : 4;
}

/// Cuts a level in columns x rows parts and sizes its transforms for them.
void set_parts(FarLevel& level, const DensityGrid& grid, i32 columns, i32 rows) {
  const int reach = level.reach();
  FarRect all{grid.hidden, grid.hidden, grid.width - grid.hidden, grid.height - grid.hidden};
  for (int step = 1; step < level.step; step *= 2) all = coarser(all);
  level.whole = {all, sources_of(all, reach, level.step, grid)};
  level.parts.clear();
  level.in_columns = columns > 1;
  i32 needed_x = 1, needed_y = 1;
  for (i32 j = 0; j < rows; ++j) {
    for (i32 i = 0; i < columns; ++i) {
      const auto cut = [](i32 begin, i32 length, i32 k, i32 count) {
        return begin + i32(i64(length) * k / count);
      };
      const FarRect light{cut(all.x, all.width(), i, columns), cut(all.y, all.height(), j, rows),
                          cut(all.x, all.width(), i + 1, columns),
                          cut(all.y, all.height(), j + 1, rows)};
      const FarRect sources = sources_of(light, reach, level.step, grid);
      level.parts.push_back({light, sources});
      needed_x = std::max(needed_x, circle_length(sources.width(), light.x - sources.x,
                                                  sources.end_x - light.end_x, reach));
      needed_y = std::max(needed_y, circle_length(sources.height(), light.y - sources.y,
                                                  sources.end_y - light.end_y, reach));
    }
  }
  level.padded_width = next_fft_length(needed_x);
  level.padded_height = next_fft_length(needed_y);
}

/// The number of kernels of a level that the memory allows at once; 0 if there is no such FFT.
int most_kernels(const FarLevel& level, std::uint64_t memory_bytes) {
  if (!is_one_line(level.padded_width) || !is_one_line(level.padded_height)) return 0;
  const std::uint64_t stay = level.step > 1 ? level.count * level.spectrum_bytes() : 0;
  const std::uint64_t each =
      level.picture_cells() * sizeof(Vec4) + (level.step > 1 ? 0 : level.spectrum_bytes());
  const std::uint64_t fit = memory_bytes > stay ? (memory_bytes - stay) / each : 0;
  return int(std::min<std::uint64_t>({fit, level.count, fft_most_terms}));
}

/// Sizes a level for the fewest parts that let all kernels be transformed at once, while their
/// margins are small beside them, or else two. False if there are none.
bool size_level(FarLevel& level, const DensityGrid& grid, std::uint64_t memory_bytes) {
  const int reach = level.reach(), wished = std::min(int(level.count), fft_most_terms);
  i32 columns = 1, rows = 1;
  set_parts(level, grid, columns, rows);
  if (level.count == 0) return true;
  while (most_kernels(level, memory_bytes) < wished) {
    const FarRect& part = level.parts[0].light;
    const bool too_wide = !is_one_line(level.padded_width);
    const bool small = part.height() < 8 * std::max(reach, 8);
    if (!too_wide && small && most_kernels(level, memory_bytes) >= std::min(wished, 2)) break;
    if (level.parts.size() >= most_parts) {  // it is the kernels that are large, not the picture
      set_parts(level, grid, 1, 1);
      level.group = std::min(wished, 2);
      return is_one_line(level.padded_width) && is_one_line(level.padded_height);
    }
    (too_wide || (small && part.width() > part.height()) ? columns : rows) *= 2;
    set_parts(level, grid, columns, rows);
  }
  const int most = most_kernels(level, memory_bytes), count = int(level.count);
  const int groups = (count + most - 1) / most;
  level.group = (count + groups - 1) / groups;
  return true;
}

/// Inner product of exp(-4.5 r^2 / h^2), cut at h, for two widths.
double overlap(double a, double b) {
  const double rate = 4.5 * (1 / (a * a) + 1 / (b * b)), end = std::min(a, b);
  return std::numbers::pi / rate * (1 - exact::exp(-rate * end * end));
}

/// Solves m x = b for every column of b in place, by elimination with row pivots.
/// m: [n][n], b: [n][columns].
void solve(std::vector<std::vector<double>> m, std::vector<std::vector<double>>& b) {
  const std::size_t n = m.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::fabs(m[i][k]) > std::fabs(m[pivot][k])) pivot = i;
    }
    std::swap(m[k], m[pivot]);
    std::swap(b[k], b[pivot]);
    KILN_CHECK(m[k][k] != 0, "far kernels: no share for node {}", k);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
      for (std::size_t j = 0; j < b[k].size(); ++j) b[i][j] -= factor * b[k][j];
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (double& value : b[k]) value /= m[k][k];
  }
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

FarWork far_work(const OutputPlan& plan, const FarPlan& far) {
  if (!far.active()) return {};
  return {far.transformed_cells() * double(plan.bands.size()), double(far.worth_products())};
}

float trusted_light(const OutputPlan& plan, int split, double unit, bool exact) {
  const DensityPlan& density = plan.density;
  const auto light_of_alpha = [&](double alpha) {
    return double(plan.log_curve.k1) * exact::log1p(double(plan.log_curve.k2) * alpha);
  };
  const double widest = density.widths[0];
  double trusted = light_of_alpha(255) * sparse_sources / (std::numbers::pi * widest * widest);
  if (exact) {
    // a minimum above the near widths leaves hits unbounded: whatever a histogram can hold
    const double hits = split > density.last
                            ? 0x1p63
                            : double(density_thresholds(density, unit)[std::size_t(split) - 1]);
    trusted = std::max(trusted, light_of_alpha(hits * unit) * transform_error / exact_error);
  }
  return float(trusted);
}

FarPlan plan_far(const OutputPlan& plan, double unit, bool exact, std::uint64_t memory_bytes) {
  if (plan.bands.size() > 1)
    return plan_far(plan_of(plan, plan.largest_band()), unit, exact, memory_bytes);
  const DensityPlan& density = plan.density;
  FarPlan far;
  far.exact = exact;
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
  if (!size_levels(far.levels, plan.density_grid, memory_bytes)) {  // all are summed directly
    FarPlan none;
    none.exact = exact;
    return none;
  }
  far.trusted = trusted_light(plan, far.split, unit, exact);
  far.most_sources = exact ? std::numeric_limits<int>::max() : sparse_sources_most;
  return far;
}

std::uint64_t FarLevel::picture_cells() const {
  i32 rows = 0;
  for (const FarExtent& part : parts) rows = std::max(rows, part.sources.height());
  return std::uint64_t(padded_width) * std::uint64_t(rows);
}

std::uint64_t FarLevel::spectrum_bytes() const {
  return std::uint64_t(padded_width) * std::uint64_t(padded_height) * sizeof(float);
}

std::size_t FarLevel::kept_spectra() const { return step > 1 ? count : std::size_t(group); }

std::uint64_t FarLevel::work_cells() const {
  if (count == 0) return 0;
  const std::uint64_t kernel_cells = (std::uint64_t(reach()) + 1) * std::uint64_t(padded_width) +
                                     std::uint64_t(half_columns()) * std::uint64_t(padded_height);
  static_assert(2 * sizeof(Complex) == sizeof(Vec4));
  return std::max(std::uint64_t(group) * picture_cells(), (kernel_cells + 1) / 2);
}

std::vector<FarLevel> make_levels(const DensityPlan& density, const std::vector<int>& nodes,
                                  bool exact) {
  const CellWidths cells = cell_widths(density.widths[0]);
  std::vector<FarLevel> levels;
  std::size_t next = 0;
  for (int step : {4, 2, 1}) {
    FarLevel level;
    level.step = step;
    level.first = next;
    while (next < nodes.size() &&
           (exact ? 1 : step_of(density.widths[std::size_t(nodes[next])], cells)) == step) {
      level.kernels.push_back(step == 1
                                  ? density.kernels[std::size_t(nodes[next])]
                                  : coarse_kernel(density, nodes[next], step, level.coefficients));
      ++next;
    }
    level.count = next - level.first;
    if (level.count > 0 || !levels.empty()) levels.push_back(std::move(level));
  }
  return levels;
}

bool size_levels(std::vector<FarLevel>& levels, const DensityGrid& grid,
                 std::uint64_t memory_bytes) {
  std::uint64_t left = memory_bytes;
  for (FarLevel& level : levels) {
    // the room for pictures is shared, and the finest level's spectra come on top
    if (!size_level(level, grid, level.step > 1 ? memory_bytes / 2 : left)) return false;
    const std::uint64_t stay = level.step > 1 ? level.count * level.spectrum_bytes() : 0;
    left -= std::min(left, stay);
  }
  return true;
}

double kernel_light(const DensityPlan& plan, int k) {
  const auto [first, reach] = plan.kernels[std::size_t(k)];
  const std::size_t row = 2 * std::size_t(reach) + 1;
  double sum = 0;
  for (std::size_t i = 0; i < row * (std::size_t(reach) + 1); ++i)
    sum += double(plan.coefficients[first + i]) * (i < row ? 1 : 2);
  return sum;
}

/// Coarse ones are cheap: each gap is as wide as coarse_spacing at most, or as the widths leave it.
/// Finer ones lie evenly in log(width) from there.
std::vector<int> choose_nodes(const DensityPlan& plan, int split) {
  const auto width = [&](int k) { return plan.widths[std::size_t(k)]; };
  const CellWidths cells = cell_widths(width(0));
  std::vector<int> nodes;
  int node = 0;
  for (; node < split && width(node) >= cells.two; ++node) {
    const bool last = node + 1 == split || width(node + 1) < cells.two;
    if (nodes.empty() || last || exact::log(width(nodes.back()) / width(node + 1)) > coarse_spacing)
      nodes.push_back(node);
  }
  if (node == split) return nodes;
  const double widest = width(nodes.empty() ? 0 : nodes.back());
  const double spacing = width(0) < cells.four ? node_spacing : dense_node_spacing;
  const double span = exact::log(widest / width(split - 1));
  const int gaps = std::max(nodes.empty() ? fewest_nodes - 1 : 1, int(std::ceil(span / spacing)));
  for (int n = nodes.empty() ? 0 : 1; n <= gaps && node < split; ++n) {
    const double wanted = widest * exact::exp(-span * n / gaps);
    const int most = split - 1 - (gaps - n);  // as many are left as are needed
    while (node < most && width(node) * width(node + 1) > wanted * wanted) ++node;
    nodes.push_back(node++);
  }
  return nodes;
}

std::vector<std::vector<float>> mix_kernels(const DensityPlan& plan, const std::vector<int>& nodes,
                                            int split) {
  const std::size_t n = nodes.size();
  const auto width = [&](int k) { return plan.widths[std::size_t(k)]; };
  const auto norm = [&](int k) { return std::sqrt(overlap(width(k), width(k))); };
  // peak of a kernel of norm 1 in the plane; light of it on the grid
  std::vector<double> peak(plan.widths.size()), light(plan.widths.size());
  for (int k = 0; k < split; ++k) {
    peak[std::size_t(k)] = plan.coefficient(k, 0, 0) * norm(k);
    light[std::size_t(k)] = kernel_light(plan, k) / peak[std::size_t(k)];
  }
  std::vector<std::vector<double>> m(n + 1, std::vector<double>(n + 1));
  std::vector<std::vector<double>> b(n + 1, std::vector<double>(std::size_t(split)));
  const double scale = light[std::size_t(nodes[0])];
  for (std::size_t i = 0; i < n; ++i) {
    const auto product = [&](int k) {
      return overlap(width(nodes[i]), width(k)) / (norm(nodes[i]) * norm(k));
    };
    for (std::size_t j = 0; j < n; ++j) m[i][j] = product(nodes[j]);
    m[i][n] = m[n][i] = light[std::size_t(nodes[i])] / scale;
    for (int k = 0; k < split; ++k) b[i][std::size_t(k)] = product(k);
  }
  for (int k = 0; k < split; ++k) b[n][std::size_t(k)] = light[std::size_t(k)] / scale;
  solve(m, b);
  std::vector<std::vector<float>> shares(n, std::vector<float>(std::size_t(split)));
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < split; ++k)
      shares[i][std::size_t(k)] =
          float(b[i][std::size_t(k)] * peak[std::size_t(k)] / peak[std::size_t(nodes[i])]);
  }
  for (int k = 0; k < split; ++k) {  // a node is itself, whatever rounding says
    const auto found = std::find(nodes.begin(), nodes.end(), k);
    if (found == nodes.end()) continue;
    for (std::size_t i = 0; i < n; ++i) shares[i][std::size_t(k)] = nodes[i] == k ? 1 : 0;
  }
  return shares;
}

}  // namespace kiln
