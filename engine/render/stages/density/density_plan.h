// SPDX-License-Identifier: MIT
// flam3's density estimation, sized on the host in double: which widths there are, how many hits
// call for which, and the coefficients of each (flam3-pipeline.md section 9). Its quirks are kept,
// they are the picture: a width that is an integer loses the four tips of its kernel (0.957 of the
// light where estimator_minimum is 0), and radius == minimum means no estimation at all.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/density.h"

namespace kiln {

/// Widest kernel that is summed directly, in buckets. One constant for all devices, as the bits depend on
/// it; found by measuring (docs/inside/density.md).
constexpr double gathered_width = 6;

/// The kernel set. `last` == 0: no density estimation, plain log scaling instead.
struct DensityPlan {
  int last = 0;       // flam3's K: widths are numbered 0 (widest) .. last
  double cutoff = 0;  // flam3's C: more hits than this use `last`
  double curve = 0;   // estimator_curve
  int supersample = 1;
  int reach = 0;                       // of the widest kernel
  std::vector<double> widths;          // [last + 1] in buckets
  std::vector<DensityKernel> kernels;  // [last + 1]
  std::vector<float> coefficients;     // of all kernels, as DensityTable says

  bool active() const { return last > 0; }
  /// Coefficient of width k at an offset, 0 where it does not reach.
  float coefficient(int k, int dx, int dy) const;
};

/// Kernel set of estimator_radius, estimator_minimum (output pixels), estimator_curve. Throws where
/// flam3 refuses, and where the tables need more memory than there is or `max_memory_bytes` (0: no
/// limit). `tables`: make them, which takes minutes where they are gigabytes.
DensityPlan plan_density(double radius, double minimum, double curve, int supersample,
                         std::uint64_t max_memory_bytes = 0, bool tables = true);

/// Width number of a source whose neighborhood holds `hits` (a fixed-point sum; hits * unit / 255
/// of them), as flam3 chooses it.
int density_width(const DensityPlan& plan, std::uint64_t hits, double unit);

/// [last] the largest fixed-point sums that still choose width 0, 1, ..., for
/// DensityTable::thresholds.
std::vector<std::uint64_t> density_thresholds(const DensityPlan& plan, double unit);

/// The grid of sources and tiles for a buffer of this size. `hidden`: buckets on each side that
/// nothing reads.
DensityGrid density_grid(const DensityPlan& plan, int width, int height, int hidden = 0);

/// Sources of a grid, margin included: elements of the buffers SelectWidth::scaled and ::widths.
std::int64_t source_count(const DensityGrid& grid);
/// Cells of a grid, margin included: elements of SelectWidth::cell_widths.
std::int64_t cell_count(const DensityGrid& grid);

}  // namespace kiln
