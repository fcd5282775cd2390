// SPDX-License-Identifier: MIT
// Maps of the complex plane that flam3 does not have: tilings of the hyperbolic plane, inversions,
// roots and powers. Written so that near numbers do not cancel in float.
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/extended.h"

KILN_BEGIN

/// The square root of z or of 1/z, whichever a draw says; inside the unit circle with the other sign.
struct Glynnia {
  static constexpr auto info = describe("glynnia");
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real r = in.r();
    const Real small = y * y / (r - x);  // r + x, where that cancels
    const Real root = sqrt(x < 0 ? small : r + x);
    const Real other = x < 0 ? copysign(sqrt(r - x), y) : y / nonzero(root);
    const Real t = x < 0 && y == 0 ? Real(0) : root, u = x < 0 && y == 0 ? Real(0) : other;
    const Real k = in.r2() > 1 ? Real(1) : Real(-1);
    const bool direct = in.rng.uniform() < Real(0.5);
    const Real v = in.weight * Real(0.70710678f) / (direct ? Real(1) : nonzero(r));
    return {v * k * t, direct ? -v * u : v * u};
  }
};

/// Inversion inside the right half plane, nothing in the left one.
struct TwoFace {
  static constexpr auto info = describe("twoface");

  KILN_FN Vec2 operator()(const Arg& in) const {
    return in.p * (in.p.x > 0 ? in.weight / in.r2() : in.weight);
  }
};

/// Polar coordinates undone: e^y at the angle x, sine first.
struct Unpolar {
  static constexpr auto info = describe("unpolar");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincos(in.p.x);
    return Vec2{s, c} * (in.weight * Real(0.5) * inverse_pi * exp(in.p.y));
  }
};

/// The mathematics of all hypertiles: polygons of p corners, q around each.
struct HyperbolicTile {
  /// The distance from the middle by which a tiling's Moebius maps shift.
  KILN_FN static Real shift(Real p, Real q) {
    const Real c = cos(two_pi / nonzero(p));
    const Real square = 1 + (1 - c) / (c + cos(two_pi / nonzero(q)));
    return square > 0 ? 1 / sqrt(square) : Real(1);
  }
  /// (z + s) / (conj(s) z + 1) times a number; denominators may be kept from 0.
  KILN_FN static Vec2 shifted(const Arg& in, Real re, Real im, bool guarded) {
    const auto [x, y] = in.p;
    const Real a = x + re, b = y - im;
    const Real c = fma(re, x, -(im * y)) + 1, d = fma(re, y, im * x);
    const Real size = fma(c, c, d * d);
    const Real s = in.weight / (guarded ? nonzero(size) : size);
    return Vec2{fma(a, c, b * d), fma(b, c, -(a * d))} * s;
  }
  /// A turn by a whole number of p-ths.
  KILN_FN static SinCos drawn_turn(Random& rng, Real p) {
    const Real n = floor(rng.uniform() * 32767), of = nonzero(p);
    return sincospi(2 * fma(-floor(n / of), of, n) / of);  // whole turns are off before they round
  }
};

struct Hypertile {
  static constexpr auto info = describe("hypertile", "hypertile_p", "hypertile_q", "hypertile_n");
  KILN_DRAWN(whole(4, 7), whole(5, 9), whole(0, 6));
  float p = 3, q = 7, n = 0;
  float re = 0, im = 0;

  KILN_FN void prepare() {
    const auto [s, c] = sincos(n * two_pi / nonzero(p));
    const Real rho = HyperbolicTile::shift(p, q);
    re = rho * c;
    im = rho * s;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    return HyperbolicTile::shifted(in, re, im, false);
  }
};

/// Any of the tiles around one.
struct Hypertile1 {
  static constexpr auto info = describe("hypertile1", "hypertile1_p", "hypertile1_q");
  KILN_DRAWN(whole(4, 7), whole(5, 9));
  static constexpr bool random_draws = true;
  float p = 3, q = 7;
  float rho = 1;

  KILN_FN void prepare() { rho = HyperbolicTile::shift(p, q); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = HyperbolicTile::drawn_turn(in.rng, p);
    return HyperbolicTile::shifted(in, rho * c, rho * s, true);
  }
};

/// A tile, turned about the middle.
struct Hypertile2 {
  static constexpr auto info = describe("hypertile2", "hypertile2_p", "hypertile2_q");
  KILN_DRAWN(whole(4, 7), whole(5, 9));
  static constexpr bool random_draws = true;
  float p = 3, q = 7;
  float rho = 1;

  KILN_FN void prepare() { rho = HyperbolicTile::shift(p, q); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [u, v] = HyperbolicTile::shifted(in, rho, 0, true);
    const auto [s, c] = HyperbolicTile::drawn_turn(in.rng, p);
    return {fma(u, c, v * s), fma(v, c, -(u * s))};
  }
};

/// A tile in a ball, turned about the middle.
struct Hypertile3D2 {
  static constexpr auto info = describe("hypertile3D2", "hypertile3D2_p", "hypertile3D2_q");
  KILN_DRAWN(whole(4, 7), whole(5, 9));
  static constexpr bool random_draws = true;
  static constexpr bool reads_depth = true;
  float p = 3, q = 7;
  float rho = 1;

  KILN_FN void prepare() {
    p = max(floor(p + Real(0.5)), Real(3));
    q = max(floor(q + Real(0.5)), Real(3));
    const Real c = cos(two_pi / p);
    const Real more = (1 - c) / nonzero(c + cos(two_pi / q));
    rho = more > 0 ? 1 / sqrt(1 + more) : Real(1);
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real r = in.r3(), c2 = rho * rho;
    const Real x1 = fma(x, 1 + c2, rho * (r + 1)), y1 = y * (1 - c2);
    const Real s = in.weight / (fma(c2, r, 2 * rho * x) + 1);
    const auto [sa, ca] = HyperbolicTile::drawn_turn(in.rng, p);
    return Vec3{fma(x1, ca, y1 * sa), fma(y1, ca, -(x1 * sa)), in.z * (1 - c2)} * s;
  }
};

/// Bipolar coordinates, shifted, split and turned.
struct BTransform {
  static constexpr auto info = describe("bTransform", "bTransform_rotate", "bTransform_power",
                                        "bTransform_move", "bTransform_split");
  KILN_DRAWN({-3, 3}, whole(1, 4), {-0.6, 0.6}, {-0.6, 0.6});
  static constexpr bool random_draws = true;
  float rotate = 0, power = 0, move = 0, split = 0;

  KILN_FN void prepare() { power = max(power, Real(1)); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real y2 = y * y;
    const Real further = log(fma(x + 1, x + 1, y2)) - log(fma(x - 1, x - 1, y2));
    const Real along = further / (2 * power) + move;
    const Real tau = x >= 0 ? along + split : along - split;
    const Real angle = pi - atan2(y, x + 1) - atan2(y, 1 - x) + rotate;
    const Real sigma = (angle + two_pi * floor(in.rng.uniform() * power)) / power;
    const auto [sh, ch] = sinhcosh(tau);
    const auto [s, c] = sincos(sigma);
    return Vec2{sh, s} * (in.weight / nonzero(ch - c));
  }
};

/// Roots in elliptic coordinates: u + iv = cosh(mu + i nu), where the square of sinh(mu) solves
/// s^2 + s (1 - u^2 - v^2) = v^2.
struct EJulia {
  static constexpr auto info = describe("eJulia", "eJulia_power");
  KILN_DRAWN(whole_of_either_sign(2, 5));
  static constexpr bool random_draws = true;
  float power = 2;
  float order = 2, turn = 0;  // of the roots; of all of them

  KILN_FN void prepare() {
    order = floor(power + Real(0.5));
    order = order == 0 ? Real(1) : order;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const bool inverts = order <= 0;
    const Real q = inverts ? 1 / nonzero(in.r2()) : in.r2();
    const Real u = inverts ? in.p.x * q : in.p.x, v = abs(inverts ? in.p.y * q : in.p.y);
    const Real half = (q - 1) / 2, root = sqrt(fma(half, half, v * v));
    const Real s = half > 0 ? half + root : v * v / (root - half), sine = sqrt(s);
    const Real mu = log1p(sine + s / (1 + sqrt(1 + s))) / order;
    const Real nu = s > 0 ? atan2(v / sine, u / sqrt(1 + s)) : acos(min(max(u, Real(-1)), Real(1)));
    const Real branch =
        (in.p.y < 0 ? -nu : nu) / order + two_pi / order * floor(in.rng.uniform() * order);
    const Real turned = branch + turn;
    const auto [sh, ch] = sinhcosh(mu);
    const auto [sn, cn] = sincos(turned);
    return Vec2{ch * cn, sh * sn} * in.weight;
  }
};

/// Any of the values of a power with a fraction as its exponent.
struct PowBlock {
  static constexpr auto info =
      describe("pow_block", "pow_block_numerator", "pow_block_denominator", "pow_block_root",
               "pow_block_correctn", "pow_block_correctd");
  KILN_DRAWN(whole(1, 4), whole(2, 4), whole(1, 3), always(1), always(1));
  static constexpr bool random_draws = true;
  float numerator = 3, denominator = 2, root = 1, correct_n = 1, correct_d = 1;
  float exponent = Real(0.75), below = 2;

  KILN_FN void prepare() {
    exponent = numerator / nonzero(denominator * correct_n / correct_d) / 2;
    below = nonzero(denominator);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real turns = root * two_pi * floor(in.rng.uniform() * denominator);
    const Real angle = (in.phi() / below + turns / below) * numerator;
    return from_polar(in.weight * pow(in.r2(), exponent), angle);
  }
};

/// Barycentric coordinates of a pair of directions.
struct Barycentroid {
  static constexpr auto info = describe("barycentroid", "barycentroid_a", "barycentroid_b",
                                        "barycentroid_c", "barycentroid_d");
  KILN_DRAWN({0.5, 1.2}, {-0.5, 0.5}, {-0.5, 0.5}, {0.5, 1.2});
  static constexpr bool weighs_depth = true;
  float a = 1, b = 0, c = 0, d = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    // of the vectors (a, b) and (c, d): the plug-in divides products of products
    const Real det = fma(a, d, -(b * c)), k = det == 0 ? Real(0) : 1 / det;
    const Real u = fma(d, x, -(c * y)) * k, v = fma(a, y, -(b * x)) * k;
    return Vec2{side(u) * sqrt(u * u + x * x), side(v) * sqrt(v * v + y * y)} * in.weight;
  }
  KILN_FN static Real side(Real t) { return t == 0 ? Real(0) : t > 0 ? Real(1) : Real(-1); }
};

/// Disc with the angle and the distance in other places.
struct WDisc {
  static constexpr auto info = describe("wdisc");
  float turns_over = 1;  // the upper half

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real q = in.phi() * inverse_pi, turn = 1 / (in.r() + 1);
    return from_half_turns(in.weight * q, (q > 0) & (turns_over != 0) ? 1 - turn : turn);
  }
};

/// Petals that go to infinity.
struct Epispiral {
  static constexpr auto info =
      describe("epispiral", "epispiral_n", "epispiral_thickness", "epispiral_holes");
  KILN_DRAWN(whole(3, 9), {0.1, 0.6}, {0.5, 1.2});
  static constexpr bool random_draws = true;
  float n = 6, thickness = 0, holes = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real drawn = thickness * in.weight * in.rng.uniform();
    const Real m = thickness * in.weight == 0 ? in.weight : drawn;
    const Real phi = in.phi(), t = m / cos(n * phi) - holes * in.weight;
    const auto [x, y] = from_polar(t, phi);
    return {t == 0 ? Real(0) : x, t == 0 ? Real(0) : y};
  }
};

using PluginComplex =
    VariationList<Glynnia, TwoFace, Unpolar, Hypertile, Hypertile1, Hypertile2, Hypertile3D2,
                  BTransform, EJulia, PowBlock, Barycentroid, WDisc, Epispiral>;

KILN_END
