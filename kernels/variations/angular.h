// SPDX-License-Identifier: MIT
// Angular variations: maps written in polar coordinates. theta is flam3's angle, from the +y axis:
// x = r sin(theta), y = r cos(theta). Formulas: the specification of flam3's variations, nos. 3
// 5-12 19 23.
//
// Where the formula is r times a sine or cosine of theta plus something, the angle sum is expanded
// and r sin(theta) is x again: it saves atan2 and is more accurate. Those formulas are finite at
// the origin in flam3 (its atan2(0, 0) is 0), and here too; those that divide by r (sin_theta,
// cos_theta) are NaN there in both.
#pragma once

#include "kernels/variations/variation.h"

KILN_BEGIN

/// The point at a distance and a usual polar angle (from the +x axis).
KILN_FN Vec2 from_polar(Real radius, Real angle) {
  const auto [s, c] = sincos(angle);
  return {radius * c, radius * s};
}
/// The point at a distance and an angle in half turns.
KILN_FN Vec2 from_half_turns(Real radius, Real half_turns) {
  const auto [s, c] = sincospi(half_turns);
  return {radius * c, radius * s};
}

/// z turned by r^2. Explicit fma: g++ would fuse this pair of products on its own terms.
struct Swirl {
  static constexpr auto info = describe("swirl");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const auto [s, c] = sincos(in.r2());
    return Vec2{fma(x, s, -(y * c)), fma(x, c, y * s)} * in.weight;
  }
};

/// Unrolls the plane: the angle in half turns across, the distance from the unit circle up.
struct Polar {
  static constexpr auto info = describe("polar");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{in.theta() * inverse_pi, in.r() - 1} * in.weight;
  }
};

/// (r sin(theta + r), r cos(theta - r)), expanded.
struct Handkerchief {
  static constexpr auto info = describe("handkerchief");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const auto [s, c] = sincos(in.r());
    return Vec2{fma(x, c, y * s), fma(y, c, x * s)} * in.weight;
  }
};

/// The angle multiplied by the distance.
struct Heart {
  static constexpr auto info = describe("heart");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real r = in.r();
    const auto [s, c] = sincos(r * in.theta());
    return Vec2{s, -c} * (in.weight * r);
  }
};

/// Angle and distance exchanged: theta / pi away, at the angle pi r. Points gather just inside r =
/// 1, where the sign of the sine decides on which side they go on: theta / pi is rounded inwards,
/// so that none crosses the circle by rounding.
struct Disc {
  static constexpr auto info = describe("disc");
  static constexpr bool weighs_depth = true;
  static constexpr Real below_inverse_pi = 0x1.45f304p-2f;  // the next float

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincospi(in.r());
    return Vec2{s, c} * (in.weight * in.theta() * below_inverse_pi);
  }
};

/// A spiral that thins out as 1 / r.
struct Spiral {
  static constexpr auto info = describe("spiral");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real r = in.r() + eps;
    const auto [s, c] = sincos(r);
    return Vec2{in.cos_theta() + s, in.sin_theta() - c} * (in.weight / r);
  }
};

/// (sin(theta) / r, cos(theta) r).
struct Hyperbolic {
  static constexpr auto info = describe("hyperbolic");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real r = in.r() + eps;
    return Vec2{in.sin_theta() / r, in.cos_theta() * r} * in.weight;
  }
};

/// (sin(theta) cos(r), cos(theta) sin(r)).
struct Diamond {
  static constexpr auto info = describe("diamond");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincos(in.r());
    return Vec2{in.sin_theta() * c, in.cos_theta() * s} * in.weight;
  }
};

/// Sum and difference of r sin^3(theta + r) and r cos^3(theta - r).
struct Ex {
  static constexpr auto info = describe("ex");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real r = in.r();
    const Real inverse_r = r > 0 ? 1 / r : Real(0);
    const auto [s, c] = sincos(r);
    const Real r_n0 = fma(x, c, y * s),
               r_n1 = fma(y, c, x * s);  // r sin(theta + r), r cos(theta - r)
    const Real n0 = r_n0 * inverse_r, n1 = r_n1 * inverse_r;
    const Real m0 = n0 * n0 * r_n0, m1 = n1 * n1 * r_n1;
    return Vec2{m0 + m1, m0 - m1} * in.weight;
  }
};

/// The distance r^sin(theta), at the mirrored angle.
struct Power {
  static constexpr auto info = describe("power");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real sin_theta = in.sin_theta();
    return Vec2{in.cos_theta(), sin_theta} * (in.weight * pow(in.r(), sin_theta));
  }
};

/// Distances scaled between low and high in waves around the origin.
struct Blob {
  static constexpr auto info = describe("blob", "blob_low", "blob_high", "blob_waves");
  KILN_DRAWN({0.2, 0.8}, {0.9, 1.3}, whole(2, 8));
  float low = 0, high = 1, waves = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real height = Real(0.5) + Real(0.5) * sin(waves * in.theta());
    const Real s = in.r() * (low + (high - low) * height);
    return Vec2{in.sin_theta() * s, in.cos_theta() * s} * in.weight;
  }
};

KILN_END
