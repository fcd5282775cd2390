// SPDX-License-Identifier: MIT
// Functions of z = x + iy: logarithms and powers, bipolar and elliptic coordinates, Moebius maps
// (flam3 55, 59, 61-63, 70, 82, 83, 97, 98). Trigonometric and hyperbolic ones: hyperbolic.h.
//
// flam3 writes these in double, where a difference of near numbers still leaves enough digits. Here
// the differences are taken analytically: t + 2x = (x+1)^2 + y^2 with t = r^2 + 1, logarithms of a
// quotient near 1 by log1p, differences of two angles as one angle. Products of complex numbers use
// explicit fma (kernels/math.h says why).
#pragma once

#include "kernels/math.h"
#include "kernels/variations/angular.h"
#include "kernels/variations/variation.h"

KILN_BEGIN

struct LogPolar {
  Real log_r, phi;  // the complex logarithm
};
KILN_FN LogPolar complex_log(const Arg& in) { return {log(in.r2()) / 2, in.phi()}; }

/// e^(re + i im) scaled.
KILN_FN Vec2 complex_exp(Real re, Real im, Real scale) { return from_polar(scale * exp(re), im); }

/// Bipolar coordinates with the foci -1 and 1, the angle shifted and wrapped to half a turn.
struct Bipolar {
  static constexpr auto info = describe("bipolar", "bipolar_shift");
  KILN_DRAWN({-1, 1});
  static constexpr bool weighs_depth = true;
  float shift = 0;
  float shift_angle = 0;

  KILN_FN void prepare() { shift_angle = half_pi * shift; }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real ax = abs(x), near = ax - 1, y2 = y * y;
    // ln of the squared distances' quotient ((ax+1)^2 + y^2) / ((ax-1)^2 + y^2) = 1 + 4 ax / (...)
    const Real log_quotient = log1p(4 * ax / fma(near, near, y2));
    const Real v = fma(atan2(2 * y, fma(near, ax + 1, y2)), Real(0.5), -shift_angle);
    const Real turns = copysign(floor((abs(v) + half_pi) / pi), v);
    const Real wrapped = abs(v) > half_pi ? fma(-pi, turns, v) : v;
    return Vec2{copysign(log_quotient, x) / 4, wrapped} * (in.weight * (2 / pi));
  }
};

/// z to the complex power (r + i i) / power, one of its branches at random.
struct Cpow {
  static constexpr auto info = describe("cpow", "cpow_r", "cpow_i", "cpow_power");
  KILN_DRAWN({0.5, 1.3}, {-0.4, 0.4}, whole(2, 6));
  static constexpr bool random_draws = true;
  float r = 1, i = 0, power = 1;
  float re = 1, im = 0, branch_angle = two_pi;

  KILN_FN void prepare() {
    re = r / power;
    im = i / power;
    branch_angle = two_pi / power;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real branch = floor(power * in.rng.uniform());
    const auto [log_r, phi] = complex_log(in);
    return complex_exp(fma(re, log_r, -(im * phi)),
                       fma(re, phi, im * log_r) + branch_angle * branch, in.weight);
  }
};

/// The point relative to the ellipses with foci -1 and 1. m: semi-major axis (half the sum of the
/// distances).
struct Confocal {
  Real m_minus_one;  // m - 1 >= 0
  Real opposite;     // sqrt(m^2 - x^2) >= 0: cos(angle) = x / m, sin(angle) = opposite / m
};
KILN_FN Confocal confocal(Vec2 p) {
  // Both distances exceed their x part by y^2 / (distance + x part), so nothing cancels near the
  // foci and between them.
  const Real ax = abs(p.x), ay = abs(p.y);
  const Real far = ax + 1, near = abs(ax - 1), y2 = ay * ay;
  const Real far_sum = sqrt(fma(far, far, y2)) + far, near_sum = sqrt(fma(near, near, y2)) + near;
  const Real excess = Real(0.5) * ay * (ay / far_sum + (near_sum > 0 ? ay / near_sum : Real(0)));
  const Real m_minus_one = excess + max(ax - 1, Real(0)), m_minus_x = excess + max(1 - ax, Real(0));
  return {m_minus_one, sqrt(m_minus_x * (1 + m_minus_one + ax))};
}

/// Elliptic coordinates as a disc.
struct Edisc {
  static constexpr auto info = describe("edisc");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Confocal e = confocal(in.p);
    const auto [s, c] = sincos(log1p(e.m_minus_one + sqrt(e.m_minus_one)));
    const auto [sh, ch] = sinhcosh(-atan2(e.opposite, in.p.x));
    const Real scale = in.weight / Real(11.57034632);
    return {scale * ch * c, scale * sh * (in.p.y > 0 ? -s : s)};
  }
};

/// Elliptic coordinates as a strip.
struct Elliptic {
  static constexpr auto info = describe("elliptic");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Confocal e = confocal(in.p);
    const Real distance = log1p(e.m_minus_one + sqrt(e.m_minus_one));
    return Vec2{atan2(in.p.x, e.opposite), in.p.y > 0 ? distance : -distance} *
           (in.weight / half_pi);
  }
};

/// Escher's "Print Gallery": z^c with |c| = cos(beta/2), arg c = beta/2.
struct Escher {
  static constexpr auto info = describe("escher", "escher_beta");
  KILN_DRAWN({-3, 3});
  static constexpr bool weighs_depth = true;
  float beta = 0;
  float re = 1, im = 0;

  KILN_FN void prepare() {
    const auto [s, c] = sincos(beta / 2);
    re = c * c;  // (1 + cos(beta)) / 2
    im = s * c;  // sin(beta) / 2
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [log_r, phi] = complex_log(in);
    return complex_exp(fma(re, log_r, -(im * phi)), fma(re, phi, im * log_r), in.weight);
  }
};

/// The angle from the +y axis and the logarithm of the distance, over pi.
struct Polar2 {
  static constexpr auto info = describe("polar2");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{in.theta(), log(in.r2()) / 2} * (in.weight / pi);
  }
};

struct Exp {
  static constexpr auto info = describe("exp");

  KILN_FN Vec2 operator()(const Arg& in) const { return complex_exp(in.p.x, in.p.y, in.weight); }
};

struct Log {
  static constexpr auto info = describe("log");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [log_r, phi] = complex_log(in);
    return {in.weight * log_r, in.weight * phi};
  }
};

/// Field lines between -w and w: the root of the quotient of distances, half the difference of the
/// angles.
struct Flux {
  static constexpr auto info = describe("flux", "flux_spread");
  KILN_DRAWN({-0.5, 1});
  float spread = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real w = in.weight, plus = x + w, minus = x - w, y2 = y * y;
    const Real quotient = fma(plus, plus, y2) / fma(minus, minus, y2);
    const auto [s, c] = sincos(atan2(2 * w * y, fma(plus, minus, y2)) / 2);
    const Real size = w * (2 + spread) * sqrt(sqrt(quotient));
    return {size * c, size * s};
  }
  template <class Extended>
  KILN_FN Real depth(const Extended& in) const {
    return in.z;
  }
};

/// (A z + B) / (C z + D) with complex numbers.
struct Mobius {
  static constexpr auto info =
      describe("mobius", "mobius_re_a", "mobius_im_a", "mobius_re_b", "mobius_im_b", "mobius_re_c",
               "mobius_im_c", "mobius_re_d", "mobius_im_d");
  KILN_DRAWN({0.6, 1.2}, {-0.5, 0.5}, {-0.5, 0.5}, {-0.5, 0.5}, {-0.3, 0.3}, {-0.3, 0.3},
             {0.7, 1.4}, {-0.3, 0.3});
  static constexpr bool weighs_depth = true;
  float re_a = 0, im_a = 0, re_b = 0, im_b = 0, re_c = 0, im_c = 0, re_d = 0, im_d = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real ur = fma(re_a, x, fma(-im_a, y, re_b)), ui = fma(re_a, y, fma(im_a, x, im_b));
    const Real vr = fma(re_c, x, fma(-im_c, y, re_d)), vi = fma(re_c, y, fma(im_c, x, im_d));
    const Real scale = in.weight / fma(vr, vr, vi * vi);
    return {scale * fma(ur, vr, ui * vi), scale * fma(ui, vr, -(ur * vi))};
  }
};

KILN_END
