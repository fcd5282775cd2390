// SPDX-License-Identifier: MIT
// Julia variations: the roots of z, one of them drawn at random: Julia-set points by inverse
// iteration when the xform adds c. Formulas: the specification of flam3's variations, nos. 13
// 32 33.
#pragma once

#include "kernels/variations/angular.h"

KILN_BEGIN

/// A square root of r e^(i theta), with either sign. The half angle comes from square roots instead
/// of atan2: with large = sqrt((r + |y|) / 2) and small = |x| / (2 large), the root in the first
/// quadrant is one of (large, small), (small, large).
struct Julia {
  static constexpr auto info = describe("julia");
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real large = sqrt(Real(0.5) * (in.r() + abs(y)));
    const Real small = large > 0 ? Real(0.5) * abs(x) / large : Real(0);
    const Real cos_half = y < 0 ? small : large, sin_half = y < 0 ? large : small;
    const Real sign = Real(1 - 2 * i32(in.rng.bit()));
    return Vec2{cos_half, x < 0 ? -sin_half : sin_half} * (in.weight * sign);
  }
};

/// A random power-th root of z, at the distance r^(dist / power).
struct JuliaN {
  static constexpr auto info = describe("julian", "julian_power", "julian_dist");
  KILN_DRAWN(whole_of_either_sign(2, 7), {0.6, 1.3});
  static constexpr bool weighs_depth = true;
  static constexpr bool random_draws = true;
  float power = 1, dist = 1;
  float count = 1, inverse_power = 1,
        exponent = Real(0.5);  // roots to draw from; 1 / power; of r^2

  KILN_FN void prepare() {
    count = abs(power);
    inverse_power = 1 / power;
    exponent = dist / power / 2;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real k = trunc(count * in.rng.uniform());
    const Real angle = fma(two_pi, k, in.phi()) * inverse_power;
    return from_polar(in.weight * pow(in.r2(), exponent), angle);
  }
};

/// JuliaN with every second root mirrored, so that neighboring sectors join.
struct JuliaScope {
  static constexpr auto info = describe("juliascope", "juliascope_power", "juliascope_dist");
  KILN_DRAWN(whole_of_either_sign(2, 7), {0.6, 1.3});
  static constexpr bool weighs_depth = true;
  static constexpr bool random_draws = true;
  float power = 1, dist = 1;
  float count = 1, inverse_power = 1, exponent = Real(0.5);  // as in JuliaN

  KILN_FN void prepare() {
    count = abs(power);
    inverse_power = 1 / power;
    exponent = dist / power / 2;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real k = trunc(count * in.rng.uniform());
    const bool even = 2 * trunc(Real(0.5) * k) == k;
    const Real phi = in.phi();
    const Real angle = fma(two_pi, k, even ? phi : -phi) * inverse_power;
    return from_polar(in.weight * pow(in.r2(), exponent), angle);
  }
};

KILN_END
