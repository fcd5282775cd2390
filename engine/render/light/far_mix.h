// Which kernels of the far widths are transformed, and how they stand for the others.
//
// Mixed kernels. Widths follow a power law, so a radius of 100 has 113 widths above 6, and most
// look like their neighbours. 6 to 12 of them, spread evenly in log(width), stand for all: the
// kernel of width h is mixed as sum of share(h, n) kernel(n), with the shares that make the mean
// square difference smallest (inner products of truncated Gaussians in closed form) while the light
// stays the same to the last digit - a Lagrange multiplier for the sum of the taps. The difference
// is 1 % of a kernel's norm, nearly all of it at the rim, where flam3 cuts the Gaussian at 1.1 % of
// its peak; sums of many sources differ by less than 0.1 %. With --de exact every width is itself.
#pragma once

#include <vector>

#include "engine/render/light/density_plan.h"

namespace kiln {

/// The transformed kernels lie at most this far apart in log(width): fine ones, those of radii that
/// reach cells of 4, where bright sources lie beside darker places, and coarse ones. They are at
/// least so many if none is coarse.
constexpr double node_spacing = 0.25, dense_node_spacing = 0.15, coarse_spacing = 0.17;
constexpr int fewest_nodes = 6;
/// Kernels at least so wide, in buckets, are summed in cells of 2 and of 4 buckets instead.
struct CellWidths {
  double two, four;
};
/// Very wide kernels take along wider neighbours of what is bright, where cells show more.
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

}  // namespace kiln
