// SPDX-License-Identifier: MIT
// Zooms beyond floats: the arithmetic in double against the C++ library's, each formula against its twin in float, and a
// picture at 2^30 against the same structure at 2^3.
#include "kernels/variations/fine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/sample_flame.h"

namespace kiln::test {
namespace {

double log_uniform(std::mt19937_64& bits, double low, double high) {
  return std::exp(std::uniform_real_distribution<>(std::log(low), std::log(high))(bits));
}

TEST(fine, functions_are_those_of_the_library) {
  std::mt19937_64 bits(1);
  double turn = 0, angle = 0, power = 0;
  for (int i = 0; i < 200000; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1, x = sign * log_uniform(bits, 1e-20, 1e6),
                 y = (i % 4 < 2 ? 1 : -1) * log_uniform(bits, 1e-20, 1e6);
    const fine::SinCos sc = fine::sincos(x);
    turn = std::max({turn, std::fabs(sc.s - std::sin(x)), std::fabs(sc.c - std::cos(x))});
    const double expected = std::atan2(y, x);
    angle = std::max(angle, std::fabs(fine::atan2(y, x) / expected - 1));
    const double exponent = sign * log_uniform(bits, 0.01, 3), base = std::fabs(y);
    power = std::max(power, std::fabs(fine::pow(base, exponent) / std::pow(base, exponent) - 1));
  }
  EXPECT_LT(turn, 2.3e-16);
  EXPECT_LT(angle, 5e-16);
  EXPECT_LT(power, 3e-14);  // the exponent's rounding, up to 3 * 46
  EXPECT_EQ(fine::atan2(0.0, -1.0), std::atan2(0.0, -1.0));
  EXPECT_EQ(fine::atan2(-0.0, 1.0), 0);
  EXPECT_EQ(fine::pow(0, 0.5), 0);
  EXPECT_EQ(fine::pow(0, -0.5), std::numeric_limits<double>::infinity());
  EXPECT_EQ(fine::pow(0, 0), 1);
  EXPECT_TRUE(std::isnan(fine::sincos(std::numeric_limits<double>::infinity()).s));
  EXPECT_LE(std::fabs(fine::sincos(1e300).s), 1);  // a defined phase
}

TEST(fine, fma_rounds_once) {
  std::mt19937_64 bits(2);
  for (int i = 0; i < 300000; ++i) {
    const double a = log_uniform(bits, 1e-30, 1e10), b = -log_uniform(bits, 1e-30, 1e10),
                 c = i % 2 == 0 ? -a * b * (1 + std::ldexp(double(i % 64) - 32, -52))
                                : log_uniform(bits, 1e-40, 1e10);
    ASSERT_EQ(fine::fma(a, b, c), std::fma(a, b, c)) << a << " " << b << " " << c;
  }
}

template <class V>
void expect_same_formula(int place) {
  if constexpr (fine::has_formula<V>) {
    const VariationInfo& info = variations()[std::size_t(place)];
    std::mt19937_64 bits(3);
    std::uniform_real_distribution<> coordinate(-2, 2), parameter(0.3, 1.2);
    V v;
    double parameters[most_fine_parameters] = {};
    float numbers[sizeof(V) / sizeof(float) + 1];
    std::memcpy(numbers, static_cast<const void*>(&v), sizeof v);
    for (std::size_t p = 0; p < info.parameters.size(); ++p)
      numbers[p] = float(parameters[p] = p == 0 && info.parameters.size() == 2
                                             ? 3  // julian's power
                                             : double(float(parameter(bits))));
    std::memcpy(static_cast<void*>(&v), numbers, sizeof v);
    if constexpr (requires { v.prepare(); }) v.prepare();
    const Affine affine;
    for (std::uint32_t i = 1; i < 500; ++i) {
      const float x = float(coordinate(bits)), y = float(coordinate(bits));
      Random one{i * 2654435761u, i * 40503u}, other = one;
      const Vec2 expected = v(Arg{{x, y}, 0.75f, affine, one});
      const fine::Vec2 got = fine::formula(Type<V>{}, fine::Arg{{x, y}, 0.75, parameters, other});
      const double size = 1 + std::hypot(double(expected.x), double(expected.y));
      ASSERT_NEAR(got.x, double(expected.x), 3e-5 * size) << info.name << " " << x << " " << y;
      ASSERT_NEAR(got.y, double(expected.y), 3e-5 * size) << info.name << " " << x << " " << y;
      ASSERT_EQ(one.s0, other.s0) << info.name;
    }
  }
}
template <class... Vs>
void expect_same_formulas(VariationList<Vs...>) {
  int place = 0;
  (expect_same_formula<Vs>(place++), ...);
  EXPECT_GE(((fine::has_formula<Vs> ? 1 : 0) + ...), 21);
}

TEST(fine, formulas_are_those_in_float) { expect_same_formulas(Flam3Variations{}); }

/// A sample flame with a well: most steps go to 0.6 of the distance from a point of it, without turning, so that the picture
/// about that point is the same at every power of 0.6.
Flame with_well(const std::string& name, int levels) {
  Flame flame = sample_flame(name, 96, 1);
  const double x = flame.center_x = 0.31234567891234, y = flame.center_y = -0.21357913571357;
  double weight = 0;
  for (const Xform& xform : flame.xforms) weight += xform.weight;
  flame.xforms.push_back(contraction(9 * weight, 0.6, 0.4 * x, 0.4 * y));
  flame.scale = 40 * std::pow(0.6, -levels);
  return flame;
}

/// How alike two histograms are: the cosine between the roots of their hits.
double likeness(const Histogram& a, const Histogram& b) {
  double both = 0, one = 0, other = 0;
  for (std::size_t i = 0; i < a.pixels(); ++i) {
    both += std::sqrt(a.hits(i) * b.hits(i));
    one += a.hits(i);
    other += b.hits(i);
  }
  return both / std::sqrt(one * other);
}

TEST(fine, a_well_looks_the_same_a_billion_times_closer) {
  const int near = 10, far = 41;  // 0.6^-41 is 2^30
  for (const std::string name : {"conch", "pearls", "coral"}) {
    const Flame here = with_well(name, near), there = with_well(name, far);
    ASSERT_FALSE(compile(here, PlotArea{1, 0, here.width, here.height}).program.fine);
    ASSERT_TRUE(compile(there, PlotArea{1, 0, there.width, there.height}).program.fine);
    for (const auto& device : open_every_device()) {
      const Histogram shallow = play(*device, here, 6'000'000),
                      deep = play(*device, there, 18'000'000);
      EXPECT_GT(likeness(shallow, deep), 0.98) << name;
      EXPECT_NEAR(deep.all_hits() / (3 * shallow.all_hits()), std::pow(0.9, far - near), 0.004)
          << name;
    }
  }
}

TEST(fine, flames_with_other_variations_stay_in_float) {
  Flame flame = with_well("pearls", 41);
  EXPECT_TRUE(compile(flame, PlotArea{1, 0, 96, 54}).program.fine);
  flame.xforms[0].variations[std::size_t(find_variation("waves").value())] = 0.1;
  EXPECT_FALSE(compile(flame, PlotArea{1, 0, 96, 54}).program.fine);
}

}  // namespace
}  // namespace kiln::test
