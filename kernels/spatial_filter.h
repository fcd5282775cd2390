// The spatial filter: output pixels from supersampled buckets (flam3-pipeline.md section 10).
//
// flam3's table of taps is the product of one row of taps in x and one in y, so the filter runs as
// two one-dimensional passes of the same kernel: rows first, keeping only the columns that become
// pixels, then columns. 2 F instead of F^2 products a pixel; a radius costs linearly. The order of
// additions is that of the taps.
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

KILN_END
