// SPDX-License-Identifier: MIT
// JWildfire's curves in polar form: maps by a curve's radius, thin or filled.
// "Axis" angles are flam3's theta, counted from the y axis.
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/jwildfire_numbers.h"

KILN_BEGIN

/// The point at an angle from the y axis.
KILN_FN Vec2 from_axis(Real radius, Real angle) {
  const SinCos t = sincos(angle);
  return {radius * t.s, radius * t.c};
}
/// The radius of a curve that is filled for a share of the points.
KILN_FN Real filled_radius(Real radius, Real filled, Real u1, Real u2) {
  return (filled > 0) & (filled > u1) ? radius * u2 : radius;
}
/// x^N.
template <int N>
KILN_FN Real whole_power(Real x) {
  if constexpr (N == 1)
    return x;
  else if constexpr (N % 2 == 0)
    return whole_power<N / 2>(x * x);
  else
    return x * whole_power<N - 1>(x);
}

/// epispiral without holes and blur.
struct EpispiralWf {
  static constexpr auto info = describe("epispiral_wf", "epispiral_wf_waves");
  KILN_DRAWN(whole(2, 7));
  static constexpr bool weighs_depth = true;
  float waves = 4;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real theta = in.theta(), d = cos(waves * theta);
    return from_axis(d == 0 ? Real(0) : in.weight * Real(0.5) / d, theta);
  }
};

struct Blob3D {
  static constexpr auto info = describe("blob3D", "blob3D_low", "blob3D_high", "blob3D_waves");
  KILN_DRAWN({0.2, 0.8}, {0.8, 1.3}, whole(2, 8));
  static constexpr bool makes_depth = true;
  float low = Real(0.3), high = Real(1.2), waves = 6;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real theta = in.theta(), s = sin(waves * theta);
    const Real radius = in.weight * in.r() * fma(high - low, fma(Real(0.5), s, Real(0.5)), low);
    const Vec2 p = from_axis(radius, theta);
    return {p.x, p.y, radius * s};
  }
};

/// The disc of yin and yang, half of which each point may go to.
struct YinYang {
  static constexpr auto info = describe("yin_yang", "yin_yang_radius", "yin_yang_ang1",
                                        "yin_yang_ang2", "yin_yang_dual_t", "yin_yang_outside");
  KILN_DRAWN({0.3, 0.7}, {-1, 1}, {-1, 1}, whole(0, 1), whole(0, 1));
  static constexpr bool random_draws = true, weighs_depth = true;
  float radius = Real(0.5), ang1 = 0, ang2 = 0, dual_t = 1, outside = 0;
  float sin1 = 0, cos1 = 1, sin2 = 0, cos2 = 1;

  KILN_FN void prepare() {
    radius = min(max(radius, Real(0)), Real(1));
    dual_t = round(dual_t);
    outside = round(outside);
    const SinCos first = sincospi(ang1), second = sincospi(ang2);
    sin1 = first.s;
    cos1 = first.c;
    sin2 = second.s;
    cos2 = second.c;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const bool other = (in.rng.uniform() > Real(0.5)) & (dual_t == 1);
    const Real s = other ? sin2 : sin1, c = other ? cos2 : cos1;
    const Real k = other ? -in.weight : in.weight, q = other ? 1 - radius : radius;
    const Real u = fma(x, c, -(y * s)), v = fma(x, s, y * c);
    const Real t = sqrt(1 - v * v), e = Real(0.5) * (1 - u / t), m = 2 * t - 1;
    const Real n = fma(e, q, 1 - e);
    const Vec2 upper{fma(m, n, e * (q - 1)), sqrt(1 - m * m) * n};
    const Vec2 lower{fma(u, 1 - q, q), v * (1 - q)};
    const Vec2 within = (v > 0 ? upper : lower) * k;
    return in.r2() < 1 ? within : in.p * (outside == 1 ? in.weight : Real(0));
  }
};

struct CannabisCurve {
  static constexpr auto info = describe("cannabiscurve_wf", "cannabiscurve_wf_filled");
  KILN_DRAWN({0.3, 1});
  static constexpr bool random_draws = true, weighs_depth = true;
  float filled = Real(0.85);

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real t = in.theta(), u1 = in.rng.uniform(), u2 = in.rng.uniform();
    const SinCos turn = sincos(t);
    const Real r = fma(Real(0.9), cos(8 * t), Real(1)) * fma(Real(0.1), cos(24 * t), Real(1)) *
                   fma(Real(0.1), cos(200 * t), Real(0.9)) * (1 + turn.s);
    const Real radius = in.weight * filled_radius(r, filled, u1, u2);
    return {radius * turn.c, -radius * turn.s};
  }
};

struct Cloverleaf {
  static constexpr auto info = describe("cloverleaf_wf", "cloverleaf_wf_filled");
  KILN_DRAWN({0.3, 1});
  static constexpr bool random_draws = true, weighs_depth = true;
  float filled = Real(0.85);

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real t = in.theta(), u1 = in.rng.uniform(), u2 = in.rng.uniform();
    const Real r = fma(Real(0.25), sin(6 * t), sin(2 * t));
    return from_axis(in.weight * filled_radius(r, filled, u1, u2), t);
  }
};

struct RoseWf {
  static constexpr auto info =
      describe("rose_wf", "rose_wf_amp", "rose_wf_waves", "rose_wf_filled");
  KILN_DRAWN({0.4, 1}, whole(2, 7), {0.3, 1});
  static constexpr bool random_draws = true, weighs_depth = true;
  float amp = Real(0.5), waves = 4, filled = Real(0.85);

  KILN_FN void prepare() { waves = round(waves); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real t = in.theta(), u1 = in.rng.uniform(), u2 = in.rng.uniform();
    return from_axis(in.weight * filled_radius(amp * cos(waves * t), filled, u1, u2), t);
  }
};

struct XHeart {
  static constexpr auto info = describe("xheart", "xheart_angle", "xheart_ratio");
  KILN_DRAWN({-1, 1}, {-1, 1});
  static constexpr bool weighs_depth = true;
  float angle = 0, ratio = 0;
  float sin_g = 0, cos_g = 1, height = 6;

  KILN_FN void prepare() {
    const SinCos turn = sincos(fma(angle, pi / 8, quarter_pi));
    sin_g = turn.s;
    cos_g = turn.c;
    height = fma(2, ratio, Real(6));
  }
  KILN_FN Vec2 heart(Vec2 p) const {
    const Real d = fma(p.x, p.x, fma(p.y, p.y, Real(4)));
    const Real u = 4 * p.x / d, v = height * p.y / d;
    const Real x = fma(u, cos_g, -(v * sin_g)), y = fma(u, sin_g, v * cos_g);
    return {x, x > 0 ? y : -y};
  }
  KILN_FN Vec2 operator()(const Arg& in) const { return heart(in.p) * in.weight; }
};

/// The heart of a square, evenly filled.
struct XHeartBlur : XHeart {
  static constexpr auto info =
      describe("xheart_blur_wf", "xheart_blur_wf_angle", "xheart_blur_wf_ratio");
  static constexpr bool random_draws = true, adds_to_the_point = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real x = 2 - 4 * in.rng.uniform(), y = 2 - 4 * in.rng.uniform();
    return heart({x, y}) * in.weight;
  }
};

struct HeartWf {
  static constexpr auto info = describe("heart_wf", "heart_wf_scale_x", "heart_wf_shift_t",
                                        "heart_wf_scale_r_left", "heart_wf_scale_r_right");
  KILN_DRAWN({0.7, 1.3}, {-5, 5}, {0.7, 1.3}, {0.7, 1.3});
  static constexpr bool weighs_depth = true;
  float scale_x = 1, shift_t = 0, left = 1, right = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real theta = in.theta();
    const Real t = min(60 * abs(theta) * inverse_pi * (theta < 0 ? left : right) - shift_t, 60);
    const SinCos turn = sincospi(t / 180);
    const Real k = in.weight * Real(0.001) * in.r(), bend = t * (40 - t);
    const Real side = theta < 0 ? -scale_x : scale_x;
    return {side * k * (1200 + bend) * turn.s, -k * (400 + bend) * turn.c};
  }
};

/// Cosines and sines of multiples of an angle.
struct Multiples {
  Real t;
  template <int N>
  KILN_FN Real c() const {
    return cos(N * t);
  }
  template <int N>
  KILN_FN Real s() const {
    return sin(N * t);
  }
};

struct MapleLeaf {
  static constexpr auto info = describe("maple_leaf", "maple_leaf_filled");
  KILN_DRAWN({0.3, 1});
  static constexpr bool random_draws = true, weighs_depth = true;
  float filled = Real(0.5);

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u1 = in.rng.uniform(), u2 = in.rng.uniform();
    const Real k = in.weight * filled_radius(1, filled, u1, u2);
    const Multiples m{in.theta() - half_pi};
    const Real c1 = m.c<1>(), c3 = m.c<3>(), c6 = m.c<6>(), c30 = m.c<30>();
    const Real c30_4 = whole_power<4>(c30), c30_12 = whole_power<3>(c30_4);
    const Real no_tips = 1 - whole_power<10>(m.s<6>()), c13 = whole_power<10>(c1 * c3);
    const Real no_stalk = 1 - whole_power<10>(c1) * c3 * c3, side = 1 - whole_power<4>(c1);
    const Real veins = c30_12 / 9 * no_tips;
    const Real wide = 1 + c6 * c6 + Real(0.2) * whole_power<10>(c6 * m.c<24>()) + veins;
    const Real high = 1 + c6 * c6 + Real(0.2) * whole_power<10>(c6 * m.c<18>()) +
                      (c30_4 / 4 + c30_12 / 10) * no_stalk * no_tips;
    return {k * wide * m.s<2>() * side * no_stalk,
            k * Real(1.05) * m.c<2>() * fma(Real(0.5), c13, side) * high};
  }
};

struct OakLeaf {
  static constexpr auto info = describe("oak_leaf", "oak_leaf_filled");
  KILN_DRAWN({0.3, 1});
  static constexpr bool random_draws = true, weighs_depth = true;
  float filled = Real(0.25);

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u1 = in.rng.uniform(), u2 = in.rng.uniform();
    const Real k = in.weight * filled_radius(2, filled, u1, u2);
    const Multiples m{Real(-0.5) * in.theta() - half_pi};
    const Real c1 = m.c<1>(), s2 = m.s<2>(), s10 = m.s<10>();
    const Real stalk = whole_power<9>(c1) * whole_power<10>(m.c<5>()) / 100;
    const Real side = 1 - whole_power<8>(c1 * m.c<3>());
    return {k * fma(s2 / 4 * (1 - s10 * s10 / 2), side, stalk),
            k * m.s<1>() * (1 - s10 * s10 / 5 * fma(s2, s2, Real(0.5)))};
  }
};

struct JapaneseMapleLeaf {
  static constexpr auto info = describe("japanese_maple_leaf", "japanese_maple_leaf_filled");
  KILN_DRAWN({0.3, 1});
  static constexpr bool random_draws = true, weighs_depth = true;
  float filled = Real(0.15);

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u1 = in.rng.uniform(), u2 = in.rng.uniform();
    const Real k = in.weight * filled_radius(Real(0.667), filled, u1, u2);
    const Multiples m{fma(Real(0.5), in.theta(), half_pi)};
    const Real c1 = m.c<1>(), c3 = m.c<3>(), c8 = m.c<8>(), c80 = m.c<80>(), s1 = m.s<1>();
    const Real q = c80 * c80 / 6 + whole_power<10>(c80) / 15;
    const Real lobes = Real(4.0 / 15) + c8 * c8 + Real(0.2) * whole_power<10>(c8 * m.c<24>());
    const Real no_tips = 1 - whole_power<10>(m.s<8>()), c13 = whole_power<10>(c1) * c3 * c3;
    const Real stalk = whole_power<9>(c1) * whole_power<10>(m.c<5>()) / 30;
    return {k * (lobes + q) * no_tips * m.s<2>() * (1 + s1) * (1 - c13 + stalk),
            k * (lobes + q * (1 - c13) * no_tips) * m.c<2>() * (1 + s1 + whole_power<10>(c1 * c3))};
  }
};

/// The image of a point by a curve: the place on the curve in its direction, or one beside it.
/// `distance` is the point's own, `across` the share of the spread that counts for x.
KILN_FN Vec2 beside_curve(i32 mode, bool outside, Real spread, Real ratio, Real distance, Vec2 p,
                          Vec2 curve) {
  const Real s = spread, e = spread * ratio;
  const Real x = copysign(p.x, curve.x < 0 ? Real(-1) : Real(1)),
             y = copysign(p.y, curve.y < 0 ? Real(-1) : Real(1));
  const Real side = outside ? Real(1) : Real(-1);
  switch (mode) {
    case 1:
      return {fma(distance, e, 1 - e) * curve.x, fma(distance, s, 1 - s) * curve.y};
    case 2:
      return {fma(e, x - curve.x, curve.x), fma(s, y - curve.y, curve.y)};
    case 3:
      return {fma(side * e, x, curve.x), fma(side * s, y, curve.y)};
    case 4:
      return {fma(Real(0.5), distance, e) * curve.x, fma(Real(0.5), distance, s) * curve.y};
    default:
      return curve;
  }
}

struct ButterflyFay {
  static constexpr auto info =
      describe("butterfly_fay", "butterfly_fay_offset", "butterfly_fay_unified_inner_outer",
               "butterfly_fay_outer_mode", "butterfly_fay_inner_mode", "butterfly_fay_outer_spread",
               "butterfly_fay_inner_spread", "butterfly_fay_outer_spread_ratio",
               "butterfly_fay_inner_spread_ratio", "butterfly_fay_spread_split",
               "butterfly_fay_cycles", "butterfly_fay_fill");
  KILN_DRAWN({0, 1}, whole(0, 1), whole(0, 5), whole(0, 5), {0, 0.5}, {0, 0.5}, always(1),
             always(1), {0.5, 1.5}, always(0), {0, 0.5});
  static constexpr bool random_draws = true, weighs_depth = true;
  float offset = 0, unified = 1, outer_mode = 1, inner_mode = 1, outer_spread = 0, inner_spread = 0,
        outer_ratio = 1, inner_ratio = 1, split = 1, cycles = 0, fill = 0;

  KILN_FN void prepare() {
    unified = round(unified);
    outer_mode = floor(outer_mode);
    inner_mode = floor(inner_mode);
    if (cycles == 0) cycles = pi * pi;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real t = cycles * in.phi(), noise = fill * (in.rng.uniform() - Real(0.5));
    const Real wings = exp(cos(t)) - 2 * cos(4 * t) - whole_power<5>(abs(sin(t / 12)));
    const Real radius = fma(Real(0.5), wings + offset, noise), distance = split * in.r();
    const SinCos turn = sincos(t);
    const Vec2 curve{radius * turn.s, -radius * turn.c};
    const bool outside = (unified == 1) | (abs(distance) > abs(radius));
    const Real mode = outside ? outer_mode : inner_mode;
    const Real spread = outside ? outer_spread : inner_spread;
    const Real ratio = outside ? outer_ratio : inner_ratio;
    const Vec2 beside = beside_curve(i32(mode), outside, spread, ratio, distance, in.p, curve);
    const Vec2 away{fma(spread * ratio, in.p.x, curve.x), fma(spread, in.p.y, curve.y)};
    return (mode == 5 ? away : beside) * in.weight;
  }
};

struct Rhodonea {
  static constexpr auto info = describe(
      "rhodonea", "rhodonea_knumer", "rhodonea_kdenom", "rhodonea_inner_mode",
      "rhodonea_outer_mode", "rhodonea_inner_spread", "rhodonea_outer_spread",
      "rhodonea_inner_spread_ratio", "rhodonea_outer_spread_ratio", "rhodonea_spread_split",
      "rhodonea_fill", "rhodonea_radial_offset", "rhodonea_cycles", "rhodonea_cycle_offset",
      "rhodonea_metacycles", "rhodonea_metacycle_expansion");
  KILN_DRAWN(whole(1, 7), whole(1, 5), whole(1, 4), whole(1, 4), {0, 0.5}, {0, 0.5}, always(1),
             always(1), {0.5, 1.5}, {0, 0.3}, {0, 0.3}, always(0), {0, 1}, always(1), always(0));
  static constexpr bool random_draws = true, weighs_depth = true, only_hides_points = true;
  float numerator = 3, denominator = 4, inner_mode = 1, outer_mode = 1, inner_spread = 0,
        outer_spread = 0, inner_ratio = 1, outer_ratio = 1, split = 1, fill = 0, radial_offset = 0,
        cycles = 0, cycle_offset = 0, metacycles = 1, expansion = 0;
  float waves = 1, to_close = 1;

  KILN_FN static bool is_even(Real whole) { return whole == 2 * trunc(whole / 2); }
  /// The number of times that the angle goes round until the curve is closed.
  KILN_FN Real closing_cycles() const {
    if (waves == trunc(waves)) {
      const bool whole = is_even(waves) || radial_offset != 0 || inner_spread != 0 ||
                         outer_spread != 0 || fill != 0;
      return whole ? Real(1) : Real(0.5);
    }
    if (numerator != trunc(numerator) || denominator != trunc(denominator)) return 16;
    Real a = abs(numerator), b = abs(denominator);
    while (b != 0) {
      const Real rest = fmod(a, b);
      a = b;
      b = rest;
    }
    const Real n = numerator / a, d = denominator / a;
    return is_even(n) || is_even(d) ? d : d / 2;
  }
  KILN_FN void prepare() {
    inner_mode = round(inner_mode);
    outer_mode = round(outer_mode);
    waves = numerator / denominator;
    to_close = closing_cycles();
    if (cycles == 0) cycles = to_close * metacycles;
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const Real phi = in.phi(), noise = fill * (in.rng.uniform() - Real(0.5));
    const Real t = cycles * fma(two_pi, cycle_offset, phi);
    const Real radius = cos(waves * t) + radial_offset + noise, distance = split * in.r();
    const Vec2 curve = from_polar(radius, t);
    const Real around = cycles * (phi + pi) / (two_pi * to_close);
    const Real weight = fma(expansion, floor(around), in.weight);
    const bool outside = abs(distance) > abs(radius);
    const Real mode = outside ? outer_mode : inner_mode;
    const Vec2 beside = beside_curve(i32(mode), outside, outside ? outer_spread : inner_spread,
                                     outside ? outer_ratio : inner_ratio, distance, in.p, curve);
    const bool stays = mode == (outside ? 5 : 6), goes = mode == (outside ? 6 : 5);
    if (goes) return {0, 0, in.weight * in.z, in.color, true};
    const Vec2 p = stays ? in.p : beside * weight;
    return {p.x, p.y, in.weight * in.z, in.color};
  }
};

/// A flower's petals around a stem, which the sum of all variations grows along.
struct FlowerDb {
  static constexpr auto info =
      describe("flower_db", "flower_db_petals", "flower_db_petal_split", "flower_db_petal_spread",
               "flower_db_stem_thickness", "flower_db_stem_length", "flower_db_petal_fold_strength",
               "flower_db_petal_fold_radius");
  KILN_DRAWN(whole(3, 8), {0, 0.5}, {0.5, 1.2}, {0.5, 1}, always(0), {0, 0.5}, {0.5, 1.5});
  static constexpr bool makes_depth = true, reads_sum = true;
  float petals = 6, split = 0, spread = 1, thickness = 1, length = 0, fold = 0, fold_radius = 1;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real t = in.phi();
    const Real radius =
        in.weight * in.r() * abs((spread + sin(petals * t)) * cos(split * petals * t));
    const Vec2 p = from_axis(radius, t);
    const Real x = in.sum.x + p.x, y = in.sum.y + p.y, q = sqrt(fma(x, x, y * y));
    const Real z =
        (q > fold_radius ? (q - fold_radius) * fold : Real(0)) - thickness * (2 / radius - 1);
    return {p.x, p.y, (length != 0) & (in.sum.z + z <= -length) ? -length - in.sum.z : z};
  }
};

/// A shadow that moves over a disc.
struct Eclipse {
  static constexpr auto info = describe("eclipse", "eclipse_shift");
  KILN_DRAWN({-1, 1});
  static constexpr bool weighs_depth = true;
  float shift = Real(0.1);

  KILN_FN void prepare() { shift = min(max(shift, Real(-2)), Real(2)); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real w = in.weight, h = sqrt(w * w - y * y), u = fma(shift, w, x);
    const bool inside = (abs(y) <= w) & (abs(x) <= h);
    return {!inside ? w * x : abs(u) >= h ? -w * x : w * u, w * y};
  }
};

struct LayeredSpiral {
  static constexpr auto info = describe("layered_spiral", "layered_spiral_radius");
  KILN_DRAWN({0.5, 1.5});
  static constexpr bool weighs_depth = true;
  float radius = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    return from_polar(in.weight * in.p.x * radius, in.r2() + Real(1e-8));
  }
};

/// A star of four tips, turned inside out for a share of the points.
struct Asteria {
  static constexpr auto info = describe("asteria", "asteria_alpha");
  KILN_DRAWN({-1, 1});
  static constexpr bool random_draws = true, weighs_depth = true;
  float alpha = 0;
  float s = 0, c = 1;

  KILN_FN void prepare() {
    const SinCos turn = sincospi(alpha);
    s = turn.s;
    c = turn.c;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = in.weight * in.p.x, v = in.weight * in.p.y, draw = in.rng.uniform();
    const bool inside = fma(u, u, v * v) < 1;
    const Real right = abs(u) - 1, upper = abs(v) - 1;
    const bool near = fma(right, right, upper * upper) < 1;
    const bool keeps = inside & near ? draw > Real(0.35) : !inside;
    const Real p = fma(u, c, -(v * s)), q = fma(u, s, v * c), room = 1 - abs(q);
    const Real n = p / sqrt(1 - q * q) * (1 - sqrt(1 - room * room));
    return keeps ? Vec2{u, v} : Vec2{fma(n, c, q * s), fma(q, c, -(n * s))};
  }
};

struct Cardioid {
  static constexpr auto info = describe("cardioid", "cardioid_a");
  KILN_DRAWN(whole(1, 5));
  static constexpr bool weighs_depth = true;
  float a = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real phi = in.phi();
    return from_polar(in.weight * sqrt(in.r2() + sin(a * phi) + 1), phi);
  }
};

using JWildfireCurves =
    VariationList<EpispiralWf, Blob3D, YinYang, CannabisCurve, Cloverleaf, RoseWf, XHeart,
                  XHeartBlur, HeartWf, MapleLeaf, OakLeaf, JapaneseMapleLeaf, ButterflyFay,
                  Rhodonea, FlowerDb, Eclipse, LayeredSpiral, Asteria, Cardioid>;

KILN_END
