// SPDX-License-Identifier: MIT
// JWildfire's discs, rings and squares: what goes around.
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/jwildfire_meanings.h"

KILN_BEGIN

/// Rings of two turns.
struct Target {
  static constexpr auto info = describe("target", "target_even", "target_odd", "target_size");
  KILN_DRAWN({-3, 3}, {-3, 3}, {0.3, 1.5});
  static constexpr bool weighs_depth = true;
  float even = 0, odd = 1, size = 1;
  float tightness = 1, arms = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real phi = in.phi(), r2 = in.r2();
    Real t = fma(Real(0.5) * tightness, log(r2), arms * (phi + pi));
    if (t < 0) t -= size / 2;
    t = fmod(abs(t), size);
    return from_polar(sqrt(r2), phi + (t < size / 2 ? even : odd));
  }
};

/// Spirals of two turns.
struct TargetSp : Target {
  using Formula = Target;
  static constexpr auto info = describe("target_sp", "target_sp_twist", "target_sp_n_of_sp",
                                        "target_sp_size", "target_sp_tightness");
  KILN_DRAWN({-1, 1}, whole(1, 4), {0.5, 1.5}, {0.3, 1.5});

  constexpr TargetSp() {
    even = 0;  // the twist until prepare(), odd the number of spirals
  }
  KILN_FN void prepare() {
    const Real twist = even;
    arms = round(odd) / pi;
    even = pi * twist;
    odd = pi * twist - pi;
  }
};

struct FDisc {
  static constexpr auto info =
      describe("fdisc", "fdisc_ashift", "fdisc_rshift", "fdisc_xshift", "fdisc_yshift",
               "fdisc_term1", "fdisc_term2", "fdisc_term3", "fdisc_term4");
  KILN_DRAWN({0.8, 1.5}, {0.5, 1.5}, {-1, 1}, {-1, 1}, {0.8, 1.2}, {-0.3, 0.3}, {-0.3, 0.3},
             {-0.3, 0.3});
  static constexpr bool weighs_depth = true;
  float a_shift = 1, r_shift = 1, x_shift = 0, y_shift = 0, term1 = 1, term2 = 0, term3 = 0,
        term4 = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real t = two_pi / (in.r() + a_shift);
    const Real q = in.weight * Real(0.5) * fma(in.phi(), inverse_pi, r_shift);
    const Real a = q * cos(t + x_shift), b = q * sin(t + y_shift);
    return {fma(term1, a, x * fma(term2, a, fma(term3, q, term4))),
            fma(term1, b, y * fma(term2, b, fma(term3, q, term4)))};
  }
};

/// The largest coordinate, and the way around the square of that half side: 0 to 8 times it, from the
/// middle of the right side.
struct AroundSquare {
  Real side, way;
};
KILN_FN AroundSquare around_square(Vec2 p) {
  const Real ax = abs(p.x), ay = abs(p.y);
  if (ax >= ay) return {ax, p.x >= ay ? ax + p.y : 5 * ax - p.y};
  return {ay, p.y >= ax ? 3 * ay - p.x : 7 * ay + p.x};
}

/// Squares become circles.
struct Circlize {
  static constexpr auto info = describe("circlize", "circlize_hole");
  KILN_DRAWN({0, 0.6});
  static constexpr bool weighs_depth = true;
  float hole = Real(0.4);
  float side = 4 / pi, is_weighed = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const AroundSquare at = around_square(in.p);
    const Real hole_there = is_weighed != 0 ? hole * in.weight : hole;
    return from_polar(fma(in.weight * side, at.side, hole_there),
                      fma(quarter_pi, at.way / at.side, -quarter_pi));
  }
};

struct Circlize2 : Circlize {
  using Formula = Circlize;
  static constexpr auto info = describe("circlize2", "circlize2_hole");

  constexpr Circlize2() { hole = 0; }
  KILN_FN void prepare() { side = is_weighed = 1; }
};

/// Circles become squares.
struct Squarize {
  static constexpr auto info = describe("squarize");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real s = in.r(), phi = in.phi(), a = phi < 0 ? phi + two_pi : phi;
    const Real p = 4 * s * a * inverse_pi;
    const Vec2 at = p <= s       ? Vec2{s, p}
                    : p <= 3 * s ? Vec2{2 * s - p, s}
                    : p <= 5 * s ? Vec2{-s, 4 * s - p}
                    : p <= 7 * s ? Vec2{p - 6 * s, -s}
                                 : Vec2{s, p - 8 * s};
    return at * in.weight;
  }
};

struct Collideoscope {
  static constexpr auto info = describe("collideoscope", "collideoscope_a", "collideoscope_num");
  KILN_DRAWN({0.1, 0.9}, whole(1, 8));
  static constexpr bool weighs_depth = true;
  float a = Real(0.2), num = 1;
  float width = pi, by = 0;

  KILN_FN void prepare() {
    a = min(max(a, Real(0)), Real(1));
    num = max(round(num), Real(1));
    width = pi / num;
    by = pi * a / num;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real phi = in.phi(), g = abs(phi), m = trunc(g * num * inverse_pi);
    const bool even = m == 2 * trunc(m / 2);
    const Real within = fma(m, width, fmod(even ? by + g : g - by, width));
    return from_polar(in.weight * in.r(), phi < 0 ? -within : within);
  }
};

/// invsquircular: a square becomes a disc, unweighed.
struct InvSquircular {
  static constexpr auto info = describe("invsquircular");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real w = in.weight, r2 = in.r2(), cross = 4 * x * x * y * y;
    const Real s = sqrt(r2 * fma(w * w, r2, -cross) / w);
    const Real less = r2 * fma(r2, 1 - w, cross / w) / (r2 + s);  // r2 - s
    const Real q = sqrt(Real(0.5) * less);
    return {q / x, q / y};
  }
};

struct PTransform {
  static constexpr auto info =
      describe("pTransform", "pTransform_rotate", "pTransform_power", "pTransform_move",
               "pTransform_split", "pTransform_use_log");
  KILN_DRAWN({-3, 3}, whole(1, 4), {-0.5, 0.5}, {-0.3, 0.3}, whole(0, 1));
  static constexpr bool weighs_depth = true;
  float rotate = Real(0.3), power = 2, move = Real(0.4), split = 0, use_log = 1;

  KILN_FN void prepare() {
    power = max(round(power), Real(1));
    use_log = min(max(round(use_log), Real(0)), Real(1));
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const bool logs = use_log != 0;
    const Real r2 = in.r2(), from = logs ? Real(0.5) * log(r2) : sqrt(r2);
    const Real rho = from / power + move + (in.p.x >= 0 ? split : -split);
    return from_polar(in.weight * (logs ? exp(rho) : rho), in.phi() + rotate);
  }
};

struct Disc3 {
  static constexpr auto info = describe("disc3", "disc3_a", "disc3_b", "disc3_c", "disc3_d",
                                        "disc3_e", "disc3_f", "disc3_g", "disc3_h");
  KILN_DRAWN({0.7, 1.3}, {0.7, 1.3}, {0.7, 1.3}, {0.7, 1.3}, {0.7, 1.3}, {0.7, 1.3}, {0.7, 1.3},
             {0.7, 1.3});
  static constexpr bool weighs_depth = true;
  float a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const SinCos t = sincospi(sqrt(fma(x * x, d * e, y * y * f * g)));
    const Real q = in.weight * in.theta() * inverse_pi * c * h;
    return {q * a * t.s, q * b * t.c};
  }
};

struct Disc3D {
  static constexpr auto info = describe("disc3d", "disc3d_pi");
  KILN_DRAWN({2, 4});
  static constexpr bool makes_depth = true;
  float turn = pi;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real q = sqrt(in.r2() + least_divisor);
    const Real v = in.weight * in.theta() / (turn + least_divisor);
    const SinCos t = sincos(turn * q);
    return {v * t.s, v * t.c, v * q * cos(in.z)};
  }
};

/// The square within turns one way, what is outside another one.
struct LazyTravis {
  static constexpr auto info =
      describe("lazyTravis", "lazyTravis_spin_in", "lazyTravis_spin_out", "lazyTravis_space");
  KILN_DRAWN({0, 2}, {0, 2}, {0, 0.5});
  static constexpr bool weighs_depth = true;
  float spin_in = 1, spin_out = Real(0.5), space = half_pi;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real ax = abs(x), ay = abs(y);
    const bool inside = (ax <= in.weight) & (ay <= in.weight);
    const Real spin = 4 * (inside ? spin_in : spin_out), gap = inside ? Real(0) : space;
    const Real s = ax > ay ? ax : ay;
    const Real way = ax > ay ? (x > 0 ? s + y : 5 * s - y) : (y > 0 ? 3 * s - x : 7 * s + x);
    const Real p = fmod(fma(s, spin, way), 8 * s), k = 1 + gap / s, e = s + gap;
    const Vec2 at = p <= 2 * s   ? Vec2{e, (p - s) * k}
                    : p <= 4 * s ? Vec2{(3 * s - p) * k, e}
                    : p <= 6 * s ? Vec2{-e, (5 * s - p) * k}
                                 : Vec2{(p - 7 * s) * k, -e};
    return at * in.weight;
  }
};

/// Discs in a ring: what lies in an odd number of them goes round.
struct Rosoni {
  static constexpr auto info =
      describe("rosoni", "rosoni_maxiter", "rosoni_sweetiter", "rosoni_altshapes", "rosoni_cutoff",
               "rosoni_radius", "rosoni_dx", "rosoni_dy");
  KILN_DRAWN(whole(3, 25), whole(1, 8), whole(0, 1), {0.8, 1.5}, {0.2, 0.6}, {0.2, 0.8},
             {-0.3, 0.3});
  static constexpr bool weighs_depth = true;
  float most = 25, sweet = 3, alternative = 0, cutoff = 1, radius = Real(0.4), dx = Real(0.6),
        dy = 0;
  float sin_step = 0, cos_step = 1;

  KILN_FN void prepare() {
    most = min(max(round(most), Real(1)), Real(1024));
    sweet = min(max(round(sweet), Real(0)), Real(1023));
    alternative = round(alternative);
    const SinCos turn = sincos(two_pi / most);
    sin_step = turn.s;
    cos_step = turn.c;
  }
  KILN_FN Real distance(Real a, Real b) const {
    if (alternative == 0) {
      return radius < 0 ? max(abs(a), abs(b)) + radius : fma(a, a, fma(b, b, -radius * radius));
    }
    const Real leaf = a < 0 ? -a : fma(b, b, -a * a * (radius * radius - a * a));
    return radius < 0 ? abs(atan2(b, a)) * inverse_pi + radius : leaf;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real beyond = cutoff < 0 ? max(abs(x), abs(y)) + cutoff : in.r() - cutoff;
    if (beyond > 0) return in.p * in.weight;
    Real u = x, v = y;
    Vec2 kept = in.p;
    bool odd = dx > 0;
    for (int i = 0; i < int(most); ++i) {
      odd = odd != (distance(u - dx, v - dy) <= 0);
      if (i == int(sweet)) kept = {u, v};
      const Real before = u;
      u = fma(u, cos_step, -(v * sin_step));
      v = fma(before, sin_step, v * cos_step);
    }
    if (sweet == 0) kept = {dy != 0 ? -x : x, -y};
    return (odd ? kept : in.p) * in.weight;
  }
};

/// Sectors, each squeezed.
struct ShredRad {
  static constexpr auto info = describe("shredrad", "shredrad_n", "shredrad_width");
  KILN_DRAWN(whole(2, 9), {0.3, 0.8});
  static constexpr bool weighs_depth = true;
  float n = 4, width = Real(0.5);
  float sector = half_pi;

  KILN_FN void prepare() {
    if (n == 0) n = Real(1e-8);
    width = min(max(width, Real(-1)), Real(1));
    sector = two_pi / n;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real q = (in.phi() + 3 * pi + sector / 2) / sector, m = trunc(q);
    const Real t = fma(fma(q - m, width, m), sector, -pi - sector / 2 * width);
    return from_polar(in.weight * in.r(), t);
  }
};

/// The plane moved outwards by sectors.
struct Spligon {
  static constexpr auto info = describe("spligon", "spligon_sides", "spligon_r", "spligon_i");
  KILN_DRAWN(whole(3, 8), {0.2, 0.6}, whole(0, 2));
  static constexpr bool weighs_depth = true;
  float sides = 3, radius = 1, i = 1;

  KILN_FN void prepare() {
    if (round(sides) == 0) sides = 1;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real h = sides / two_pi;
    const Real t = floor(in.phi() * h) / h - pi * i / (2 * sides);
    return (in.p + from_polar(radius, t)) * in.weight;
  }
};

/// Two discs exchanged.
struct Trade {
  static constexpr auto info = describe("trade", "trade_r1", "trade_d1", "trade_r2", "trade_d2");
  KILN_DRAWN({0.5, 1.2}, {0, 0.5}, {0.5, 1.2}, {0, 0.5});
  static constexpr bool weighs_depth = true;
  float r1 = 1, d1 = 1, r2 = 1, d2 = 1;

  KILN_FN void prepare() {
    r1 = max(r1, Real(1e-8));
    r2 = max(r2, Real(1e-8));
    d1 = max(d1, Real(0));
    d2 = max(d2, Real(0));
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const bool right = in.p.x > 0;
    const Real own = right ? r1 : r2, other = right ? r2 : r1;
    const Real from = right ? r1 + d1 : -(r2 + d2), to = right ? -(r2 + d2) : r1 + d1;
    const Real u = from - in.p.x, v = in.p.y, k = other / own;
    const bool inside = sqrt(fma(u, u, v * v)) <= own;
    return (inside ? Vec2{fma(k, u, to), k * v} : in.p) * in.weight;
  }
};

/// A variation for each quadrant: spherical, loonie, lazysusan and none.
struct Fourth {
  static constexpr auto info =
      describe("fourth", "fourth_spin", "fourth_space", "fourth_twist", "fourth_x", "fourth_y");
  KILN_DRAWN({0, 3}, {0, 0.5}, {-0.5, 0.5}, {-0.3, 0.3}, {-0.3, 0.3});
  static constexpr bool weighs_depth = true;
  float spin = pi, space = Real(0.1), twist = Real(0.2), cx = Real(0.3), cy = Real(0.12);

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real w = in.weight, r2 = in.r2();
    const Vec2 susan = JWildfireLazySusan{spin, space, twist, cx, cy}(in);
    const Vec2 loonie = in.p * (r2 < w * w ? w * sqrt(w * w / r2 - 1) : w);
    if (x > 0 && y > 0) return in.p * (w / r2);
    if (x > 0 && y < 0) return loonie;
    return x < 0 && y > 0 ? susan : in.p * w;
  }
};

/// A polygon for a circle: a part of the distance, the weight, grows by that of a regular polygon's border, or shrinks.
struct PrepostCirclize {
  static constexpr auto info = describe("prepost_circlize", "prepost_circlize_n",
                                        "prepost_circlize_rotation", "prepost_circlize_reverse");
  KILN_DRAWN(whole(3, 8), {0, 90}, whole(0, 1));
  float sides = 4, rotation = 45, reverse = 0;
  float half = quarter_pi, over_turn = 4 / two_pi, border = Real(0.70710678118654752),
        turn = quarter_pi;

  KILN_FN void prepare() {
    sides = min(max(round(sides), Real(3)), Real(50));
    reverse = reverse >= Real(0.5) ? 1 : 0;
    half = pi / sides;
    over_turn = sides / two_pi;
    border = cos(half);
    turn = pi / 180 * rotation;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real g = in.phi() - turn, middle = half * fma(2, floor(g * over_turn), Real(1));
    const Real k = border / cos(g - middle);
    const Real grown = reverse != 0 ? 1 / k : k;
    return in.p * fma(in.weight, grown - 1, Real(1));
  }
};

using JWildfireDiscs =
    VariationList<Target, TargetSp, FDisc, Circlize, Circlize2, Squarize, Collideoscope,
                  InvSquircular, PTransform, Disc3, Disc3D, LazyTravis, Rosoni, ShredRad, Spligon,
                  Trade, Fourth, PrepostCirclize>;

KILN_END
