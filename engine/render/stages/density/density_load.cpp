// SPDX-License-Identifier: MIT
#include "engine/render/stages/density/density_load.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/model/exact_math.h"

namespace kiln {
namespace {

double squared_side(const OutputPlan& plan, int width) {
  const int reach = int(std::ceil(plan.density.widths[std::size_t(width)])) - 1;
  return (2.0 * reach + 1) * (2 * reach + 1);
}

/// Adds buckets of which a share of `lit` is lit, by as many hits each.
void add_buckets(const OutputPlan& plan, double hits, double lit, DensityLoad& load) {
  if (!(lit > 0)) return;
  const int around = plan.density.supersample / 2 * 2 + 1;  // whose hits choose the width
  const double chosen_by = std::max(hits, 1.0) * around * around;
  const int width = density_width(plan.density, std::uint64_t(std::min(chosen_by, 1e15)), 255);
  const bool is_far = plan.density.widths[std::size_t(width)] > gathered_width;
  (is_far ? load.far : load.near) += lit * squared_side(plan, width);
}

/// The share that is lit of buckets with so many hits on average.
double lit_by_chance(double hits) { return 1 - exact::exp(-hits); }

}  // namespace

DensityLoad even_load(const OutputPlan& plan, const CompiledFlame& flame) {
  DensityLoad load;
  if (!plan.density.active()) return load;
  const BufferGeometry& buffer = plan.geometry;
  const double hits = double(flame.samples_of_pass(0)) / (double(buffer.width) * buffer.height);
  add_buckets(plan, hits, lit_by_chance(hits), load);
  return load;
}

DensityLoad density_load(const OutputPlan& plan, const CompiledFlame& flame, Device& device,
                         const std::uint64_t* histogram, double more) {
  constexpr int row_count = 8, most_bands = 16;
  DensityLoad load;
  if (!plan.density.active()) return load;
  const int side = more > 1 ? row_count : 1;  // of squares whose hits are counted together
  const std::size_t channels = flame.channels();
  const std::size_t width = std::size_t(plan.geometry.width);
  const int rows = plan.geometry.height, columns = plan.geometry.width / side;
  const int bands = std::min(most_bands, rows / row_count);
  const double one_of = double(bands) * columns * (row_count / side);
  std::vector<std::uint64_t> sums(width * channels * row_count);
  for (int band = 0; band < bands; ++band) {
    const std::int64_t first = std::int64_t(rows - row_count) * (2 * band + 1) / (2 * bands);
    device.download(sums.data(), histogram + std::size_t(first) * width * channels,
                    sums.size() * sizeof sums[0]);
    for (int square = 0; square < columns * (row_count / side); ++square) {
      const std::size_t corner =
          std::size_t(square / columns * side) * width + std::size_t(square % columns * side);
      double hits = 0;
      for (int i = 0; i < side * side; ++i) {
        const std::size_t bucket = corner + std::size_t(i / side) * width + std::size_t(i % side);
        hits += double(sums[bucket * channels + channels - 1]);
      }
      hits *= more * flame.unit / 255 / (side * side);
      add_buckets(plan, hits, (side == 1 ? double(hits > 0) : lit_by_chance(hits)) / one_of, load);
    }
  }
  return load;
}

}  // namespace kiln
