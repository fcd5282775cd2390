// SPDX-License-Identifier: MIT
// The functions of kernels/math.h by name, with the arguments that math_functions.h gives them.
#pragma once

#include "kernels/math.h"

/// ENTRY(name, expression of x and y) for every function; the order is the list's index.
#define KILN_MATH_FUNCTIONS(ENTRY)   \
  ENTRY(fma, fma(x, y, x))           \
  ENTRY(fma, fma(x, y, -(x * y)))    \
  ENTRY(sqrt, sqrt(x))               \
  ENTRY(floor, floor(x))             \
  ENTRY(trunc, trunc(x))             \
  ENTRY(rint, rint(x))               \
  ENTRY(round, round(x))             \
  ENTRY(abs, abs(x))                 \
  ENTRY(copysign, copysign(x, y))    \
  ENTRY(min, min(x, y))              \
  ENTRY(max, max(x, y))              \
  ENTRY(is_nan, is_nan(x))           \
  ENTRY(is_finite, is_finite(x))     \
  ENTRY(int_from, int_from(x))       \
  ENTRY(fmod, fmod(x, y))            \
  ENTRY(sincos, sincos(x).s)         \
  ENTRY(sincos, sincos(x).c)         \
  ENTRY(sin, sin(x))                 \
  ENTRY(cos, cos(x))                 \
  ENTRY(tan, tan(x))                 \
  ENTRY(sincospi, sincospi(x).s)     \
  ENTRY(sincospi, sincospi(x).c)     \
  ENTRY(cospi, cospi(x))             \
  ENTRY(tanpi, tanpi(x))             \
  ENTRY(atan, atan(x))               \
  ENTRY(atan2, atan2(y, x))          \
  ENTRY(asin, asin(x))               \
  ENTRY(acos, acos(x))               \
  ENTRY(exp, exp(x))                 \
  ENTRY(exp2, exp2(x))               \
  ENTRY(log, log(x))                 \
  ENTRY(log1p, log1p(x))             \
  ENTRY(log10, log10(x))             \
  ENTRY(pow, pow(x, y))              \
  ENTRY(pow, pow(abs(x), y))         \
  ENTRY(pow, pow(abs(x), Real(2.5))) \
  ENTRY(sinhcosh, sinhcosh(x).sh)    \
  ENTRY(sinhcosh, sinhcosh(x).ch)    \
  ENTRY(sinh, sinh(x))               \
  ENTRY(cosh, cosh(x))               \
  ENTRY(tanh, tanh(x))               \
  ENTRY(hypot, hypot(x, y))

KILN_BEGIN

KILN_FN u32 result_bits(Real result) { return is_nan(result) ? 0x7fc00000u : bits_of(result); }
KILN_FN u32 result_bits(i32 result) { return u32(result); }
KILN_FN u32 result_bits(bool result) { return result ? 1 : 0; }

KILN_END
