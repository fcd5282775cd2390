// SPDX-License-Identifier: MIT
// The noise of a picture from its halves, where its variance is known; and when it is looked at.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/api/kiln/image.h"
#include "engine/render/accumulate/noise_probe.h"
#include "engine/render/schedule/probe_schedule.h"

namespace kiln {
namespace {

struct Halves {
  int width, height;
  Words first, second, whole;
};

/// Gray with normal noise of so many levels of 65535 in the whole, alike in squares of `side` pixels.
Halves noisy(int width, int height, double deviation, int side, unsigned seed) {
  std::mt19937 random(seed);
  const Words black(std::size_t(width) * std::size_t(height) * 4, 0);
  Halves made{width, height, black, black, black};
  const double root_two = std::sqrt(2.0);
  std::vector<double> noise(std::size_t(width) * std::size_t(height) * 6);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::size_t own = std::size_t(y) * std::size_t(width) + std::size_t(x);
      const std::size_t from =
          std::size_t(y / side * side) * std::size_t(width) + std::size_t(x / side * side);
      for (std::size_t k = 0; k < 6; ++k) {
        if (own == from)
          noise[6 * own + k] = std::normal_distribution(0.0, deviation * root_two)(random);
        else
          noise[6 * own + k] = noise[6 * from + k];
      }
      for (std::size_t c = 0; c < 3; ++c) {
        const double a = 30000 + noise[6 * own + c], b = 30000 + noise[6 * own + 3 + c];
        made.first[4 * own + c] = std::uint16_t(std::lround(a));
        made.second[4 * own + c] = std::uint16_t(std::lround(b));
        made.whole[4 * own + c] = std::uint16_t(std::lround((a + b) / 2));
      }
    }
  }
  return made;
}

PictureNoise noise_between(const Halves& made, bool is_cleaned = false) {
  static const std::unique_ptr<Device> device = open_cpu(1);
  const DeviceArray<std::uint16_t> first(*device, made.first), second(*device, made.second),
      whole(*device, made.whole);
  return measure_noise(*device, {first.data(), second.data(), whole.data()}, made.width,
                       {0, 0, made.width, made.height}, is_cleaned);
}

TEST(picture_noise, is_that_of_the_whole) {
  const Halves made = noisy(160, 121, 500, 1, 1);
  const PictureNoise noise = noise_between(made);
  EXPECT_NEAR(noise.rms, 500 / 65535.0, 0.01 * 500 / 65535.0);
  EXPECT_NEAR(noise.psnr_db(), -20 * std::log10(noise.rms), 1e-9);
  EXPECT_EQ(noise_between({160, 121, made.whole, made.whole, made.whole}).rms, 0);
}

TEST(picture_noise, what_curves_shift_is_in_it) {
  Halves made = noisy(64, 64, 0, 1, 1);
  for (std::size_t i = 0; i < made.whole.size(); ++i)
    made.whole[i] = std::uint16_t(made.whole[i] + 100);
  EXPECT_NEAR(noise_between(made).rms, 100 / 65535.0, 1e-9);
  EXPECT_NEAR(noise_between(made, true).rms, std::sqrt(2.5) * 100 / 65535.0, 1e-9);
}

/// Intervals of 95 % hold the value in 95 of 100 cases; in more where a block holds several.
TEST(picture_noise, its_interval_holds_the_value) {
  for (const int side : {4, 1}) {
    int held = 0;
    constexpr int rounds = 200;
    double error = 0;
    for (unsigned seed = 0; seed < rounds; ++seed) {
      const Halves made = noisy(96, 64, 400, side, seed);
      const PictureNoise noise = noise_between(made);
      held += std::fabs(noise.rms - 400 / 65535.0) <= noise.error;
      error += noise.error / noise.rms / rounds;
    }
    EXPECT_GE(held, side == 4 ? 183 : 199)
        << side;  // three channels a block make it an upper bound
    EXPECT_GT(error, 0.03);
    EXPECT_LT(error, 0.08);
  }
}

TEST(probe_schedule, looks_are_even_and_close_enough) {
  std::uint64_t before = 0;
  for (std::uint64_t units = 1; units < 100'000; units = before + 1) {
    const std::uint64_t look = probe_from(units);
    ASSERT_GE(look, units);
    ASSERT_EQ(look % 2, 0u);
    ASSERT_EQ(probe_from(look), look);
    if (before >= 32) {
      ASSERT_LE(double(look) / double(before), 1.0626) << look;
    }
    before = look;
  }
  EXPECT_EQ(first_probe(1000, 0), 2u);
  EXPECT_EQ(first_probe(1000, 7), 8u);
  EXPECT_EQ(first_probe(1920 * 1080, 0), 8u);  // quality 8
}

// conch at 1280 x 720: "0.4 s left" for three seconds, by the root of the samples.
TEST(probe_schedule, expects_what_two_looks_tell_of_how_noise_falls) {
  const PictureNoise first{0.0163, 0.0001}, second{0.0107, 0.00006}, third{0.00924, 0.00005};
  const double fall = fall_of(20, second, 42, third);
  EXPECT_NEAR(fall, 0.2, 0.01);
  EXPECT_NEAR(expected_units(42, third, 0.007, fall), 160, 25);  // as it was
  EXPECT_NEAR(expected_units(42, third, 0.007, 0.5), 74, 2);
  EXPECT_GT(probes_to_come(64, 42, third, 0.007, fall),
            2 * probes_to_come(64, 42, third, 0.007, 0.5));
  EXPECT_EQ(fall_of(4, {0.02, 0}, 16, {0.001, 0}), 0.5);  // never more than the root
  EXPECT_EQ(fall_of(4, first, 16, {0.02, 0}), 0.15);
  EXPECT_NEAR(expected_units(100, {0.02, 0}, 0.01, 0.5), 400, 1e-6);
  EXPECT_NEAR(usual_units(1 << 20, 0.01) / usual_units(1 << 20, 0.02), 4, 1e-9);
}

TEST(probe_schedule, expects_after_its_own_looks_what_they_tell) {
  ProbeSchedule schedule(0.007, 1280 * 720, false);
  schedule.begin(0);
  EXPECT_FALSE(schedule.judge(20, {0.0107, 0.00006}));
  EXPECT_NEAR(schedule.expected_units(), 47, 2);  // by the root
  EXPECT_FALSE(schedule.judge(42, {0.00924, 0.00005}));
  EXPECT_NEAR(schedule.expected_units(), 160, 25);
}

TEST(probe_schedule, expects_slower_noise_at_first_where_light_is_spread) {
  for (const bool blurs : {true, false}) {
    ProbeSchedule schedule(0.01, 1280 * 720, blurs);
    schedule.begin(0);
    EXPECT_FALSE(schedule.judge(16, {0.02, 0}));
    EXPECT_NEAR(schedule.expected_units(), blurs ? 16 * 16 : 16 * 4, 1e-6);
  }
}

TEST(probe_schedule, goes_where_noise_is_low_enough) {
  const PictureNoise noise{0.02, 0.001};
  EXPECT_FALSE(is_enough(noise, 0.0209));
  EXPECT_TRUE(is_enough(noise, 0.0211));
  EXPECT_NEAR(units_for(100, noise, 0.0105), 400, 1e-9);
  EXPECT_EQ(next_probe(100, noise, 0.0105), probe_from(340));
  EXPECT_EQ(next_probe(100, noise, 0.001), probe_from(800));
  EXPECT_EQ(next_probe(100, noise, 0.0205), probe_from(105));
  EXPECT_EQ(next_probe(100, {0.0205, 0}, 0.0205), probe_from(101));
}

}  // namespace
}  // namespace kiln
