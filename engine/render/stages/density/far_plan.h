// SPDX-License-Identifier: MIT
// The far part of density estimation, which goes through the FFT: which widths it is, what stands
// for them, and the device memory that takes. All of it follows from the flame and the mode.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/render/stages/density/density_plan.h"
#include "engine/render/stages/output_plan.h"
#include "kernels/density.h"
#include "kernels/density_far.h"

namespace kiln {

// Rectangles of the far part of density estimation: what light is read, and which sources reach it.

/// A rectangle of buckets or cells, ends excluded.
struct FarRect {
  i32 x = 0, y = 0, end_x = 0, end_y = 0;

  i32 width() const { return end_x - x; }
  i32 height() const { return end_y - y; }
  std::uint64_t cells() const { return std::uint64_t(width()) * std::uint64_t(height()); }
};

/// The part of a level that a part of the picture needs, in cells of its grid: the light that is
/// read, and the sources that reach it.
struct FarExtent {
  FarRect light, sources;
};

/// The cells of twice the step that a rectangle needs: those it lies in, and their neighbors.
inline FarRect coarser(FarRect r) {
  return {(r.x >> 1) - 1, (r.y >> 1) - 1, ((r.end_x + 1) >> 1) + 1, ((r.end_y + 1) >> 1) + 1};
}

/// Sources within reach of the light, as far as there may be any.
inline FarRect sources_of(FarRect light, int reach, int step, const DensityGrid& grid) {
  const i32 beyond = step > 1;  // a cell beyond the edge still has a share of buckets inside
  const i32 columns = (grid.width + step - 1) / step + beyond;
  const i32 rows = (grid.height + step - 1) / step + beyond;
  return {std::min(light.x, std::max(light.x - reach, -beyond)),
          std::min(light.y, std::max(light.y - reach, -beyond)),
          std::max(light.end_x, std::min(light.end_x + reach, columns)),
          std::max(light.end_y, std::min(light.end_y + reach, rows))};
}

/// The shortest circle where what leaves one side comes in where nothing is read.
inline i32 circle_length(i32 sources, i32 before, i32 after, i32 reach) {
  return sources + std::max(reach - std::min(before, after), 0);
}

// Which kernels of the far widths are transformed, and how they stand for the others.
//
// Mixed kernels. Widths follow a power law, so a radius of 100 has 113 widths above 6, and most
// look like their neighbors. 6 to 12 of them, spread evenly in log(width), stand for all: the
// kernel of width h is mixed as sum of share(h, n) kernel(n), with the shares that make the mean
// square difference smallest (inner products of truncated Gaussians in closed form) while the light
// stays the same to the last digit - a Lagrange multiplier for the sum of the taps. The difference
// is 1 % of a kernel's norm, nearly all of it at the rim, where flam3 cuts the Gaussian at 1.1 % of
// its peak; sums of many sources differ by less than 0.1 %. With --de exact every width is itself.

/// The transformed kernels lie at most this far apart in log(width): fine ones, those of radii that
/// reach cells of 4, where bright sources lie beside darker places, and coarse ones. They are at
/// least so many if none is coarse.
constexpr double node_spacing = 0.25, dense_node_spacing = 0.15, coarse_spacing = 0.17;
constexpr int fewest_nodes = 6;
/// Kernels at least so wide, in buckets, are summed in cells of 2 and of 4 buckets instead.
struct CellWidths {
  double two, four;
};
/// Very wide kernels take along wider neighbors of what is bright, where cells show more.
constexpr CellWidths cell_widths(double widest) {
  return widest > 64 ? CellWidths{24, 48} : CellWidths{16, 32};
}
/// The widths of [0, split) that are transformed, falling.
std::vector<int> choose_nodes(const DensityPlan& plan, int split);

/// The share of each node in each far width: [nodes][split].
std::vector<std::vector<float>> mix_kernels(const DensityPlan& plan, const std::vector<int>& nodes,
                                            int split);

/// Sum of the taps that kernel k writes: 1, but for the quirk of integer widths.
double kernel_light(const DensityPlan& plan, int k);

// The grids on which far kernels are transformed, and the sizes of the transforms.
//
// Levels. Wide kernels live on cells of 2 x 2 or 4 x 4 buckets (kernels/density_coarse.h): what a
// large radius adds is cheap. Each level transforms no more than the part of the buffer that its
// own kernels carry into the picture, so the padding of the finest does not grow with the radius.
//
// Parts. The picture is transformed in stripes, each with the sources that reach it, so that all
// kernels of a level fit the memory at once, and in columns too where a row is longer than the FFT.
// Levels and parts follow from sizes alone, so every device does the same.

/// Kernels on one grid of cells.
struct FarLevel {
  int step = 1;                        // buckets along the side of a cell: 4, 2 or 1
  std::size_t first = 0, count = 0;    // its nodes; none where it only brings coarser light down
  std::vector<DensityKernel> kernels;  // [count]
  std::vector<float> coefficients;     // theirs; empty where a cell is a bucket: the estimator's
  FarExtent whole;                     // of the picture
  std::vector<FarExtent> parts;        // of that, each transformed on its own
  bool in_columns = false;  // the parts lie beside each other, not only one below another
  i32 padded_width = 0, padded_height = 0;  // of the transforms
  int group = 0;                            // kernels at once; 0 if there are none

  int reach() const { return count > 0 ? kernels[0].reach : 0; }
  std::uint64_t picture_cells() const;  // the most that one kernel of a part takes
  std::uint64_t spectrum_bytes() const;
  std::size_t kept_spectra() const;  // those of cells are small: all stay
  /// Columns of the left half of a circular picture, and some more so that blocks are full.
  i32 half_columns() const { return (padded_width / 2 + 16) / 16 * 16; }
  /// Room for the pictures of a group, or for the kernels whose spectra are made before.
  std::uint64_t work_cells() const;
};

/// The levels of the nodes, which fall in width, coarsest first and without sizes. `exact`: all on
/// buckets.
std::vector<FarLevel> make_levels(const DensityPlan& density, const std::vector<int>& nodes,
                                  bool exact);

/// Sizes all levels. False if the kernels are too wide for any transform.
bool size_levels(std::vector<FarLevel>& levels, const DensityGrid& grid,
                 std::uint64_t memory_bytes);

/// Kernels wider than gathered_width are summed directly as well if that takes fewer products a bucket
/// and transformed kernel. One constant for all devices, as the bits depend on it; found by measuring
/// (docs/inside/density.md).
constexpr std::uint64_t products_a_kernel = 25;
/// Products that bound a kernel on cells likewise: its transform is a small one.
constexpr std::uint64_t products_a_coarse_kernel = 6;
/// Device memory of the transforms, if that leaves two kernels at once.
constexpr std::uint64_t far_memory_bytes = 970'000'000;

/// Everything about the far part that follows from the flame and the mode.
struct FarPlan {
  bool exact = false;                      // every width by its own kernel
  int split = 0;                           // widths below it are far; 0: there are none
  std::vector<int> nodes;                  // width numbers of the kernels that are transformed
  std::vector<std::vector<float>> shares;  // [nodes][split]
  std::vector<MaskFar::Span> spans;        // [split]
  std::vector<FarLevel> levels;            // coarsest first
  float trusted = 0;                       // MaskFar::trusted
  int most_sources = 0;                    // MaskFar::most_sources

  bool active() const { return split > 0; }
  std::uint64_t bytes() const;  // of device memory
  /// Padded cells of all kernels and parts: what the transforms take is about proportional to it.
  double transformed_cells() const;
  /// Products a bucket of a direct sum that cost as much as the transforms.
  std::uint64_t worth_products() const;
};

/// The work of a picture's transforms: cells of all kernels, and the products a bucket from which
/// on they are worth it.
struct FarWork {
  double cells = 0, worth_products = 0;
};

/// The work of all bands of the plan.
FarWork far_work(const OutputPlan& plan, const FarPlan& far);

/// MaskFar::trusted of far widths [0, split), which depends on the log scale and on `unit`.
float trusted_light(const OutputPlan& plan, int split, double unit, bool exact);

/// The far part of a picture, or of its largest band. `unit`: of the histogram, see density_thresholds. `exact`: every width
/// by its own kernel (--de exact). `memory_bytes`: bound of what the transforms take; the bits depend
/// on it where it binds.
FarPlan plan_far(const OutputPlan& plan, double unit, bool exact,
                 std::uint64_t memory_bytes = far_memory_bytes);

}  // namespace kiln
