// SPDX-License-Identifier: MIT
// The light of cleaned sums, where faint lines get back what cleaning took from them
// (docs/inside/algorithm.md, "Lines").
//
// A line of one or two hits a bucket differs from the dark beside it by no more than chance does in
// patches of nine, so kernels/clean.h gives a third of its light to its neighbors. Seven buckets along
// the line tell it apart. Where a line is, and in which of eight directions it runs, is asked of the
// cleaned hits, which are nearly free of noise: asked of the raw ones, it would be there where more
// fell by chance, and light would be made of noise. A line is brighter than its like two buckets
// aside, at either side, before and behind the bucket: a lone hit is none.
//
// There the bucket is scaled by the raw hits of the seven over the cleaned ones. These are right but
// for their noise, whatever cleaning did. 224 sums of neighbors, a fifteenth of what cleaning costs.
#pragma once

#include "kernels/clean.h"

KILN_BEGIN

/// Light of cleaned sums. Blocks: block_count(), one a tile.
struct LineLight {
  static constexpr int lanes = 256;
  static constexpr int tile_x = CleanPlanes::tile_x, tile_y = CleanPlanes::tile_y;
  static constexpr int half = 3;           // buckets before and behind
  static constexpr int margin = half + 2;  // those and what lies aside
  static constexpr int directions = 8;     // of half a turn
  static constexpr int across = tile_x + 2 * margin, down = tile_y + 2 * margin;
  static_assert(margin <= CleanPlanes::margin);
  struct Shared {
    float hits[across * down], cleaned[across * down];  // both in independent hits
  };

  CleanPlanes planes;             // as TakeCounts left them
  const Vec4* cleaned = nullptr;  // [height, width] sums
  LogCurve curve;
  float scale = 1;        // of sums for 1 of the planes
  float share = 1;        // 1: cleaned; 0: as they were
  Vec4* light = nullptr;  // [height, width] linear light
  i32 accumulate = 0;     // 1: add to light (passes after the first)

  constexpr int block_count() const { return planes.tiles_x() * planes.tiles_y(); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const int left = block.index % planes.tiles_x() * tile_x;
    const int top = block.index / planes.tiles_x() * tile_y;
    const i64 corner = planes.at(left, top);
    take(block, shared, left, top, corner);
    Lines<Block::template own_cells<lanes, tile_x * tile_y>()> lines;
    lines.clear();
    for (int direction = 0; direction < directions; ++direction)
      look(block, shared, direction, lines);
    block.template each_own_cell<lanes, tile_x, tile_y>([&](int x, int y, int k) KILN_INLINE {
      if (left + x >= planes.width || top + y >= planes.height) return;
      const i64 i = i64(top + y) * planes.width + left + x;
      const Vec4 mean = cleaned[i] * (share * gain(lines, k));
      const Vec4 value = mean + raw(corner + i64(y) * planes.pitch() + x) * (1 - share);
      const Vec4 lit = value * curve(value.a);
      light[i] = accumulate ? light[i] + lit : lit;
    });
  }

 private:
  /// The best line through each bucket, and the sums along it.
  template <int count>
  struct Lines {
    float contrast[count], cleaned[count], aside[count], hits[count];
    KILN_FN void clear() {
      for (int k = 0; k < count; ++k) contrast[k] = cleaned[k] = aside[k] = hits[k] = 0;
    }
  };

  /// Offsets in Shared.
  struct Direction {
    int steps[half];
    int aside;
  };
  KILN_FN static Direction direction_of(int number) {
    const int kind = number % 4;  // to the right; a half down; down and right; a half right
    Direction direction;
    for (int t = 1; t <= half; ++t)
      direction.steps[t - 1] = offset(number, kind == 3 ? int(t > 1) : t,
                                      kind == 0   ? 0
                                      : kind == 1 ? int(t > 1)
                                                  : t);
    direction.aside = offset(number, kind < 2 ? -kind : -2, kind == 3 ? 1 : 2);
    return direction;
  }
  /// The offset of (x, y), turned by a quarter in the second half of the directions.
  KILN_FN static int offset(int number, int x, int y) {
    return number < 4 ? y * across + x : x * across - y;
  }

  template <class Block>
  KILN_FN void take(Block& block, Shared& shared, int left, int top, i64 corner) const {
    const float per_hit = 1 / scale;
    const float* const hits = planes.plane(0) + corner;
    block.template each_cell<lanes, across, down>([&](int x, int y) KILN_INLINE {
      const int column = left + x - margin, row = top + y - margin;
      const bool inside = column >= 0 && row >= 0 && column < planes.width && row < planes.height;
      const int i = inside ? column : mirrored(column, planes.width);
      const int j = inside ? row : mirrored(row, planes.height);
      shared.cleaned[y * across + x] = cleaned[i64(j) * planes.width + i].a * per_hit;
      shared.hits[y * across + x] = hits[i64(y - margin) * planes.pitch() + x - margin];
    });
  }

  KILN_FN static float sum_of(const float* at, const int* steps) {
    float sum = at[0];
    for (int t = 0; t < half; ++t) sum += at[steps[t]] + at[-steps[t]];
    return sum;
  }

  template <class Block, class Found>
  KILN_FN void look(Block& block, Shared& shared, int number, Found& lines) const {
    const Direction direction = direction_of(number);
    const int* const steps = direction.steps;
    block.template each_own_cell<lanes, tile_x, tile_y>([&](int x, int y, int k) KILN_INLINE {
      const int at = (y + margin) * across + x + margin;
      const float* const c = shared.cleaned + at;
      const float before = c[-steps[0]] + c[-steps[1]] + c[-steps[2]];
      const float behind = c[steps[0]] + c[steps[1]] + c[steps[2]];
      const float aside =
          max(sum_of(c + direction.aside, steps), sum_of(c - direction.aside, steps));
      // both halves, and twice the lesser: of seven buckets, as what lies aside
      const float along = (min(before, behind) + 0.5f * (before + behind)) * (7.0f / 6);
      const bool better = along - aside > lines.contrast[k];
      lines.contrast[k] = better ? along - aside : lines.contrast[k];
      lines.cleaned[k] = better ? before + c[0] + behind : lines.cleaned[k];
      lines.aside[k] = better ? aside : lines.aside[k];
      lines.hits[k] = better ? sum_of(shared.hits + at, steps) : lines.hits[k];
    });
  }

  KILN_FN static float between_0_and_1(float x) { return min(max(x, 0.0f), 1.0f); }

  template <class Found>
  KILN_FN static float gain(const Found& lines, int k) {
    const float contrast = lines.contrast[k], all = lines.cleaned[k];
    const float sure = between_0_and_1((contrast / sqrt(all + lines.aside[k] + 0.5f) - 0.4f) * 5);
    const float steep = between_0_and_1((contrast / all - 0.2f) * 5);
    const float times = min((lines.hits[k] + 0.5f) / (all + 0.5f), 3.0f);
    return contrast > 0 ? 1 + sure * steep * (times - 1) : 1;
  }

  /// Sums without cleaning.
  KILN_FN Vec4 raw(i64 cell) const {
    return Vec4{planes.plane(1)[cell], planes.plane(2)[cell], planes.plane(3)[cell],
                planes.plane(0)[cell]} *
           scale;
  }
};

KILN_END
