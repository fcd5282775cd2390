// SPDX-License-Identifier: MIT
// A histogram in larger buckets: each is the sum of a square of them, so it is what the same samples
// would have left in a picture of so many times fewer pixels. For looks at a picture that cannot be
// developed whole in the time there is. Integers: the same on every device. Cost: the histogram is
// read once, 15 ms of two cores at 1920x1080.
#pragma once

#include "kernels/block.h"
#include "kernels/platform.h"

KILN_BEGIN

/// Blocks: block_count(), a stretch of a row of bins each.
struct BinSums {
  static constexpr int lanes = 64;
  struct Shared {};

  const u64* sums = nullptr;  // [height, width, channels]
  i32 width = 0, height = 0, channels = 4;
  i32 side = 1;                // of a bin, in buckets
  i32 from_x = 0, from_y = 0;  // first bucket of the first bin; what is no bucket has no light
  u64* bins = nullptr;         // [bins_y, bins_x, channels]
  i32 bins_x = 0, bins_y = 0;

  constexpr int block_count() const { return (bins_x + lanes - 1) / lanes * bins_y; }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    const int blocks_a_row = (bins_x + lanes - 1) / lanes;
    const int y = block.index / blocks_a_row, first_x = block.index % blocks_a_row * lanes;
    block.each([&](int lane) KILN_INLINE {
      const int x = first_x + lane;
      if (x >= bins_x) return;
      const int left = from_x + x * side, top = from_y + y * side;
      const int right = left + side < width ? left + side : width;
      const int bottom = top + side < height ? top + side : height;
      u64 sum[5] = {0, 0, 0, 0, 0};
      for (int row = top > 0 ? top : 0; row < bottom; ++row) {
        for (int column = left > 0 ? left : 0; column < right; ++column) {
          const u64* bucket = sums + (i64(row) * width + column) * channels;
          for (int c = 0; c < channels; ++c) sum[c] += bucket[c];
        }
      }
      u64* bin = bins + (i64(y) * bins_x + x) * channels;
      for (int c = 0; c < channels; ++c) bin[c] = sum[c];
    });
  }
};

KILN_END
