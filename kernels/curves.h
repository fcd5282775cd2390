// SPDX-License-Identifier: MIT
// Curves of brightness over the finished picture, as Fractorium and Apophysis have them: after
// gamma, vibrancy, highlights and background, and after the spatial filter with earlyclip. A table
// says what becomes of each value (engine/render/stages/curves/curves_stage.h), so all devices agree to the last
// bit; alpha stays. A flame without curves does not come here.
#pragma once

#include "kernels/block.h"

KILN_BEGIN

constexpr int curve_steps = 65536;  // as fine as a picture of 16 bits a channel

/// Looks every channel up, in place. Blocks: block_count().
struct ApplyCurves {
  static constexpr int lanes = 256;
  struct Shared {};

  Vec4* display = nullptr;        // [count] r g b 0..255, a 0..1; anything beyond is clamped
  const float* tables = nullptr;  // [3][curve_steps] of r, g, b: what becomes of i / 65535, 0..1
  i64 count = 0;

  constexpr int block_count() const { return blocks_of(count, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_element<lanes>(block, count, [&](i64 i) KILN_INLINE {
      const Vec4 value = display[i];
      display[i] = {looked_up(0, value.r), looked_up(1, value.g), looked_up(2, value.b), value.a};
    });
  }

 private:
  KILN_FN float looked_up(int channel, float value) const {
    constexpr int steps_a_level = (curve_steps - 1) / 255;
    const float inside = value > 0 ? (value < 255 ? value : 255) : 0;  // false for NaN
    return 255 * tables[channel * curve_steps + i32(inside * steps_a_level)];
  }
};

KILN_END
