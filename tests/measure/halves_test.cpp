// SPDX-License-Identifier: MIT
// The verdict on real renders: each picture is made twice with other seeds, its halves, which say
// how sure it is. Other seeds of one flame pass; a flame that is another does not.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/io/flame/flame_reader.h"
#include "engine/measure/noise.h"
#include "engine/render/renderer.h"
#include "tests/places.h"

namespace kiln {
namespace {

Flame sample(const std::string& name, double quality) {
  Flame flame =
      read_flames(std::string(source_dir()) + "/flames/" + name + ".flam3", {}).flames.at(0);
  const double factor = 96.0 / flame.width;
  flame.width = 96;
  flame.height = 60;
  flame.scale *= factor;
  flame.quality = quality;
  flame.estimator_radius = 0;  // its blur follows what was counted: not a mean of the samples
  return flame;
}

/// Sums of red, green and blue over the samples of each pixel: the mean color of a pixel is that
/// of its light, whatever curve the light went through.
std::vector<double> counted(const Flame& flame, std::uint64_t seed) {
  RenderOptions options;
  options.backend = Backend::cpu;
  options.seed = seed;
  options.linear = true;
  const Image image = render(flame, options);
  std::vector<double> sums;
  for (std::size_t i = 0; i < image.linear().rgba.size(); ++i) {
    const std::size_t pixel = i / 4;
    const float alpha = image.linear().rgba[4 * pixel + 3];
    if (i % 4 != 3)
      sums.push_back(alpha > 0 ? double(image.linear().hits[pixel] * image.linear().rgba[i] / alpha)
                               : 0);
  }
  return sums;
}

NoisyLight in_halves(const Flame& flame, std::uint64_t seed) {
  return light_of_halves(flame.width, flame.height, counted(flame, seed), counted(flame, seed + 1));
}

constexpr int pairs = 4;

/// How many of a few pairs are told apart.
int told_apart(const Flame& right, const Flame& other) {
  int count = 0;
  for (std::uint64_t pair = 0; pair < pairs; ++pair) {
    const NoiseComparison c =
        compare_noise(in_halves(right, 100 + 4 * pair), in_halves(other, 102 + 4 * pair));
    EXPECT_GT(c.tests, 1000);
    count += !c.same_distribution;
  }
  return count;
}

TEST(halves, other_seeds_are_the_same_distribution) {
  for (const char* name : {"conch", "halo", "bracken"}) {
    const Flame flame = sample(name, 400);
    EXPECT_EQ(told_apart(flame, flame), 0) << name;
  }
}

TEST(halves, another_flame_is_found) {
  const Flame right = sample("conch", 400);
  Flame wrong = right;
  wrong.xforms.pop_back();
  EXPECT_EQ(told_apart(right, wrong), pairs) << "without an xform";
  wrong = right;
  wrong.center_x += 1 / wrong.scale;
  EXPECT_EQ(told_apart(right, wrong), pairs) << "shifted by a pixel";
  wrong = right;
  wrong.xforms[0].weight *= 1.04;
  EXPECT_EQ(told_apart(right, wrong), pairs) << "weight";
  wrong = right;
  wrong.quality *= 0.99;
  EXPECT_EQ(told_apart(right, wrong), pairs) << "1 % darker";
}

/// Noise whose deviation is `deviation` where the light is 100, and as much more as there is light.
std::vector<double> noisy(int width, int height, double deviation, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> light;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double level = x % 8 == 0 ? 2500 : 100;  // bright lines in a darker ground
      for (int c = 0; c < 3; ++c)
        light.push_back(level + std::normal_distribution(0.0, deviation * level / 100)(random));
    }
  }
  return light;
}

TEST(halves, the_variance_is_that_of_pixels_alike) {
  const NoisyLight picture = light_of_halves(64, 48, noisy(64, 48, 4, 1), noisy(64, 48, 4, 2));
  double dark = 0, bright = 0;  // over what it should be, of the mean of two
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x) {
      const double expected = (x % 8 == 0 ? 625.0 : 1.0) * 16 / 2;
      const double ratio = picture.variance[3 * std::size_t(y * 64 + x)] / expected;
      EXPECT_GT(ratio, 0.6) << x << " " << y;
      (x % 8 == 0 ? bright : dark) += ratio;
    }
  }
  // a little above 1: one pixel's own halves count where they are further apart
  EXPECT_NEAR(dark / (56 * 48), 1.484, 0.1);
  EXPECT_NEAR(bright / (8 * 48), 1.484, 0.2);
  EXPECT_NEAR(picture.light[3], 100, 12);
  for (const double clumping : picture.clumping) EXPECT_NEAR(clumping, 1, 0.25);
}

TEST(halves, neighbors_that_vary_together_clump) {
  std::mt19937 random(3);
  const auto blocky = [&] {
    std::vector<double> light(3 * 64 * 64);
    for (int y = 0; y < 64; y += 4)
      for (int x = 0; x < 64; x += 4)
        for (std::size_t c = 0; c < 3; ++c) {
          const double value = 100 + std::normal_distribution(0.0, 3.0)(random);
          for (int k = 0; k < 16; ++k)
            light[3 * std::size_t((y + k / 4) * 64 + x + k % 4) + c] = value;
        }
    return light;
  };
  const std::vector<double> first = blocky(), second = blocky();
  const NoisyLight picture = light_of_halves(64, 64, first, second);
  ASSERT_GE(picture.clumping.size(), 3u);
  EXPECT_NEAR(picture.clumping[1], 4, 1e-9);
  EXPECT_NEAR(picture.clumping[2], 16, 1e-9);
}

}  // namespace
}  // namespace kiln
