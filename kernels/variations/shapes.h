// SPDX-License-Identifier: MIT
// Curves and figures drawn around the origin: each sets a radius or an offset from the angle and
// the distance of the point (flam3 49-53, 57, 66, 72). Formulas: flam3's, indices in all.h.
//
// What divides by r is bad (NaN) at the origin, as in flam3. Constants of a flame are folded once
// in prepare().
#pragma once

#include "kernels/math.h"
#include "kernels/variations/variation.h"

KILN_BEGIN

/// The disc variation with a turn along x + y and a shifted center.
struct Disc2 {
  static constexpr auto info = describe("disc2", "disc2_rot", "disc2_twist");
  KILN_DRAWN({0.2, 1.5}, {-3, 3});
  float rot = 0, twist = 0;
  float center_x = 0, center_y = 0;

  KILN_FN void prepare() {
    // flam3 adds the turns beyond a full one to the length of the offset, not to its angle
    const Real beyond = twist > two_pi ? 1 + twist - two_pi : 1;
    const Real before = twist < -two_pi ? 1 + twist + two_pi : beyond;
    const Real half = sin(twist / 2);
    center_x = -2 * half * half * before;  // cos(twist) - 1
    center_y = sin(twist) * before;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincospi(rot * (in.p.x + in.p.y));
    return Vec2{s + center_x, c + center_y} * (in.weight * in.theta() / pi);
  }
};

/// Gielis' superformula as a radius: |cos a|^n2 + |sin a|^n3 to the power -1/n1.
struct SuperShape {
  static constexpr auto info =
      describe("super_shape", "super_shape_rnd", "super_shape_m", "super_shape_n1",
               "super_shape_n2", "super_shape_n3", "super_shape_holes");
  KILN_DRAWN({0, 1}, whole(3, 8), {0.5, 2}, {0.5, 2}, {0.5, 2}, {0, 0.3});
  static constexpr bool random_draws = true;
  float rnd = 0, m = 0, n1 = 1, n2 = 1, n3 = 1, holes = 0;
  float quarter_m = 0, exponent = -1;

  KILN_FN void prepare() {
    quarter_m = m / 4;
    exponent = -1 / n1;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = in.rng.uniform(), r = in.r();
    const auto [s, c] = sincos(fma(quarter_m, in.phi(), quarter_pi));
    const Real sum = pow(abs(c), n2) + pow(abs(s), n3);
    const Real size = fma(rnd, u, (1 - rnd) * r) - holes;
    return in.p * (in.weight * size * pow(sum, exponent) / r);
  }
};

/// Petals: a random radius below cos(petals phi).
struct Flower {
  static constexpr auto info = describe("flower", "flower_petals", "flower_holes");
  KILN_DRAWN(whole(3, 9), {0.1, 0.6});
  static constexpr bool random_draws = true;
  float petals = 0, holes = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = in.rng.uniform();
    return in.p * (in.weight * (u - holes) * cos(petals * in.phi()) / in.r());
  }
};

/// A conic section in polar form, filled by a random radius.
struct Conic {
  static constexpr auto info = describe("conic", "conic_eccentricity", "conic_holes");
  KILN_DRAWN({0.3, 1.3}, {0, 0.4});
  static constexpr bool random_draws = true;
  float eccentricity = 1, holes = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = in.rng.uniform();
    return in.p * (in.weight * (u - holes) * eccentricity / fma(eccentricity, in.p.x, in.r()));
  }
};

/// x = height sin^2 r, y = width cos r, each filled by its own draw.
struct Parabola {
  static constexpr auto info = describe("parabola", "parabola_height", "parabola_width");
  KILN_DRAWN({0.4, 1.2}, {0.4, 1.2});
  static constexpr bool random_draws = true;
  float height = 0, width = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincos(in.r());
    const Real along_x = in.rng.uniform(), along_y = in.rng.uniform();
    return Vec2{height * s * s * along_x, width * c * along_y} * in.weight;
  }
};

/// Two wings along the diagonals.
struct Butterfly {
  static constexpr auto info = describe("butterfly");

  KILN_FN Vec2 operator()(const Arg& in) const {
    constexpr Real scale = Real(1.3029400317411197908970256609023);  // 4 / sqrt(3 pi)
    const Real x = in.p.x, y2 = 2 * in.p.y;
    const Real s = sqrt(abs(x * in.p.y) / (eps + fma(x, x, y2 * y2)));
    return Vec2{x, y2} * (in.weight * scale * s);
  }
};

/// Inside the circle of radius |weight|: turned inside out, r -> w sqrt(w^2 - r^2); outside:
/// linear.
struct Loonie {
  static constexpr auto info = describe("loonie");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real w = in.weight, w2 = w * w, r2 = in.r2();
    return in.p * (r2 < w2 ? w * sqrt(w2 / r2 - 1) : w);
  }
};

/// A radial squeeze with 1/w as its core. flam3 does not multiply it by the weight.
struct Scry {
  static constexpr auto info = describe("scry");

  KILN_FN Vec2 operator()(const Arg& in) const {
    return in.p * (1 / (in.r() * (in.r2() + 1 / (in.weight + eps))));
  }
};

KILN_END
