// SPDX-License-Identifier: MIT
// Shapes with parameters of their own: a Moebius-like map, a tiling, a polygon, a tilted plane.
// Formulas: the specification of flam3's variations, nos. 30 38-40.
#pragma once

#include "kernels/variations/variation.h"

KILN_BEGIN

/// The plane tilted by angle quarter turns and seen from dist. With the defaults every point is bad
/// (0 times infinity), as in flam3.
struct Perspective {
  static constexpr auto info = describe("perspective", "perspective_angle", "perspective_dist");
  KILN_DRAWN({0.2, 0.8}, {1.5, 3});
  float angle = 0, dist = 0;
  float sin_angle = 0, dist_cos_angle = 0;

  KILN_FN void prepare() {
    const auto [s, c] = sincospi(angle / 2);
    sin_angle = s;
    dist_cos_angle = dist * c;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real t = 1 / fma(-y, sin_angle, dist);
    return {in.weight * dist * x * t, in.weight * dist_cos_angle * y * t};
  }
};

/// A polygon with rounded sides: z / r^power, scaled by the distance of the side. 1/cos(u) - 1 in
/// half angles: it cancels at u = 0.
struct Ngon {
  static constexpr auto info =
      describe("ngon", "ngon_sides", "ngon_power", "ngon_circle", "ngon_corners");
  KILN_DRAWN(whole(3, 8), {1.5, 4}, {0.5, 2}, {0.5, 2.5});
  static constexpr bool weighs_depth = true;
  float sides = 5, power = 3, circle = 1, corners = 2;
  float step = two_pi / 5, exponent = Real(1.5);  // the angle of a side; of r^2

  KILN_FN void prepare() {
    step = two_pi / sides;
    exponent = power / 2;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real phi = in.phi();
    const Real rest = phi - step * floor(phi / step);
    const Real u = rest > Real(0.5) * step ? rest - step : rest;
    const Real half_sin = sin(Real(0.5) * u);
    const Real bulge = (2 * half_sin * half_sin - eps) / (cos(u) + eps);
    const Real scale = (corners * bulge + circle) / (pow(in.r2(), exponent) + eps);
    return in.p * (in.weight * scale);
  }
};

/// curl(z) = z / (1 + c1 z + c2 z^2), z = x + iy. Explicit fma: g++ would fuse the complex product
/// on its own terms.
struct Curl {
  static constexpr auto info = describe("curl", "curl_c1", "curl_c2");
  KILN_DRAWN({0.2, 1}, {0, 0.5});
  float c1 = 1, c2 = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real re = 1 + c1 * x + c2 * ((x - y) * (x + y));
    const Real im = c1 * y + 2 * c2 * x * y;
    const Real r2 = in.r2();  // z times the conjugate of re + i im, multiplied out: nothing cancels
                              // where c2 = 0
    return Vec2{fma(r2, fma(c2, x, c1), x), y * fma(-c2, r2, Real(1))} *
           (in.weight / (re * re + im * im));
  }
};

/// Every tile of a grid turned by half a turn about its middle; a size of 0 leaves that axis alone.
struct Rectangles {
  static constexpr auto info = describe("rectangles", "rectangles_x", "rectangles_y");
  KILN_DRAWN({0.3, 1.2}, {0.3, 1.2});
  static constexpr bool weighs_depth = true;
  float width = 1, height = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{flipped(in.p.x, width), flipped(in.p.y, height)} * in.weight;
  }

 private:
  static KILN_FN Real flipped(Real x, Real size) {
    const Real in_tile = fma(2 * floor(x / size) + 1, size, -x);
    return size == 0 ? x : in_tile;
  }
};

KILN_END
