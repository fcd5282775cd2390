// SPDX-License-Identifier: MIT
// Elementary functions that give the same bits on every CPU and GPU. glibc, libmvec and CUDA's libm
// promise no common bits and change between versions, so kernels use only what stands here: + - * /
// sqrt and explicit fma (IEEE, one rounding each), integer operations on the bits, and selects.
// Every function is branch-free (but for pow on GPUs), defined for every float (denormals,
// infinities, NaN; only a NaN's payload is open) and vectorizes in a plain lane loop.
//
// Form: reduction to a small interval, a minimax polynomial (Remez, coefficients rounded to float
// one by one with a refit after each), reconstruction by bits. Errors stay below 1.6 ulp, sin and
// cos alone 2.2, tan 3.5, asin 2.4, pow 1.3 to exponents of 1 and more beyond;
// tests/unit/math_test.cpp measures them. Without FMA (x86-64-v2) fma() is emulated exactly: the
// same picture, about twenty times slower per call.
//
// Rules for callers: call unqualified from namespace kiln; write fma() where a product feeds a sum
// (complex products above all: g++ 12 fuses neighboring x*s - y*c, x*c + y*s into
// vfmaddsub in spite of -ffp-contract=off, an explicit fma it leaves alone).
#pragma once

#include "kernels/platform.h"

KILN_BEGIN

constexpr Real pi = Real(3.14159265358979323846);
constexpr Real two_pi = Real(6.28318530717958647693);
constexpr Real half_pi = Real(1.57079632679489661923);
constexpr Real quarter_pi = Real(0.785398163397448309616);
constexpr Real inverse_pi = Real(0.318309886183790671538);
constexpr Real infinity = __builtin_bit_cast(float, 0x7f800000u);
constexpr Real not_a_number = __builtin_bit_cast(float, 0x7fc00000u);

// ---- bits, rounding, selection ----

KILN_FN u32 bits_of(float x) { return __builtin_bit_cast(u32, x); }
KILN_FN float float_of(u32 bits) { return __builtin_bit_cast(float, bits); }

#if KILN_CUDA_CODE
KILN_FN Real fma(Real a, Real b, Real c) { return ::__fmaf_rn(a, b, c); }
KILN_FN Real sqrt(Real x) { return ::__fsqrt_rn(x); }
KILN_FN Real floor(Real x) { return ::floorf(x); }
KILN_FN Real trunc(Real x) { return ::truncf(x); }
KILN_FN Real rint(Real x) { return ::rintf(x); }
KILN_FN Real abs(Real x) { return float_of(bits_of(x) & 0x7fffffffu); }  // ptxas: |NaN| >= 0
#else
#if KILN_HAS_FMA
KILN_FN Real fma(Real a, Real b, Real c) { return __builtin_fmaf(a, b, c); }
#else
/// a b + c with one rounding. The product of floats is exact in double; the sum is rounded to odd
/// (if inexact, to the neighbor whose last bit is set), after which rounding to float cannot round
/// twice (Boldo & Melquiond, "Emulation of FMA", 2008). A call: inlined, kernels compile for twice
/// as long, for 7 to 20 % of their speed.
__attribute__((noinline, const)) inline Real fma(Real a, Real b, Real c) {
  const double p = double(a) * double(b), q = double(c);
  const double sum = p + q;
  const double q_part = sum - p;
  const double error =
      (p - (sum - q_part)) + (q - q_part);  // exact (Knuth's TwoSum); NaN if the sum is not finite
  const u64 bits = __builtin_bit_cast(u64, sum);
  const u64 away_or_back = u64(1) - (((__builtin_bit_cast(u64, error) ^ bits) >> 63) << 1);
  const u64 is_even = (bits & 1) - 1;
  const u64 is_inexact = ((error > 0) | (error < 0)) ? ~u64(0) : u64(0);
  return Real(__builtin_bit_cast(double, bits + (away_or_back & is_even & is_inexact)));
}
#endif
KILN_FN Real sqrt(Real x) { return __builtin_sqrtf(x); }
KILN_FN Real floor(Real x) { return __builtin_floorf(x); }
KILN_FN Real trunc(Real x) { return __builtin_truncf(x); }
/// The nearest integer, halves to even.
KILN_FN Real rint(Real x) { return __builtin_rintf(x); }
KILN_FN Real abs(Real x) { return float_of(bits_of(x) & 0x7fffffffu); }
#endif

/// The magnitude of the first, the sign of the second.
KILN_FN Real copysign(Real magnitude, Real sign) {
  return float_of((bits_of(magnitude) & 0x7fffffffu) | (bits_of(sign) & 0x80000000u));
}
/// The nearest integer, halves away from zero.
KILN_FN Real round(Real x) { return trunc(x + copysign(0x1.fffffep-2f, x)); }

/// The smaller one; the second if either is NaN.
KILN_FN Real min(Real a, Real b) { return a < b ? a : b; }
/// The larger one; the second if either is NaN.
KILN_FN Real max(Real a, Real b) { return a > b ? a : b; }
template <class T>
concept Integer = (T(0.5f) == T(0));
template <Integer T>
KILN_FN T min(T a, T b) {
  return a < b ? a : b;
}
template <Integer T>
KILN_FN T max(T a, T b) {
  return a > b ? a : b;
}

KILN_FN bool is_nan(Real x) { return x != x; }
KILN_FN bool is_finite(Real x) { return abs(x) < infinity; }

/// Truncates; clamps to the range of i32; NaN becomes 0. (The plain conversion differs between x86
/// and CUDA or ARM64 out of range.)
KILN_FN i32 int_from(Real x) {
  const Real above = x > -0x1p31f ? x : -0x1p31f;
  const i32 converted = i32(above < 0x1.fffffep30f ? above : 0x1.fffffep30f);
  const i32 clamped = x >= 0x1p31f ? 0x7fffffff : converted;
  return x == x ? clamped : 0;
}

/// C's fmod: x - y trunc(x / y), sign of x; exact for quotients below 2^46, 0 beyond. NaN for y = 0
/// or infinite x.
KILN_FN Real fmod(Real x, Real y) {
  const Real dividend = abs(x), divisor = abs(y);
  // Each step's remainder is exact: it is a multiple of the divisor's last place, or of the
  // quotient's last place times that, and small.
  const Real coarse = fma(-trunc(dividend / divisor), divisor, dividend);
  const Real fine = fma(-trunc(coarse / divisor), divisor, coarse);
  const Real positive = fine < 0 ? fine + divisor : fine;
  const Real reduced = positive >= divisor ? positive - divisor : positive;
  const Real hopeless = divisor > 0 ? dividend - dividend : not_a_number;
  const Real remainder = ((reduced >= 0) & (reduced < divisor)) ? reduced : hopeless;
  return copysign(dividend < divisor ? dividend : remainder, x);
}

// ---- shared pieces ----

namespace detail {

/// c0 + c1 z + c2 z^2 + ...
template <class... Rest>
KILN_FN Real polynomial(Real z, Real c0, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return c0;
  } else {
    return fma(z, polynomial(z, rest...), c0);
  }
}

// x + to_integer has its integer part, rounded to nearest, in the low bits: no conversion that may
// leave the range of int.
constexpr Real to_integer = 0x1.8p23f;

constexpr Real half_pi_low = -0x1.777a5cp-25f;   // pi/2 = half_pi + half_pi_low + ...
constexpr Real pi_of_double = -0x1.1a6264p-53f;  // how far the double next to pi lies from it
constexpr Real ln2 = 0x1.62e430p-1f, ln2_low = -0x1.05c610p-29f;
constexpr Real ln2_15bits = 0x1.62e4p-1f,
               ln2_rest = 0x1.7f7d1cp-20f;  // 15 bits: its products with exponents are exact

/// 2^n for n in [-126, 127].
KILN_FN Real power_of_two(i32 n) { return float_of(u32(n + 127) << 23); }

/// e^r 2^n for |r| <= ln(2)/2, n in [-252, 254]: the power in two factors, so that denormal results
/// are right.
KILN_FN Real exp_reconstructed(Real r, i32 n) {
  const Real p = polynomial(r, 0x1.fffffcp-2f, 0x1.555494p-3f, 0x1.555884p-5f, 0x1.12384cp-7f,
                            0x1.6a8938p-10f);
  const i32 half = n >> 1;
  return (Real(1) + fma(r * r, p, r)) * power_of_two(half) * power_of_two(n - half);
}

/// e^x 2^shift.
KILN_FN Real exp_shifted(Real x, i32 shift) {
  const Real low = x < -105.0f ? -105.0f : x,
             y = low > 90.0f ? 90.0f : low;  // 0 and infinity there; NaN passes
  const Real t = fma(y, 0x1.715476p0f, to_integer);
  const Real n = t - to_integer;
  const Real r = fma(n, -ln2_low, fma(n, -ln2, y));
  return exp_reconstructed(r, i32(bits_of(t) - bits_of(to_integer)) + shift);
}

/// x = m 2^exponent with m in [sqrt(1/2), sqrt(2)); f = m - 1, exactly.
struct Split {
  Real f, exponent;
};
KILN_FN Split split_normal(Real x) {
  const i32 n = i32(bits_of(x) - 0x3f3504f3u) >> 23;
  return {float_of(bits_of(x) - (u32(n) << 23)) - Real(1), Real(n)};
}
KILN_FN Split split(Real x) {
  const bool is_denormal = x < 0x1p-126f;
  const Split a = split_normal(is_denormal ? x * 0x1p23f : x);
  return {a.f, a.exponent - (is_denormal ? Real(23) : Real(0))};
}

/// log2(1 + f) and the exponent e of a power's base: log2 x = e + l.
struct Log2 {
  Real e, l;
};
KILN_FN Log2 log2_parts(const Split& a) {
  return {a.exponent, a.f * polynomial(a.f, 0x1.715476p0f, -0x1.715472p-1f, 0x1.ec7368p-2f,
                                       -0x1.715b7ap-2f, 0x1.26dd02p-2f, -0x1.e9814cp-3f,
                                       0x1.b953eep-3f, -0x1.a77cdcp-3f, 0x1.01a5dcp-3f)};
}
/// 2^r for |r| <= 1/2.
KILN_FN Real exp2_unit(Real r) {
  return fma(r,
             polynomial(r, 0x1.62e430p-1f, 0x1.ebfbe0p-3f, 0x1.c6afa0p-5f, 0x1.3b2a38p-7f,
                        0x1.5ef396p-10f, 0x1.4436d2p-13f),
             Real(1));
}
/// x^y for every x and y.
KILN_RARE Real any_power(Real x, Real any_y) {
  constexpr Real largest = 0x1.fffffep127f;  // infinity times a logarithm's 0 were NaN
  const Real y = abs(any_y) == infinity ? copysign(largest, any_y) : any_y;
  const Log2 log2_x = log2_parts(split(x));
  const Real usual = fma(y, log2_x.e, y * log2_x.l);
  const Real limit = y * (x == 0 ? -infinity : infinity);
  const Real product = ((x == 0) | (x == infinity)) ? limit : usual;
  const Real above = product < -151.0f ? -151.0f : product, power = above > 129.0f ? 129.0f : above;
  const Real t = power + to_integer, n = t - to_integer;
  const Real exact = fma(y, log2_x.l, fma(y, log2_x.e, -n));
  const Real fraction = power == usual ? exact : power - n;
  const i32 exponent = i32(bits_of(t) - bits_of(to_integer)), half = exponent >> 1;
  const Real general = exp2_unit(fraction) * power_of_two(half) * power_of_two(exponent - half);
  const Real valid = ((x >= 0) & (y == y)) ? general : not_a_number;
  return ((x == 1) | (y == 0)) ? Real(1) : valid;
}

/// ln(1 + f) = f + log_tail(f).
KILN_FN Real log_tail(Real f, Real addend) {
  const Real p = polynomial(f, 0x1.555554p-2f, -0x1.00022ap-2f, 0x1.99a03cp-3f, -0x1.547178p-3f,
                            0x1.22d47cp-3f, -0x1.0d8778p-3f, 0x1.058306p-3f, -0x1.39087ep-4f);
  const Real z = f * f;
  return fma(Real(-0.5), z, fma(f * z, p, addend));
}

/// The logarithm, with its limits where the formula does not hold: at 0, below, at infinity and NaN.
KILN_FN Real log_or_limit(Real x, Real log_x) {
  const Real finite = x < infinity ? log_x : x;  // infinity and NaN are their own logarithm
  const Real nonnegative = x < 0 ? not_a_number : finite;
  return x == 0 ? -infinity : nonnegative;
}

/// sin and cos of r and the quadrant q they belong to.
struct Quadrant {
  Real s, c;
  u32 q;
};
/// The quadrant for r in [-pi/4, pi/4]; its number is in the low bits of t.
KILN_FN Quadrant quadrant_from(Real r, Real t) {
  const Real z = r * r;
  const Real s = fma(r * z, polynomial(z, -0x1.555546p-3f, 0x1.110776p-7f, -0x1.9952fap-13f), r);
  const Real c = fma(z * z, polynomial(z, 0x1.55554ep-5f, -0x1.6c0e2ep-10f, 0x1.9a6766p-16f),
                     fma(Real(-0.5), z, Real(1)));
  return {s, c, bits_of(t)};
}
/// Beyond 1e5 a float is coarser than 1/128 and the phase means little: its sign and mantissa with
/// the exponent of 2^15.
KILN_FN Real phase(Real x) {
  return abs(x) <= 1e5f ? x : float_of((bits_of(x) & 0x807fffffu) | 0x47000000u);
}
/// sin of y - n pi, negated where the last of the bits is set; n to half a unit.
KILN_FN Real sin_of_half_turn(Real y, Real n, u32 bits) {
  const Real r = fma(n, 0x1.ee59dap-49f, fma(n, -2 * half_pi_low, fma(n, -pi, y)));
  const Real z = r * r;
  const Real s = fma(
      r * z, polynomial(z, -0x1.55554cp-3f, 0x1.110ed8p-7f, -0x1.9f6c42p-13f, 0x1.5d4bc4p-19f), r);
  return float_of(bits_of(s) ^ (bits << 31));
}
KILN_FN Quadrant quadrant(Real x) {
  const Real y = phase(x);
  const Real t = fma(y, 0x1.45f306p-1f, to_integer);
  const Real n = t - to_integer;
  const Real reduced = fma(n, 0x1.ee59dap-50f, fma(n, -half_pi_low, fma(n, -half_pi, y)));
  return quadrant_from(reduced + (x - x), t);  // NaN for infinities
}
/// The quadrant of the angle pi x: turns are taken off x, exactly, before pi comes in.
KILN_FN Quadrant quadrant_of_half_turns(Real x) {
  // From 2^16 on a float is coarser than 1/128: as above, the exponent of 2^15.
  const Real y = abs(x) < 0x1p16f ? x : float_of((bits_of(x) & 0x807fffffu) | 0x47000000u);
  const Real t = fma(y, Real(2), to_integer);
  const Real rest = fma(t - to_integer, Real(-0.5), y);  // in [-1/4, 1/4]
  const Real low = fma(y, pi_of_double, rest * (2 * half_pi_low));
  return quadrant_from(fma(rest, pi, low) + (x - x), t);
}
KILN_FN Real sin_from(const Quadrant& a) {
  return float_of(bits_of((a.q & 1) != 0 ? a.c : a.s) ^ ((a.q & 2) << 30));
}
KILN_FN Real cos_from(const Quadrant& a) {
  return float_of(bits_of((a.q & 1) != 0 ? a.s : a.c) ^ (((a.q + 1) & 2) << 30));
}
KILN_FN Real tan_from(const Quadrant& a) {
  const bool is_odd = (a.q & 1) != 0;
  return (is_odd ? -a.c : a.s) / (is_odd ? a.s : a.c);
}

/// atan(a) for a in [0, 1].
KILN_FN Real atan_unit(Real a) {
  const Real z = a * a;
  const Real p =
      polynomial(z, -0x1.555548p-2f, 0x1.9993dep-3f, -0x1.243328p-3f, 0x1.c13e86p-4f,
                 -0x1.59eedap-4f, 0x1.e04ff2p-5f, -0x1.049ae6p-5f, 0x1.704616p-7f, -0x1.e865dp-10f);
  return fma(a * z, p, a);
}
/// pi/2 - a and pi - a, with the low parts of the constants.
KILN_FN Real half_pi_minus(Real a) { return half_pi - (a - half_pi_low); }
KILN_FN Real pi_minus(Real a) { return pi - (a - 2 * half_pi_low); }

/// asin(s) for s in [0, sqrt(1/2)), z = s^2.
KILN_FN Real asin_small(Real s, Real z) {
  return fma(
      s * z,
      polynomial(z, 0x1.5555acp-3f, 0x1.3308cep-4f, 0x1.73edd6p-5f, 0x1.91024ap-6f, 0x1.55bc74p-5f),
      s);
}

/// sinh for |x| < 1.
KILN_FN Real sinh_small(Real x) {
  const Real z = x * x;
  return fma(x * z, polynomial(z, 0x1.555556p-3f, 0x1.1110d8p-7f, 0x1.a027fcp-13f, 0x1.7498a6p-19f),
             x);
}

}  // namespace detail

// ---- trigonometric ----

struct SinCos {
  Real s, c;
};
/// Sine and cosine of an angle in radians; reduced honestly up to 1e5, a defined phase beyond, NaN
/// for infinities.
KILN_FN SinCos sincos(Real x) {
  const detail::Quadrant a = detail::quadrant(x);
  return {detail::sin_from(a), detail::cos_from(a)};
}
KILN_FN Real sin(Real x) {
  const Real y = detail::phase(x), t = fma(y, inverse_pi, detail::to_integer);
  return detail::sin_of_half_turn(y, t - detail::to_integer, bits_of(t)) + (x - x);
}
KILN_FN Real cos(Real x) {
  const Real y = detail::phase(x), t = fma(y, inverse_pi, Real(0.5)) + detail::to_integer;
  return detail::sin_of_half_turn(y, t - detail::to_integer - Real(0.5), bits_of(t)) + (x - x);
}
KILN_FN Real tan(Real x) { return detail::tan_from(detail::quadrant(x)); }

/// Sine and cosine of pi x. sin(pi * x) would not do: float pi is 9e-8 too large, so that the sine
/// changes sign before x is 1, and a point that flam3 keeps on one side of a line changes sides. pi
/// is flam3's here, the double: like there, the sine of a whole number is not 0 but 1.2e-16 x, on
/// the side of the smaller x. A defined phase from 2^16 on, NaN for infinities.
KILN_FN SinCos sincospi(Real x) {
  const detail::Quadrant a = detail::quadrant_of_half_turns(x);
  return {detail::sin_from(a), detail::cos_from(a)};
}
KILN_FN Real cospi(Real x) { return detail::cos_from(detail::quadrant_of_half_turns(x)); }
KILN_FN Real tanpi(Real x) { return detail::tan_from(detail::quadrant_of_half_turns(x)); }

/// The angle in [-pi/2, pi/2].
KILN_FN Real atan(Real x) {
  const Real a = abs(x);
  const bool is_steep = a > 1;
  const Real angle = detail::atan_unit((is_steep ? Real(1) : a) / (is_steep ? a : Real(1)));
  return copysign(is_steep ? detail::half_pi_minus(angle) : angle, x);
}
/// The angle of (x, y) from the +x axis, in [-pi, pi]; C's conventions for zeros and infinities.
KILN_FN Real atan2(Real y, Real x) {
  const Real ax = abs(x), ay = abs(y);
  const bool is_steep = ay > ax;
  const Real small = is_steep ? ax : ay, large = is_steep ? ay : ax;
  const Real slope = large == 0 ? Real(0) : small / large;
  const Real octant = detail::atan_unit(small == infinity ? Real(1) : slope);
  const Real quarter = is_steep ? detail::half_pi_minus(octant) : octant;
  const Real half = i32(bits_of(x)) < 0 ? detail::pi_minus(quarter) : quarter;
  return ((x == x) & (y == y)) ? copysign(half, y) : not_a_number;
}
/// NaN outside [-1, 1].
KILN_FN Real asin(Real x) {
  const Real a = abs(x);
  const bool is_near_one = a > Real(0.5);
  const Real z = is_near_one ? (Real(1) - a) * Real(0.5) : a * a;
  const Real angle = detail::asin_small(is_near_one ? sqrt(z) : a, z);
  return copysign(is_near_one ? detail::half_pi_minus(2 * angle) : angle, x);
}
/// NaN outside [-1, 1].
KILN_FN Real acos(Real x) {
  const Real a = abs(x);
  const bool is_near_one = a > Real(0.5);
  const Real z = is_near_one ? (Real(1) - a) * Real(0.5) : a * a;
  const Real angle = detail::asin_small(is_near_one ? sqrt(z) : a, z);
  const Real near_one = x > 0 ? 2 * angle : detail::pi_minus(2 * angle);
  return is_near_one ? near_one : detail::half_pi_minus(copysign(angle, x));
}

// ---- exponential, logarithms, powers ----

KILN_FN Real exp(Real x) { return detail::exp_shifted(x, 0); }
/// 2^x.
KILN_FN Real exp2(Real x) {
  const Real low = x < -151.0f ? -151.0f : x, y = low > 129.0f ? 129.0f : low;
  const Real t = y + detail::to_integer;
  const Real f = y - (t - detail::to_integer);
  return detail::exp_reconstructed(f * detail::ln2, i32(bits_of(t) - bits_of(detail::to_integer)));
}

/// Natural logarithm; -infinity at 0, NaN below.
KILN_FN Real log(Real x) {
  const detail::Split a = detail::split(x);
  const Real tail = detail::log_tail(a.f, a.exponent * detail::ln2_rest);
  return detail::log_or_limit(x, fma(a.exponent, detail::ln2_15bits, a.f + tail));
}
/// log(1 + x) without loss near 0; -infinity at -1, NaN below.
KILN_FN Real log1p(Real x) {
  const Real u = Real(1) + x;
  const Real x_part = u - Real(1);
  const Real lost = (Real(1) - (u - x_part)) + (x - x_part);  // 1 + x = u + lost, exactly
  const detail::Split a = detail::split(u);
  const Real tail = detail::log_tail(a.f, fma(a.exponent, detail::ln2_rest, lost / u));
  return detail::log_or_limit(u, fma(a.exponent, detail::ln2_15bits, a.f + tail));
}
KILN_FN Real log10(Real x) {
  constexpr Real log10_e = 0x1.bcb7b2p-2f, log10_e_low = -0x1.5b235ep-27f;
  constexpr Real log10_2 = 0x1.344p-2f, log10_2_rest = 0x1.3509f8p-18f;
  const detail::Split a = detail::split(x);
  const Real small = fma(a.f, log10_e_low, a.exponent * log10_2_rest);
  const Real fraction = fma(a.f, log10_e, fma(detail::log_tail(a.f, 0), log10_e, small));
  return detail::log_or_limit(x, fma(a.exponent, log10_2, fraction));
}

/// x^y for x >= 0, with C's conventions, -0 as 0; NaN for negative x, but 1 where y is 0. The logarithm
/// is one float and an exponent, so errors grow with |y|: 1.3 ulp to 1, 2.2 to 3, then as 0.6 |y|.
KILN_FN Real pow(Real x, Real y) {
#if KILN_CUDA_CODE  // nearly all powers: one check in place of eleven selects
  const detail::Log2 log2_x = detail::log2_parts(detail::split_normal(x));
  const Real power = fma(y, log2_x.e, y * log2_x.l);
  const Real t = power + detail::to_integer;
  const Real fraction = fma(y, log2_x.l, fma(y, log2_x.e, -(t - detail::to_integer)));
  const u32 bits = bits_of(detail::exp2_unit(fraction)) + (bits_of(t) << 23);
  if ((bits_of(x) - 0x00800000u < 0x7f000000u) & (abs(power) < 125.0f)) return float_of(bits);
#endif
  return detail::any_power(x, y);
}

// ---- hyperbolic, distances ----

struct SinhCosh {
  Real sh, ch;
};
KILN_FN SinhCosh sinhcosh(Real x) {
  const Real a = abs(x);
  const Real half_exp = detail::exp_shifted(a, -1);
  const Real quarter_over = Real(0.25) / half_exp;
  const Real sh = a < 1 ? detail::sinh_small(a) : half_exp - quarter_over;
  return {copysign(sh, x), half_exp + quarter_over};
}
KILN_FN Real sinh(Real x) { return sinhcosh(x).sh; }
KILN_FN Real cosh(Real x) { return sinhcosh(x).ch; }
KILN_FN Real tanh(Real x) {
  const Real a = abs(x), z = a * a;
  const Real p = detail::polynomial(z, -0x1.55553ap-2f, 0x1.110844p-3f, -0x1.b85a3ap-5f,
                                    0x1.52cb5ap-6f, -0x1.786472p-8f);
  const Real large = Real(1) - Real(2) / (exp(2 * a) + Real(1));
  return copysign(a < Real(0.625) ? fma(a * z, p, a) : large, x);
}

/// sqrt(x^2 + y^2) without overflow or underflow on the way.
KILN_FN Real hypot(Real x, Real y) {
  const Real ax = abs(x), ay = abs(y);
  const Real large = ax > ay ? ax : ay;
  const Real at_least = large < 0x1p-126f ? 0x1p-126f : large;
  const u32 exponent = bits_of(at_least > 0x1p126f ? 0x1p126f : at_least) & 0x7f800000u;
  const Real down = float_of(0x7f000000u - exponent);
  const Real sx = ax * down, sy = ay * down;
  const Real length = sqrt(fma(sx, sx, sy * sy)) * float_of(exponent);
  return ((ax == infinity) | (ay == infinity)) ? infinity : length;
}

KILN_END
