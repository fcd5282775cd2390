// SPDX-License-Identifier: MIT
#include "engine/render/stages/effects/effects_wrap.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr double farthest_exponent = 40;  // exp(-40): no float has it beside the rest

int within(int offset, int side) { return (offset % side + side) % side; }

/// The sums of a kernel's copies, by offsets from 0 to a picture's side.
class FoldedKernel {
 public:
  FoldedKernel(int width, int height)
      : width_(width), height_(height), taps_(std::size_t(width) * std::size_t(height)) {}

  double& at(int dx, int dy) {
    return taps_[std::size_t(within(dy, height_)) * std::size_t(width_) +
                 std::size_t(within(dx, width_))];
  }

  void add(const GaussianLobe& lobe) { lobe.py == 0 ? add_upright(lobe) : add_slanted(lobe); }

 private:
  /// Adds a lobe along the axes: rows and columns are summed apart, however wide it is.
  void add_upright(const GaussianLobe& lobe) {
    const std::vector<double> across = folded_line(double(lobe.px), width_),
                              down = folded_line(double(lobe.qy), height_);
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x)
        at(x, y) += double(lobe.weight) * across[std::size_t(x)] * down[std::size_t(y)];
  }

  static std::vector<double> folded_line(double factor, int side) {
    std::vector<double> line(std::size_t(side), 0.0);
    const int reach = int(std::sqrt(farthest_exponent) / factor) + 1;
    for (int d = -reach; d <= reach; ++d)
      line[std::size_t(within(d, side))] += exact::exp(-(factor * d) * (factor * d));
    return line;
  }

  void add_slanted(const GaussianLobe& lobe) {
    const double px = double(lobe.px), py = double(lobe.py), qy = double(lobe.qy);
    const int rows = int(std::sqrt(farthest_exponent) / qy) + 1;
    for (int dy = -rows; dy <= rows; ++dy) {
      const double q = qy * dy, left = farthest_exponent - q * q;
      if (left < 0) continue;
      const double middle = -py * dy / px, half = std::sqrt(left) / std::fabs(px);
      for (int dx = int(std::ceil(middle - half)); dx <= middle + half; ++dx) {
        const double p = px * dx + py * dy;
        at(dx, dy) += double(lobe.weight) * exact::exp(-p * p - q * q);
      }
    }
  }

  int width_, height_;
  std::vector<double> taps_;
};

}  // namespace

void wrap_effects(EffectsPlan& plan) {
  if (!plan.active()) return;
  EffectsKernel& kernel = plan.kernel;
  if (kernel.reach_x < kernel.width - 1 || kernel.reach_y < kernel.height - 1)
    fail(ErrorKind::usage,
         "bloom, glare and --psf work on pictures that repeat of at most 8192 pixels a side, not "
         "{} x {}; leave them or --tile out",
         kernel.width, kernel.height);
  FoldedKernel folded(kernel.width, kernel.height);
  for (const GaussianLobe& lobe : kernel.lobes) folded.add(lobe);
  for (int row = 0; row < kernel.spread_height && !kernel.spread.empty(); ++row)
    for (int column = 0; column < kernel.spread_width; ++column)
      folded.at(column - kernel.spread_x, row - kernel.spread_y) += double(
          kernel.spread[std::size_t(row) * std::size_t(kernel.spread_width) + std::size_t(column)]);
  kernel.lobes.clear();
  kernel.spread.clear();
  kernel.spread_x = kernel.reach_x;
  kernel.spread_y = kernel.reach_y;
  kernel.spread_width = 2 * kernel.reach_x + 1;
  kernel.spread_height = 2 * kernel.reach_y + 1;
  kernel.spread.reserve(std::size_t(kernel.spread_width) * std::size_t(kernel.spread_height));
  for (int dy = -kernel.reach_y; dy <= kernel.reach_y; ++dy)
    for (int dx = -kernel.reach_x; dx <= kernel.reach_x; ++dx)
      kernel.spread.push_back(float(folded.at(dx, dy)));
}

}  // namespace kiln
