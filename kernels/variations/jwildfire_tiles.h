// SPDX-License-Identifier: MIT
// JWildfire's tiles and cells that a hash moves, turns or mixes, and its tilings by triangles. Hashes
// are integers of 32 bits, as there.
#pragma once

#include "kernels/variations/jwildfire_planes.h"

KILN_BEGIN

/// A point as the whole numbers nearest to it and what is left.
struct NearestCell {
  Real i, j, u, v;
  KILN_FN explicit NearestCell(Vec2 p) : i(rint(p.x)), j(rint(p.y)), u(p.x - i), v(p.y - j) {}
  KILN_FN bool is_wide() const { return abs(u) >= abs(v); }
};

/// Boarders, its borders and their share by parameters.
struct Boarders2 {
  static constexpr auto info =
      describe("boarders2", "boarders2_c", "boarders2_left", "boarders2_right");
  KILN_DRAWN({0.3, 0.6}, {0.4, 0.8}, {0.2, 0.6});
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  static constexpr bool forms_without_depth = true;
  float c = Real(0.4), left = Real(0.65), right = Real(0.35);
  float border = 0, share = 0;

  KILN_FN static Real size(Real t) { return t == 0 ? jwildfire_eps : abs(t); }
  KILN_FN void prepare() {
    c = size(c);
    border = size(left) * c;
    share = fma(c, size(right), c);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const NearestCell cell(in.p);
    const bool wide = cell.is_wide(), moved = in.rng.uniform() < share;
    const Real along = wide ? cell.u : cell.v, beside = wide ? cell.v : cell.u;
    const Real by = moved ? (along >= 0 ? border : -border) : Real(0);
    const Real slope = moved ? by * beside / along : Real(0);
    return Vec2{fma(c, cell.u, cell.i) + (wide ? by : slope),
                fma(c, cell.v, cell.j) + (wide ? slope : by)} *
           in.weight;
  }
};

/// Boarders of two sizes; most points are moved to them.
struct SplitBrdr {
  static constexpr auto info =
      describe("splitbrdr", "splitbrdr_x", "splitbrdr_y", "splitbrdr_px", "splitbrdr_py");
  KILN_DRAWN({0.1, 0.4}, {0.1, 0.4}, {-0.3, 0.3}, {-0.3, 0.3});
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  float x = Real(0.25), y = Real(0.25), px = 0, py = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const NearestCell cell(in.p);
    const Real b = in.weight / fma(in.r2(), Real(0.25), Real(1));
    const bool moved = in.rng.uniform() < Real(0.75), wide = cell.is_wide();
    // x and y are mixed as JWildfire has them
    const Real u = cell.u, v = cell.v;
    const Real right = wide ? (u >= 0 ? x : -y) : v >= 0 ? py_of(u / v) : -x * u / v;
    const Real down = wide ? (u >= 0 ? y * v / u : -y * v / u) : v >= 0 ? y : -y;
    const Real base_x = fma(u, Real(0.5), cell.i) + (moved ? right : Real(0));
    const Real base_y = fma(v, Real(0.5), cell.j) + (moved ? down : Real(0));
    return {fma(in.p.x, b + px, in.weight * base_x), fma(in.p.y, b + py, in.weight * base_y)};
  }
  KILN_FN Real py_of(Real slope) const { return y * slope; }
};

/// Arcs of Truchet's tiles, as a window onto what they show.
struct Truchet {
  static constexpr auto info =
      describe("truchet", "truchet_extended", "truchet_exponent", "truchet_arc_width",
               "truchet_rotation", "truchet_size", "truchet_seed", "truchet_direct_color");
  KILN_DRAWN(always(0), {0.5, 2}, {0.3, 0.8}, {0, 1}, {0.5, 1}, whole(2, 99), always(0));
  static constexpr bool weighs_depth = true;
  static constexpr bool changes_color = true;
  float extended = 0, exponent = 2, arc_width = Real(0.5), rotation = 0, size = 1, seed = 50;
  float direct_color = 0;
  float scale = 1, width = 0, over = Real(0.5), step = 0, step_low = 0;

  KILN_FN void prepare() {
    extended = round(extended);
    direct_color = round(direct_color);
    exponent = clamped(exponent, Real(0.001), 2);
    arc_width = clamped(arc_width, Real(0.001), 1);
    size = clamped(size, Real(0.001), 10);
    seed = abs(seed);
    const auto [s, c] = sincos(rotation);
    scale = c + s;
    over = 1 / exponent;
    width = (pow(Real(2), over) - 1) / 2 * arc_width;
    // sqrt(1.5 seed) / (0.5 seed) / 4 with twice a float's digits
    const double exact = 1.5 * double(seed);
    double root = double(sqrt(Real(exact)));
    root = root > 0 ? (root + exact / root) / 2 : 0;
    const double both = root > 0 ? (root + exact / root) / 2 / (0.5 * double(seed)) / 4 : 0;
    step = Real(both);
    step_low = Real(both - double(step));
  }
  KILN_FN static double rest(double t, double of) { return t - of * double(i64(t / of)); }
  /// Whether the tile's arcs go around the two corners on the rising diagonal.
  KILN_FN bool rises(Real i, Real j) const {
    if (seed == 0) return extended == 0;
    if (seed == 1) return extended != 0;
    if (extended == 0) {
      const double e = double(step) + double(step_low), a = e * double(i), b = e * double(j);
      const double t = ((a + b + a * b + double(seed)) * e / 2) * 32747 + 12345;
      if (!(t < 1e15 && t > -1e15)) return true;
      return rest(rest(t, 65535), 2) < 1;
    }
    const Real far = abs(fma(i, j, i + j));
    const u32 k = u32(int_from(min(far, Real(1000))));
    const u32 first = u32(int_from(floor(seed))) + k;
    if (k == 0) return first % 2 == 1;
    // k steps of q := 32747 q + 12345 modulo 65535, by doubling
    u32 q = first % 65535u, a = 32747, b = 12345;
    for (u32 n = k; n > 0; n /= 2) {
      if (n % 2 == 1) q = (a * q % 65535u + b) % 65535u;
      b = (a * b % 65535u + b) % 65535u;
      a = a * a % 65535u;
    }
    return q % 2 == 1;
  }
  KILN_FN Real distance(Real a, Real b) const {
    return pow(pow(abs(a), exponent) + pow(abs(b), exponent), over);
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const Real s = scale / in.weight, x = in.p.x * s, y = in.p.y * s;
    const Real i = rounded_up(x), j = rounded_up(y);
    const Real u = x - i < 0 ? x - i + 1 : x - i, v = y - j < 0 ? y - j + 1 : y - j;
    const bool rising = rises(rounded_up(in.p.x), rounded_up(in.p.y));
    const Real d0 = rising ? distance(u, v) : distance(u - 1, v);
    const Real d1 = rising ? distance(u - 1, v - 1) : distance(u, v - 1);
    const bool first = abs(d0 - Real(0.5)) < width, second = abs(d1 - Real(0.5)) < width;
    const Real times = size * ((first ? Real(1) : Real(0)) + (second ? Real(1) : Real(0)));
    const Real shown = second ? 1 - d1 : d0;
    return {times * (u + floor(in.p.x)), times * (v + floor(in.p.y)),
            second ? in.weight * in.z : Real(0),
            (direct_color == 1) & (first | second) ? clamped(shown, 0, 1) : in.color};
  }
};

/// JWildfire's hash of a number, -1..1.
KILN_FN Real block_hash(i32 number) {
  u32 a = u32(number);
  a = (a ^ 61u) ^ u32(i32(a) >> 16);
  a += a << 3;
  a ^= u32(i32(a) >> 4);
  a *= 0x27d4eb2du;
  a ^= u32(i32(a) >> 15);
  return Real(i32(a)) / Real(2147483647);
}
/// The block of a place: its number, moved by its hash.
KILN_FN i32 block_of(Real t, i32 seed) {
  const Real i = floor(t);
  const u32 at = u32(int_from(i)) * u32(seed) + 1u;
  return int_from(trunc(fma(Real(-4), block_hash(i32(at)), i + 2)));
}
/// Half of a seed times a block, toward zero.
KILN_FN i32 half_product(i32 block, i32 seed) { return i32(i64(block) * i64(seed) / 2); }

/// Short flights along one direction, as far as the block's hash says.
struct PixelFlow {
  static constexpr auto info =
      describe("pixel_flow", "pixel_flow_angle", "pixel_flow_len", "pixel_flow_width",
               "pixel_flow_seed", "pixel_flow_enable_dc");
  KILN_DRAWN({0, 180}, {0.1, 0.6}, {20, 200}, whole(1, 99), always(0));
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  static constexpr bool changes_color = true;
  float angle = 90, len = Real(0.1), width = 200, seed = 42, enable_dc = 0;
  float right = 0, down = 0;

  KILN_FN void prepare() {
    seed = round(seed);
    enable_dc = clamped(round(enable_dc), 0, 1);
    const auto [s, c] = sincos(angle * Real(0.0174532925));
    right = c * len;
    down = s * len;
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const i32 n = int_from(seed);
    const i32 a = block_of(in.p.x * width, n), b = block_of(in.p.y * width, n);
    const Real first = block_hash(i32(u32(b) - u32(a) * u32(n)));
    const Real length = (first + block_hash(i32(u32(a) + u32(half_product(b, n))))) / 2;
    const Real u = in.rng.uniform(), k = in.weight * length * (u * u) * (u * u);
    return {k * right, k * down, in.weight * in.z, enable_dc != 0 ? u : in.color};
  }
};

/// Blocks in three directions, each with a size of its own, of a plane that is mirrored in stripes.
struct Glitchy1 {
  static constexpr auto info =
      describe("glitchy1", "glitchy1_scale_x", "glitchy1_shift_x", "glitchy1_n_x",
               "glitchy1_scale_y", "glitchy1_shift_y", "glitchy1_n_y", "glitchy1_scale_z",
               "glitchy1_shift_z", "glitchy1_n_z", "glitchy1_width", "glitchy1_seed",
               "glitchy1_angle", "glitchy1_u", "glitchy1_v", "glitchy1_w");
  KILN_DRAWN({0.5, 2}, {-0.5, 0.5}, whole(1, 4), {0.5, 2}, {-0.5, 0.5}, whole(1, 4), always(0),
             always(0), always(2), {0.5, 4}, whole(1, 99), {0, 90}, {0.5, 1.5}, {0.5, 1.5},
             {0.5, 1.5});
  static constexpr bool reads_depth = true;
  float scale_x = 1, shift_x = 0, n_x = 2, scale_y = 1, shift_y = 0, n_y = 2;
  float scale_z = 0, shift_z = 0, n_z = 2, width = 1, seed = 42, angle = 30;
  float part_u = 1, part_v = 1, part_w = 1;
  float turn_sin = 0, turn_cos = 1;

  KILN_FN void prepare() {
    n_x = clamped(round(n_x), 1, 100);
    n_y = clamped(round(n_y), 1, 100);
    n_z = clamped(round(n_z), 1, 100);
    seed = round(seed);
    const auto [s, c] = sincospi(angle / 180);
    turn_sin = s;
    turn_cos = c;
  }
  KILN_FN static Real mirrored(Real t, Real scale, Real shift, Real n) {
    if (scale == 0) return t;
    const Real i = floor((t - shift) * scale), rest = i - n * trunc(i / n);
    return rest == (i >= 0 ? n - 1 : Real(0)) ? 2 * shift - t : t;
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real x = mirrored(in.p.x, scale_x, shift_x, n_x);
    const Real y = mirrored(in.p.y, scale_y, shift_y, n_y);
    const Real z = mirrored(in.z, scale_z, shift_z, n_z);
    const i32 n = int_from(seed);
    const Real u = part_u * in.p.x, v = part_v * fma(turn_cos, u, turn_sin * in.p.y);
    const Real g = part_w * fma(turn_cos, u, -(turn_sin * in.p.y));
    const i32 a = block_of(width * u, n), b = block_of(width * v, n), c = block_of(width * g, n);
    const u32 both = u32(a) + u32(b);
    const Real first = block_hash(i32(both - u32(c) * u32(n)));
    const Real s = in.weight * (first + block_hash(i32(both + u32(half_product(c, n)))));
    return {x * s, y * s, z * s};
  }
};

/// The cells of a square change places.
struct Scrambly {
  static constexpr auto info =
      describe("scrambly", "scrambly_l", "scrambly_seed", "scrambly_byrows", "scrambly_cellsize");
  KILN_DRAWN(whole(3, 9), whole(51, 999), whole(0, 1), {0.5, 2});
  static constexpr bool weighs_depth = true;
  float l = 3, seed = 51, byrows = 0, cellsize = Real(0.1);

  KILN_FN void prepare() {
    l = clamped(abs(round(l)), 3, 25);
    seed = round(seed);
    byrows = round(byrows);
    cellsize = clamped(cellsize, Real(1e-20), Real(1e20));
  }
  /// JWildfire's generator of exchanges.
  struct Exchanges {
    u32 q = 1;
    KILN_FN u32 next(u32 by) {
      q = q * 1103515245u + 12345u;
      q = (q & 0xffff0000u) | (q & 0xffu) << 8 | (q >> 8 & 0xffu);
      q = (q & 4u) != 0 ? q - by : q ^ by;
      q = i32(q) < 0 ? 0u - q : q;
      return q;
    }
  };
  /// The number that a shuffle of 0 .. count - 1 leaves at `place`. Every place is left for good once its turn
  /// has come, so what it gets is followed back through the places that were exchanged with it.
  KILN_FN static i32 shuffled(i32 place, i32 count, u32 by) {
    i32 at = place, from = place;  // what stands at `from` before the turn of `at`
    {
      Exchanges exchanges;
      for (i32 j = 0; j <= at && j + 1 < count; ++j) {
        const i32 i = j + 1 + i32(exchanges.next(by)) % (count - j - 1);
        from = j == at ? i : from;
      }
    }
    for (i32 last = at; last >= 0; at = last) {
      Exchanges exchanges;
      last = -1;
      for (i32 j = 0; j < at; ++j) {
        const i32 i = j + 1 + i32(exchanges.next(by)) % (count - j - 1);
        last = i == from ? j : last;
      }
      from = last >= 0 ? last : from;
    }
    return from;
  }
  KILN_FN i32 cell_at(i32 column, i32 row) const {
    const i32 side = int_from(l), place = column + side * row;
    if (seed >= 0 && seed <= 50) return (int_from(seed) + place + 1) % (side * side);
    const u32 by = u32(int_from(seed));
    if (byrows == 0) return shuffled(place, side * side, by);
    return side * row + shuffled(column, side, by + u32(row));
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real c = cellsize / l, half = cellsize / 2;
    const Real u = (x + half) / c, v = (y + half) / c, i = floor(u), j = floor(v);
    const bool inside = (i >= 0) & (j >= 0) & (i < l) & (j < l);
    if (!inside) return in.p * in.weight;
    const i32 side = int_from(l), k = cell_at(int_from(i), int_from(j));
    const i32 row = k / side;
    return Vec2{fma(u - i + Real(k - row * side), c, -half), fma(v - j + Real(row), c, -half)} *
           in.weight;
  }
};

/// Stripes by sines of whole numbers.
struct Shredded {
  static constexpr auto info = describe(
      "shredded", "shredded_x1", "shredded_x2", "shredded_x3", "shredded_x_blur_amount",
      "shredded_y1", "shredded_y2", "shredded_y3", "shredded_y_blur_amount", "shredded_z1",
      "shredded_z2", "shredded_z3", "shredded_z_blur_amount", "shredded_type", "shredded_blur");
  KILN_DRAWN({0.5, 2}, {1, 4}, {0.5, 1.5}, {0, 0.3}, {0.5, 2}, {1, 4}, {0.5, 1.5}, {0, 0.3},
             always(1), always(3), always(1), always(0.1), whole(0, 2), whole(0, 1));
  static constexpr bool random_draws = true;
  static constexpr bool reads_depth = true;
  static constexpr int makes_depth_by = 13;
  float x1 = 1, x2 = 3, x3 = 1, x_blur_amount = Real(0.1);
  float y1 = 1, y2 = 3, y3 = 1, y_blur_amount = Real(0.1);
  float z1 = 1, z2 = 3, z3 = 1, z_blur_amount = Real(0.1), type = 0, blur = 0;

  KILN_FN void prepare() {
    type = clamped(round(type), 0, 2);
    blur = clamped(round(blur), 0, 1);
  }
  KILN_FN static Real blurred(Random& rng, Real amount) {
    return amount * sincospi(2 * rng.uniform()).s;
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const bool crossed = type == 0;
    const Real sx = sin(x1 * floor(x2 * x)) + (crossed ? cos(x1 * floor(x2 * y)) : Real(0));
    const Real sy = cos(y1 * floor(y2 * y)) + (crossed ? sin(y1 * floor(y2 * x)) : Real(0));
    const auto [sin_z, cos_z] = sincos(z1 * floor(z2 * in.z));
    const Real sz = sin_z + (crossed ? cos_z : Real(0));
    const Real a = type == 2 ? x : y, b = type == 2 ? y : x, w = in.weight;
    if (blur == 0) return {w * x3 * sx * a, w * y3 * sy * b, w * z3 * sz * in.z};
    const Real blur_x = blurred(in.rng, x_blur_amount), blur_y = blurred(in.rng, y_blur_amount);
    const Real blur_z = blurred(in.rng, z_blur_amount) * (crossed ? in.z : Real(1));
    return {fma(blur_x, a, w * x3 * sx), fma(blur_y, b, w * y3 * sy), fma(w * z3, sz, blur_z)};
  }
};

/// Mirrored or moved, by the window in which a point lies.
struct TqMirror {
  static constexpr auto info = describe(
      "tqmirror", "tqmirror_preset", "tqmirror_a", "tqmirror_b", "tqmirror_c", "tqmirror_d",
      "tqmirror_e", "tqmirror_f", "tqmirror_g", "tqmirror_h", "tqmirror_i", "tqmirror_j",
      "tqmirror_k", "tqmirror_l", "tqmirror_m", "tqmirror_n", "tqmirror_o", "tqmirror_p",
      "tqmirror_q", "tqmirror_r", "tqmirror_s", "tqmirror_type", "tqmirror_mode");
  KILN_DRAWN(always(0), always(1), always(1), always(1), {0.5, 1}, {0.5, 1}, {0.3, 1}, {0.3, 1},
             {0.6, 1}, {0.6, 1}, {0.6, 1}, {0.6, 1}, {-0.5, 0.5}, {-0.5, 0.5}, {-0.5, 0.5},
             {-0.5, 0.5}, always(0), always(0), {0.6, 1}, {0.6, 1}, whole(0, 1), whole(0, 2));
  static constexpr bool weighs_depth = true;
  float preset = 0, a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1, i = 1, j = 1, k = 1;
  float l = 0, m = 0, n = 0, o = 0, p = 0, q = 0, r = 1, s = 1, type = 0, mode = 0;

  KILN_FN void prepare() {
    type = clamped(round(type), 0, 1);
    mode = clamped(round(mode), 0, 2);
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real w = in.weight, z = w * in.z;
    if ((fma(w, d, x) < l) | (fma(w, e, y) < m)) {
      return type == 1 ? Vec3{x * r, y * s, 0} : Vec3{y * r, x * s, z};
    }
    if ((x < n) & (y < o)) return {fma(w, f, x), fma(w, g, y), z};
    const bool shown = (x + q < w) & (y < w * a) & (fma(w, b, x) > l) & (fma(w, c, y) > p);
    if (shown) return {mode == 2 ? y * h : -y * h, -x * i, z};
    return {mode == 1 ? -x * j : x * j, mode == 0 ? y * k : -y * k, z};
  }
};

/// Bubbles, loonies or flowers in square cells, each turned and sized by the cell's hash.
struct BwRands {
  static constexpr auto info = describe(
      "bwrands", "bwrands_cellsize", "bwrands_space", "bwrands_gain", "bwrands_inner_twist",
      "bwrands_outer_twist", "bwrands_seed", "bwrands_rrot", "bwrands_rmin",
      "bwrands_loonie_chance", "bwrands_petals_chance", "bwrands_minpetals", "bwrands_maxpetals");
  KILN_DRAWN({0.4, 1.2}, {0, 0.3}, {0.5, 2}, {-1, 1}, {-1, 1}, whole(1, 9999), {0, 1}, {0.2, 0.8},
             {0, 0.7}, {0, 0.7}, whole(3, 6), whole(6, 20));
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  float cellsize = 1, space = 0, gain = Real(1.25), inner_twist = 0, outer_twist = 0, seed = 3210;
  float rrot = 1, rmin = Real(0.25), loonie_chance = Real(0.5), petals_chance = Real(0.5);
  float minpetals = 3, maxpetals = 20;
  float radius = Real(0.5), stretch = 1, factor = 1;

  KILN_FN void prepare() {
    seed = round(seed);
    rrot = clamped(rrot, 0, 1);
    rmin = clamped(rmin, 0, 1);
    loonie_chance = clamped(loonie_chance, 0, 1);
    petals_chance = clamped(petals_chance, 0, 1);
    const Real low = clamped(round(minpetals), 1, 1000), high = clamped(round(maxpetals), 1, 1000);
    minpetals = min(low, high);
    maxpetals = max(low, high);
    radius = cellsize / 2 / fma(space, space, Real(1));
    stretch = gain * gain / radius + Real(1e-6);
    const Real b = stretch * radius;
    factor = radius / (b > 2 ? Real(1) : b / (b * b / 4 + 1));
  }
  /// Two numbers of 16 bits for a cell.
  struct Hash {
    u32 x, y;
    KILN_FN Hash(i32 i, i32 j, u32 seed) : x(u32(i) ^ 0xB641u), y(u32(j) ^ 0x9D81u) {
      const u32 z = (x * y + seed) & 0xffffu;
      x &= 0xffffu;
      y &= 0xffffu;
      mix(0x5A5Au, 0xA5A5u);
      const u32 a = ((x << 8) ^ (z >> 8)) & 0xffffu, b = ((z << 8) ^ (y >> 8)) & 0xffffu;
      x = a;
      y = b;
      mix(0xAAAAu, 0x5555u);
    }
    KILN_FN void mix(u32 one, u32 other) {
      const u32 a = (x & one) ^ (y & other), b = (y & one) ^ (x & other);
      x = a;
      y = b;
    }
    KILN_FN static u32 other(u32 a, u32 b) {
      return ((857u * a - 4u) & 0xff00u) ^ ((8u - 977u * b) & 0xffu);
    }
    KILN_FN void change() {
      const u32 a = other(x, y), b = other(y, x);
      x = a;
      y = b;
    }
  };
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real u = in.rng.uniform();
    const Real i = floor(x / cellsize), j = floor(y / cellsize);
    const Real cx = (i + Real(0.5)) * cellsize, cy = (j + Real(0.5)) * cellsize;
    Hash hash(int_from(i), int_from(j), u32(int_from(seed)));
    constexpr Real share = Real(1) / 65535;
    const Real size = fma(Real(i32(hash.x)) * share, 1 - rmin, rmin);
    const Real turn = 2 * rrot * Real(i32(hash.y)) * share;
    hash.change();
    Real loonie = loonie_chance - Real(i32(hash.x)) * share;
    const Real petals = loonie < 0 ? loonie + petals_chance : Real(0);
    loonie = loonie <= petals ? Real(-1) : loonie;
    const u32 kinds = u32(int_from(1 + maxpetals - minpetals));
    const Real n = minpetals + Real(i32((hash.y >> 3) % kinds));
    Real lx = x - cx, ly = y - cy, k = 1;
    const Real q = fma(lx, lx, ly * ly), most = size * radius * radius;
    if (!(q <= most) || cellsize == 0) return in.p * in.weight;
    Real by;
    if (loonie > 0) {
      by = sqrt(most / q - 1);
    } else if (petals > 0) {
      const Real turns = n * (pi + atan2(ly, lx)) / two_pi;
      const Real g = 2 * abs(turns - trunc(turns) - Real(0.5)), e = sqrt(q);
      by = u < Real(0.5) * (g + Real(0.5)) ? (1 - e) * Real(1.1) * g
                                           : (sqrt(most) - e * (1 - g)) / nonzero(e);
    } else {
      const Real s = stretch * stretch * q / (4 * size) + 1;
      by = stretch * factor / s;
      k = sqrt(size);
    }
    lx *= by;
    ly *= by;
    const Real t = k * fma(lx, lx, ly * ly) / (radius * radius);
    const auto [s1, c1] = sincos(fma(inner_twist, 1 - t, outer_twist * t));
    const auto [s2, c2] = sincospi(turn);
    const Real s = fma(s1, c2, c1 * s2), c = fma(c1, c2, -(s1 * s2));
    return Vec2{fma(lx, c, fma(ly, s, cx)), fma(ly, c, fma(-lx, s, cy))} * in.weight;
  }
};

using JWildfireTiles = VariationList<Boarders2, SplitBrdr, Truchet, PixelFlow, Glitchy1, Scrambly,
                                     Shredded, TqMirror, BwRands>;

KILN_END
