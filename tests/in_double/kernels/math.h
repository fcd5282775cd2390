// SPDX-License-Identifier: MIT
// The functions of kernels/math.h in double: in place of it where formulas of the kernels are
// compiled in double (tests/given_draws.h).
#pragma once

#include <cmath>
#include <limits>

#include "kernels/platform.h"

KILN_BEGIN

constexpr Real pi = 3.14159265358979323846, two_pi = 2 * pi, half_pi = pi / 2, quarter_pi = pi / 4,
               inverse_pi = 0.318309886183790671538;
constexpr Real infinity = std::numeric_limits<Real>::infinity(),
               not_a_number = std::numeric_limits<Real>::quiet_NaN();

inline Real fma(Real a, Real b, Real c) { return a * b + c; }
inline Real sqrt(Real x) { return std::sqrt(x); }
inline Real floor(Real x) { return std::floor(x); }
inline Real trunc(Real x) { return std::trunc(x); }
inline Real rint(Real x) { return std::nearbyint(x); }
inline Real abs(Real x) { return std::fabs(x); }
inline Real copysign(Real magnitude, Real sign) { return std::copysign(magnitude, sign); }
inline Real round(Real x) { return std::round(x); }
inline Real min(Real a, Real b) { return a < b ? a : b; }
inline Real max(Real a, Real b) { return a > b ? a : b; }
template <class T>
concept Integer = (T(0.5) == T(0));
template <Integer T>
T min(T a, T b) {
  return a < b ? a : b;
}
template <Integer T>
T max(T a, T b) {
  return a > b ? a : b;
}
inline bool is_nan(Real x) { return x != x; }
inline bool is_finite(Real x) { return std::isfinite(x); }
inline i32 int_from(Real x) {
  return x != x ? 0 : x >= 0x1p31 ? 0x7fffffff : x <= -0x1p31 ? -0x7fffffff - 1 : i32(x);
}
inline Real fmod(Real x, Real y) { return std::fmod(x, y); }

struct SinCos {
  Real s, c;
};
inline SinCos sincos(Real x) { return {std::sin(x), std::cos(x)}; }
inline Real sin(Real x) { return std::sin(x); }
inline Real cos(Real x) { return std::cos(x); }
inline Real tan(Real x) { return std::tan(x); }
inline SinCos sincospi(Real x) { return {std::sin(pi * x), std::cos(pi * x)}; }
inline Real cospi(Real x) { return std::cos(pi * x); }
inline Real tanpi(Real x) { return std::tan(pi * x); }
inline Real atan(Real x) { return std::atan(x); }
inline Real atan2(Real y, Real x) { return std::atan2(y, x); }
inline Real asin(Real x) { return std::asin(x); }
inline Real acos(Real x) { return std::acos(x); }
inline Real exp(Real x) { return std::exp(x); }
inline Real exp2(Real x) { return std::exp2(x); }
inline Real log(Real x) { return std::log(x); }
inline Real log1p(Real x) { return std::log1p(x); }
inline Real log10(Real x) { return std::log10(x); }
inline Real pow(Real x, Real y) { return y == 0 ? 1 : x < 0 ? not_a_number : std::pow(x, y); }

struct SinhCosh {
  Real sh, ch;
};
inline SinhCosh sinhcosh(Real x) { return {std::sinh(x), std::cosh(x)}; }
inline Real sinh(Real x) { return std::sinh(x); }
inline Real cosh(Real x) { return std::cosh(x); }
inline Real tanh(Real x) { return std::tanh(x); }
inline Real hypot(Real x, Real y) { return std::hypot(x, y); }

KILN_END
