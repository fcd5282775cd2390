// SPDX-License-Identifier: MIT
// Cleaning: noise is averaged away among buckets that the samples cannot tell apart
// (docs/inside/algorithm.md, "Cleaning"). It stands in the place of density estimation, between the sums
// and their logarithm, and knows what a denoiser of finished pictures must guess: how many samples
// each bucket has, so how much of a difference is chance.
//
// A bucket p is compared with each q of a disc around it by the 3x3 buckets around both. S is the sum
// of their variances; where p and q are equal, two numbers have the expectation S at any rate, also
// below one hit: T, the sum of squared differences of hits and colors, sees structure within the
// patches, and D, the square of the difference of the patches' sums, sees that one is brighter, where
// single hits say nothing. Noise of hits moves hits and colors together, so D is blind to colors that
// differ less than hits do by chance; C compares the mean colors alone. The likeness of two patches
// falls with the largest of the three, and is below 0 where one has no hit and the other many.
//
// The likenesses of the nine pairs of patches that cover both buckets are added up ("aggregation",
// which saves buckets beside a hair), and the weight is the square of the sum: beside an edge some of
// the nine are alike and some are not, and one black bucket needs little of a bright neighbor's light
// to be seen.
//
// What was found to be alike is doubted where it is little to average, where hits come together more
// than single ones do by chance, and where there are next to none, so that light in the dark is rather
// a speck's than a veil's. So much of a bucket stays as it was; the rule knows nothing of the bucket's
// own hits, or it would take light away. Its form is that of a logistic regression of the mixture with
// the least error in the picture, on 126 flames; its numbers are rounded and tried (docs/measurements/cleaning.md).
//
// The likeness is (1 - x / 8)^8 in the place of exp(-x): no call, and exactly 0 from x = 8 on. Every
// sum has one order, so all devices, stripes and tiles get the same bits. Costs 113 comparisons of
// some 80 operations a bucket; a tile without a hit in reach costs nothing.
//
// What that took away from faint lines is given back after it (kernels/clean_lines.h).
//
// Of a film the same place of the two frames before and the two after it is compared likewise: that
// calms what changes from frame to frame, where the film is still enough.
//
// Non-local means: Buades, Coll & Morel (2005); of Poisson counts by ratios of patch sums: Deledalle,
// Tupin & Denis (2010).
#pragma once

#include "kernels/block.h"
#include "kernels/log_scale.h"
#include "kernels/math.h"
#include "kernels/platform.h"

KILN_BEGIN

/// Hits of the first of two units, kept while the second is played. Blocks: block_count().
struct KeepHits {
  static constexpr int lanes = 256;
  struct Shared {};

  Buckets histogram;
  float a_hit = 1;       // what 255 of a bucket's alpha counts
  Vec4* kept = nullptr;  // [height, width] r: hits

  constexpr int block_count() const {
    return blocks_of(i64(histogram.width) * histogram.height, lanes);
  }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_element<lanes>(block, i64(histogram.width) * histogram.height, [&](i64 i) KILN_INLINE {
      kept[i] = {histogram.alpha(i) * a_hit, 0, 0, 0};
    });
  }
};

/// Measures how much more two units of the game differ than independent hits would: sums over the
/// picture of w (a - b)^2 and of w (a + b), in 2^-24. Orbits that come back to the same bucket hit
/// it in clumps; hits of little visibility count for little. Blocks: block_count().
struct MeasureClumps {
  static constexpr int lanes = 256;
  static constexpr float one = 0x1p24f;
  struct Shared {
    u64 squares[lanes], hits[lanes];
  };

  Buckets histogram;           // of both units
  float a_hit = 1;             // KeepHits::a_hit
  const Vec4* kept = nullptr;  // [height, width] what KeepHits left
  i32 left = 0, top = 0;       // of the picture in the buffer
  i32 columns = 0, rows = 0;   // of the picture, in buckets
  u64* totals = nullptr;       // [2] squares, hits

  constexpr int block_count() const { return blocks_of(i64(columns) * rows, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const i64 count = i64(columns) * rows;
    block.each([&](int lane) KILN_INLINE {
      const i64 at = i64(block.index) * lanes + lane;
      shared.squares[lane] = shared.hits[lane] = 0;
      if (at >= count) return;
      const int x = left + int(at % columns), y = top + int(at / columns);
      const float both = hits(x, y), first = kept[i64(y) * histogram.width + x].r;
      const float difference = both - first - first;
      const float weight = one / (mean_around(x, y) + 0.3f);
      shared.squares[lane] = u64(difference * difference * weight);
      shared.hits[lane] = u64(both * weight);
    });
    block.each([&](int lane) KILN_INLINE {
      if (lane > 1) return;
      const u64* const values = lane == 0 ? shared.squares : shared.hits;
      u64 sum = 0;
      for (int i = 0; i < lanes; ++i) sum += values[i];
      if (sum > 0) block.add(totals[lane], sum);
    });
  }

 private:
  KILN_FN float hits(int x, int y) const {
    const bool inside = x >= 0 && x < histogram.width && y >= 0 && y < histogram.height;
    return inside ? histogram.alpha(i64(y) * histogram.width + x) * a_hit : 0;
  }
  KILN_FN float mean_around(int x, int y) const {
    float sum = 0;
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) sum += hits(x + i, y + j);
    return sum * (1.0f / 9);
  }
};

/// The counts that cleaning reads: planes of floats with a margin, in which the buffer is mirrored,
/// so that nobody looks where it ends.
struct CleanPlanes {
  static constexpr i32 window = 6, margin = window + 2;  // patches, and those that cover a bucket
  static constexpr i32 tile_x = 64, tile_y = 32;
  static constexpr int count = 9;

  float* values =
      nullptr;  // [count][rows(), pitch()]: hits, red, green, blue; the sums of each over
                // 3x3, and of their variance
  i32 width = 0, height = 0;  // of the buffer

  KILN_CONSTEXPR i32 tiles_x() const { return (width + tile_x - 1) / tile_x; }
  KILN_CONSTEXPR i32 tiles_y() const { return (height + tile_y - 1) / tile_y; }
  KILN_CONSTEXPR i32 pitch() const { return tiles_x() * tile_x + 2 * margin; }
  KILN_CONSTEXPR i32 rows() const { return tiles_y() * tile_y + 2 * margin; }
  KILN_CONSTEXPR i64 cells() const { return i64(pitch()) * rows(); }
  KILN_FN float* plane(int number) const { return values + number * cells(); }
  /// The index of the buffer's bucket (x, y) in a plane.
  KILN_FN i64 at(int x, int y) const { return i64(y + margin) * pitch() + x + margin; }
};

/// The place in [0, count) that a line of so many, mirrored at both ends as often as it takes, has
/// at x.
KILN_FN int mirrored(int x, int count) {
  const int period = 2 * count, rest = x % period;
  const int place = rest < 0 ? rest + period : rest;
  return place < count ? place : period - 1 - place;
}

/// Fills the first four planes: sums in units of independent hits. Blocks: block_count().
struct TakeCounts {
  static constexpr int lanes = 256;
  struct Shared {};

  Buckets histogram;
  float scale = 1;  // independent hits for 1 of a bucket
  CleanPlanes planes;

  constexpr int block_count() const { return blocks_of(planes.cells(), lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    const i32 pitch = planes.pitch();
    each_element<lanes>(block, planes.cells(), [&](i64 i) KILN_INLINE {
      const int x = mirrored(int(i % pitch) - planes.margin, planes.width);
      const int y = mirrored(int(i / pitch) - planes.margin, planes.height);
      const Vec4 c = histogram[i64(y) * histogram.width + x] * scale;
      planes.plane(0)[i] = c.a;
      planes.plane(1)[i] = c.r;
      planes.plane(2)[i] = c.g;
      planes.plane(3)[i] = c.b;
    });
  }
};

/// Fills the other planes, but for the cells at their edges. Blocks: block_count().
struct SumPatches {
  static constexpr int lanes = 256;
  struct Shared {};

  CleanPlanes planes;

  constexpr int block_count() const { return blocks_of(planes.cells(), lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    const i32 pitch = planes.pitch();
    each_element<lanes>(block, planes.cells(), [&](i64 i) KILN_INLINE {
      const int x = int(i % pitch), y = int(i / pitch);
      if (x < 1 || y < 1 || x >= pitch - 1 || y >= planes.rows() - 1) return;
      Vec4 sum = {0, 0, 0, 0};
      float variance = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const Vec4 c = counts(i + dy * pitch + dx);
          sum = sum + c;
          variance += variance_of(c);
        }
      }
      planes.plane(4)[i] = sum.a;
      planes.plane(5)[i] = sum.r;
      planes.plane(6)[i] = sum.g;
      planes.plane(7)[i] = sum.b;
      planes.plane(8)[i] = variance;
    });
  }

 private:
  KILN_FN Vec4 counts(i64 i) const {
    return {planes.plane(1)[i], planes.plane(2)[i], planes.plane(3)[i], planes.plane(0)[i]};
  }
  /// The variance of hits plus that of their colors, by their mean color.
  KILN_FN static float variance_of(Vec4 c) {
    const float colors = (c.r * c.r + (c.g * c.g + c.b * c.b)) / c.a;
    return c.a > 0 ? c.a + colors : 0;
  }
};

/// Another frame of a film, whose planes are as large.
struct OtherFrame {
  i64 values = 0;  // from those of the frame that is cleaned to those of this one
  float gain = 1;  // what 1 of them is in that one
};

/// The cleaned sums. Blocks: block_count(), one a tile.
struct CleanSums {
  static constexpr int lanes = 512;
  static constexpr int tile_x = CleanPlanes::tile_x, tile_y = CleanPlanes::tile_y;
  static constexpr int window = CleanPlanes::window;
  static constexpr int most_others = 4;
  static constexpr int across = tile_x + 4, middle = tile_x + 2, down = tile_y + 4;
  struct Shared {
    float a[across * down], b[middle * down];
  };

  CleanPlanes planes;  // as TakeCounts and SumPatches left them
  Buckets histogram;
  float scale = 1;                           // of a bucket's sums for 1 of the planes
  float nearness[window * window + 1] = {};  // weight of a neighbor by its squared distance
  Vec4* cleaned = nullptr;                   // [height, width] sums
  i32 other_count = 0;                       // frames around this one of a film
  OtherFrame others[most_others] = {};

  constexpr int block_count() const { return planes.tiles_x() * planes.tiles_y(); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const int left = block.index % planes.tiles_x() * tile_x;
    const int top = block.index / planes.tiles_x() * tile_y;
    const i64 corner = planes.at(left, top);
    WeightedSums<Block::template own_cells<lanes, tile_x * tile_y>()> sums;
    sums.clear();
    if (is_lit(block, corner)) {
      for (int dy = -window; dy <= window; ++dy) {
        for (int dx = -window; dx <= window; ++dx) {
          const int square = dx * dx + dy * dy;
          if (square > window * window) continue;
          add_neighbors(block, shared, corner, i64(dy) * planes.pitch() + dx, nearness[square], 1,
                        sums);
        }
      }
      for (int frame = 0; frame < other_count; ++frame)
        add_neighbors(block, shared, corner, others[frame].values, 1, others[frame].gain, sums);
    }
    block.template each_own_cell<lanes, tile_x, tile_y>([&](int x, int y, int k) KILN_INLINE {
      if (left + x >= planes.width || top + y >= planes.height) return;
      const i64 i = i64(top + y) * planes.width + left + x;
      const float all = 1 / sums.weight[k];
      const float part = 1 - doubt(sums.n[k] * all, sums.squares[k] * all, sums.weight[k]);
      const Vec4 was = raw(i, corner + i64(y) * planes.pitch() + x);
      const Vec4 mean = Vec4{sums.r[k], sums.g[k], sums.b[k], sums.n[k]} * (scale * all);
      cleaned[i] = sums.weight[k] > 0 ? was * (1 - part) + mean * part : was;
    });
  }

 private:
  // How soon the weight falls, for x of 1: by what is within patches, and by their sums.
  static constexpr float fall_within = 1 / (8 * 2.2f), fall_of_sums = 1 / (8 * 2.4f);
  // The same of colors, and what their differences are where one color is mixed of several.
  static constexpr float scatter_of_colors = 0.1f, fall_of_colors = 1 / (8 * 0.1f);
  static constexpr float surely_lit = 16;  // hits, where none would be no chance
  static constexpr float never = -9;       // outweighs the other patches

  template <int count>
  struct WeightedSums {
    float r[count], g[count], b[count], n[count], squares[count], weight[count];
    KILN_FN void clear() {
      for (int k = 0; k < count; ++k) r[k] = g[k] = b[k] = n[k] = squares[k] = weight[k] = 0;
    }
  };

  /// The counts of a bucket without cleaning. Of a film's frame only the planes are left.
  KILN_FN Vec4 raw(i64 bucket, i64 cell) const {
    if (histogram.sums) return histogram[bucket];
    return Vec4{planes.plane(1)[cell], planes.plane(2)[cell], planes.plane(3)[cell],
                planes.plane(0)[cell]} *
           scale;
  }

  /// Whether anything in reach of the tile was hit.
  template <class Block>
  KILN_FN bool is_lit(Block& block, i64 corner) const {
    constexpr int columns = tile_x + 2 * window, rows = tile_y + 2 * window;
    const float* const first = planes.plane(0) + corner - window * planes.pitch() - window;
    return block.any([&](int lane) KILN_INLINE {
      bool found = false;
      for (int i = lane; i < columns * rows; i += lanes)
        found |= first[i / columns * planes.pitch() + i % columns] > 0;
      return found;
    });
  }

  KILN_FN static float square(float x) { return x * x; }

  /// The share of a bucket that stays as it was, by the weighted means of the hits and of their squares
  /// among those like it, and by the sum of the weights.
  KILN_FN static float doubt(float mean, float squares, float weight) {
    const float scatter = (squares + 0.05f) / (mean * mean + mean + 0.05f);  // 1 of single hits
    const float odds = 3 * scatter * sqrt(scatter / weight) / (mean + 0.003f);
    return odds / (1 + odds);
  }

  /// Adds the neighbor of each bucket of the tile that lies `to` cells further.
  template <class Block, class Sums>
  KILN_FN void add_neighbors(Block& block, Shared& shared, i64 corner, i64 to, float near,
                             float gain, Sums& sums) const {
    const i32 pitch = planes.pitch();
    const float *const n = planes.plane(0) + corner, *const r = planes.plane(1) + corner,
                       *const g = planes.plane(2) + corner, *const b = planes.plane(3) + corner;
    block.template each_cell<lanes, across, down>([&](int x, int y) KILN_INLINE {
      const i64 p = i64(y - 2) * pitch + x - 2, q = p + to;
      shared.a[y * across + x] =
          (square(n[p] - n[q]) + square(r[p] - r[q])) + (square(g[p] - g[q]) + square(b[p] - b[q]));
    });
    block.template each_cell<lanes, middle, down>([&](int x, int y) KILN_INLINE {
      const float* const row = shared.a + y * across + x;
      shared.b[y * middle + x] = row[0] + row[1] + row[2];
    });
    const float *const n9 = planes.plane(4) + corner, *const r9 = planes.plane(5) + corner,
                       *const g9 = planes.plane(6) + corner, *const b9 = planes.plane(7) + corner,
                       *const variance = planes.plane(8) + corner;
    block.template each_cell<lanes, middle, tile_y + 2>([&](int x, int y) KILN_INLINE {
      const float* const column = shared.b + y * middle + x;
      const i64 p = i64(y - 1) * pitch + x - 1, q = p + to;
      const float expected = variance[p] + variance[q];
      const float within = column[0] + column[middle] + column[2 * middle];
      const float of_sums = (square(n9[p] - n9[q]) + square(r9[p] - r9[q])) +
                            (square(g9[p] - g9[q]) + square(b9[p] - b9[q]));
      const float beyond =
          max((within - expected) * fall_within, (of_sums - expected) * fall_of_sums);
      const float hits = n9[p] + n9[q], product = n9[p] * n9[q];
      const float of_colors =
          (square(r9[p] * n9[q] - r9[q] * n9[p]) +
           (square(g9[p] * n9[q] - g9[q] * n9[p]) + square(b9[p] * n9[q] - b9[q] * n9[p]))) /
          (product * hits + 1e-6f);
      const float x8 = max(max(beyond, 0.0f) / (expected + 1e-3f),
                           (of_colors - scatter_of_colors) * fall_of_colors);
      const float likeness = square(square(square(max(1 - x8, 0.0f))));
      shared.a[y * middle + x] = product <= 0 && hits > surely_lit ? never : likeness;
    });
    block.template each_cell<lanes, tile_x, tile_y + 2>([&](int x, int y) KILN_INLINE {
      const float* const row = shared.a + y * middle + x;
      shared.b[y * tile_x + x] = row[0] + row[1] + row[2];
    });
    block.template each_own_cell<lanes, tile_x, tile_y>([&](int x, int y, int k) KILN_INLINE {
      const float* const column = shared.b + y * tile_x + x;
      const float agreement = column[0] + column[tile_x] + column[2 * tile_x];
      const float weight = square(max(agreement, 0.0f)) * near;
      const i64 q = i64(y) * pitch + x + to;
      const float part = weight * gain;
      sums.r[k] += r[q] * part;
      sums.g[k] += g[q] * part;
      sums.b[k] += b[q] * part;
      sums.n[k] += n[q] * part;
      sums.squares[k] += n[q] * n[q] * gain * part;
      sums.weight[k] += weight;
    });
  }
};

KILN_END
