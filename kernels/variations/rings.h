// SPDX-License-Identifier: MIT
// Rings and fans: the plane cut into rings (by distance) or sectors (by angle), each pushed away
// from its place. Formulas and quirks: the specification of flam3's variations, nos. 21 22 25 26
// and section 3.1.
//
// fmod(r + d, 2d) is written out as r + d - 2d k, and the terms of a ring add up to r (2 - d) - 2d
// k: one rounding, and no loss for wide rings. When 2d is below an ulp of r, k is wrong by many,
// but 2d k is still r + d to the last bit. Sectors turn the point by -+ d/2: r cos(theta -+ d/2) is
// expanded, since r cos(theta) is y.
#pragma once

#include "kernels/variations/variation.h"

KILN_BEGIN

/// flam3's conversion to a 32-bit integer on x86: toward zero, and -2^31 for whatever does not fit.
KILN_FN Real truncate_to_i32(Real q) {
  constexpr Real limit = Real(2147483648.0);
  return abs(q) < limit ? trunc(q) : -limit;
}

/// Concentric rings of width c^2 of the xform's affine.
struct Rings {
  static constexpr auto info = describe("rings");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real d = in.affine.c * in.affine.c + eps, r = in.r();
    const Real s = fma(-2 * d, trunc((r + d) / (2 * d)), r * (2 - d));
    return Vec2{in.cos_theta() * s, in.sin_theta() * s} * in.weight;
  }
};

/// Rings of width rings2_val^2. Near rings2_val = 0 the number of the ring overflows: flam3's jump
/// of 0.43 outside r = 0.43 is kept.
struct Rings2 {
  static constexpr auto info = describe("rings2", "rings2_val");
  KILN_DRAWN({0.4, 1.2});
  static constexpr bool weighs_depth = true;
  float val = 0;
  float d = eps;  // half the width of a ring

  KILN_FN void prepare() { d = val * val + eps; }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real r = in.r();
    const Real s = fma(-2 * d, truncate_to_i32((r + d) / (2 * d)), r * (2 - d));
    return Vec2{in.sin_theta() * s, in.cos_theta() * s} * in.weight;
  }
};

/// Sectors of width pi c^2, counted from the angle -f, of the xform's affine.
struct Fan {
  static constexpr auto info = describe("fan");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real d = pi * (in.affine.c * in.affine.c + eps);
    const auto [s, c] = sincos(Real(0.5) * d);
    const Real turn = fmod(in.theta() + in.affine.f, d) > Real(0.5) * d ? -s : s;
    return Vec2{fma(y, c, -(x * turn)), fma(x, c, y * turn)} * in.weight;
  }
};

/// Sectors of width pi fan2_x^2, counted from the angle -fan2_y; x and y swapped against Fan.
struct Fan2 {
  static constexpr auto info = describe("fan2", "fan2_x", "fan2_y");
  KILN_DRAWN({0.4, 1.2}, {-1, 1});
  static constexpr bool weighs_depth = true;
  float width_root = 0, offset = 0;
  float d = pi * eps, sin_half = 0, cos_half = 1;  // the width of a sector; of half of it

  KILN_FN void prepare() {
    d = pi * (width_root * width_root + eps);
    const auto [s, c] = sincos(Real(0.5) * d);
    sin_half = s;
    cos_half = c;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real angle = in.theta() + offset;
    const Real rest = fma(-d, truncate_to_i32(angle / d), angle);
    const Real turn = rest > Real(0.5) * d ? -sin_half : sin_half;
    return Vec2{fma(x, cos_half, y * turn), fma(y, cos_half, -(x * turn))} * in.weight;
  }
};

KILN_END
