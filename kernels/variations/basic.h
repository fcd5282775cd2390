// SPDX-License-Identifier: MIT
// Basic variations: rational and piecewise maps of the point that need no angle and no parameter.
// Formulas and quirks: the specification of flam3's variations, nos. 0 2 4 14 16 27 28 48.
#pragma once

#include "kernels/variations/variation.h"

KILN_BEGIN

/// z, scaled by the weight.
struct Linear {
  static constexpr auto info = describe("linear");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const { return in.p * in.weight; }
};

/// Inversion in the unit circle: z / |z|^2, finite at the origin.
struct Spherical {
  static constexpr auto info = describe("spherical");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const { return in.p * (in.weight / (in.r2() + eps)); }
};

/// z^2 / |z|: angles double, distances stay. x^2 - y^2 as a product, exact near the diagonals.
struct Horseshoe {
  static constexpr auto info = describe("horseshoe");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{(x - y) * (x + y), 2 * x * y} * (in.weight / (in.r() + eps));
  }
};

/// Stretches the left half plane by two and halves the lower one.
struct Bent {
  static constexpr auto info = describe("bent");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{x < 0 ? 2 * x : x, y < 0 ? Real(0.5) * y : y} * in.weight;
  }
};

/// 2 z / (|z| + 1) with the coordinates swapped, as flam3 has always done; Eyefish is the straight
/// one.
struct Fisheye {
  static constexpr auto info = describe("fisheye");

  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{in.p.y, in.p.x} * (2 * in.weight / (in.r() + 1));
  }
};

/// 2 z / (|z| + 1): the plane into the disc of radius two.
struct Eyefish {
  static constexpr auto info = describe("eyefish");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const { return in.p * (2 * in.weight / (in.r() + 1)); }
};

/// z / (|z|^2 / 4 + 1): the plane on a sphere, seen from above.
struct Bubble {
  static constexpr auto info = describe("bubble");

  KILN_FN Vec2 operator()(const Arg& in) const {
    return in.p * (in.weight / (in.r2() * Real(0.25) + 1));
  }
  static constexpr bool makes_depth = true;
  template <class Extended>
  KILN_FN Real
  depth(const Extended& in) const {  // Ember's; a sphere would be 2 / (r^2 / 4 + 1) - 1
    const Real quarter = in.r2() * Real(0.25);
    return in.weight * 2 / (quarter == 0 ? Real(0x1p-23f) : quarter);
  }
};

/// z / |x^2 - y^2|: far away along the diagonals.
struct Cross {
  static constexpr auto info = describe("cross");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real s = (x - y) * (x + y);
    return in.p * (in.weight * sqrt(1 / (s * s + eps)));
  }
};

KILN_END
