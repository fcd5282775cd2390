// SPDX-License-Identifier: MIT
// Frames far from their neighbors, and what is none: fast motion, a cut, grain.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/measure/distance.h"
#include "tests/cli/pictures.h"

namespace kiln {
namespace {

using Places = std::vector<std::size_t>;

/// A bright spot at x, 0..1, with grain.
Thumbnail spot(double x, unsigned seed) {
  std::mt19937 random(seed);
  Image image = test::pattern_picture(64, 48, 8, true);
  for (int v = 0; v < 48; ++v) {
    for (int u = 0; u < 64; ++u) {
      const double d = (u - 64 * x) / 10;
      const double value = 200 * std::exp(-d * d) + 20 + double(random() % 21);
      for (std::size_t c = 0; c < 3; ++c)
        image.pixels8()[4 * std::size_t(v * 64 + u) + c] = static_cast<std::uint8_t>(value);
    }
  }
  return thumbnail(image);
}

std::vector<Thumbnail> moving(int frames, double speed) {
  std::vector<Thumbnail> all;
  for (int i = 0; i < frames; ++i) all.push_back(spot(0.2 + speed * i, unsigned(i)));
  return all;
}

TEST(outliers, smooth_motion_has_none) {
  EXPECT_EQ(outliers(moving(30, 0.02)), Places{});
  EXPECT_EQ(outliers(moving(30, 0)), Places{});
  EXPECT_EQ(outliers(moving(4, 0.02)), Places{});
}

TEST(outliers, one_wrong_frame_is_found_wherever_it_is) {
  for (const std::size_t place : {0, 1, 13, 28, 29}) {
    std::vector<Thumbnail> frames = moving(30, 0.01);
    frames[place] = spot(0.9, 99);
    EXPECT_EQ(outliers(frames), Places{place}) << place;
  }
  std::vector<Thumbnail> frames = moving(30, 0.01);
  frames[5] = spot(0.9, 99);
  frames[20] = spot(0.05, 98);
  EXPECT_EQ(outliers(frames), (Places{5, 20}));
}

TEST(outliers, a_cut_and_a_sudden_rush_are_none) {
  std::vector<Thumbnail> frames = moving(20, 0.01);
  for (const Thumbnail& frame : moving(20, 0.01)) frames.push_back(frame);
  EXPECT_EQ(outliers(frames), Places{});
  frames = moving(20, 0.002);
  for (int i = 0; i < 4; ++i) frames.push_back(spot(0.24 + 0.15 * i, unsigned(i + 40)));
  for (int i = 0; i < 10; ++i) frames.push_back(spot(0.69, unsigned(i + 60)));
  EXPECT_EQ(outliers(frames), Places{});
}

TEST(outliers, thumbnails_are_means_as_shown) {
  Image image = test::pattern_picture(32, 32, 8, true);
  for (std::size_t i = 0; i < image.pixels8().size(); ++i)
    if (i % 4 != 3) image.pixels8()[i] = 51;
  Thumbnail t = thumbnail(image);
  EXPECT_TRUE(t.one_color);
  EXPECT_FALSE(t.black);
  ASSERT_EQ(t.rgb.size(), 16u * 16 * 3);
  EXPECT_NEAR(t.rgb[100], 0.2, 1e-6);
  image.pixels8()[4 * (5 * 32 + 7)] = 255;  // in the part of row 2, column 3
  t = thumbnail(image);
  EXPECT_FALSE(t.one_color);
  EXPECT_NEAR(t.rgb[3 * (2 * 16 + 3)], 0.4, 1e-6);
  for (std::size_t i = 0; i < image.pixels8().size(); ++i) image.pixels8()[i] = i % 4 == 3 ? 0 : 77;
  EXPECT_TRUE(thumbnail(image).black);  // nothing of it is seen
  EXPECT_EQ(thumbnail(test::pattern_picture(3, 2, 16)).rgb.size(), 16u * 16 * 3);
}

}  // namespace
}  // namespace kiln
