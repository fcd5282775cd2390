// SPDX-License-Identifier: MIT
// Complex trigonometric and hyperbolic functions (flam3 84-95) and foci (64).
//
// flam3's quotients have cosh 2y +- cos 2x below; here that is 2 (sinh^2 y + cos^2 x) or 2 (sinh^2
// y + sin^2 x), which does not cancel near the poles. Float's cosh overflows at 89 where double's
// lasts until 710: the argument is held below that, far out where the value has long reached its
// limit, and points where flam3's double overflows (then 0 * infinity: bad) are made bad.
#pragma once

#include "kernels/math.h"
#include "kernels/variations/variation.h"

KILN_BEGIN

constexpr Real double_cosh_end = Real(710.4758600739439);  // cosh of more overflows in double
constexpr Real double_exp_end = Real(709.7827128933840);   // so does exp
constexpr Real float_cosh_end = 88, float_cosh_squared_end = 44;

KILN_FN SinhCosh sinhcosh_up_to(Real x, Real end) { return sinhcosh(max(-end, min(end, x))); }

/// w, or infinity where flam3 loses the point because its double arithmetic overflows.
KILN_FN Real lost_beyond(Real x, Real end, Real w) { return abs(x) < end ? w : infinity; }

/// {sin t cos t, sinh g cosh g} / (sinh^2 g + pole^2), pole = cos t (tan, tanh) or sin t (cot,
/// coth); the second goes to +-1.
struct TanParts {
  Real circular, hyperbolic;

  KILN_FN static TanParts of(SinCos t, Real g, Real pole, Real weight) {
    const auto [sh, ch] = sinhcosh_up_to(g, float_cosh_squared_end);
    const Real scale = lost_beyond(g, double_cosh_end / 2, weight) / fma(sh, sh, pole * pole);
    return {scale * (t.s * t.c), scale * (sh * ch)};
  }
};

/// {cosh g, sinh g} / (sinh^2 g + pole^2): what sec, csc, sech and csch have in common. Divided
/// through by cosh g, so that it decays instead of overflowing.
struct SecParts {
  Real cosh_part, sinh_part;

  KILN_FN static SecParts of(Real g, Real pole, Real weight) {
    const auto [sh, ch] = sinhcosh_up_to(g, float_cosh_end);
    const Real th = sh / ch;
    const Real scale = lost_beyond(g, double_cosh_end, weight) / fma(sh, th, pole * pole / ch);
    return {scale, scale * th};
  }
};

/// sinh x / (cosh x - cos y) and sin y / (cosh x - cos y), by half arguments: e.g. cosh x - cos y =
/// 2 (sinh^2 x/2 + sin^2 y/2).
struct Foci {
  static constexpr auto info = describe("foci");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const SinCos half = sincos(in.p.y / 2);
    const TanParts q = TanParts::of(half, in.p.x / 2, half.s, in.weight);
    return {lost_beyond(in.p.x, double_exp_end, q.hyperbolic), q.circular};
  }
};

struct Sin {
  static constexpr auto info = describe("sin");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincos(in.p.x);
    const auto [sh, ch] = sinhcosh(in.p.y);
    return Vec2{s * ch, c * sh} * in.weight;
  }
};

struct Cos {
  static constexpr auto info = describe("cos");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincos(in.p.x);
    const auto [sh, ch] = sinhcosh(in.p.y);
    return Vec2{c * ch, -s * sh} * in.weight;
  }
};

struct Tan {
  static constexpr auto info = describe("tan");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const SinCos t = sincos(in.p.x);
    const TanParts q = TanParts::of(t, in.p.y, t.c, in.weight);
    return {q.circular, q.hyperbolic};
  }
};

struct Sec {
  static constexpr auto info = describe("sec");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const SinCos t = sincos(in.p.x);
    const SecParts q = SecParts::of(in.p.y, t.c, in.weight);
    return {t.c * q.cosh_part, t.s * q.sinh_part};
  }
};

struct Csc {
  static constexpr auto info = describe("csc");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const SinCos t = sincos(in.p.x);
    const SecParts q = SecParts::of(in.p.y, t.s, in.weight);
    return {t.s * q.cosh_part, -t.c * q.sinh_part};
  }
};

struct Cot {
  static constexpr auto info = describe("cot");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const SinCos t = sincos(in.p.x);
    const TanParts q = TanParts::of(t, in.p.y, t.s, in.weight);
    return {q.circular, -q.hyperbolic};
  }
};

struct Sinh {
  static constexpr auto info = describe("sinh");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincos(in.p.y);
    const auto [sh, ch] = sinhcosh(in.p.x);
    return Vec2{sh * c, ch * s} * in.weight;
  }
};

struct Cosh {
  static constexpr auto info = describe("cosh");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincos(in.p.y);
    const auto [sh, ch] = sinhcosh(in.p.x);
    return Vec2{ch * c, sh * s} * in.weight;
  }
};

struct Tanh {
  static constexpr auto info = describe("tanh");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const SinCos t = sincos(in.p.y);
    const TanParts q = TanParts::of(t, in.p.x, t.c, in.weight);
    return {q.hyperbolic, q.circular};
  }
};

struct Sech {
  static constexpr auto info = describe("sech");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const SinCos t = sincos(in.p.y);
    const SecParts q = SecParts::of(in.p.x, t.c, in.weight);
    return {t.c * q.cosh_part, -t.s * q.sinh_part};
  }
};

struct Csch {
  static constexpr auto info = describe("csch");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const SinCos t = sincos(in.p.y);
    const SecParts q = SecParts::of(in.p.x, t.s, in.weight);
    return {t.c * q.sinh_part, -t.s * q.cosh_part};
  }
};

/// flam3's coth has +sin 2y where the complex function has -sin 2y.
struct Coth {
  static constexpr auto info = describe("coth");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const SinCos t = sincos(in.p.y);
    const TanParts q = TanParts::of(t, in.p.x, t.s, in.weight);
    return {q.hyperbolic, q.circular};
  }
};

KILN_END
