// SPDX-License-Identifier: MIT
// Light of JWildfire's flames: its antialiasing moves a share of the samples to buckets nearby before they are counted,
// and its lone samples glow. The mean of what moving gives is the sums through a table of shares, so it needs no draws
// and has no noise of its own; a bucket's light is then the logarithm of that, and the glow, which is 1/2 of it for
// one sample and falls as they grow more. Costs a product for each of the table's shares: 49 of the usual radius.
#pragma once

#include "kernels/log_scale.h"

KILN_BEGIN

/// Blocks: block_count().
struct MovedLight {
  static constexpr int lanes = 256;
  struct Shared {};

  Buckets histogram;
  LogCurve curve;
  const float* shares = nullptr;  // [2 radius + 1, 2 radius + 1] of sum 1, symmetric
  i32 radius = 0;                 // buckets
  float glow = 0;                 // 2 of it are added to the light of a lone sample, 255 being full
  float samples = 0;              // of JWildfire's count, for each of alpha
  Vec4* light = nullptr;          // [height, width]
  i32 accumulate = 0;             // 1: add to light

  constexpr int block_count() const {
    return blocks_of(i64(histogram.width) * histogram.height, lanes);
  }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    const int width = histogram.width, height = histogram.height;
    each_pixel<lanes>(block, width, height, [&](int column, int row, i64 i) KILN_INLINE {
      Vec4 sum = {0, 0, 0, 0};
      for (int dy = -radius; dy <= radius; ++dy) {
        const int y = row + dy;
        if ((y < 0) | (y >= height)) continue;
        const float* share = shares + (dy + radius) * (2 * radius + 1) + radius;
        for (int dx = -radius; dx <= radius; ++dx) {
          const int x = column + dx;
          if ((x >= 0) & (x < width)) sum = sum + histogram[i64(y) * width + x] * share[dx];
        }
      }
      const float count = sum.a * samples, lone = count < 1 ? count : 1;
      const float glowing = sum.a > 0 ? glow * lone / ((count + 1) * sum.a) : 0;
      const Vec4 out = sum * (curve(sum.a) + glowing);
      light[i] = accumulate ? light[i] + out : out;
    });
  }
};

KILN_END
