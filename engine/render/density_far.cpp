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

/// `count` widths of [0, split), evenly spread in log(width), both ends among them.
std::vector<int> spread_nodes(const DensityPlan& plan, int split, int count) {
  const double ratio = plan.widths[0] / plan.widths[std::size_t(split) - 1];
  std::vector<int> nodes;
  for (int n = 0; n < count; ++n) {
    const double wanted = plan.widths[0] / exact::pow(ratio, double(n) / (count - 1));
    const int least = nodes.empty() ? 0 : nodes.back() + 1, most = split - (count - n);
    int node = least;  // as many are left as are needed; the nearest of them
    while (node < most && plan.widths[std::size_t(node) + 1] >= wanted) ++node;
    if (node < most &&
        plan.widths[std::size_t(node)] * plan.widths[std::size_t(node) + 1] > wanted * wanted)
      ++node;
    nodes.push_back(node);
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

/// Columns of the left half of a circular picture, and some more so that blocks are full.
i32 half_columns(i32 padded_width) { return (padded_width / 2 + 16) / 16 * 16; }

}  // namespace

std::uint64_t FarPlan::bytes() const {
  if (!active()) return 0;
  const std::uint64_t w = std::uint64_t(padded_width), h = std::uint64_t(padded_height);
  return std::uint64_t(group) * (w * std::uint64_t(height) * sizeof(Vec4) + w * h * sizeof(float)) +
         (std::uint64_t(spans[0].reach) + 1) * w * sizeof(Complex) +
         std::uint64_t(half_columns(padded_width)) * h * sizeof(Complex);
}

FarPlan plan_far(const OutputPlan& plan, double unit, bool exact) {
  const DensityPlan& density = plan.density;
  const BufferGeometry& g = plan.geometry;
  FarPlan far;
  if (!density.active()) return far;
  while (far.split <= density.last && density.widths[std::size_t(far.split)] > gathered_width)
    ++far.split;
  if (far.split == 0) return far;
  for (int k = 0; k < far.split; ++k) {
    far.spans.push_back(
        span_of(density.widths[std::size_t(k)], density.kernels[std::size_t(k)].reach));
  }
  const double ratio = density.widths[0] / density.widths[std::size_t(far.split) - 1];
  const int wanted = std::max(fewest_nodes, 1 + int(std::ceil(exact::log(ratio) / node_spacing)));
  if (exact || far.split <= wanted) {
    for (int k = 0; k < far.split; ++k) {
      far.nodes.push_back(k);
      far.shares.emplace_back(far.spans.size(), 0.0f);
      far.shares.back()[std::size_t(k)] = 1;
    }
  } else {
    far.nodes = spread_nodes(density, far.split, wanted);
    far.shares = mix(density, far.nodes, far.split);
  }
  far.width = g.width;
  far.height = g.height;
  // What leaves one side comes in at the other: it must not get through the gutter into what the
  // spatial filter reads.
  const i32 gutter = g.filter_offset, reach = density.reach;
  far.padded_width = next_fft_length(g.width + std::max(reach - gutter, 0));
  far.padded_height = next_fft_length(g.height + std::max(reach - gutter, 0));
  if (!is_one_line(far.padded_width) || !is_one_line(far.padded_height)) return {};
  const std::uint64_t each =
      std::uint64_t(far.padded_width) *
      (std::uint64_t(g.height) * sizeof(Vec4) + std::uint64_t(far.padded_height) * sizeof(float));
  const int count = int(far.nodes.size());
  const int most =
      std::min({count, fft_most_terms, int(std::max<std::uint64_t>(2, far_memory_bytes / each))});
  const int groups = (count + most - 1) / most;
  far.group = (count + groups - 1) / groups;
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

FarField::FarField(Device& device, const FarPlan& plan)
    : device_(device),
      plan_(plan),
      rows_(device, plan.padded_width),
      columns_(device, plan.padded_height) {
  const std::size_t w = std::size_t(plan.padded_width), h = std::size_t(plan.padded_height);
  for (const auto& share : plan.shares) shares_.emplace_back(device, share);
  for (int i = 0; i < plan.group; ++i) {
    work_.emplace_back(device, w * std::size_t(plan.height));
    spectra_.emplace_back(device, w * h);
  }
  kernel_rows_ = DeviceArray<Complex>(device, (std::size_t(plan.spans[0].reach) + 1) * w);
  kernel_columns_ = DeviceArray<Complex>(device, std::size_t(half_columns(plan.padded_width)) * h);
  spectra_stay_ = plan.nodes.size() <= std::size_t(plan.group);
}

void FarField::set_spectra(const DensityPlan& density, const float* coefficients, std::size_t first,
                           std::size_t count) {
  if (spectra_stay_ && spectra_set_) return;
  const i32 w = plan_.padded_width, h = plan_.padded_height, columns = half_columns(w);
  for (std::size_t i = 0; i < count; i += 2) {
    const bool pair = i + 1 < count;
    PlaceKernels place;
    place.coefficients = coefficients;
    place.first = density.kernels[std::size_t(plan_.nodes[first + i])];
    place.second =
        pair ? density.kernels[std::size_t(plan_.nodes[first + i + 1])] : DensityKernel{0, -1};
    place.rows = kernel_rows_.data();
    place.points = w;
    place.row_count = std::max(place.first.reach, place.second.reach) + 1;
    device_.launch(place, place.block_count());

    FftLines across = job_of(rows_.line(), place.row_count, true, false);
    across.in[0] = kernel_rows_.data();
    across.out = kernel_rows_.data();
    across.from.outer_step = across.to.outer_step = w;
    device_.transform(across);
    const MirrorRows mirror{
        kernel_rows_.data(), kernel_columns_.data(), w, place.row_count, columns, h};
    device_.launch(mirror, mirror.block_count());

    FftLines down = job_of(columns_.line(), columns, true, false);
    down.in[0] = kernel_columns_.data();
    down.out = kernel_columns_.data();
    down.from.inner = columns;
    down.from.inner_step = 1;
    down.from.point_step = columns;
    down.to = down.from;
    device_.transform(down);
    const SpreadSpectrum spread{kernel_columns_.data(),
                                spectra_[i].data(),
                                pair ? spectra_[i + 1].data() : nullptr,
                                float(1 / (double(w) * h)),
                                w,
                                columns,
                                h};
    device_.launch(spread, spread.block_count());
  }
  spectra_set_ = true;
}

void FarField::run(const DensityGrid& grid, const DensityPlan& density,
                   const DeviceArray<float>& coefficients, const Vec4* scaled, const u16* widths,
                   Vec4* far) {
  const i32 w = plan_.padded_width;
  const std::size_t most = std::size_t(plan_.group);
  for (std::size_t first = 0; first < plan_.nodes.size(); first += most) {
    const std::size_t count = std::min(most, plan_.nodes.size() - first);
    set_spectra(density, coefficients.data(), first, count);

    WeighSources weigh;
    weigh.grid = grid;
    weigh.scaled = scaled;
    weigh.widths = widths;
    weigh.split = plan_.split;
    weigh.terms = i32(count);
    weigh.pitch = w;
    for (std::size_t i = 0; i < count; ++i) {
      weigh.shares[i] = shares_[first + i].data();
      weigh.pictures[i] = work_[i].data();
    }
    device_.launch(weigh, weigh.block_count());

    FftLines columns = job_of(columns_.line(), 2 * i64(w), true, true);
    columns.terms = i32(count);
    for (std::size_t i = 0; i < count; ++i) {
      FftLines rows = job_of(rows_.line(), 2 * i64(plan_.height), true, false);
      rows.in[0] = reinterpret_cast<const Complex*>(work_[i].data());
      rows.from = pixel_rows(w, plan_.width);
      rows.out = work_[i].data();
      rows.to = pixel_rows(w, w);
      device_.transform(rows);
      columns.in[i] = reinterpret_cast<const Complex*>(work_[i].data());
      columns.spectrum[i].real = spectra_[i].data();
      columns.spectrum[i].share = 2;
      columns.spectrum[i].count = w;
      columns.spectrum[i].tile = SpreadSpectrum::tile;
    }
    columns.out = work_[0].data();
    columns.from.inner = 2 * w;
    columns.from.inner_step = 1;
    columns.from.point_step = 2 * i64(w);
    columns.from.extent = plan_.height;
    columns.to = columns.from;
    device_.transform(columns);

    FftLines rows = job_of(rows_.line(), 2 * i64(plan_.height), false, true);
    rows.in[0] = reinterpret_cast<const Complex*>(work_[0].data());
    rows.from = pixel_rows(w, w);
    const bool sum = first > 0;
    rows.out = sum ? work_[1].data() : far;
    rows.to = pixel_rows(plan_.width, plan_.width);
    device_.transform(rows);
    if (sum) {
      const AddLight add{work_[1].data(), far, i64(plan_.width) * plan_.height};
      device_.launch(add, add.block_count());
    }
  }
}

}  // namespace kiln
