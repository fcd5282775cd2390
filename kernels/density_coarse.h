// SPDX-License-Identifier: MIT
// Wide kernels of density estimation on a coarser grid: a Gaussian of sigma 5 buckets and more has
// no detail that a cell of two buckets would lose, and from sigma 10 on none that four would. There
// a transform costs a quarter or a sixteenth, so a radius of 200 costs hardly more than one of 20.
//
//   WeighCoarse    the far sources times their shares, brought down to cells of 2 or 4 buckets
//   refined        a value between cells, half a step finer
//   RefineLight    the light of cells of 4 buckets, added to that of cells of 2
//
// Down and up are the same filter, [1 3 3 1]/8 a halving: its third-order zero at the frequency
// that a halving folds onto 0 keeps what is folded below 1e-3 of the light, and its variance is the
// same for both places of a bucket in its cell, so the kernels can be made that much narrower
// (engine/render/stages/density/far_plan.cpp). All weights are dyadic: bring a constant down and up, and it is
// the same to the last bit.
#pragma once

#include "kernels/block.h"
#include "kernels/density.h"
#include "kernels/fft.h"

KILN_BEGIN

constexpr int coarse_most_taps = 10;

/// Light on a grid of cells, [height, width]. Cell (0, 0) begins at (x, y) of the grid that is half
/// as coarse.
struct CoarseLight {
  const Vec4* cells = nullptr;  // null: there is none
  i32 x = 0, y = 0, width = 0;

  /// The light between cells, at a place of the finer grid; its cell must have neighbors all around.
  KILN_FN Vec4 refined(int fine_x, int fine_y) const {
    const int i = fine_x - x, j = fine_y - y;
    const Vec4* near = cells + i64(j / 2) * width + i / 2;
    const int beside = i % 2 ? 1 : -1;
    const i64 above = j % 2 ? width : -i64(width);
    const Vec4 row = near[0] * 0.75f + near[beside] * 0.25f;
    const Vec4 next = near[above] * 0.75f + near[above + beside] * 0.25f;
    return row * 0.75f + next * 0.25f;
  }
};

/// The far sources times what each kernel of a group gets of them, as means over cells. Blocks:
/// block_count().
struct WeighCoarse {
  static constexpr int lanes = 128;
  struct Shared {};

  DensityGrid grid;
  const Vec4* scaled = nullptr;  // [cells_y * 16, cells_x * 16]
  const u16* widths = nullptr;   // [cells_y * 16, cells_x * 16]
  i32 split = 0;                 // widths below it are far
  i32 step = 2;                  // buckets along the side of a cell: 2 or 4
  i32 from_x = 0, from_y = 0;    // the first cell; it may lie in the margin
  i32 width = 0, height = 0;     // in cells
  float taps[coarse_most_taps] = {};
  i32 tap_count = 4;                         // the middle of the taps is the middle of the cell
  i32 terms = 1;                             // kernels of the group
  const float* shares[fft_most_terms] = {};  // [split] of one kernel, by width
  Vec4* pictures[fft_most_terms] = {};       // [height, pitch]; [width, pitch) is left alone
  i32 pitch = 0;

  constexpr int block_count() const { return row_blocks() * height; }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    const int cell_y = block.index / row_blocks(), first = block.index % row_blocks() * lanes;
    const int before = (tap_count - step) / 2, margin = grid.margin * density_tile;
    block.each([&](int lane) KILN_INLINE {
      const int cell_x = first + lane;
      if (cell_x >= width) return;
      Vec4 sums[fft_most_terms];
      for (int term = 0; term < fft_most_terms; ++term) sums[term] = {0, 0, 0, 0};
      const i64 corner = i64((from_y + cell_y) * step - before + margin) * grid.stride() +
                         (from_x + cell_x) * step - before + margin;
      for (int j = 0; j < tap_count; ++j) {
        const i64 row = corner + j * grid.stride();
        for (int i = 0; i < tap_count; ++i) {
          const int far_width = widths[row + i];
          if (far_width >= split) continue;
          const Vec4 light = scaled[row + i] * (taps[j] * taps[i]);
          for (int term = 0; term < fft_most_terms; ++term) {
            if (term < terms) sums[term] = sums[term] + light * shares[term][far_width];
          }
        }
      }
      for (int term = 0; term < fft_most_terms; ++term) {
        if (term < terms) pictures[term][i64(cell_y) * pitch + cell_x] = sums[term];
      }
    });
  }

 private:
  KILN_CONSTEXPR int row_blocks() const { return (width + lanes - 1) / lanes; }
};

/// light = what it is, or 0, and the light of coarser cells. Blocks: block_count().
struct RefineLight {
  static constexpr int lanes = 256;
  struct Shared {};

  CoarseLight coarse;     // counted in cells of `light`
  Vec4* light = nullptr;  // [height, pitch]
  i32 width = 0, height = 0, pitch = 0;
  i32 accumulate = 0;  // 1: add to light

  constexpr int block_count() const { return blocks_of(i64(width) * height, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_pixel<lanes>(block, width, height, [&](int x, int y, i64) KILN_INLINE {
      const i64 to = i64(y) * pitch + x;
      const Vec4 more = coarse.refined(x, y);
      light[to] = accumulate ? light[to] + more : more;
    });
  }
};

KILN_END
