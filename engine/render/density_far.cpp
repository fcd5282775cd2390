#include "engine/render/density_far.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/fft/jobs.h"
#include "engine/model/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr double circle = 3.14159265358979323846;

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

/// More parts of a picture than this help no more.
constexpr std::size_t most_parts = 1024;

/// Spans of widths as the tables have them (density_plan.cpp): distance / width <= 1 in double.
MaskFar::Span span_of(double width, int reach) {
  const auto inside = [&](std::int64_t square) { return std::sqrt(double(square)) / width <= 1; };
  std::int64_t square = std::int64_t(width * width);
  while (inside(square + 1)) ++square;
  while (!inside(square)) --square;
  return {i32(square), reach};
}

/// Inner product of exp(-4.5 r^2 / h^2), cut at h, for two widths.
double overlap(double a, double b) {
  const double rate = 4.5 * (1 / (a * a) + 1 / (b * b)), end = std::min(a, b);
  return circle / rate * (1 - exact::exp(-rate * end * end));
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

/// Sum of the taps that kernel k writes: 1, but for the quirk of integer widths.
double light_of(const DensityPlan& plan, int k) {
  const auto [first, reach] = plan.kernels[std::size_t(k)];
  const std::size_t row = 2 * std::size_t(reach) + 1;
  double sum = 0;
  for (std::size_t i = 0; i < row * (std::size_t(reach) + 1); ++i)
    sum += double(plan.coefficients[first + i]) * (i < row ? 1 : 2);
  return sum;
}

/// The widths of [0, split) that are transformed. Coarse ones are cheap: each gap is as wide as
/// coarse_spacing at most, or as the widths leave it. Finer ones lie evenly in log(width) from
/// there.
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

/// The share of each node in each far width: [nodes][split].
std::vector<std::vector<float>> mix(const DensityPlan& plan, const std::vector<int>& nodes,
                                    int split) {
  const std::size_t n = nodes.size();
  const auto width = [&](int k) { return plan.widths[std::size_t(k)]; };
  const auto norm = [&](int k) { return std::sqrt(overlap(width(k), width(k))); };
  // peak of a kernel of norm 1 in the plane; light of it on the grid
  std::vector<double> peak(plan.widths.size()), light(plan.widths.size());
  for (int k = 0; k < split; ++k) {
    peak[std::size_t(k)] = plan.coefficient(k, 0, 0) * norm(k);
    light[std::size_t(k)] = light_of(plan, k) / peak[std::size_t(k)];
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

/// [1 3 3 1]/8 once for every halving of the grid, one filter after the other.
std::vector<float> halving_taps(int step) {
  std::vector<float> taps = {1};
  for (int gap = 1; gap < step; gap *= 2) {
    std::vector<float> next(taps.size() + 3 * std::size_t(gap));
    for (std::size_t i = 0; i < taps.size(); ++i) {
      for (std::size_t k = 0; k < 4; ++k)
        next[i + k * std::size_t(gap)] += taps[i] * (k == 1 || k == 2 ? 0.375f : 0.125f);
    }
    taps = next;
  }
  return taps;
}

/// What bringing light down to cells and up again, and the mean over a cell in coarse_kernel, add
/// to the variance of a kernel, in buckets^2.
double coarse_variance(int step) {
  const double square = double(step) * step;
  return 0.5 * (square - 1) +
         (square - 1) / 12;  // [1 3 3 1]/8: 3/4 at each halving, 3 of 4 times 4
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
  const double scale = light_of(density, k) / sum;
  for (double value : values) coefficients.push_back(float(value * scale));
  KILN_CHECK(coefficients.size() == first + row * (std::size_t(reach) + 1), "reach {}", reach);
  return {u32(first), reach};
}

int step_of(double width, const CellWidths& cells) {
  return width < cells.two ? 1 : width < cells.four ? 2 : 4;
}

/// The levels of the nodes, which fall in width, without sizes.
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

/// What cells of twice the step a rectangle needs: those it lies in, and their neighbours.
FarRect coarser(FarRect r) {
  return {(r.x >> 1) - 1, (r.y >> 1) - 1, ((r.end_x + 1) >> 1) + 1, ((r.end_y + 1) >> 1) + 1};
}

/// Sources within reach of the light, as far as there may be any.
FarRect sources_of(FarRect light, int reach, int step, const DensityGrid& grid) {
  const i32 beyond = step > 1;  // a cell beyond the edge still has a share of buckets inside
  const i32 columns = (grid.width + step - 1) / step + beyond;
  const i32 rows = (grid.height + step - 1) / step + beyond;
  return {std::min(light.x, std::max(light.x - reach, -beyond)),
          std::min(light.y, std::max(light.y - reach, -beyond)),
          std::max(light.end_x, std::min(light.end_x + reach, columns)),
          std::max(light.end_y, std::min(light.end_y + reach, rows))};
}

/// The shortest circle where what leaves one side comes in where nothing is read.
i32 circle_length(i32 sources, i32 before, i32 after, i32 reach) {
  return sources + std::max(reach - std::min(before, after), 0);
}

int reach_of(const FarLevel& level) { return level.count > 0 ? level.kernels[0].reach : 0; }

/// Cuts a level in columns x rows parts and sizes its transforms for them.
void set_parts(FarLevel& level, const DensityGrid& grid, i32 columns, i32 rows) {
  const int reach = reach_of(level);
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

std::uint64_t spectrum_bytes(const FarLevel& level) {
  return std::uint64_t(level.padded_width) * std::uint64_t(level.padded_height) * sizeof(float);
}

/// How many kernels of a level the memory allows at once; 0 if there is no such FFT.
int most_kernels(const FarLevel& level, std::uint64_t memory_bytes) {
  if (!is_one_line(level.padded_width) || !is_one_line(level.padded_height)) return 0;
  const std::uint64_t stay = level.step > 1 ? level.count * spectrum_bytes(level) : 0;
  const std::uint64_t each =
      level.picture_cells() * sizeof(Vec4) + (level.step > 1 ? 0 : spectrum_bytes(level));
  const std::uint64_t fit = memory_bytes > stay ? (memory_bytes - stay) / each : 0;
  return int(std::min<std::uint64_t>({fit, level.count, fft_most_terms}));
}

/// Sizes a level for the fewest parts that let all kernels be transformed at once, while their
/// margins are small beside them, or else two. False if there are none.
bool size_level(FarLevel& level, const DensityGrid& grid, std::uint64_t memory_bytes) {
  const int reach = reach_of(level), wished = std::min(int(level.count), fft_most_terms);
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

/// Sizes all levels. False if the kernels are too wide for any transform.
bool size_levels(std::vector<FarLevel>& levels, const DensityGrid& grid,
                 std::uint64_t memory_bytes) {
  std::uint64_t left = memory_bytes;
  for (FarLevel& level : levels) {
    // the room for pictures is shared, and the finest level's spectra come on top
    if (!size_level(level, grid, level.step > 1 ? memory_bytes / 2 : left)) return false;
    const std::uint64_t stay = level.step > 1 ? level.count * spectrum_bytes(level) : 0;
    left -= std::min(left, stay);
  }
  return true;
}

/// Columns of the left half of a circular picture, and some more so that blocks are full.
i32 half_columns(i32 padded_width) { return (padded_width / 2 + 16) / 16 * 16; }

/// Room for the pictures of a group, or for the kernels whose spectra are made before.
std::uint64_t work_cells(const FarLevel& level) {
  if (level.count == 0) return 0;
  const std::uint64_t w = std::uint64_t(level.padded_width);
  const std::uint64_t kernels =
      (std::uint64_t(level.kernels[0].reach) + 1) * w +
      std::uint64_t(half_columns(level.padded_width)) * std::uint64_t(level.padded_height);
  static_assert(2 * sizeof(Complex) == sizeof(Vec4));
  return std::max(std::uint64_t(level.group) * level.picture_cells(), (kernels + 1) / 2);
}

std::uint64_t cells_of(FarRect r) { return std::uint64_t(r.width()) * std::uint64_t(r.height()); }

}  // namespace

std::uint64_t FarLevel::picture_cells() const {
  i32 rows = 0;
  for (const FarExtent& part : parts) rows = std::max(rows, part.sources.height());
  return std::uint64_t(padded_width) * std::uint64_t(rows);
}

std::size_t FarLevel::kept_spectra() const { return step > 1 ? count : std::size_t(group); }

std::uint64_t FarPlan::bytes() const {
  std::uint64_t work = 0, rest = 0;
  for (const FarLevel& level : levels) {
    work = std::max(work, work_cells(level) * sizeof(Vec4));
    rest += level.coefficients.size() * sizeof(float);
    rest += level.kept_spectra() * spectrum_bytes(level);
    if (level.step > 1) rest += cells_of(level.whole.sources) * sizeof(Vec4);
  }
  return work + rest;
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
    far.shares = mix(density, far.nodes, far.split);
  }
  // A minimum above the near widths makes far sources of the brightest: their rims need all
  // buckets.
  far.levels = make_levels(density, far.nodes, exact || far.split > density.last);
  if (!size_levels(far.levels, plan.density_grid, memory_bytes)) return {};  // direct
  const auto light_of_alpha = [&](double alpha) {
    return double(plan.log_curve.k1) * exact::log1p(double(plan.log_curve.k2) * alpha);
  };
  const double widest = density.widths[0];
  double trusted = light_of_alpha(255) * sparse_sources / (circle * widest * widest);
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

FarField::FarField(Device& device, const FarPlan& plan) : device_(device), plan_(plan) {
  std::uint64_t work = 0;
  for (const auto& share : plan.shares) shares_.emplace_back(device, share);
  for (const FarLevel& level : plan.levels) {
    Room& room = rooms_.emplace_back();
    work = std::max(work, work_cells(level));
    if (level.step > 1)
      room.light = DeviceArray<Vec4>(device, std::size_t(cells_of(level.whole.sources)));
    if (level.count == 0) continue;
    room.rows.emplace(device, level.padded_width);
    room.columns.emplace(device, level.padded_height);
    if (level.step > 1) room.coefficients = DeviceArray<float>(device, level.coefficients);
    for (std::size_t i = 0; i < level.kept_spectra(); ++i)
      room.spectra.emplace_back(device, std::size_t(spectrum_bytes(level) / sizeof(float)));
  }
  work_ = DeviceArray<Vec4>(device, std::size_t(work));
}

Vec4* FarField::picture(const FarLevel& level, std::size_t i) const {
  return work_.data() + i * std::size_t(level.picture_cells());
}

void FarField::set_spectra(const FarLevel& level, Room& room, const float* coefficients,
                           std::size_t first, std::size_t count) {
  const bool stay = level.kept_spectra() == level.count;
  if (stay && first + count <= room.spectra_set) return;
  DeviceArray<float>* spectra = &room.spectra[stay ? first : 0];
  const i32 w = level.padded_width, h = level.padded_height, columns = half_columns(w);
  Complex* kernel_columns = reinterpret_cast<Complex*>(work_.data());  // [h, columns]
  Complex* kernel_rows = kernel_columns + i64(columns) * h;            // [reach + 1, w]
  for (std::size_t i = 0; i < count; i += 2) {
    const bool pair = i + 1 < count;
    PlaceKernels place;
    place.coefficients = coefficients;
    place.first = level.kernels[first + i];
    place.second = pair ? level.kernels[first + i + 1] : DensityKernel{0, -1};
    place.rows = kernel_rows;
    place.points = w;
    place.row_count = std::max(place.first.reach, place.second.reach) + 1;
    device_.launch(place, place.block_count());

    FftLines across = job_of(room.rows->line(), place.row_count, true, false);
    across.in[0] = kernel_rows;
    across.out = kernel_rows;
    across.from.outer_step = across.to.outer_step = w;
    device_.transform(across);
    const MirrorRows mirror{kernel_rows, kernel_columns, w, place.row_count, columns, h};
    device_.launch(mirror, mirror.block_count());

    FftLines down = job_of(room.columns->line(), columns, true, false);
    down.in[0] = kernel_columns;
    down.out = kernel_columns;
    down.from.inner = columns;
    down.from.inner_step = 1;
    down.from.point_step = columns;
    down.to = down.from;
    device_.transform(down);
    const SpreadSpectrum spread{kernel_columns,
                                spectra[i].data(),
                                pair ? spectra[i + 1].data() : nullptr,
                                float(1 / (double(w) * h)),
                                w,
                                columns,
                                h};
    device_.launch(spread, spread.block_count());
  }
  room.spectra_set = first + count;
}

void FarField::weigh(const FarLevel& level, const FarExtent& part, const Sources& sources,
                     std::size_t first, std::size_t count) {
  const auto fill = [&](auto kernel) {
    kernel.grid = sources.grid;
    kernel.scaled = sources.scaled;
    kernel.widths = sources.widths;
    kernel.split = plan_.split;
    kernel.terms = i32(count);
    kernel.pitch = level.padded_width;
    kernel.from_x = part.sources.x;
    kernel.from_y = part.sources.y;
    kernel.width = part.sources.width();
    kernel.height = part.sources.height();
    for (std::size_t i = 0; i < count; ++i) {
      kernel.shares[i] = shares_[level.first + first + i].data();
      kernel.pictures[i] = picture(level, i);
    }
    return kernel;
  };
  if (level.step == 1) {
    const WeighSources kernel = fill(WeighSources{});
    device_.launch(kernel, kernel.block_count());
    return;
  }
  WeighCoarse kernel = fill(WeighCoarse{});
  const std::vector<float> taps = halving_taps(level.step);
  kernel.step = level.step;
  kernel.tap_count = i32(taps.size());
  std::copy(taps.begin(), taps.end(), kernel.taps);
  device_.launch(kernel, kernel.block_count());
}

/// From the weighed sources to the light of a part. The first group writes whole rows, margins
/// included, where that meets no other part.
void FarField::convolve(const FarLevel& level, Room& room, const FarExtent& part, std::size_t first,
                        std::size_t count, Target to) {
  const bool direct = first == 0 && !level.in_columns;
  const DeviceArray<float>* spectra =
      &room.spectra[level.kept_spectra() == level.count ? first : 0];
  const i32 w = level.padded_width, rows_of_sources = part.sources.height();
  FftLines columns = job_of(room.columns->line(), 2 * i64(w), true, true);
  columns.terms = i32(count);
  FftLines across = job_of(room.rows->line(), 2 * i64(rows_of_sources) * i64(count), true, false);
  across.in[0] = reinterpret_cast<const Complex*>(picture(level, 0));
  across.out = picture(level, 0);
  across.from = pixel_rows(w, part.sources.width());  // of one picture after the other
  across.from.middle = rows_of_sources;
  across.from.middle_step = across.from.outer_step;
  across.from.outer_step = 2 * i64(level.picture_cells());
  across.to = across.from;
  across.to.extent = w;
  device_.transform(across);
  for (std::size_t i = 0; i < count; ++i) {
    columns.in[i] = reinterpret_cast<const Complex*>(picture(level, i));
    columns.spectrum[i].real = spectra[i].data();
    columns.spectrum[i].share = 2;
    columns.spectrum[i].count = w;
    columns.spectrum[i].tile = SpreadSpectrum::tile;
  }
  columns.out = picture(level, 0);
  columns.from.inner = 2 * w;
  columns.from.inner_step = 1;
  columns.from.point_step = 2 * i64(w);
  columns.from.extent = rows_of_sources;
  columns.to = columns.from;
  device_.transform(columns);

  const FarRect& light = part.light;
  const i32 left = light.x - part.sources.x, top = light.y - part.sources.y;
  Vec4* rows_of_light = picture(level, 0) + i64(top) * w;
  FftLines rows = job_of(room.rows->line(), 2 * i64(light.height()), false, true);
  rows.in[0] = reinterpret_cast<const Complex*>(rows_of_light);
  rows.from = pixel_rows(w, w);
  rows.out = direct ? to.light - left : rows_of_light;
  rows.to = pixel_rows(direct ? to.pitch : w, part.sources.width());
  device_.transform(rows);
  if (direct) return;
  const AddLight add{
      rows_of_light + left, to.light, light.width(), light.height(), w, to.pitch, first > 0};
  device_.launch(add, add.block_count());
}

/// Where the light of a rectangle goes.
FarField::Target FarField::target(std::size_t l, FarRect light, Vec4* far, i32 far_pitch) const {
  if (plan_.levels[l].step == 1) return {far + i64(light.y) * far_pitch + light.x, far_pitch};
  const FarRect& all = plan_.levels[l].whole.sources;
  const i64 first = i64(light.y - all.y) * all.width() + light.x - all.x;
  return {rooms_[l].light.data() + first, all.width()};
}

/// The light of a level, on the grid of the next one; (x, y) counts from `corner` of that.
CoarseLight FarField::light_of(std::size_t l, FarRect corner) const {
  const FarRect& r = plan_.levels[l].whole.sources;
  return {rooms_[l].light.data(), 2 * r.x - corner.x, 2 * r.y - corner.y, r.width()};
}

FarField::Light FarField::run(const DensityGrid& grid, const DeviceArray<float>& coefficients,
                              const Vec4* scaled, const u16* widths, Vec4* far) {
  const Sources sources{grid, scaled, widths};
  const std::size_t finest = plan_.levels.size() - 1;
  for (std::size_t l = 0; l <= finest; ++l) {
    const FarLevel& level = plan_.levels[l];
    Room& room = rooms_[l];
    const float* taps = l == finest ? coefficients.data() : room.coefficients.data();
    for (std::size_t first = 0; first < level.count; first += std::size_t(level.group)) {
      const std::size_t count = std::min(std::size_t(level.group), level.count - first);
      set_spectra(level, room, taps, first, count);
      for (const FarExtent& part : level.parts) {
        weigh(level, part, sources, first, count);
        convolve(level, room, part, first, count, target(l, part.light, far, grid.width));
      }
    }
    if (l == 0 || l == finest) continue;  // MaskFar brings down the last
    const FarRect& light = level.whole.light;
    const Target to = target(l, light, far, grid.width);
    const RefineLight refine{light_of(l - 1, light), to.light, light.width(),
                             light.height(),         to.pitch, level.count > 0};
    device_.launch(refine, refine.block_count());
  }
  if (finest == 0) return {{}, true};
  return {light_of(finest - 1, {}), plan_.levels[finest].count > 0};
}

}  // namespace kiln
