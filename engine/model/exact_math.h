// SPDX-License-Identifier: MIT
// Elementary functions in double for the host's tables: filter taps, twiddles, rotations, HSV,
// prepared parameters. Like kernels/math.h they give the same bits with every compiler, libm and
// CPU, because they use only + - * / and bit operations (libm's sin, exp, pow... differ between
// versions). They are made for clarity, not speed: series after a reduction. Relative error below
// 1e-14 (usually 3e-16); sin and cos: absolute, up to |x| = 1e6. tests/unit/math_test.cpp measures
// them.
#pragma once

namespace kiln::exact {

inline constexpr double pi = 0x1.921fb54442d18p+1, two_pi = 2 * pi;

struct SinCos {
  double s, c;
};
/// Sine and cosine of an angle in radians. Beyond 4e6 the angle is first taken modulo the double
/// nearest to 2 pi; NaN for infinities.
SinCos sincos(double x);
double sin(double x);
double cos(double x);
double tan(double x);

/// The angle of (x, y) from the +x axis, in [-pi, pi]; C's conventions for zeros and infinities.
double atan2(double y, double x);

double exp(double x);
/// 2^x; exact for integers.
double exp2(double x);

/// Natural logarithm; -infinity at 0, NaN below.
double log(double x);
/// log(1 + x) without loss near 0.
double log1p(double x);

/// x^y with std::pow's conventions; integer powers up to 32 by multiplication, so exact where the
/// products are.
double pow(double x, double y);

}  // namespace kiln::exact
