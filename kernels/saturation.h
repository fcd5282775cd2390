// SPDX-License-Identifier: MIT
// JWildfire's saturation: the finished pixel in HSL with another S, rounded. Hue and lightness stay, so the
// way to HSL and back is a factor on how far the channels are from the middle of the largest and the
// smallest. Gray has hue 0, which is red.
#pragma once

#include "kernels/block.h"

KILN_BEGIN

struct Saturation {
  float more = 0;  // added to S; what is beyond 0 and 1 is cut

  /// The color of r g b in 0..full.
  KILN_FN Vec4 operator()(Vec4 color, float full) const {
    const float most = larger(larger(color.r, color.g), color.b);
    const float least = -larger(larger(-color.r, -color.g), -color.b);
    const float twice_light = most + least, range = most - least;
    const float widest = twice_light <= full ? twice_light : 2 * full - twice_light;
    if (!(widest > 0)) return color;  // black and white
    const float wanted = within_1(range / widest + more) * widest;
    if (!(range > 0))
      return {(twice_light + wanted) / 2, (twice_light - wanted) / 2, (twice_light - wanted) / 2,
              color.a};
    const float factor = wanted / range;
    return {moved(color.r, twice_light, factor), moved(color.g, twice_light, factor),
            moved(color.b, twice_light, factor), color.a};
  }

 private:
  KILN_FN static float larger(float a, float b) { return a > b ? a : b; }
  KILN_FN static float within_1(float s) { return s > 0 ? (s < 1 ? s : 1) : 0; }
  KILN_FN static float moved(float c, float twice_light, float factor) {
    return (twice_light + (2 * c - twice_light) * factor) / 2;
  }
};

/// Changes packed pixels in place; Channel: u8 or u16. Blocks: block_count().
template <class Channel>
struct Saturate {
  static constexpr int lanes = 256;
  static constexpr float full = sizeof(Channel) == 1 ? 255 : 65280;  // as Pack ends
  struct Shared {};

  Channel* pixels = nullptr;  // [count, 4] r g b a
  i64 count = 0;
  Saturation saturation;

  constexpr int block_count() const { return blocks_of(count, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_element<lanes>(block, count, [&](i64 i) KILN_INLINE {
      Channel* const pixel = pixels + 4 * i;
      const Vec4 color = saturation({float(pixel[0]), float(pixel[1]), float(pixel[2]), 0}, full);
      pixel[0] = rounded(color.r);
      pixel[1] = rounded(color.g);
      pixel[2] = rounded(color.b);
    });
  }

 private:
  KILN_FN static Channel rounded(float c) {
    return Channel(i32(c > 0 ? (c < full ? c + 0.5f : full) : 0));
  }
};

using Saturate8 = Saturate<u8>;
using Saturate16 = Saturate<u16>;

KILN_END
