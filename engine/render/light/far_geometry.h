// Rectangles of the far part of density estimation: what light is read, and which sources reach it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/density.h"

namespace kiln {

/// A rectangle of buckets or cells, ends excluded.
struct FarRect {
  i32 x = 0, y = 0, end_x = 0, end_y = 0;

  i32 width() const { return end_x - x; }
  i32 height() const { return end_y - y; }
  std::uint64_t cells() const { return std::uint64_t(width()) * std::uint64_t(height()); }
};

/// What a part of the picture needs of a level, in cells of its grid: the light that is read, and
/// the sources that reach it.
struct FarExtent {
  FarRect light, sources;
};

/// What cells of twice the step a rectangle needs: those it lies in, and their neighbours.
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

}  // namespace kiln
