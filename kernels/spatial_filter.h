// SPDX-License-Identifier: MIT
// The spatial filter: output pixels from supersampled buckets (flam3-pipeline.md section 10).
//
// flam3's table of taps is the product of one row of taps in x and one in y, so the filter runs as
// two one-dimensional passes of the same kernel: rows first, keeping only the columns that become
// pixels, then columns. 2 F instead of F^2 products a pixel; a radius costs linearly. The order of
// additions is that of the taps. JWildfire's is a table: F^2 products, of which it needs 9 to 25.
#pragma once

#include "kernels/platform.h"

KILN_BEGIN

/// One pass: result(x, y) = sum over i of taps[i] * source[y * y_step + x * x_step + i * tap_step].
/// Blocks: block_count(); a block is a stretch of one row of the result.
struct SpatialFilter {
  static constexpr int lanes = 64;
  struct Shared {};

  const Vec4* source = nullptr;              // first tap of the first result
  i64 x_step = 1, y_step = 0, tap_step = 1;  // in elements of source
  const float* taps = nullptr;               // [tap_count] sum 1
  i32 tap_count = 0;
  Vec4* result = nullptr;  // [height, width]
  i32 width = 0, height = 0;

  constexpr int block_count() const { return (width + lanes - 1) / lanes * height; }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    const int blocks_a_row = (width + lanes - 1) / lanes;
    const int y = block.index / blocks_a_row, first_x = block.index % blocks_a_row * lanes;
    block.each([&](int lane) KILN_INLINE {
      const int x = first_x + lane;
      if (x >= width) return;
      const Vec4* tap = source + y * y_step + x * x_step;
      Vec4 sum = {0, 0, 0, 0};
      for (int i = 0; i < tap_count; ++i) sum = sum + tap[i * tap_step] * taps[i];
      result[i64(y) * width + x] = sum;
    });
  }
};

/// The filter of JWildfire's pictures: a table that is no product of two rows, in one pass, with a second one for
/// opacity where it sharpens. Nothing is below 0. Blocks: block_count(), as of SpatialFilter.
struct TableFilter {
  static constexpr int lanes = 64;
  struct Shared {};

  const Vec4* source = nullptr;    // first tap of the first result
  i64 x_step = 1, y_step = 0;      // of results, in elements of source
  i64 row_step = 0;                // of taps
  const float* colors = nullptr;   // [size, size] sum 1
  const float* opacity = nullptr;  // [size, size] sum 1
  i32 size = 0;
  Vec4* result = nullptr;  // [height, width]
  i32 width = 0, height = 0;

  constexpr int block_count() const { return height * ((width + lanes - 1) / lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    const int blocks_a_row = (width + lanes - 1) / lanes;
    const int y = block.index / blocks_a_row, first_x = block.index % blocks_a_row * lanes;
    block.each([&](int lane) KILN_INLINE {
      const int x = first_x + lane;
      if (x >= width) return;
      const Vec4* tap = source + y * y_step + x * x_step;
      Vec4 sum = {0, 0, 0, 0};
      for (int j = 0; j < size; ++j)
        for (int i = 0; i < size; ++i) {
          const Vec4 light = tap[j * row_step + i];
          const float share = colors[j * size + i], own = opacity[j * size + i];
          sum = {sum.r + light.r * share, sum.g + light.g * share, sum.b + light.b * share,
                 sum.a + light.a * own};
        }
      result[i64(y) * width + x] = {at_least_0(sum.r), at_least_0(sum.g), at_least_0(sum.b),
                                    at_least_0(sum.a)};
    });
  }

 private:
  KILN_FN static float at_least_0(float value) { return value > 0 ? value : 0; }
};

KILN_END
