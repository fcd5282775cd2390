// SPDX-License-Identifier: MIT
// A background of several colors, as JWildfire's flames have them, behind a picture that was tone mapped
// without one. A flame whose background is one color does not come here: ToneMap has added it.
//
// The colors are nine: of the corners, the middles of the sides and the center. Places are counted in
// quarters of the picture: 1.25 is a fourth of the way through the second. A gradient between the corners
// alone is one quarter. Which pixels are at the whole numbers is JWildfire's:
// engine/render/stages/background/background_stage.cpp.
#pragma once

#include "kernels/block.h"

KILN_BEGIN

struct BackgroundGradient {
  Vec4 colors[9];              // [3][3] 256 * r g b, from the upper left
  float across = 1, down = 1;  // pixels of a quarter
  i32 first_row = 0;           // of a stripe: where it is in the picture

  /// 256 * the color behind a pixel.
  KILN_FN Vec4 at(i32 x, i32 y) const {
    const float u = float(x) / across, v = float(first_row + y) / down;
    const i32 right = u < 1 ? 0 : 1, low = v < 1 ? 0 : 1;
    const Vec4* upper = colors + 3 * low + right;
    const float share = u - float(right);
    return between(between(upper[0], upper[1], share), between(upper[3], upper[4], share),
                   v - float(low));
  }

 private:
  KILN_FN static Vec4 between(Vec4 a, Vec4 b, float share) { return a + (b + a * -1) * share; }
};

/// Adds a background where a picture is not opaque, in place. Blocks: block_count().
struct AddBackground {
  static constexpr int lanes = 256;
  struct Shared {};

  Vec4* display = nullptr;  // [height, width] r g b 0..255, a 0..1
  i32 width = 0, height = 0;
  BackgroundGradient gradient;

  constexpr int block_count() const { return blocks_of(i64(width) * height, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_pixel<lanes>(block, width, height, [&](int x, int y, i64 i) KILN_INLINE {
      const Vec4 value = display[i];
      const Vec4 sum = value + gradient.at(x, y) * (1 - value.a);
      display[i] = {shown(sum.r), shown(sum.g), shown(sum.b), value.a};
    });
  }

 private:
  KILN_FN static float shown(float c) { return c > 0 ? (c < 255 ? c : 255) : 0; }
};

KILN_END
