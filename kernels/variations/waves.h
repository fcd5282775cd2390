// SPDX-License-Identifier: MIT
// Waves: sines, tangents and exponentials of the coordinates themselves.
// Formulas: the specification of flam3's variations, nos. 1 15 17 18 20 24 29 42 46.
#pragma once

#include "kernels/variations/angular.h"

KILN_BEGIN

/// The sine of each coordinate.
struct Sinusoidal {
  static constexpr auto info = describe("sinusoidal");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{sin(in.p.x), sin(in.p.y)} * in.weight;
  }
};

/// Sine waves across each axis: heights b and e, wavelengths c^2 and f^2 of the xform's own affine.
/// With c or f = 0 the argument is 1e10 times the coordinate: noise, in flam3 as here, but not the
/// same noise.
struct Waves {
  static constexpr auto info = describe("waves");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Affine& m = in.affine;
    return Vec2{x + m.b * sin(y * (1 / (m.c * m.c + eps))),
                y + m.e * sin(x * (1 / (m.f * m.f + eps)))} *
           in.weight;
  }
};

/// Ripples that crowd together where the tangent of the other coordinate grows; heights c and f of
/// the affine.
struct Popcorn {
  static constexpr auto info = describe("popcorn");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{x + in.affine.c * sin(tan(3 * y)), y + in.affine.f * sin(tan(3 * x))} * in.weight;
  }
};

/// exp(x - 1) at the angle pi y.
struct Exponential {
  static constexpr auto info = describe("exponential");

  KILN_FN Vec2 operator()(const Arg& in) const {
    return from_half_turns(in.weight * exp(in.p.x - 1), in.p.y);
  }
};

/// The complex cosine of (pi x, y).
struct Cosine {
  static constexpr auto info = describe("cosine");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincospi(in.p.x);
    const auto [sh, ch] = sinhcosh(in.p.y);
    return Vec2{c * ch, -s * sh} * in.weight;
  }
};

/// Peter de Jong's map.
struct Pdj {
  static constexpr auto info = describe("pdj", "pdj_a", "pdj_b", "pdj_c", "pdj_d");
  KILN_DRAWN(either_sign(0.8, 2.6), either_sign(0.8, 2.6), either_sign(0.8, 2.6),
             either_sign(0.8, 2.6));
  static constexpr bool weighs_depth = true;
  float a = 0, b = 0, c = 0, d = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{sin(a * y) - cos(b * x), sin(c * x) - cos(d * y)} * in.weight;
  }
};

/// The sine of x alone: the plane rolled up.
struct Cylinder {
  static constexpr auto info = describe("cylinder");

  KILN_FN Vec2 operator()(const Arg& in) const { return Vec2{sin(in.p.x), in.p.y} * in.weight; }
  static constexpr bool makes_depth = true;
  template <class Extended>
  KILN_FN Real depth(const Extended& in) const {
    return in.weight * cos(in.p.x);
  }
};

/// (sin x / cos y, tan y).
struct Tangent {
  static constexpr auto info = describe("tangent");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincos(in.p.y);
    return Vec2{sin(in.p.x) / c, s / c} * in.weight;
  }
};

/// x, and the secant of w r moved to touch 0. 1/k -+ 1 with k = cos(w r) in half angles, since 1/k
/// - 1 cancels near the origin.
struct Secant2 {
  static constexpr auto info = describe("secant2");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincos(Real(0.5) * in.weight * in.r());
    const Real k = (c - s) * (c + s);
    const Real root = k < 0 ? c : s;
    return Vec2{in.p.x, 2 * root * root / k} * in.weight;
  }
};

KILN_END
