// SPDX-License-Identifier: MIT
#include "engine/model/exact_math.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace kiln::exact {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Constants in parts: the leading ones have so few bits that their products with the integers below
// are exact.
constexpr double half_pi_a = 0x1.921fb54p+0, half_pi_b = 0x1.10b46118p-30,
                 half_pi_c = 0x1.313198a2e0370p-61;
constexpr double ln2_a = 0x1.62e42feep-1, ln2_b = 0x1.a39ef35793c76p-33;
constexpr double log2_e = 0x1.71547652b82fep+0;
constexpr double pi_low = 0x1.1a62633145c07p-53;  // pi is nearer to pi + pi_low

/// sign^k / (first + 2k)!, the series of sine (first = 1) and cosine (first = 0) in z = r^2.
template <int Count>
constexpr std::array<double, Count> alternating_inverse_factorials(int first) {
  std::array<double, Count> coefficients{};
  double factorial = 1;
  for (int k = 0; k < Count; ++k) {
    coefficients[k] = (k % 2 == 0 ? 1 : -1) / factorial;
    factorial *= (first + 2 * k + 1.0) * (first + 2 * k + 2.0);
  }
  return coefficients;
}
template <int Count>
constexpr std::array<double, Count> inverse_factorials() {
  std::array<double, Count> coefficients{};
  double factorial = 1;
  for (int k = 0; k < Count; ++k) {
    coefficients[k] = 1 / factorial;
    factorial *= k + 1;
  }
  return coefficients;
}
/// sign^k / (2k + 1): atan(t) / t (sign = -1) and artanh(t) / t (sign = 1) in z = t^2.
template <int Count>
constexpr std::array<double, Count> odd_inverses(int sign) {
  std::array<double, Count> coefficients{};
  for (int k = 0; k < Count; ++k) coefficients[k] = (k % 2 == 0 ? 1 : sign) / (2.0 * k + 1.0);
  return coefficients;
}

/// c[first] + c[first + 1] z + ...
template <std::size_t Count>
double series(const std::array<double, Count>& c, double z, std::size_t first = 0) {
  double sum = 0;
  for (std::size_t k = Count; k-- > first;) sum = sum * z + c[k];
  return sum;
}

double nearest_integer(double x) { return std::floor(x + 0.5); }

/// x 2^n for n in [-2000, 2000], in two factors, so that denormal results are rounded once.
double scaled(double x, int n) {
  const auto power = [](int k) { return std::bit_cast<double>(std::uint64_t(k + 1023) << 52); };
  return x * power(n / 2) * power(n - n / 2);
}

/// e^r for |r| < 0.36.
double exp_small(double r) {
  constexpr auto coefficients = inverse_factorials<15>();
  return 1 + (r + r * r * series(coefficients, r, 2));
}

/// x = m 2^exponent with m in [sqrt(1/2), sqrt(2)), for positive finite x.
struct Split {
  double m;
  int exponent;
};
Split split(double x) {
  int exponent = 0;
  const double m = std::frexp(x, &exponent);  // [1/2, 1)
  return m < 0x1.6a09e667f3bcdp-1 ? Split{2 * m, exponent - 1} : Split{m, exponent};
}

/// An unevaluated sum.
struct Pair {
  double high, low;
};
Pair exact_sum(double a, double b) {  // Knuth's TwoSum
  const double sum = a + b, b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}
/// Dekker's product by halves of 26 bits, for factors below 2^990.
Pair exact_product(double a, double b) {
  const auto upper_half = [](double v) {
    const double c = v * 134217729.0;
    return c - (c - v);
  };
  const double a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1, product = a * b;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

/// ln m for m in [sqrt(1/2), sqrt(2)), about 2^-57 off: 2 artanh(s), s = f / (2 + f), whose
/// rounding the low part repairs.
Pair log_near_one(double m) {
  constexpr auto coefficients = odd_inverses<13>(1);
  const double f = m - 1;
  const Pair divisor = exact_sum(2, f);
  const double s = f / divisor.high, z = s * s;
  const Pair back = exact_product(s, divisor.high);
  const double s_low = ((f - back.high) - back.low - s * divisor.low) / divisor.high;
  return exact_sum(2 * s, 2 * (s_low + s * z * series(coefficients, z, 1)));
}

bool is_integer(double x) { return std::floor(x) == x; }
bool is_odd(double x) { return is_integer(x) && !is_integer(x / 2); }

double power_by_squaring(double x, int n) {
  double result = 1;
  for (; n > 0; n /= 2, x *= x) {
    if (n % 2 != 0) result *= x;
  }
  return result;
}

/// x^y for positive finite x and finite y. |ln x| is at least 1e-16 here, so past the first test y
/// is no larger than 1e19.
double pow_positive(double x, double y) {
  if (is_integer(y) && std::fabs(y) <= 32) {
    const double power = power_by_squaring(x, int(std::fabs(y)));
    if (power > 1e-300 && power < 1e300) return y < 0 ? 1 / power : power;
  }
  const auto [m, exponent] = split(x);
  const Pair log_m = log_near_one(m);
  Pair log_x = exact_sum(exponent * ln2_a, log_m.high);
  log_x = exact_sum(log_x.high, log_x.low + (log_m.low + exponent * ln2_b));
  if (std::fabs(log_x.high * y) > 800) return log_x.high * y > 0 ? infinity : 0;
  const Pair product = exact_product(log_x.high, y);
  const double n = nearest_integer(product.high * log2_e);
  const double r = (product.high - n * ln2_a) + (product.low + log_x.low * y - n * ln2_b);
  return scaled(exp_small(r), int(n));
}

/// atan(a) for a in [0, 1]: atan(k/8) from a table, and the rest from atan((a - c) / (1 + a c)), c
/// = k/8.
double atan_unit(double a) {
  constexpr double atan_of_eighths[] = {0.0,
                                        0x1.fd5ba9aac2f6ep-4,
                                        0x1.f5b75f92c80ddp-3,
                                        0x1.6f61941e4def1p-2,
                                        0x1.dac670561bb4fp-2,
                                        0x1.1e00babdefeb4p-1,
                                        0x1.4978fa3269ee1p-1,
                                        0x1.700a7c5784634p-1,
                                        0x1.921fb54442d18p-1};
  constexpr auto coefficients = odd_inverses<9>(-1);
  const int k = int(a * 8 + 0.5);
  const double c = k / 8.0, t = (a - c) / (1 + a * c), z = t * t;
  return atan_of_eighths[k] + (t + t * z * series(coefficients, z, 1));
}

}  // namespace

SinCos sincos(double x) {
  constexpr auto sine = alternating_inverse_factorials<10>(1);
  constexpr auto cosine = alternating_inverse_factorials<10>(0);
  if (!(std::fabs(x) < infinity)) return {not_a_number, not_a_number};
  const double angle = std::fabs(x) <= 4e6 ? x : std::fmod(x, 2 * pi);
  const double n = nearest_integer(angle * (2 / pi));
  const double r = ((angle - n * half_pi_a) - n * half_pi_b) - n * half_pi_c;
  const double z = r * r;
  const double s = r + r * z * series(sine, z, 1);
  const double c = 1 + z * series(cosine, z, 1);
  switch (int(n) & 3) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}
double sin(double x) { return sincos(x).s; }
double cos(double x) { return sincos(x).c; }
double tan(double x) {
  const auto [s, c] = sincos(x);
  return s / c;
}

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return not_a_number;
  const double ax = std::fabs(x), ay = std::fabs(y);
  const double small = ax < ay ? ax : ay, large = ax < ay ? ay : ax;
  const double slope = large == 0 ? 0 : small == infinity ? 1 : small / large;
  double angle = atan_unit(slope);
  if (ay > ax) angle = pi / 2 - (angle - pi_low / 2);
  if (std::signbit(x)) angle = pi - (angle - pi_low);
  return std::copysign(angle, y);
}

double exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 710) return infinity;
  if (x < -746) return 0;
  const double n = nearest_integer(x * log2_e);
  return scaled(exp_small((x - n * ln2_a) - n * ln2_b), int(n));
}
double exp2(double x) {
  if (std::isnan(x)) return x;
  if (x >= 1024) return infinity;
  if (x < -1076) return 0;
  const double n = nearest_integer(x);
  return scaled(exp_small((x - n) * 0x1.62e42fefa39efp-1), int(n));
}

double log(double x) {
  if (x == 0) return -infinity;
  if (!(x > 0)) return not_a_number;
  if (x == infinity) return x;
  const auto [m, exponent] = split(x);
  const Pair log_m = log_near_one(m);
  return exponent * ln2_a + (log_m.high + (log_m.low + exponent * ln2_b));
}
double log1p(double x) {
  const Pair u = exact_sum(1, x);
  if (!(u.high > 0) || u.high == infinity) return log(u.high);
  return log(u.high) + u.low / u.high;
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return not_a_number;
  const double ax = std::fabs(x);
  const bool grows = (ax > 1) == (y > 0);
  double magnitude = 1;
  if (ax == 0 || ax == infinity || (std::fabs(y) == infinity && ax != 1)) {
    magnitude = grows ? infinity : 0;
  } else if (ax != 1) {
    magnitude = pow_positive(ax, y);
  }
  if (!std::signbit(x)) return magnitude;
  if (!is_integer(y) && ax != 0 && ax != infinity) return not_a_number;
  return is_odd(y) ? -magnitude : magnitude;
}

}  // namespace kiln::exact
