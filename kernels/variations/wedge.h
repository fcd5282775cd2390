// SPDX-License-Identifier: MIT
// Turns and cuts around a center (flam3 65, 77-80): wedges taken out of the plane, spins that
// depend on the distance.
//
// A wedge is cut after flam3's fashion: the angle a0 falls into sector k of `count`, every sector
// is squeezed to make room, and sector k moves on by k wedge angles. q = 1/(r + EPS) of wedge_sph
// is 1e10 at the origin, which still counts as good.
#pragma once

#include "kernels/math.h"
#include "kernels/variations/angular.h"
#include "kernels/variations/variation.h"

KILN_BEGIN

/// The share of a sector that is left when `count` wedges of `angle` are cut out of the circle.
KILN_FN Real wedge_squeeze(Real angle, Real count) { return 1 - angle * count / two_pi; }

/// The angle a0 after the cut.
KILN_FN Real wedge_cut(Real a0, Real angle, Real count, Real squeeze) {
  const Real sector = floor(fma(count, a0, pi) / two_pi);
  return fma(sector, angle, a0 * squeeze);
}

/// Inside the circle of radius w: spun, the more the nearer to the center; outside: pushed away.
/// The offsets carry no weight.
struct LazySusan {
  static constexpr auto info = describe("lazysusan", "lazysusan_spin", "lazysusan_space",
                                        "lazysusan_twist", "lazysusan_x", "lazysusan_y");
  KILN_DRAWN({-3, 3}, {-0.3, 0.5}, {-0.6, 0.6}, {-0.3, 0.3}, {-0.3, 0.3});
  static constexpr bool weighs_depth = true;
  float spin = 0, space = 0, twist = 0, x = 0, y = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real w = in.weight;
    const Real u = in.p.x - x, v = in.p.y + y;  // plus: flam3's y points down here
    const Real r = sqrt(fma(u, u, v * v));
    const Vec2 inside = from_polar(w * r, atan2(v, u) + spin + twist * (w - r));
    const Vec2 outside = Vec2{u, v} * (w * (1 + space / r));
    const bool is_inside = r < w;
    return {(is_inside ? inside.x : outside.x) + x, (is_inside ? inside.y : outside.y) - y};
  }
};

/// Sectors around the origin pushed together or apart, with a hole and a swirl.
struct Wedge {
  static constexpr auto info =
      describe("wedge", "wedge_angle", "wedge_hole", "wedge_count", "wedge_swirl");
  KILN_DRAWN({0.1, 1.2}, {-0.1, 0.3}, whole(2, 6), {-0.5, 0.5});
  static constexpr bool weighs_depth = true;
  float angle = 0, hole = 0, count = 1, swirl = 0;
  float squeeze = 1;

  KILN_FN void prepare() { squeeze = wedge_squeeze(angle, count); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real r = in.r();
    return from_polar(in.weight * (r + hole),
                      wedge_cut(fma(swirl, r, in.phi()), angle, count, squeeze));
  }
};

/// A random root as in julian, then the cut.
struct WedgeJulia {
  static constexpr auto info = describe("wedge_julia", "wedge_julia_angle", "wedge_julia_count",
                                        "wedge_julia_power", "wedge_julia_dist");
  KILN_DRAWN({0.1, 1}, whole(2, 5), whole_of_either_sign(2, 5), {0.5, 1.2});
  static constexpr bool random_draws = true;
  float angle = 0, count = 1, power = 1, dist = 0;
  float squeeze = 1, exponent = 0;

  KILN_FN void prepare() {
    squeeze = wedge_squeeze(angle, count);
    exponent = dist / power / 2;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real branch = trunc(abs(power) * in.rng.uniform());
    const Real a0 = fma(two_pi, branch, in.phi()) / power;
    return from_polar(in.weight * pow(in.r2(), exponent), wedge_cut(a0, angle, count, squeeze));
  }
};

/// Wedge after an inversion of the radius.
struct WedgeSph {
  static constexpr auto info = describe("wedge_sph", "wedge_sph_angle", "wedge_sph_count",
                                        "wedge_sph_hole", "wedge_sph_swirl");
  KILN_DRAWN({0.1, 1.2}, whole(2, 6), {-0.1, 0.3}, {-0.3, 0.3});
  float angle = 0, count = 1, hole = 0, swirl = 0;
  float squeeze = 1;

  KILN_FN void prepare() { squeeze = wedge_squeeze(angle, count); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real q = 1 / (in.r() + eps);
    return from_polar(in.weight * (q + hole),
                      wedge_cut(fma(swirl, q, in.phi()), angle, count, squeeze));
  }
};

/// A vortex of radius w: the turn grows without bound at its edge.
struct Whorl {
  static constexpr auto info = describe("whorl", "whorl_inside", "whorl_outside");
  KILN_DRAWN(either_sign(0.3, 1.5), either_sign(0.3, 1.5));
  float inside = 0, outside = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real r = in.r(), w = in.weight;
    return from_polar(w * r, in.phi() + (r < w ? inside : outside) / (w - r));
  }
};

KILN_END
