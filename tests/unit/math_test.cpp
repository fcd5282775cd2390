// SPDX-License-Identifier: MIT
// The elementary functions: errors against libm in double, C's conventions at the edges, and hashes
// of result bits, recorded with g++ 12 (x86-64) and met by g++ v2, v3 and clang 14 (x86-64, v3). An
// H200 gave the bits of g++ v3 for every function over 4.3 million arguments. A build whose hash
// differs renders another picture.
#include "kernels/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "engine/model/exact_math.h"
#include "kernels/variations/rings.h"

namespace {

using kiln::bits_of;
using kiln::float_of;
using kiln::u32;
using kiln::u64;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float special_values[] = {0.f,
                                    -0.f,
                                    1.f,
                                    -1.f,
                                    0.5f,
                                    -0.5f,
                                    2.f,
                                    -3.f,
                                    inf,
                                    -inf,
                                    nan,
                                    1e-45f,
                                    -1e-45f,
                                    0x1p-126f,
                                    -0x1p-127f,
                                    0x1.fffffep127f,
                                    1.5f,
                                    -2.5f,
                                    8388607.5f,
                                    8388609.f,
                                    0x1p31f,
                                    -0x1p31f,
                                    1e5f,
                                    -100001.f,
                                    88.73f,
                                    -104.1f,
                                    0x1.fffffep-2f,
                                    -1e-20f,
                                    3e38f,
                                    1e10f,
                                    0x1p126f,
                                    0.625f};

/// Marsaglia's xorshift64: the samples of a run are the same everywhere.
struct Samples {
  u64 state = 88172645463325252u;

  u32 bits() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return u32(state >> 32);
  }
  float any() { return float_of(bits()); }
  double uniform(double low, double high) {
    const double coarse = bits() * 0x1p-32;
    return low + (high - low) * (coarse + bits() * 0x1p-64);
  }
  /// Half of them uniform, half of them with uniformly distributed exponents: both ends of a range
  /// are met.
  float between(double low, double high) {
    const double x = uniform(low, high);
    return float((bits() & 1) != 0 ? x : std::ldexp(x, -int(bits() % 32)));
  }
};

bool same(float a, float b) { return bits_of(a) == bits_of(b) || (a != a && b != b); }

/// Distance in units of the last place of the true value; 0 for the right infinity or NaN, enormous
/// for a wrong one.
double ulps(float got, double want) {
  constexpr double wrong = 1e30;
  if (std::isnan(want)) return std::isnan(got) ? 0 : wrong;
  if (std::fabs(want) >= 0x1.ffffffp127)
    return std::isinf(got) && (got > 0) == (want > 0) ? 0 : wrong;
  if (!std::isfinite(got)) return wrong;
  const int exponent = want == 0 ? -148 : std::ilogb(want);
  return std::fabs(got - want) / std::ldexp(1.0, std::max(exponent - 23, -149));
}

/// Keeps the largest error of one function and judges it.
struct Worst {
  const char* name;
  double bound, error = 0, x = 0, y = 0;

  void see(double e, double at_x, double at_y = 0) {
    if (e > error) error = e, x = at_x, y = at_y;
  }
  void judge() const {
    std::printf("  %-28s %10.4g  (at most %g)\n", name, error, bound);
    EXPECT_LE(error, bound) << name << " at " << x << ", " << y;
    EXPECT_GT(error, 0) << name << ": nothing was compared";
  }
};

struct Unary {
  const char* name;
  float (*ours)(float);
  double (*libm)(double);
  double low, high;  // arguments
  double bound;      // ulp
};
#define UNARY(f, low, high, bound)                                                               \
  Unary {                                                                                        \
#f " [" #low ", " #high "]",                                                                 \
        [](float x) { return kiln::f(x); }, [](double x) { return std::f(x); }, low, high, bound \
  }

class FloatMath : public testing::TestWithParam<Unary> {};

TEST_P(FloatMath, ErrorInUlp) {
  const Unary& f = GetParam();
  Samples samples;
  Worst worst{f.name, f.bound};
  for (int i = 0; i < 60000; ++i) {
    const float x = samples.between(f.low, f.high);
    worst.see(ulps(f.ours(x), f.libm(x)), x);
  }
  worst.judge();
}
TEST_P(FloatMath, SpecialValues) {
  const Unary& f = GetParam();
  for (const float x : special_values) {
    const bool has_defined_phase = f.libm(inf) != f.libm(inf) && f.libm(-inf) != f.libm(-inf) &&
                                   std::fabs(x) > 1e5f && std::isfinite(x);
    if (has_defined_phase) continue;  // sin, cos, tan: see below
    EXPECT_LE(ulps(f.ours(x), f.libm(x)), f.bound)
        << f.name << " at " << x << ": " << f.ours(x) << ", not " << f.libm(x);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FloatMath,
                         testing::Values(UNARY(sin, -10, 10, 2), UNARY(sin, -1e5, 1e5, 2),
                                         UNARY(cos, -10, 10, 2.2), UNARY(cos, -1e5, 1e5, 2.2),
                                         UNARY(tan, -10, 10, 3.6), UNARY(tan, -1e5, 1e5, 3.6),
                                         UNARY(exp, -104, 89, 1.05), UNARY(exp2, -151, 129, 1.05),
                                         UNARY(log, 0, 3, 0.9), UNARY(log, 0, 1e38, 0.9),
                                         UNARY(log10, 0, 3, 0.95), UNARY(log10, 0, 1e38, 0.95),
                                         UNARY(log1p, -1, 1, 0.95), UNARY(log1p, 0, 1e38, 0.95),
                                         UNARY(atan, -10, 10, 1.3), UNARY(atan, -1e38, 1e38, 1.3),
                                         UNARY(asin, -1, 1, 2.4), UNARY(acos, -1, 1, 1.2),
                                         UNARY(sinh, -90, 90, 1.6), UNARY(sinh, -2, 2, 1.6),
                                         UNARY(cosh, -90, 90, 1.45), UNARY(tanh, -12, 12, 1.35),
                                         UNARY(sqrt, 0, 1e38, 0.5)));

struct Binary {
  const char* name;
  float (*ours)(float, float);
  double (*libm)(double, double);
  double x_low, x_high, y_low, y_high;
  double bound;
};

TEST(FloatMathOfTwo, ErrorInUlp) {
  const auto our_atan2 = [](float y, float x) { return kiln::atan2(y, x); };
  const auto our_hypot = [](float x, float y) { return kiln::hypot(x, y); };
  const auto our_pow = [](float x, float y) { return kiln::pow(x, y); };
  const auto atan2 = [](double y, double x) { return std::atan2(y, x); };
  const auto hypot = [](double x, double y) { return std::hypot(x, y); };
  const auto pow = [](double x, double y) { return std::pow(x, y); };
  const Binary table[] = {
      {"atan2", our_atan2, atan2, -10, 10, -10, 10, 1.55},
      {"atan2, all magnitudes", our_atan2, atan2, -1e38, 1e38, -1e10, 1e10, 1.55},
      {"hypot", our_hypot, hypot, -10, 10, -10, 10, 1.2},
      {"hypot, large", our_hypot, hypot, -3.4e38, 3.4e38, -3.4e38, 3.4e38, 1.2},
      {"hypot, denormal", our_hypot, hypot, -1e-37, 1e-37, -1e-37, 1e-37, 1.2},
      {"pow, x to 1000, |y| <= 3", our_pow, pow, 0, 1e3, -3, 3, 2.2},
      {"pow, x to 1e5, |y| <= 30", our_pow, pow, 0, 1e5, -30, 30, 18},
      {"pow, x to 1e38, |y| <= 1", our_pow, pow, 0, 1e38, -1, 1, 1.3}};
  for (const Binary& f : table) {
    Samples samples;
    Worst worst{f.name, f.bound};
    for (int i = 0; i < 60000; ++i) {
      const float x = samples.between(f.x_low, f.x_high), y = samples.between(f.y_low, f.y_high);
      worst.see(ulps(f.ours(x, y), f.libm(x, y)), x, y);
    }
    worst.judge();
  }
  for (const float x : special_values) {
    for (const float y : special_values) {
      EXPECT_LE(ulps(kiln::atan2(y, x), std::atan2(double(y), double(x))), 1.55) << y << ' ' << x;
      if (!std::isnan(x) && !std::isnan(y)) {
        EXPECT_EQ(std::signbit(kiln::atan2(y, x)), std::signbit(std::atan2(y, x))) << y << ' ' << x;
      }
      EXPECT_LE(ulps(kiln::hypot(x, y), std::hypot(double(x), double(y))), 1.2) << x << ' ' << y;
      // pow: a negative base is NaN (unless y = 0) and -0 counts as 0
      const double base = x == 0 ? 0 : x;
      const double want = base < 0 && y != 0 ? double(nan) : std::pow(base, double(y));
      if (std::fabs(y) <= 1 || std::fabs(y) > 1e30f || !(x > 0.5f && x < 2)) {
        EXPECT_LE(ulps(kiln::pow(x, y), want), 2.5) << x << '^' << y;
      }
    }
  }
}

TEST(FloatMathOfTwo, FmaRoundsOnce) {
  Samples samples;
  int inexact = 0;
  const auto check = [&](float a, float b, float c) {
    const float want = std::fma(a, b, c);
    ASSERT_TRUE(same(kiln::fma(a, b, c), want)) << a << " * " << b << " + " << c << " = " << want;
    inexact += want != float(a * b) + c;
  };
  for (int i = 0; i < 100000; ++i) {
    const float a = samples.any(), b = samples.any(), product = a * b;
    check(a, b, samples.any());
    check(a, b, float_of(bits_of(-product) + samples.bits() % 5 - 2));  // near cancellation
    check(a, b,
          float_of(bits_of(product) +
                   (samples.bits() % 61 - 30) * 0x800000u));  // far and near exponents
  }
  EXPECT_GT(inexact, 1000);
  for (const float a : special_values) {
    for (const float b : special_values) {
      for (const float c : special_values) check(a, b, c);
    }
  }
}

TEST(FloatMathOfTwo, FmodIsExact) {
  Samples samples;
  const auto check = [](float x, float y) {
    ASSERT_TRUE(same(kiln::fmod(x, y), std::fmod(x, y)))
        << x << " mod " << y << ": " << kiln::fmod(x, y) << ", not " << std::fmod(x, y);
  };
  for (int i = 0; i < 50000; ++i) {
    const float y = samples.between(-8, 8);
    check(samples.between(-10, 10), y);
    check(y * float(std::exp2(samples.uniform(0, 45))), y);
    const float multiple = y * float(samples.bits() >> (samples.bits() % 32));
    check(multiple, y);
    check(float_of(bits_of(multiple) ^ 1), y);
    check(float_of(samples.bits() >> 8), float_of(samples.bits() >> 9));  // about the denormals
  }
  for (const float x : special_values) {
    for (const float y : special_values) {
      if (std::isfinite(x) && y != 0 &&
          std::fabs(x) > std::fabs(y) * 0x1p45f) {  // no more than a value in range is promised
        EXPECT_LT(std::fabs(kiln::fmod(x, y)), std::fabs(y)) << x << ' ' << y;
      } else {
        check(x, y);
      }
    }
  }
}

TEST(FloatMathOfTwo, MinMaxCopysign) {
  EXPECT_EQ(kiln::min(2.f, -1.f), -1.f);
  EXPECT_EQ(kiln::max(2.f, -1.f), 2.f);
  EXPECT_EQ(kiln::min(nan, 1.f), 1.f);
  EXPECT_TRUE(kiln::is_nan(kiln::max(1.f, nan)));
  EXPECT_EQ(kiln::max(16777217, 3), 16777217);  // integers stay integers
  for (const float x : special_values) {
    EXPECT_TRUE(same(kiln::abs(x), std::fabs(x)));
    EXPECT_EQ(kiln::is_finite(x), std::isfinite(x));
    for (const float y : special_values)
      EXPECT_TRUE(same(kiln::copysign(x, y), std::copysign(x, y)));
  }
}

TEST(FloatRounding, EqualsLibm) {
  Samples samples;
  const auto check = [](float x) {
    ASSERT_TRUE(same(kiln::floor(x), std::floor(x))) << x;
    ASSERT_TRUE(same(kiln::trunc(x), std::trunc(x))) << x;
    ASSERT_TRUE(same(kiln::rint(x), std::nearbyint(x))) << x;
    ASSERT_TRUE(same(kiln::round(x), std::round(x))) << x;
  };
  for (int i = 0; i < 100000; ++i) {
    check(samples.any());
    check(samples.between(-1e4, 1e4));
    check(std::floor(samples.between(-1e7, 1e7)) + 0.5f);
  }
  for (const float x : special_values) check(x);
}

TEST(FloatRounding, IntFromClamps) {
  struct Row {
    float x;
    int want;
  };
  constexpr int lowest = std::numeric_limits<int>::min(), highest = std::numeric_limits<int>::max();
  for (const Row& row : {Row{nan, 0}, Row{inf, highest}, Row{-inf, lowest}, Row{0x1p31f, highest},
                         Row{-0x1p31f, lowest}, Row{3e38f, highest}, Row{-3e38f, lowest},
                         Row{2147483520.f, 2147483520}, Row{-2.9f, -2}, Row{2.9f, 2}, Row{-0.f, 0},
                         Row{1e-45f, 0}}) {
    // a compiler's folding of the conversion clamps, the processor's does not
    const volatile float at_run_time = row.x;
    EXPECT_EQ(kiln::int_from(at_run_time), row.want) << row.x;
  }
}

// What an instruction of x86-64 gives and that of ARM64, which clamps, does not.
TEST(FloatRounding, TruncateToI32IsTheLowestIntegerOutOfRange) {
  for (const float x : {nan, inf, -inf, 0x1p31f, -0x1p31f, 3e38f, -3e38f}) {
    const volatile float at_run_time = x;
    EXPECT_EQ(kiln::truncate_to_i32(at_run_time), -0x1p31f) << x;
  }
  EXPECT_EQ(kiln::truncate_to_i32(2147483520.f), 2147483520.f);
  EXPECT_EQ(kiln::truncate_to_i32(-2147483520.f), -2147483520.f);
  EXPECT_EQ(kiln::truncate_to_i32(-2.9f), -2);
}

TEST(FloatTrigonometry, BeyondTheReduction) {
  for (const float x : {100001.f, -3e9f, 1e38f}) {
    const auto [s, c] = kiln::sincos(x);
    EXPECT_NEAR(s * s + c * c, 1, 1e-6) << x;
    EXPECT_EQ(kiln::sin(-x), -kiln::sin(x));
    EXPECT_EQ(kiln::cos(-x), kiln::cos(x));
    EXPECT_NEAR(kiln::sin(x), s, 2.5e-7) << x;
    EXPECT_NEAR(kiln::cos(x), c, 2.5e-7) << x;
  }
  EXPECT_NE(kiln::sin(1e9f), kiln::sin(1.1e9f));
}

TEST(FloatTrigonometry, NoSineBeyondOne) {
  constexpr float below = 1.56f, above = 1.58f;  // all floats around pi / 2
  for (float x = below; x < above; x = std::nextafterf(x, 2)) {
    ASSERT_LE(kiln::sin(x), 1) << x;
    ASSERT_GE(kiln::cos(x + kiln::half_pi), -1) << x;
  }
  EXPECT_EQ(kiln::cos(0.0f), 1);
  EXPECT_EQ(kiln::cos(kiln::pi), -1);
  EXPECT_EQ(kiln::sin(-kiln::half_pi), -1);
}

/// sin and cos of x times the double next to pi, without the rounding of the product.
double sin_of_half_turns(float x) {
  constexpr long double pi = 3.14159265358979323846L, pi_of_double = -1.2246467991473531772e-16L;
  const long double turns = std::nearbyint(double(x)), rest = x - turns;
  const double s = double(sinl(pi * rest + pi_of_double * x));
  return std::fmod(turns, 2.0L) == 0 ? s : -s;
}
double cos_of_half_turns(float x) {
  return double(cosl(3.14159265358979323846L * std::remainder(double(x), 2.0)));
}

TEST(FloatTrigonometry, OfHalfTurns) {
  Samples samples;
  Worst worst_s{"sin of half turns", 1.6}, worst_c{"cos of half turns", 1.6},
      worst_t{"tan of half turns", 3.6};
  for (int i = 0; i < 60000; ++i) {
    const float x = samples.between(-4, 4), far = samples.between(-6e4, 6e4);
    for (const float at : {x, far}) {
      const double s = sin_of_half_turns(at), c = cos_of_half_turns(at);
      worst_s.see(ulps(kiln::sincospi(at).s, s), at);
      if (std::fabs(c) < 1e-4) continue;  // there the shortfall of pi counts
      worst_c.see(ulps(kiln::cospi(at), c), at);
      worst_t.see(ulps(kiln::tanpi(at), s / c), at);
    }
    ASSERT_TRUE(same(kiln::sincospi(x).c, kiln::cospi(x))) << x;
  }
  worst_s.judge();
  worst_c.judge();
  worst_t.judge();
  for (const float x : {0x1p16f, -3e9f, 1e38f}) {
    const auto [s, c] = kiln::sincospi(x);
    EXPECT_NEAR(s * s + c * c, 1, 1e-6) << x;
  }
  EXPECT_NE(kiln::cospi(1e9f), kiln::cospi(1.1e9f));
  for (const float x : {inf, -inf, nan}) EXPECT_TRUE(kiln::is_nan(kiln::sincospi(x).s)) << x;
}

TEST(FloatTrigonometry, SinesOfHalfTurnsChangeSignAfterWholeNumbers) {
  for (int n = 1; n <= 40; ++n) {
    for (int places = -20; places <= 20; ++places) {
      const float x = float_of(bits_of(float(n)) + u32(places));
      const double want = sin_of_half_turns(x);
      EXPECT_LE(ulps(kiln::sincospi(x).s, want), 1.6) << n << " and " << places << " places";
      EXPECT_EQ(want > 0, (n % 2 == 1) == (places <= 0));
    }
  }
  EXPECT_LT(kiln::sin(kiln::pi * 1.0f), 0) << "why there is a sincospi";
}

TEST(FloatTrigonometry, PairsEqualTheirHalves) {
  Samples samples;
  for (int i = 0; i < 20000; ++i) {
    const float x = samples.between(-100, 100);
    ASSERT_TRUE(same(kiln::sinhcosh(x).sh, kiln::sinh(x)) &&
                same(kiln::sinhcosh(x).ch, kiln::cosh(x)))
        << x;
  }
}

/// FNV-1a over the bits of results, every NaN counting as the same.
struct BitHash {
  u64 state = 14695981039346656037u;

  void add(float x) { state = (state ^ (x != x ? 0x7fc00000u : bits_of(x))) * 1099511628211u; }
};

template <class F>
u64 hash_of(F f) {
  BitHash hash;
  Samples samples;
  for (int i = 0; i < 30000; ++i) {
    const float any = samples.any(), other = samples.any();
    const float near_one = samples.between(-12, 12), other_near_one = samples.between(-12, 12);
    hash.add(f(any, other));
    hash.add(f(near_one, other_near_one));
  }
  for (const float x : special_values) {
    for (const float y : special_values) hash.add(f(x, y));
  }
  return hash.state;
}

TEST(SameBitsEverywhere, Hashes) {
#define HASH(e, hash) \
  EXPECT_EQ(hash_of([](float x, float y) { return (void)y, kiln::e; }), hash) << #e
  HASH(fma(x, y, x), 0x9de6ffc2f6e42d76u);
  HASH(sqrt(x), 0x6369df9e299476c5u);
  HASH(sin(x), 0x386db3920284170fu);
  HASH(cos(x), 0xc02d775be4e73b27u);
  HASH(tan(x), 0x173e93ccac8665d1u);
  HASH(sincospi(x).s, 0x6ede3d51b10ab208u);
  HASH(cospi(x), 0x70e244fd29fe358fu);
  HASH(tanpi(x), 0x2cee32584bc958d8u);
  HASH(exp(x), 0x71c7b4a8e269eb2cu);
  HASH(exp2(x), 0x783020f8d8010167u);
  HASH(log(x), 0x8ddd2a415093ef5du);
  HASH(log10(x), 0xb8bbad140cd9b592u);
  HASH(log1p(x), 0x28c6d19ce77b6d03u);
  HASH(pow(x, y), 0x783a3c43b9c685c5u);
  HASH(pow(kiln::abs(x), y), 0xec13d6e800cfe1bdu);
  HASH(atan(x), 0x2417aecf75f1fed2u);
  HASH(atan2(y, x), 0xb108416fb7a59c9fu);
  HASH(asin(x), 0xbe0eb6942dc9c6e7u);
  HASH(acos(x), 0x37b0b447805a288au);
  HASH(sinh(x), 0x574c97d5c5006ad2u);
  HASH(cosh(x), 0x3b293e0d07d27f51u);
  HASH(tanh(x), 0x62712bb73b1431e0u);
  HASH(hypot(x, y), 0x446a143190c4a8dfu);
  HASH(fmod(x, y), 0x9d991b9621588ad4u);
}

// ---- double, for the host's tables ----

TEST(ExactMath, RelativeErrors) {
  namespace exact = kiln::exact;
  Samples samples;
  const auto measure = [&](const char* name, double bound, auto ours, auto libm, double x_low,
                           double x_high, double y_low = 0, double y_high = 0) {
    Worst worst{name, bound};
    for (int i = 0; i < 30000; ++i) {
      const double x = samples.uniform(x_low, x_high), y = samples.uniform(y_low, y_high);
      const double want = libm(x, y);
      worst.see(std::fabs(ours(x, y) - want) / std::max(std::fabs(want), 1e-300), x, y);
    }
    worst.judge();
  };
#define MEASURE(e, bound, ...)                                                               \
  measure(                                                                                   \
      #e " [" #__VA_ARGS__ "]", bound, [](double x, double y) { return (void)y, exact::e; }, \
      [](double x, double y) { return (void)y, std::e; }, __VA_ARGS__)
  MEASURE(sin(x), 1e-15, -10, 10);
  MEASURE(cos(x), 1e-15, -10, 10);
  MEASURE(tan(x), 1e-15, -10, 10);
  MEASURE(exp(x), 1e-15, -700, 700);
  MEASURE(exp2(x), 1e-15, -1000, 1000);
  MEASURE(log(x), 1e-15, 0, 3);
  MEASURE(log(x), 1e-15, 0, 1e300);
  MEASURE(log1p(x), 1e-15, -1, 1);
  MEASURE(log1p(x), 1e-15, -1e-9, 1e-9);
  MEASURE(atan2(x, y), 1e-15, -3, 3, -3, 3);
  MEASURE(pow(x, y), 1e-15, 0, 10, -3, 3);
  MEASURE(pow(x, y), 4e-15, 0.5, 2, -900, 900);
  MEASURE(pow(x, std::floor(y)), 1e-14, -10, 10, -40, 40);
}

TEST(ExactMath, SineOfLargeAngles) {
  Samples samples;
  Worst worst{"exact sincos to 1e6, absolute", 1e-15};
  for (int i = 0; i < 50000; ++i) {
    const double x = samples.uniform(-1e6, 1e6);
    const auto [s, c] = kiln::exact::sincos(x);
    worst.see(std::max(std::fabs(s - std::sin(x)), std::fabs(c - std::cos(x))), x);
  }
  worst.judge();
  const auto [s, c] = kiln::exact::sincos(1e12);
  EXPECT_NEAR(s * s + c * c, 1, 1e-14);
  EXPECT_TRUE(std::isnan(kiln::exact::sin(inf)));
}

TEST(ExactMath, SpecialValues) {
  namespace exact = kiln::exact;
  const auto agree = [](double got, double want) {
    if (std::isnan(want)) return std::isnan(got);
    return std::signbit(got) == std::signbit(want) &&
           (got == want || std::fabs(got - want) <= 1e-14 * std::fabs(want));
  };
  std::vector<double> values(std::begin(special_values), std::end(special_values));
  for (const double x : {1e-310, 4e-320, 1e308, 709.9, -745.0, 1023.5, -1074.0})
    values.push_back(x);
  for (const double x : values) {
    EXPECT_TRUE(agree(exact::exp(x), std::exp(x))) << x << ' ' << exact::exp(x);
    EXPECT_TRUE(agree(exact::exp2(x), std::exp2(x))) << x << ' ' << exact::exp2(x);
    EXPECT_TRUE(agree(exact::log(x), std::log(x))) << x << ' ' << exact::log(x);
    if (x != 0) {
      EXPECT_TRUE(agree(exact::log1p(x), std::log1p(x))) << x << ' ' << exact::log1p(x);
    }
    for (const double y : values) {
      EXPECT_TRUE(agree(exact::pow(x, y), std::pow(x, y)))
          << x << '^' << y << ' ' << exact::pow(x, y);
      EXPECT_TRUE(agree(exact::atan2(x, y), std::atan2(x, y)))
          << x << ' ' << y << ' ' << exact::atan2(x, y);
    }
  }
  EXPECT_EQ(exact::pow(10, 3), 1000);
  EXPECT_EQ(exact::pow(2, -3), 0.125);
  EXPECT_EQ(exact::exp2(10), 1024);
  EXPECT_EQ(exact::cos(0), 1);
}

TEST(ExactMath, Hash) {
  Samples samples;
  u64 hash = 14695981039346656037u;
  const auto add = [&](double x) { hash = (hash ^ __builtin_bit_cast(u64, x)) * 1099511628211u; };
  for (int i = 0; i < 10000; ++i) {
    const double x = samples.uniform(-20, 20), y = samples.uniform(-20, 20), positive = x * x;
    namespace exact = kiln::exact;
    for (const double v : {exact::sin(x), exact::cos(x), exact::tan(x), exact::exp(x),
                           exact::exp2(x), exact::log(positive), exact::log1p(positive),
                           exact::pow(positive, y), exact::atan2(y, x)}) {
      add(v);
    }
  }
  EXPECT_EQ(hash, 0xeb90e1751c0ab740u);
}

}  // namespace
