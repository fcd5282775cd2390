// SPDX-License-Identifier: MIT
// A probe of a picture in mid-render: how noisy it is (engine/measure/noise.h says what that means,
// engine/render/accumulate/noise_probe.h when it is asked). The sums of both halves of the samples
// become those of the whole; pictures of the three are compared where they are, so that two numbers
// a block come to the host instead of the pictures.
//
// The same figures everywhere: squares of differences are integers, exact as doubles too (a patch
// has less than 2^43), and the rest is added up in one order, that of the patches. Costs a pass over
// both halves and one over three packed pictures.
#pragma once

#include "kernels/block.h"
#include "kernels/platform.h"

KILN_BEGIN

/// The histogram of a picture from two halves. Blocks: block_count().
struct SumHalves {
  static constexpr int lanes = 256;
  struct Shared {};

  const u64* even = nullptr;  // [count]
  const u64* odd = nullptr;   // [count]
  u64* sum = nullptr;         // [count]; may be one of them
  i64 count = 0;

  constexpr int block_count() const { return blocks_of(count, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_element<lanes>(block, count, [&](i64 i) KILN_INLINE { sum[i] = even[i] + odd[i]; });
  }
};

/// Squares of how far the halves are from the whole, in levels of 16 bits, mean of both halves; where
/// there is a bias that counts more often, what their mean is off by as often.
struct NoiseSums {
  double squares = 0;             // of all red, green and blue
  double squares_of_patches = 0;  // of the sum over each patch, its square
};

/// Compares two halves with the whole, in a window of the picture: patches of 4x4 pixels from its
/// corner on, those at its right and lower edge smaller. Blocks: block_count().
struct MeasureNoise {
  static constexpr int lanes = 256, patches_a_lane = 4, side = 4;
  struct Shared {
    double squares[lanes], squares_of_patches[lanes];
  };

  // [, pitch, 4] r g b a of the picture, from the window's corner on; alpha does not count
  const u16 *first = nullptr, *second = nullptr, *whole = nullptr;
  i32 pitch = 0;
  i32 width = 0, height = 0;  // of the window
  // How often the square of how far the mean of both halves is from the whole counts, in halves.
  static constexpr i32 bias_of_curves = 2, bias_of_cleaning = 5;
  i32 bias = bias_of_curves;
  NoiseSums* sums = nullptr;  // [block_count()]

  KILN_CONSTEXPR i64 patches_across() const { return (width + side - 1) / side; }
  KILN_CONSTEXPR i64 patches() const { return patches_across() * ((height + side - 1) / side); }
  constexpr int block_count() const { return blocks_of(patches(), lanes * patches_a_lane); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const i64 begin = i64(block.index) * (lanes * patches_a_lane);
    const i64 count = patches(), across = patches_across();
    block.each([&](int lane) KILN_INLINE {
      double squares = 0, squares_of_patches = 0;
      for (int k = 0; k < patches_a_lane; ++k) {
        const i64 i = begin + k * lanes + lane;
        if (i >= count) break;
        const double patch = square_of_patch(int(i % across) * side, int(i / across) * side);
        squares += patch;
        squares_of_patches += patch * patch;
      }
      shared.squares[lane] = squares;
      shared.squares_of_patches[lane] = squares_of_patches;
    });
    add_up_lanes<lanes>(block, shared.squares);
    add_up_lanes<lanes>(block, shared.squares_of_patches);
    block.each([&](int lane) KILN_INLINE {
      if (lane == 0) sums[block.index] = {shared.squares[0], shared.squares_of_patches[0]};
    });
  }

 private:
  KILN_FN double square_of_patch(int left, int top) const {
    const int right = left + side < width ? left + side : width;
    const int bottom = top + side < height ? top + side : height;
    i64 sum = 0;
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) {
        const i64 pixel = 4 * (i64(y) * pitch + x);
        for (int c = 0; c < 3; ++c) {
          const i64 a = first[pixel + c], b = second[pixel + c], w = whole[pixel + c];
          const i64 both = a + b - 2 * w;
          sum += 2 * (a - b) * (a - b) + bias * both * both;
        }
      }
    }
    return double(sum) / 8;
  }
};

KILN_END
