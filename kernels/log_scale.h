// SPDX-License-Identifier: MIT
// From the histogram to linear light: flam3's log-density scaling (flam3-pipeline.md section 8),
// the first stage after the chaos game.
//
// A flame's buckets span six decades; the picture shows their logarithm. Each bucket's colors are
// scaled by k1 log(1 + k2 a) / a, so the alpha of the result is k1 log(1 + k2 a) and the color
// keeps its hue. The integer sums become float here, rounded once; everything after this stage is
// float in a fixed order of operations.
#pragma once

#include "kernels/block.h"
#include "kernels/math.h"
#include "kernels/platform.h"

KILN_BEGIN

/// The histogram as the chaos game leaves it: fixed-point sums. sum * unit is flam3's bucket
/// (palette * 255 * visibility, summed).
struct Buckets {
  const u64* sums = nullptr;  // [height, width, channels]
  i32 width = 0, height = 0;
  i32 channels = 4;  // 4: r g b hits, where alpha is the hits (opaque palette); 5: r g b a hits
  float unit = 1;    // an exact power of two
  // [height] what a sample counts in each row; null: 1. Not of hits, which say how sure a bucket is.
  const float* row_weights = nullptr;

  KILN_FN u64 hits(i64 i) const { return sums[i * channels + channels - 1]; }
  KILN_FN float alpha(i64 i) const { return value(sums[i * channels + 3]) * unit_of(i); }
  KILN_FN Vec4 operator[](i64 i) const {
    const u64* sum = sums + i * channels;
    return Vec4{value(sum[0]), value(sum[1]), value(sum[2]), value(sum[3])} * unit_of(i);
  }

 private:
  KILN_FN float value(u64 sum) const {
    return float(i64(sum));
  }  // sums stay below 2^63; signed is one instruction
  KILN_FN float unit_of(i64 i) const { return row_weights ? unit * row_weights[i / width] : unit; }
};

/// flam3: m = k1 log(1 + k2 a) / a.
struct LogCurve {
  float k1 = 0, k2 = 0;

  KILN_FN float operator()(float alpha) const {
    const float scale = k1 * log1p(k2 * alpha) / alpha;
    return alpha > 0 ? scale : 0;
  }
};

/// Log scaling alone: the picture without density estimation. Blocks: block_count().
struct LogScale {
  static constexpr int lanes = 256;
  struct Shared {
    float scale[lanes];
  };

  Buckets histogram;
  LogCurve curve;
  Vec4* density = nullptr;  // [height, width] linear light, a / 255 is the opacity before gamma
  i32 accumulate = 0;       // 1: add to density (passes after the first)

  constexpr int block_count() const {
    return blocks_of(i64(histogram.width) * histogram.height, lanes);
  }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const i64 first = i64(block.index) * lanes, last = i64(histogram.width) * histogram.height - 1;
    const Buckets buckets = histogram;
    const LogCurve log_curve = curve;
    block.each([&](int lane) KILN_INLINE {
      shared.scale[lane] = buckets.alpha(first + lane < last ? first + lane : last);
    });
    block.each([&](int lane) KILN_INLINE {  // on its own, so that g++ vectorizes the logarithm
      shared.scale[lane] = log_curve(shared.scale[lane]);
    });
    block.each([&](int lane) KILN_INLINE {
      const i64 i = first + lane;
      if (i > last) return;
      const Vec4 light = buckets[i] * shared.scale[lane];
      density[i] = accumulate ? density[i] + light : light;
    });
  }
};

/// Gives the buckets around a picture of the whole sphere the sums that belong there, for filters that
/// reach beyond its edges: those of the other side, and beyond a pole, where the picture goes to the
/// poles, those half a turn away. The game itself puts nothing there.
struct WrapEdges {
  static constexpr int lanes = 256;
  struct Shared {};

  u64* sums = nullptr;  // [height, width, channels], rows from `top` of the buffer
  i32 channels = 4;
  i32 width = 0, height = 0, top = 0;
  i32 gutter = 0;
  i32 picture_width = 0, picture_height = 0;  // buckets without the gutter
  i32 to_the_poles = 0;

  constexpr int block_count() const { return blocks_of(i64(width) * height, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_pixel<lanes>(block, width, height, [&](int column, int row, i64 i) KILN_INLINE {
      i32 x = column - gutter, y = row + top - gutter;
      const bool beyond_pole = (y < 0) | (y >= picture_height);
      if ((!beyond_pole & (x >= 0) & (x < picture_width)) | (beyond_pole & !to_the_poles)) return;
      if (beyond_pole) {
        y = y < 0 ? -1 - y : 2 * picture_height - 1 - y;
        x += picture_width / 2;
      }
      x = (x % picture_width + picture_width) % picture_width;
      // a gutter may be higher than the picture, or than what a stripe has of it
      const bool has_source =
          (y >= 0) & (y < picture_height) & (y + gutter >= top) & (y + gutter < top + height);
      if (!has_source) return;
      const i64 from = i64(y + gutter - top) * width + x + gutter;
      for (int channel = 0; channel < channels; ++channel)
        sums[i * channels + channel] = sums[from * channels + channel];
    });
  }
};

KILN_END
