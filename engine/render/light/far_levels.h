// The grids on which far kernels are transformed, and the sizes of the transforms.
//
// Levels. Wide kernels live on cells of 2 x 2 or 4 x 4 buckets (kernels/density_coarse.h): what a
// large radius adds is cheap. Each level transforms no more than the part of the buffer that its
// own kernels carry into the picture, so the padding of the finest does not grow with the radius.
//
// Parts. The picture is transformed in stripes, each with the sources that reach it, so that all
// kernels of a level fit the memory at once, and in columns too where a row is longer than the FFT.
// Levels and parts follow from sizes alone, so every device does the same.
#pragma once

#include <vector>

#include "engine/render/light/density_plan.h"
#include "engine/render/light/far_geometry.h"

namespace kiln {

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

}  // namespace kiln
