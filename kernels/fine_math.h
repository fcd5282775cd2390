// SPDX-License-Identifier: MIT
// kernels/math.h for coordinates in double (kernels/fine_xform.h): the same bits on every CPU and GPU, by + - * /
// sqrt, explicit fma and selects. Series of Taylor after a reduction; relative error below 1e-15, of sine and cosine absolute, of a
// power x^y 1 + |y ln x| times as much (tests/kernels/fine_test.cpp). In a namespace of their own, so that no float becomes a double unseen.
#pragma once

#include "kernels/math.h"

KILN_BEGIN
namespace fine {

constexpr double pi = 0x1.921fb54442d18p+1, half_pi = pi / 2, two_pi = 2 * pi;
constexpr double half_pi_low = 0x1.1a62633145c07p-54, half_pi_lowest = -0x1.f1976b7ed8fbcp-110;

KILN_FN u64 bits_of(double x) { return __builtin_bit_cast(u64, x); }
KILN_FN double double_of(u64 bits) { return __builtin_bit_cast(double, bits); }
KILN_FN double abs(double x) { return double_of(bits_of(x) & ~(u64(1) << 63)); }
KILN_FN double copysign(double magnitude, double sign) {
  const u64 sign_bit = u64(1) << 63;
  return double_of((bits_of(magnitude) & ~sign_bit) | (bits_of(sign) & sign_bit));
}

#if KILN_CUDA_CODE
KILN_FN double fma(double a, double b, double c) { return ::__fma_rn(a, b, c); }
KILN_FN double sqrt(double x) { return ::__dsqrt_rn(x); }
KILN_FN double trunc(double x) { return ::trunc(x); }
#else
KILN_FN double sqrt(double x) { return __builtin_sqrt(x); }
KILN_FN double trunc(double x) { return __builtin_trunc(x); }
#if KILN_HAS_FINE_FMA
KILN_FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
#else
/// An unevaluated sum.
struct Pair {
  double high, low;
};
KILN_FN Pair exact_sum(double a, double b) {  // Knuth's TwoSum
  const double sum = a + b, b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}
/// a b + c with one rounding, for products of usual size, 1e-250 to 1e290: the product as two doubles (Dekker), their sum with c
/// by rounding to odd (Boldo & Melquiond, "Emulation of FMA", 2008).
__attribute__((noinline, const)) inline double fma(double a, double b, double c) {
  const double product = a * b;
  const double a_over = a * 134217729.0, b_over = b * 134217729.0;
  const double a1 = a_over - (a_over - a), a2 = a - a1, b1 = b_over - (b_over - b), b2 = b - b1;
  const double rest = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
  if (!(abs(product) < 1e290) | !(abs(c) < 1e290) | (abs(product) < 1e-250)) return product + c;
  const Pair low = exact_sum(c, rest), high = exact_sum(product, low.high);
  const Pair tail = exact_sum(low.low, high.low);
  const u64 bits = bits_of(tail.high);
  const u64 away_or_back = u64(1) - (((bits_of(tail.low) ^ bits) >> 63) << 1);
  const bool rounds = (tail.low != 0) & ((bits & 1) == 0);
  return high.high + double_of(rounds ? bits + away_or_back : bits);
}
#endif
#endif

namespace detail {

constexpr double to_integer = 0x1.8p52;  // kernels/math.h

KILN_CONSTEXPR double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// The sum of 1 / (First + 2k)! (-z)^k.
template <int First, int Last>
KILN_FN double alternating(double z) {
  constexpr double one = 1 / factorial(First);
  if constexpr (First >= Last)
    return one;
  else
    return fma(alternating<First + 2, Last>(z), -z, one);
}
/// The sum of 1 / (First + k)! x^k.
template <int First, int Last>
KILN_FN double exponential(double x) {
  constexpr double one = 1 / factorial(First);
  if constexpr (First >= Last)
    return one;
  else
    return fma(exponential<First + 1, Last>(x), x, one);
}
/// The sum of 1 / (First + 2k) z^k.
template <int First, int Last>
KILN_FN double odd_inverses(double z) {
  constexpr double one = 1.0 / First;
  if constexpr (First >= Last)
    return one;
  else
    return fma(odd_inverses<First + 2, Last>(z), z, one);
}

/// 2^n for n in [-1022, 1023].
KILN_FN double power_of_two(i64 n) { return double_of(u64(n + 1023) << 52); }

}  // namespace detail

struct SinCos {
  double s, c;
};
/// Angles from 2^40 on are a defined phase; NaN for infinities.
KILN_FN SinCos sincos(double x) {
  const double y =
      abs(x) < 0x1p40 ? x : double_of((bits_of(x) & 0x800fffffffffffffu) | 0x4270000000000000u);
  const double t = fma(y, 0x1.45f306dc9c883p-1, detail::to_integer), n = t - detail::to_integer;
  const double near = fma(n, -half_pi_lowest, fma(n, -half_pi_low, fma(n, -half_pi, y)));
  const double r = near + (x - x), z = r * r;
  const double sine = fma(r * z, -detail::alternating<3, 19>(z), r);
  const double cosine = detail::alternating<0, 18>(z);
  const u64 quadrant = bits_of(t);
  const double s = (quadrant & 1) != 0 ? cosine : sine, c = (quadrant & 1) != 0 ? sine : cosine;
  return {double_of(bits_of(s) ^ ((quadrant & 2) << 62)),
          double_of(bits_of(c) ^ (((quadrant + 1) & 2) << 62))};
}
KILN_FN double sin(double x) { return sincos(x).s; }

/// The angle in [-pi, pi]; C's conventions for zeros; NaN where both are infinite.
KILN_FN double atan2(double y, double x) {
  const double ax = abs(x), ay = abs(y);
  const bool is_steep = ay > ax;
  const double small = is_steep ? ax : ay, large = is_steep ? ay : ax;
  const bool is_far = small > large * 0x1.a827999fcef32p-2;  // tan(pi / 8): counted from pi / 4
  const double t = (is_far ? small - large : small) / (is_far ? small + large : large);
  const double z = t * t, near = fma(t * z, -detail::odd_inverses<3, 43>(-z), t);
  const double octant = large == 0 ? 0 : is_far ? near + half_pi / 2 : near;
  const double quarter = is_steep ? half_pi - (octant - half_pi_low) : octant;
  const double half = (bits_of(x) >> 63) != 0 ? pi - (quarter - 2 * half_pi_low) : quarter;
  return copysign(half, y);
}

KILN_FN double exp(double x) {
  const double low = x < -746 ? -746 : x, y = low > 710 ? 710 : low;  // 0 and infinity there
  const double t = fma(y, 0x1.71547652b82fep0, detail::to_integer), n = t - detail::to_integer;
  const double r = fma(n, -0x1.abc9e3b39803fp-56, fma(n, -0x1.62e42fefa39efp-1, y));
  const i64 exponent = i64(bits_of(t) - bits_of(detail::to_integer)), half = exponent >> 1;
  return detail::exponential<0, 14>(r) * detail::power_of_two(half) *
         detail::power_of_two(exponent - half);
}

/// -infinity at 0, NaN below; not for denormal numbers.
KILN_FN double log(double x) {
  constexpr u64 root_half = 0x3fe6a09e667f3bcdu;
  const i64 exponent = i64(bits_of(x) - root_half) >> 52;
  const double m = double_of(bits_of(x) - (u64(exponent) << 52));  // in [sqrt(1/2), sqrt(2))
  const double f = m - 1, s = f / (m + 1), z = s * s;
  const double e = double_of(u64(exponent) + bits_of(detail::to_integer)) - detail::to_integer;
  const double tail = fma(2 * s * z, detail::odd_inverses<3, 23>(z), e * 0x1.abc9e3b39803fp-56);
  const double finite = fma(e, 0x1.62e42fefa39efp-1, fma(2, s, tail));
  const double inside = x > 0x1.fffffffffffffp1023 ? x : finite;
  const double outside = x == 0 ? -double(infinity) : double(not_a_number);
  return x > 0 ? inside : outside;
}

/// x^y for x >= 0; 1 where y is 0.
KILN_FN double pow(double x, double y) { return y == 0 ? 1 : exp(y * log(x)); }

}  // namespace fine
KILN_END
