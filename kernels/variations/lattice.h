// SPDX-License-Identifier: MIT
// Variations that work cell by cell of a lattice (flam3 56, 58, 68, 76): the point is taken apart
// into its cell and its place in it. At a cell's edge float and double may choose different cells;
// only points within an ulp of an edge are concerned.
#pragma once

#include "kernels/math.h"
#include "kernels/variations/variation.h"

KILN_BEGIN

/// Half-size copies of each unit cell, in the middle or (three times of four) pushed towards the
/// nearer side.
struct Boarders {
  static constexpr auto info = describe("boarders");
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real cell_x = rint(x), cell_y = rint(y);
    const Real ox = x - cell_x, oy = y - cell_y;
    const bool in_middle = in.rng.uniform() >= Real(0.75);
    const bool along_x = abs(ox) >= abs(oy);
    const Real major = along_x ? ox : oy, minor = along_x ? oy : ox;
    const Real push = major >= 0 ? Real(0.25) : Real(-0.25);
    const Real slide = push * minor / major;  // 0/0 in the middle of a cell is bad, as in flam3
    const Real push_x = along_x ? push : slide, push_y = along_x ? slide : push;
    return Vec2{fma(ox, Real(0.5), cell_x) + (in_middle ? 0 : push_x),
                fma(oy, Real(0.5), cell_y) + (in_middle ? 0 : push_y)} *
           in.weight;
  }
};

/// Cells move apart: cell i goes to 2i or -(2i + 1). The result is mirrored in y.
struct Cell {
  static constexpr auto info = describe("cell", "cell_size");
  KILN_DRAWN({0.3, 1.2});
  float size = 1;
  float inverse_size = 1;

  KILN_FN void prepare() { inverse_size = 1 / size; }
  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{spread(in.p.x), -spread(in.p.y)} * in.weight;
  }
  KILN_FN Real spread(Real t) const {
    // flam3 converts to a 32-bit integer, which is INT_MIN out of range and for NaN (size 0), and
    // computes on with wrap-around
    const Real scaled = t * inverse_size;
    const Real cell = abs(scaled) < 0x1p31f ? floor(scaled) : -0x1p31f;
    const Real within = fma(-cell, size, t);
    return fma(interleaved(cell), size, within);
  }
  KILN_FN static Real interleaved(Real cell) {
    const Real twice = 2 * cell;
    const Real below = twice >= 0x1p31f ? twice - 0x1p32f : twice;
    const Real wrapped = below < -0x1p31f ? below + 0x1p32f : below;
    return cell >= 0 ? wrapped : -(wrapped + 1);
  }
};

/// Coordinates outside [-size, size] are brought back into it, each axis by its own size.
struct Modulus {
  static constexpr auto info = describe("modulus", "modulus_x", "modulus_y");
  KILN_DRAWN({0.3, 1.5}, {0.3, 1.5});
  float size_x = 0, size_y = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{fold(in.p.x, size_x), fold(in.p.y, size_y)} * in.weight;
  }
  /// flam3's -size + fmod(t + size, 2 size) and its mirror image, without adding and taking away
  /// size. Size 0: NaN, as fmod's.
  KILN_FN static Real fold(Real t, Real size) {
    const bool is_above = t > size, is_below = t < -size;
    const Real toward = is_above ? t : -t, period = 2 * size;
    const Real folded = fma(-trunc((toward + size) / period), period, toward);
    return is_above ? folded : is_below ? -folded : t;
  }
};

/// Stripes of width 1 along y, squeezed by space and bent by warp.
struct Stripes {
  static constexpr auto info = describe("stripes", "stripes_space", "stripes_warp");
  KILN_DRAWN({0.2, 0.7}, {-0.6, 0.6});
  float space = 0, warp = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    // floor(x + 0.5) would round x + 0.5 up for the float below 0.5
    const Real down = floor(x);
    const Real stripe = x - down >= Real(0.5) ? down + 1 : down;
    const Real offset = x - stripe;
    return Vec2{fma(offset, 1 - space, stripe), fma(offset * offset, warp, y)} * in.weight;
  }
};

KILN_END
