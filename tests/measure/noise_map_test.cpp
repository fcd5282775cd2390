// SPDX-License-Identifier: MIT
// The map of noise: a square's level is the logarithm of the noise that was put there.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/measure/noise.h"

namespace kiln {
namespace {

Image gray(int width, int height) {
  Image image;
  image.width = width;
  image.height = height;
  image.pixels = Words(std::size_t(width) * std::size_t(height) * 4, 30000);
  return image;
}

int level_of(double noise) {
  return int(255 * std::log(noise / NoiseMap::least) / std::log(NoiseMap::most / NoiseMap::least));
}

TEST(noise_map, says_where_it_is_and_how_much) {
  constexpr int width = 21, height = 17;  // the last squares are 5 wide and 1 high
  const Image whole = gray(width, height);
  Image part = whole;
  const auto put = [&](int left, int top, int right, int bottom, int levels) {
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) {
        for (int c = 0; c < 3; ++c)
          part.pixels16()[std::size_t((y * width + x) * 4 + c)] =
              std::uint16_t(30000 + ((x + y) % 2 ? levels : -levels));
      }
    }
  };
  put(0, 0, 8, 8, 1311);      // 2 %
  put(16, 8, 21, 16, 655);    // 1 %, of a cut square
  put(8, 16, 16, 17, 60000);  // wraps around to more than any level
  const NoiseMap map = noise_map(part, whole, 1);
  ASSERT_EQ(map.width, 3);
  ASSERT_EQ(map.height, 3);
  const double of_square = 3 * 64 * 1311.0 * 1311;
  EXPECT_GT(map.sums.squares, of_square);
  EXPECT_GT(map.sums.squares_of_patches, of_square * of_square);
  EXPECT_NEAR(map.levels[0], level_of(0.02), 1);
  EXPECT_NEAR(map.levels[5], level_of(0.01), 1);
  EXPECT_EQ(map.levels[7], 255);
  for (const std::size_t quiet : {1, 2, 3, 4, 6, 8}) EXPECT_EQ(map.levels[quiet], 0) << quiet;
  EXPECT_NEAR(noise_map(part, whole, 0.5).levels[0], level_of(0.01), 1);
}

TEST(noise_map, alpha_does_not_count) {
  const Image whole = gray(8, 8);
  Image part = whole;
  for (std::size_t i = 3; i < part.pixels16().size(); i += 4) part.pixels16()[i] = 0;
  EXPECT_EQ(noise_map(part, whole, 1).levels, std::vector<std::uint8_t>{0});
}

}  // namespace
}  // namespace kiln
