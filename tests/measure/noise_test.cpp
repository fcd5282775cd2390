// SPDX-License-Identifier: MIT
// The verdict "same distribution" on pictures of counted samples, whose variance is known: those of
// one expectation pass, and each prepared fault is found.
#include "engine/measure/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <random>

namespace kiln {
namespace {

constexpr int width = 48, height = 40;

/// Expected samples of a pixel: a bump, a thin line, a dark ground.
double expected(int x, int y, double most) {
  const double dx = x - 20, dy = y - 15;
  const double line = x == y ? 0.5 : 0;
  return most * (1 / (1 + (dx * dx + dy * dy) / 60) + line + 0.001);
}

using Scene = std::function<double(int x, int y, int channel)>;

Scene bump(double most) {
  return [most](int x, int y, int channel) { return expected(x, y, most) * (1 - 0.3 * channel); };
}

/// Counts of one seed; their variance is what was counted, as of any count.
NoisyLight counted(const Scene& scene, unsigned seed) {
  std::mt19937 random(seed);
  NoisyLight picture{width, height, {}, {}, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) {
        const double count = std::poisson_distribution<int>(scene(x, y, c))(random);
        picture.light.push_back(count);
        picture.variance.push_back(count);
      }
    }
  }
  return picture;
}

TEST(noise, the_bound_is_sidaks) {
  EXPECT_NEAR(sidak_bound(1), 2.5758, 1e-4);   // 1 % of normal values, both sides
  EXPECT_NEAR(sidak_bound(10), 3.2890, 2e-3);  // 1 - 0.99^(1/10) = 0.00100453
  for (const int tests : {1, 7, 1000, 1001, 2'000'000}) {
    const double share = std::erfc(sidak_bound(tests) / std::sqrt(2));
    EXPECT_NEAR(std::pow(1 - share, tests), 0.99, 1e-6) << tests;
  }
}

/// The count is itself random: three of its deviations (3.1) above the 10 that 1 % are.
TEST(noise, one_expectation_passes_for_99_of_100_seeds) {
  int refused = 0;
  constexpr int rounds = 1000;
  for (unsigned seed = 0; seed < rounds; ++seed) {
    const NoiseComparison c =
        compare_noise(counted(bump(400), 2 * seed), counted(bump(400), 2 * seed + 1));
    refused += !c.same_distribution;
    ASSERT_GT(c.tests, 1000);
  }
  std::printf("refused: %d of %d\n", refused, rounds);
  EXPECT_LE(refused, rounds / 50);
  EXPECT_GE(refused, 1);  // a bound that nothing reaches finds nothing either
}

/// Counts below ten are not normal, whoever knows their variance: then only blocks are tested.
TEST(noise, few_samples_refuse_nothing) {
  int refused = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    NoisyLight a = counted(bump(3), 2 * seed), b = counted(bump(3), 2 * seed + 1);
    for (std::size_t i = 0; i < a.variance.size(); ++i) {
      const int pixel = int(i / 3);
      a.variance[i] = b.variance[i] = bump(3)(pixel % width, pixel / width, int(i % 3));
    }
    refused += !compare_noise(a, b).same_distribution;
  }
  EXPECT_LE(refused, 9);  // 1 % and two deviations
}

int found(const Scene& right, const Scene& wrong) {
  int count = 0;
  for (unsigned seed = 0; seed < 20; ++seed)
    count += !compare_noise(counted(right, seed), counted(wrong, 1000 + seed)).same_distribution;
  return count;
}

TEST(noise, prepared_faults_are_found_with_every_seed) {
  const Scene right = bump(400);
  EXPECT_EQ(found(right, [&](int x, int y, int c) { return right(x - 1, y, c); }), 20) << "shifted";
  EXPECT_EQ(found(right, [&](int x, int y, int c) { return 0.98 * right(x, y, c); }), 20)
      << "darker";
  EXPECT_EQ(
      found(right, [&](int x, int y,
                       int c) { return right(x, y, c) - (x == y ? 200 * (1 - 0.3 * c) : 0); }),
      20)
      << "without the line";
  EXPECT_EQ(
      found(right, [&](int x, int y, int c) { return 400 * std::pow(right(x, y, c) / 400, 1.05); }),
      20)
      << "gamma";
  EXPECT_EQ(found(right, [&](int x, int y,
                             int c) { return right(x, y, c) * (x == 20 && y == 15 ? 1.6 : 1); }),
            20)
      << "one pixel";
  EXPECT_EQ(found(right, [&](int x, int y, int c) { return right(x, y, c == 2 ? 2 : 1 - c); }), 20)
      << "colors";
}

/// 1 % less is noise in every pixel and certain in the whole picture.
TEST(noise, one_per_cent_darker_shows_in_blocks) {
  const Scene right = bump(4000);
  for (unsigned seed = 0; seed < 10; ++seed) {
    const NoiseComparison c = compare_noise(
        counted(right, seed),
        counted([&](int x, int y, int channel) { return 0.99 * right(x, y, channel); }, seed + 99));
    EXPECT_FALSE(c.same_distribution);
    EXPECT_GE(c.side, 16);
  }
}

TEST(noise, the_place_of_the_largest_is_named) {
  NoisyLight a = counted(bump(400), 1), b = a;
  b.light[3 * (7 * width + 31) + 1] += 300;
  const NoiseComparison c = compare_noise(a, b);
  EXPECT_FALSE(c.same_distribution);
  EXPECT_EQ(c.x, 31);
  EXPECT_EQ(c.y, 7);
  EXPECT_EQ(c.side, 1);
}

TEST(noise, unknown_variance_is_left_out_and_certain_light_is_not) {
  NoisyLight a = counted(bump(400), 1), b = a;
  const std::size_t place = 3 * (7 * width + 31);
  b.light[place] += 300;
  b.variance[place] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(compare_noise(a, b).same_distribution);
  NoisyLight dark{2, 2, std::vector<double>(12), std::vector<double>(12), {}}, lit = dark;
  EXPECT_TRUE(compare_noise(dark, dark).same_distribution);
  EXPECT_EQ(compare_noise(dark, dark).tests, 0);
  lit.light[5] = 1e-9;  // light where there can be none
  EXPECT_FALSE(compare_noise(dark, lit).same_distribution);
}

TEST(noise, clumping_widens_blocks_alone) {
  const Scene right = bump(400);
  NoisyLight a = counted(right, 1),
             b = counted([&](int x, int y, int c) { return 0.97 * right(x, y, c); }, 2);
  EXPECT_FALSE(compare_noise(a, b).same_distribution);
  a.clumping = {1, 1000};
  EXPECT_TRUE(compare_noise(a, b).same_distribution);
  a.light[3 * (15 * width + 20)] += 300;
  EXPECT_FALSE(compare_noise(a, b).same_distribution);
}

}  // namespace
}  // namespace kiln
