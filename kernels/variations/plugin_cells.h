// SPDX-License-Identifier: MIT
// Variations that work cell by cell: squares, hexagons, Voronoi cells of points that a hash places.
// At a cell's edge float and double may choose different cells.
#pragma once

#include "kernels/variations/extended.h"

KILN_BEGIN

/// Bubbles in square cells, twisted.
struct Bwraps {
  static constexpr auto info = describe("bwraps", "bwraps_cellsize", "bwraps_space", "bwraps_gain",
                                        "bwraps_inner_twist", "bwraps_outer_twist");
  KILN_DRAWN({0.4, 1.2}, {0, 0.3}, {0.5, 2}, {-1.5, 1.5}, {-1.5, 1.5});
  static constexpr bool weighs_depth = true;
  float cellsize = 1, space = 0, gain = 1, inner_twist = 0, outer_twist = 0;
  float g2 = 1, r2 = 0.25f, factor = 1;

  KILN_FN void prepare() {
    const Real radius = Real(0.5) * cellsize / (1 + space * space);
    g2 = gain * gain + Real(1e-6f);
    const Real most = g2 * radius;
    factor = radius / (most > 2 ? Real(1) : most / (most * most / 4 + 1));
    r2 = nonzero(radius * radius);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real cx = (floor(x / cellsize) + Real(0.5)) * cellsize;
    const Real cy = (floor(y / cellsize) + Real(0.5)) * cellsize;
    const Real dx = x - cx, dy = y - cy;
    const bool beside = !(fma(dx, dx, dy * dy) <= r2) | (cellsize == 0);
    const Real gx = dx * g2, gy = dy * g2;
    const Real bulge = factor / nonzero(fma(fma(gx, gx, gy * gy), Real(0.25), Real(1)));
    const Real lx = gx * bulge, ly = gy * bulge;
    const Real t = fma(lx, lx, ly * ly) / r2;
    const auto [s, c] = sincos(fma(inner_twist, 1 - t, outer_twist * t));
    return Vec2{beside ? x : cx + fma(lx, c, ly * s), beside ? y : cy + fma(ly, c, -(lx * s))} *
           in.weight;
  }
};

/// Cells turned by the logarithm of the distance from their middle.
struct Gnarly {
  static constexpr auto info = describe("gnarly", "gnarly_cellsize", "gnarly_twist");
  KILN_DRAWN({0.4, 1.2}, either_sign(0.5, 2));
  float cellsize = 1, twist = 1;
  float r2 = 0.25f;

  KILN_FN void prepare() { r2 = nonzero(cellsize * cellsize / 4); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real cx = (floor(x / cellsize) + Real(0.5)) * cellsize;
    const Real cy = (floor(y / cellsize) + Real(0.5)) * cellsize;
    const Real lx = x - cx, ly = y - cy;
    const Real q = fma(lx, lx, ly * ly) / r2;
    const bool beside = !(q <= 1) | (cellsize == 0);
    const auto [s, c] = sincos(twist * log(q));
    return Vec2{beside ? x : cx + fma(lx, c, ly * s), beside ? y : cy + fma(ly, c, -(lx * s))} *
           in.weight;
  }
};

/// Stripes of both directions, squeezed within their places.
struct ShredLin {
  static constexpr auto info = describe("shredlin", "shredlin_xdistance", "shredlin_xwidth",
                                        "shredlin_ydistance", "shredlin_ywidth");
  KILN_DRAWN({0.3, 1}, either_sign(0.3, 0.8), {0.3, 1}, either_sign(0.3, 0.8));
  static constexpr bool weighs_depth = true;
  float x_distance = 1, x_width = Real(0.5), y_distance = 1, y_width = Real(0.5);

  KILN_FN void prepare() {
    x_distance = nonzero(x_distance);
    y_distance = nonzero(y_distance);
    x_width = min(max(x_width, Real(-1)), Real(1));
    y_width = min(max(y_width, Real(-1)), Real(1));
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{squeezed(in.p.x, x_distance, x_width), squeezed(in.p.y, y_distance, y_width)} *
           in.weight;
  }
  KILN_FN static Real squeezed(Real t, Real distance, Real width) {
    const Real n = trunc(t / distance), half = t < 0 ? Real(-0.5) : Real(0.5);
    return distance * (fma(t / distance - n, width, n) + (1 - width) * half);
  }
};

/// Hexagons, by where a point is between the middle of its own and the next one's.
struct Hexes {
  static constexpr auto info =
      describe("hexes", "hexes_cellsize", "hexes_power", "hexes_rotate", "hexes_scale");
  KILN_DRAWN({0.3, 1}, {0.5, 1.5}, {0, 0.5}, {0.8, 1.1});
  float cellsize = 1, power = 1, rotate = Real(0.166), scale = 1;
  float rotate_sin = 0, rotate_cos = 1;

  static constexpr Real root3 = 0x1.bb67aep0f, half_root3 = 0x1.bb67aep-1f;

  KILN_FN void prepare() {
    const auto [s, c] = sincospi(2 * rotate);
    rotate_sin = s;
    rotate_cos = c;
  }
  /// The distance of a place from its cell's middle, as a share of the way to the border: 1 on it.
  KILN_FN Real coordinate(Real dx, Real dy) const {
    const Real along = abs(Real(1.5) * dx), up = abs(half_root3 * dy);
    return max(along + up, 2 * up) * (2 / (3 * abs(cellsize)));
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real third = 1 / (3 * cellsize);
    const Real i0 = floor(fma(root3, y, x) * third), j0 = floor(fma(root3, y, -x) * third);
    Real best = infinity, px = 0, py = 0;
    for (int k = 0; k < 4; ++k) {
      const int right = k / 2, up = k % 2;
      const Real i = i0 + Real(right), j = j0 + Real(up);
      const Real ex = Real(1.5) * cellsize * (i - j), ey = half_root3 * cellsize * (i + j);
      const Real d = fma(x - ex, x - ex, (y - ey) * (y - ey));
      const bool nearer = d < best;
      best = nearer ? d : best;
      px = nearer ? ex : px;
      py = nearer ? ey : py;
    }
    const Real ux = x - px, uy = y - py;
    const Real first = coordinate(ux, uy), t = pow(abs(first), power) * scale;
    const Real dx = fma(ux, rotate_cos, uy * rotate_sin);
    const Real dy = fma(uy, rotate_cos, -(ux * rotate_sin));
    const Real second = coordinate(dx, dy), most = max(first, second);
    const Real inner = t / first, outer = t / second;
    const Real between = (inner * (Real(0.8) - most) + outer * (most - Real(0.5))) / Real(0.3);
    const Real factor = most < Real(0.5) ? inner : most > Real(0.8) ? outer : between;
    const Real w = cellsize == 0 ? Real(0) : in.weight;
    return {cellsize == 0 ? Real(0) : fma(dx, factor, px) * w,
            cellsize == 0 ? Real(0) : fma(dy, factor, py) * w};
  }
};

/// Towards the nearest of the places that a hash puts into cells.
struct Voron {
  static constexpr auto info =
      describe("Voron", "Voron_K", "Voron_Step", "Voron_Num", "Voron_XSeed", "Voron_YSeed");
  KILN_DRAWN({0.3, 0.99}, {0.2, 0.8}, whole(1, 3), whole(0, 99), whole(0, 99));
  float k = Real(0.99), step = Real(0.25), most = 1, x_seed = 3, y_seed = 7;

  KILN_FN void prepare() {
    step = nonzero(step);
    most = min(max(floor(most + Real(0.5)), Real(1)), Real(25));
    x_seed = floor(x_seed + Real(0.5));
    y_seed = floor(y_seed + Real(0.5));
  }
  /// 0..1 for a number.
  KILN_FN static Real hashed(u32 n) {
    n = (n << 13) ^ n;
    const u32 bits = n * (n * n * 15731u + 789221u) + 1376312589u;
    return Real(i32(bits & 0x7fffffffu)) * 0x1p-31f;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const u32 column = u32(int_from(floor(x / step))), line = u32(int_from(floor(y / step)));
    const u32 first = u32(int_from(x_seed)), second = u32(int_from(y_seed));
    Real best = 20, cx = 0, cy = 0;
    for (u32 cell = 0; cell < 9; ++cell) {
      const u32 m = column + cell / 3 - 1, n = line + cell % 3 - 1;
      const int count = 1 + int_from(floor(most * hashed(19 * m + 257 * n + first)));
      for (int l = 0; l < count; ++l) {
        const Real sx = (hashed(u32(l) + 64 * m + 15 * n + first) + Real(i32(m))) * step;
        const Real sy = (hashed(u32(l) + 21 * m + 33 * n + second) + Real(i32(n))) * step;
        const Real d = sqrt(fma(x - sx, x - sx, (y - sy) * (y - sy)));
        const bool nearer = d < best;
        best = nearer ? d : best;
        cx = nearer ? sx : cx;
        cy = nearer ? sy : cy;
      }
    }
    return Vec2{fma(k, x - cx, cx), fma(k, y - cy, cy)} * in.weight;
  }
};

/// The shift of a cell's middle. Ember has simplex noise here, whose tables are its own; at the 2.5
/// features that its lattice has to a cell, cells are independent of each other, and what is left
/// is the law of one number: in -0.63 .. 0.63 nearly always, deviation 0.3, close to a triangle. So
/// a hash draws it. Along z it goes smoothly from layer to layer, 1/2.5 apart.
struct CellNoise {
  KILN_FN static u32 mixed(u32 h) {
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
  }
  KILN_FN static u32 hashed(i32 i, i32 j, i32 layer) {
    return mixed(u32(i) * 0x8da6b343u ^ u32(j) * 0xd8163841u ^ u32(layer) * 0xcb1ab31fu);
  }
  KILN_FN static Real triangular(u32 h) {
    constexpr Real reach = Real(0.72);
    return fma(Real(i32((h & 0xffffu) + (h >> 16))), reach * 0x1p-16f, -reach);
  }
};

/// A soft spot in Voronoi cells, whose middles lie on a lattice that noise distorts.
struct Crackle {
  static constexpr auto info = describe("crackle", "crackle_cellsize", "crackle_power",
                                        "crackle_distort", "crackle_scale", "crackle_z");
  KILN_DRAWN({0.3, 1}, {0.2, 1}, {0, 1}, {0.7, 1.1}, {0, 2});
  static constexpr bool random_draws = true;
  float cellsize = 1, power = Real(0.2), distort = 0, scale = 1, depth_of_noise = 0;
  float half = Real(0.5), layer = 0, share = 1, next_share = 0;

  KILN_FN void prepare() {
    cellsize = max(cellsize, Real(0.0001));
    half = nonzero(abs(cellsize) / 2);
    const Real height = Real(2.5) * depth_of_noise;
    layer = floor(height);
    const auto [s, c] = sincospi((height - layer) / 2);  // layers are independent: squares add up
    share = c;
    next_share = height == layer ? Real(0) : s;
  }
  /// The middle of a cell.
  KILN_FN Vec2 middle(Real i, Real j) const {
    const i32 column = int_from(i), line = int_from(j), here = int_from(layer);
    const u32 h = CellNoise::hashed(column, line, here);
    Real dx = share * CellNoise::triangular(h);
    Real dy = share * CellNoise::triangular(CellNoise::mixed(h + 1));
    if (next_share != 0) {
      const u32 next = CellNoise::hashed(column, line, here + 1);
      dx = fma(next_share, CellNoise::triangular(next), dx);
      dy = fma(next_share, CellNoise::triangular(CellNoise::mixed(next + 1)), dy);
    }
    return Vec2{fma(distort, dx, i), fma(distort, dy, j)} * half;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    Real b = in.rng.uniform();
    b = (b + in.rng.uniform()) / 2;
    b += (in.rng.uniform() - Real(0.5)) / 4;
    const auto [sa, ca] = sincospi(2 * in.rng.uniform());
    const Real x = b * sa, y = b * ca;
    const Real i0 = floor(x / half), j0 = floor(y / half);
    Real best = infinity, ci = i0, cj = j0, px = 0, py = 0;
    for (int c = 0; c < 9; ++c) {
      const int right = c / 3 - 1, up = c % 3 - 1;
      const Real i = i0 + Real(right), j = j0 + Real(up);
      const auto [ex, ey] = middle(i, j);
      const Real d = fma(x - ex, x - ex, (y - ey) * (y - ey));
      const bool nearer = d < best;
      best = nearer ? d : best;
      ci = nearer ? i : ci;
      cj = nearer ? j : cj;
      px = nearer ? ex : px;
      py = nearer ? ey : py;
    }
    Real border = -infinity;
    for (int c = 0; c < 9; ++c) {
      if (c == 4) continue;
      const int right = c / 3 - 1, up = c % 3 - 1;
      const auto [ex, ey] = middle(ci + Real(right), cj + Real(up));
      const Real dx = ex - px, dy = ey - py;
      border = max(border, 2 * fma(x - px, dx, (y - py) * dy) / nonzero(fma(dx, dx, dy * dy)));
    }
    const Real l = nonzero(border), factor = pow(abs(l), power) * scale / l;
    return Vec2{fma(x - px, factor, px), fma(y - py, factor, py)} * in.weight;
  }
};

using PluginCells = VariationList<Bwraps, Gnarly, ShredLin, Hexes, Voron, Crackle>;

KILN_END
