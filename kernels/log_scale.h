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

  KILN_FN u64 hits(i64 i) const { return sums[i * channels + channels - 1]; }
  KILN_FN float alpha(i64 i) const { return value(sums[i * channels + 3]); }
  KILN_FN Vec4 operator[](i64 i) const {
    const u64* sum = sums + i * channels;
    return {value(sum[0]), value(sum[1]), value(sum[2]), value(sum[3])};
  }

 private:
  KILN_FN float value(u64 sum) const {
    return float(i64(sum)) * unit;
  }  // sums stay below 2^63; signed is one instruction
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

KILN_END
