// SPDX-License-Identifier: MIT
// Light that falls off towards the corners, as behind a lens, or grows there: each pixel of the filtered picture
// times a factor of its place alone. The factor is 1 in the center and 1 - strength in the corners, and follows
// 3 t^2 - 2 t^3 of t = half the square of the distance in halves of the picture: flat in the middle and at the
// end, the same shape at every size. Cost: one read and one write of the picture.
#pragma once

#include "kernels/block.h"

KILN_BEGIN

struct VignetteFall {
  float strength = 0;                // share of the light that the corners lose; below 0 they gain
  float center_x = 0, center_y = 0;  // pixels of the whole picture
  float across = 0, down = 0;        // 1 / half of its size, 1 / pixels
  i32 first_row = 0;                 // of a stripe: where it is in the picture

  /// The factor of a pixel's light.
  KILN_FN float at(i32 x, i32 y) const {
    const float u = (float(x) - center_x) * across, v = (float(first_row + y) - center_y) * down;
    const float t = 0.5f * (u * u + v * v);
    return 1 - strength * (t * t * (3 - 2 * t));
  }
};

/// light [height, width] *= the factor of each pixel, in place. Blocks: block_count().
struct DimCorners {
  static constexpr int lanes = 256;
  struct Shared {};

  Vec4* light = nullptr;
  i32 width = 0, height = 0;
  VignetteFall fall;

  constexpr int block_count() const { return blocks_of(i64(width) * height, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_pixel<lanes>(block, width, height, [&](int x, int y, i64 i) KILN_INLINE {
      light[i] = light[i] * fall.at(x, y);
    });
  }
};

KILN_END
