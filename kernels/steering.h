// SPDX-License-Identifier: MIT
// A game that goes where the noise is. A picture shows most noise where it has few points, and a plain
// game gives most of them to places that are clean already. A steered one draws pairs of a point and an
// xform by how much the picture needs what follows (engine/render/plan/steering.h says how much that is),
// and what was drawn more often weighs less: each point has a weight, a power of two, by which its
// records count. The mean of many pictures is that of the plain game; the noise is a smaller one.
//
// One step of a pool: a pair (point, xform) that follows a weight w is to weigh 2^-level(cell of the
// point, xform); it is taken w * share(xform) * 2^level times, in the mean. The 2048 slots are dealt out
// to all pairs by systematic sampling with one random offset, in the order of xforms and slots: so equal
// xforms lie together, nothing diverges, and no sort is needed. All sums are integers: the same bits on
// every device.
#pragma once

#include "kernels/math.h"
#include "kernels/platform.h"

KILN_BEGIN

constexpr int weight_levels = 8;  // weights 2^2 .. 2^-5
constexpr int level_of_one = 2;
constexpr int light_bits = weight_levels - 1 - level_of_one;  // light is counted in 2^-light_bits
constexpr int steered_side = 64, steered_cells = steered_side * steered_side;
constexpr int most_steered_xforms = 16;
constexpr int levels_of_a_word = 8;  // 4 bits each
constexpr int meta_level_shift = 28;
constexpr u32 meta_level_mask = u32(weight_levels - 1) << meta_level_shift;

/// The light of a sample of a level.
KILN_FN u32 light_of_level(u32 level) { return 1u << (u32(weight_levels) - 1 - level); }
KILN_FN u32 level_of_meta(u32 meta) { return (meta & meta_level_mask) >> meta_level_shift; }

/// The plane cut into cells: a coordinate becomes u / (1 + |u|) with u = scale * coordinate + x or y, which lies in
/// a square.
struct SteeredPlane {
  float scale, x, y;
  i32 rows;  // of the palette table that a level has

  KILN_FN static i32 place_of(float u) {
    const float half = float(steered_side) / 2, at = half + half * (u / (1 + abs(u)));
    const float inside = at > 0 ? at : 0;  // false for NaN
    const float last = float(steered_side - 1);
    return i32(inside < last ? inside : last);
  }
  KILN_FN u32 cell_of(float px, float py) const {
    return u32(place_of(scale * py + y) * steered_side + place_of(scale * px + x));
  }
};

/// Levels that a steered game gives to pairs.
struct SteeringTable {
  SteeredPlane plane;
  // [words][steered_cells] of xforms 8 word .. 8 word + 7, 4 bits each
  u32 levels[most_steered_xforms / levels_of_a_word][steered_cells];
};

KILN_END
