// Packing: display values become the integers of the file (flam3-pipeline.md section 11). As in
// flam3 they are cut, not rounded, and 16-bit channels are 256 * value, so they end at 65280; alpha
// uses the full range.
#pragma once

#include "kernels/block.h"

KILN_BEGIN

/// Channel: u8 or u16. Blocks: block_count().
template <class Channel>
struct Pack {
  static constexpr int lanes = 256;
  static constexpr float color_scale = sizeof(Channel) == 1 ? 1 : 256;
  static constexpr float alpha_scale = sizeof(Channel) == 1 ? 255 : 65535;
  struct Shared {};

  // [count] r g b 0..255, a 0..1; anything beyond is clamped, NaN counts as 0
  const Vec4* display = nullptr;
  Channel* pixels = nullptr;  // [count, 4] r g b a
  i64 count = 0;
  i32 transparent = 0;  // 0: alpha is full everywhere

  constexpr int block_count() const { return blocks_of(count, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_element<lanes>(block, count, [&](i64 i) KILN_INLINE {
      const Vec4 value = display[i];
      pixels[4 * i + 0] = cut(value.r, 255, color_scale);
      pixels[4 * i + 1] = cut(value.g, 255, color_scale);
      pixels[4 * i + 2] = cut(value.b, 255, color_scale);
      pixels[4 * i + 3] = cut(transparent ? value.a : 1, 1, alpha_scale);
    });
  }

 private:
  KILN_FN static Channel cut(float value, float largest, float scale) {
    const float inside = value > 0 ? (value < largest ? value : largest) : 0;  // false for NaN
    return Channel(i32(inside * scale));
  }
};

using Pack8 = Pack<u8>;
using Pack16 = Pack<u16>;

KILN_END
