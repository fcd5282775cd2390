// SPDX-License-Identifier: MIT
// Blurs: variations whose result is mostly random: discs, squares, streaks. The draws and their
// order are flam3's; all are made always. Formulas: the specification of flam3's variations, nos.
// 31 34-37 41 43-45 47. The weight of radial_blur, arch, rays, blade and twintrian enters the
// angle.
#pragma once

#include "kernels/variations/angular.h"

KILN_BEGIN

/// The point scaled at random within an ellipse through it.
struct Noise {
  static constexpr auto info = describe("noise");
  static constexpr bool weighs_depth = true;
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real half_turns = 2 * in.rng.uniform();
    const Vec2 q = from_half_turns(in.weight * in.rng.uniform(), half_turns);
    return {in.p.x * q.x, in.p.y * q.y};
  }
};

/// A disc around the origin, denser in the middle.
struct Blur {
  static constexpr auto info = describe("blur");
  static constexpr bool weighs_depth = true;
  static constexpr bool adds_to_the_point = true;
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real half_turns = 2 * in.rng.uniform();
    return from_half_turns(in.weight * in.rng.uniform(), half_turns);
  }
};

/// Four draws, centered: close to a normal distribution of variance 1/3.
KILN_FN Real sum_of_four(Random& rng) {
  Real sum = rng.uniform();
  sum += rng.uniform();
  sum += rng.uniform();
  sum += rng.uniform();
  return sum - 2;
}

/// A soft round spot at the origin.
struct GaussianBlur {
  static constexpr auto info = describe("gaussian_blur");
  static constexpr bool weighs_depth = true;
  static constexpr bool adds_to_the_point = true;
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real half_turns = 2 * in.rng.uniform();
    return from_half_turns(in.weight * sum_of_four(in.rng), half_turns);
  }
};

/// Smears along circles (angle 1), along rays (angle 0) or spirals. r e^(i (phi + b)) - z is z
/// (e^(i b) - 1): no polar angle, and no cancellation for the short smears, with e^(i b) - 1 = 2
/// sin(b/2) (i cos(b/2) - sin(b/2)).
struct RadialBlur {
  static constexpr auto info = describe("radial_blur", "radial_blur_angle");
  KILN_DRAWN({-1, 1});
  static constexpr bool weighs_depth = true;
  static constexpr bool random_draws = true;
  float angle = 0;
  float half_spin = 0, zoom = 1;  // sin and cos of the angle, in quarter turns

  KILN_FN void prepare() {
    const auto [s, c] = sincospi(angle / 2);
    half_spin = Real(0.5) * s;
    zoom = c;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real g = in.weight * sum_of_four(in.rng);
    const auto [s, c] = sincos(half_spin * g);
    const Real re = zoom * g - 2 * s * s, im = 2 * s * c;
    return {fma(x, re, -(y * im)), fma(x, im, y * re)};
  }
};

/// Slices of a disc around the origin.
struct Pie {
  static constexpr auto info = describe("pie", "pie_slices", "pie_rotation", "pie_thickness");
  KILN_DRAWN(whole(3, 9), {-3, 3}, {0.2, 0.8});
  static constexpr bool adds_to_the_point = true;
  static constexpr bool random_draws = true;
  float slices = 6, rotation = 0, thickness = Real(0.5);

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real slice = trunc(in.rng.uniform() * slices + Real(0.5));
    const Real angle = rotation + two_pi * (slice + in.rng.uniform() * thickness) / slices;
    return from_polar(in.weight * in.rng.uniform(), angle);
  }
};

/// An arch: (sin a, sin^2 a / cos a) of a random angle up to pi times the weight.
struct Arch {
  static constexpr auto info = describe("arch");
  static constexpr bool adds_to_the_point = true;
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincospi(in.weight * in.rng.uniform());
    return Vec2{s, s * s / c} * in.weight;
  }
};

/// The unit square around the origin.
struct Square {
  static constexpr auto info = describe("square");
  static constexpr bool weighs_depth = true;
  static constexpr bool adds_to_the_point = true;
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = in.rng.uniform() - Real(0.5);
    const Real v = in.rng.uniform() - Real(0.5);
    return Vec2{u, v} * in.weight;
  }
};

/// Rays through the origin, with the heavy tails of a tangent.
struct Rays {
  static constexpr auto info = describe("rays");
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real half_turns = in.weight * in.rng.uniform();
    const Real length = in.weight * tanpi(half_turns) * in.weight / (in.r2() + eps);
    return Vec2{cos(in.p.x), sin(in.p.y)} * length;
  }
};

/// x times the sum and the difference of cos and sin of a random angle up to w r (x in both, as in
/// flam3).
struct Blade {
  static constexpr auto info = describe("blade");
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincos(in.rng.uniform() * in.weight * in.r());
    return Vec2{c + s, c - s} * (in.weight * in.p.x);
  }
};

/// Blade with the logarithm of the sine (x in both, as in flam3). 2 log|sin| because a float sin^2
/// may vanish.
struct Twintrian {
  static constexpr auto info = describe("twintrian");
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincos(in.rng.uniform() * in.weight * in.r());
    const Real sum = 2 * log10(abs(s)) + c;
    const Real d =
        abs(sum) <= Real(1e10) ? sum : Real(-30);  // flam3: its bad-value test, and -30 instead
    return Vec2{d, d - pi * s} * (in.weight * in.p.x);
  }
};

KILN_END
