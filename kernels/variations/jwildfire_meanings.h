// SPDX-License-Identifier: MIT
// What JWildfire means by names that others have too, where that is another formula
// (engine/model/meanings.h).
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/jwildfire_numbers.h"

KILN_BEGIN

/// A disc turned and twisted about a center that is not weighed.
struct JWildfireLazySusan {
  static constexpr auto info =
      describe("jwildfire_lazysusan", "jwildfire_lazysusan_spin", "jwildfire_lazysusan_space",
               "jwildfire_lazysusan_twist", "jwildfire_lazysusan_x", "jwildfire_lazysusan_y");
  KILN_DRAWN({-3, 3}, {-0.3, 0.5}, {-0.6, 0.6}, {-0.3, 0.3}, {-0.3, 0.3});
  static constexpr bool weighs_depth = true;
  float spin = pi, space = 0, twist = 0, x = 0, y = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real w = in.weight, u = in.p.x - x, v = in.p.y + y, r = sqrt(fma(u, u, v * v));
    const Vec2 inside = from_polar(w * r, atan2(v, u) + spin + twist * (w - r));
    const Real k = w * (1 + space / r);
    const Vec2 at = r < w ? inside : Vec2{u, v} * k;
    return {at.x + x, at.y - y};
  }
};

using JWildfireMeanings = VariationList<JWildfireLazySusan>;

KILN_END
