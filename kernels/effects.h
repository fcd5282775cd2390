// SPDX-License-Identifier: MIT
// Bloom and glare: light that a lens spreads over the picture (docs/inside/lens.md).
//
//   scattered = part of the light above the threshold
//   light     = light - strength scattered + kernel * scattered       (sum of the kernel: strength)
//
// The convolution is engine/fft's: WriteTaps gives it the kernel, MeasureLight what it scatters,
// AddScattered takes its result. A float FFT leaves an error that is spread evenly over the frame,
// some 1e-7 of the light's root mean square; black would turn to dark gray by it, so what is below
// `floor`, a bound of that error, is none, and what is a little above shrinks smoothly.
#pragma once

#include "kernels/block.h"
#include "kernels/fft_radix.h"
#include "kernels/math.h"
#include "kernels/platform.h"

KILN_BEGIN

/// weight exp(-p^2 - q^2) with p = px x + py y, q = qy y: a Gaussian of any direction and widths.
struct GaussianLobe {
  float weight = 0;
  float px = 0, py = 0, qy = 0;  // x, y in pixels, y down

  bool operator==(const GaussianLobe&) const = default;
};

/// The taps of a kernel around (0, 0), negative offsets at the end of a line, as a transform reads
/// them. Taps beyond the reach are 0: no offset between two pixels of the picture is that large, or
/// it would wrap around. Blocks: block_count(); width is a multiple of `lanes`.
struct WriteTaps {
  static constexpr int lanes = 64;
  struct Shared {
    float x[lanes], sum[lanes];
  };

  const GaussianLobe* lobes = nullptr;
  i32 lobe_count = 0;
  const float* spread = nullptr;  // [spread_height, spread_width] or null: added to the lobes
  i32 spread_width = 0, spread_height = 0;
  i32 spread_x = 0, spread_y = 0;  // its center
  Complex* taps = nullptr;         // [height, width]
  i32 width = 0, height = 0;       // padded
  i32 reach_x = 0, reach_y = 0;

  constexpr int block_count() const { return width / lanes * height; }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const int blocks_a_row = width / lanes;
    const int row = block.index / blocks_a_row, first_x = block.index % blocks_a_row * lanes;
    const int dy = row <= reach_y ? row : row - height;
    Complex* const to = taps + i64(row) * width + first_x;
    if (dy < -reach_y) {
      block.each([&](int lane) KILN_INLINE { to[lane] = {0, 0}; });
      return;
    }
    const float y = float(dy);
    block.each([&](int lane) KILN_INLINE {
      const int x = first_x + lane;
      shared.x[lane] = float(x <= reach_x ? x : x - width);
      shared.sum[lane] = 0;
    });
    for (int l = 0; l < lobe_count; ++l) {
      const GaussianLobe lobe = lobes[l];
      const float along = lobe.py * y, across = lobe.qy * y * (lobe.qy * y);
      block.each([&](int lane) KILN_INLINE {
        const float p = fma(lobe.px, shared.x[lane], along);
        shared.sum[lane] = fma(lobe.weight, exp(-fma(p, p, across)), shared.sum[lane]);
      });
    }
    block.each([&](int lane) KILN_INLINE {
      const int dx = int(shared.x[lane]), at_x = dx + spread_x, at_y = dy + spread_y;
      float tap = shared.sum[lane];
      if (spread && at_x >= 0 && at_x < spread_width && at_y >= 0 && at_y < spread_height)
        tap += spread[i64(at_y) * spread_width + at_x];
      to[lane] = {dx < -reach_x ? 0 : tap, 0};
    });
  }
};

/// The part of a pixel's light that spreads, 0..1: what its brightest channel has above the
/// threshold.
KILN_FN float scattered_share(const Vec4& light, float threshold) {
  const float brightest = max(max(light.r, light.g), light.b);
  const float share = (brightest - threshold) / brightest;
  return threshold <= 0 ? 1 : brightest > threshold ? share : 0;
}
KILN_FN float light_only(float c) { return c > 0 ? c : 0; }  // filters' negative lobes, NaN
KILN_FN Vec4 scattered_light(const Vec4& light, float threshold) {
  const float share = scattered_share(light, threshold);
  return {light_only(light.r) * share, light_only(light.g) * share, light_only(light.b) * share,
          light_only(light.a) * share};
}

/// Sums over the pixels of a block.
struct LightSums {
  double light = 0;      // r + g + b
  double scattered = 0;  // r + g + b of what spreads
  double square = 0;     // r^2 + g^2 + b^2 + a^2 of what spreads
  double landed = 0;     // r + g + b of what spread and stayed in the frame
};

constexpr int effect_lanes = 256, effect_pixels_a_lane = 16;
constexpr int effect_pixels = effect_lanes * effect_pixels_a_lane;  // of a block

/// Measures the light, and extracts the part that spreads. Blocks: block_count().
struct MeasureLight {
  static constexpr int lanes = effect_lanes;
  struct Shared {
    double light[lanes], scattered[lanes], square[lanes];
  };

  const Vec4* light = nullptr;  // [count]
  Vec4* scattered = nullptr;    // [count], or null where that is `light` itself
  i64 count = 0;
  float threshold = 0;
  LightSums* sums = nullptr;  // [block_count()]

  constexpr int block_count() const { return blocks_of(count, effect_pixels); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    block.each([&](int lane) KILN_INLINE {
      double all = 0, spread = 0, square = 0;
      for (int k = 0; k < effect_pixels_a_lane; ++k) {
        const i64 i = i64(block.index) * effect_pixels + k * lanes + lane;
        if (i >= count) break;
        const Vec4 pixel = light[i], part = scattered_light(pixel, threshold);
        if (scattered) scattered[i] = part;
        all += double(pixel.r) + double(pixel.g) + double(pixel.b);
        spread += double(part.r) + double(part.g) + double(part.b);
        square += double(part.r) * double(part.r) + double(part.g) * double(part.g) +
                  (double(part.b) * double(part.b) + double(part.a) * double(part.a));
      }
      shared.light[lane] = all;
      shared.scattered[lane] = spread;
      shared.square[lane] = square;
    });
    add_up_lanes<lanes>(block, shared.light);
    add_up_lanes<lanes>(block, shared.scattered);
    add_up_lanes<lanes>(block, shared.square);
    block.each([&](int lane) KILN_INLINE {
      if (lane == 0)
        sums[block.index] = {shared.light[0], shared.scattered[0], shared.square[0], 0};
    });
  }
};

/// The picture with its scattered light. Blocks: block_count().
struct AddScattered {
  static constexpr int lanes = effect_lanes;
  struct Shared {
    double landed[lanes];
  };

  const Vec4* spread = nullptr;  // [count] kernel * scattered
  Vec4* light = nullptr;         // [count] in place
  i64 count = 0;
  float threshold = 0, strength = 0, floor = 0;
  LightSums* sums = nullptr;  // [block_count()]: fills in `landed`

  constexpr int block_count() const { return blocks_of(count, effect_pixels); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    block.each([&](int lane) KILN_INLINE {
      double landed = 0;
      for (int k = 0; k < effect_pixels_a_lane; ++k) {
        const i64 i = i64(block.index) * effect_pixels + k * lanes + lane;
        if (i >= count) break;
        const Vec4 pixel = light[i], part = scattered_light(pixel, threshold);
        const Vec4 raw = spread[i];
        const Vec4 came = {cleaned(raw.r), cleaned(raw.g), cleaned(raw.b), cleaned(raw.a)};
        light[i] = {pixel.r - part.r * strength + came.r, pixel.g - part.g * strength + came.g,
                    pixel.b - part.b * strength + came.b, pixel.a - part.a * strength + came.a};
        landed += double(came.r) + double(came.g) + double(came.b);
      }
      shared.landed[lane] = landed;
    });
    add_up_lanes<lanes>(block, shared.landed);
    block.each([&](int lane) KILN_INLINE {
      if (lane == 0) sums[block.index].landed = shared.landed[0];
    });
  }

 private:
  /// 0 up to the floor, then continuous; 1 % is gone at ten times the floor.
  KILN_FN float cleaned(float c) const {
    const float less = c - floor * (floor / c);
    return c > floor ? less : 0;  // 0 for NaN
  }
};

/// Counts the hits of each pixel: the raw counts of its buckets. Blocks: block_count().
struct CountHits {
  static constexpr int lanes = 256;
  struct Shared {};

  const u64* sums = nullptr;  // [buffer rows, buffer_width, channels]; the last channel is hits
  i32 channels = 4;
  i32 buffer_width = 0, gutter = 0, supersample = 1;  // buckets
  double a_hit = 255;                                 // what one hit adds
  float* hits = nullptr;                              // [height, width]
  i32 width = 0, height = 0;
  i32 accumulate = 0;  // 1: add to hits

  constexpr int block_count() const { return blocks_of(i64(width) * height, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_pixel<lanes>(block, width, height, [&](int px, int py, i64 i) KILN_INLINE {
      const i64 x = gutter + i64(px) * supersample, y = gutter + i64(py) * supersample;
      u64 sum = 0;
      for (int row = 0; row < supersample; ++row) {
        for (int column = 0; column < supersample; ++column) {
          sum += sums[((y + row) * buffer_width + x + column) * channels + channels - 1];
        }
      }
      const float count = float(double(i64(sum)) / a_hit);  // hits count by their opacity
      hits[i] = accumulate ? hits[i] + count : count;
    });
  }
};

KILN_END
