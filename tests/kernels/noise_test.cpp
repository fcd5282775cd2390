// SPDX-License-Identifier: MIT
// What a probe of the noise of a picture computes on a device, against plain loops in double.
#include "kernels/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/api/kiln/image.h"
#include "engine/render/accumulate/noise_probe.h"
#include "tests/devices.h"

namespace kiln::test {
namespace {

/// Any values, alpha too; `near`: only so many levels apart.
Words words(int width, int height, unsigned seed, unsigned near = 65535) {
  std::mt19937 random(seed);
  Words values(std::size_t(width) * std::size_t(height) * 4);
  for (std::uint16_t& value : values) value = std::uint16_t(random() % (near + 1));
  return values;
}

struct Pictures {
  int width, height;
  Words first, second, whole;
};

/// engine/measure/noise.h, as it says.
PictureNoise by_hand(const Pictures& p, const Window& window, bool is_cleaned) {
  double sum = 0, sum_of_squares = 0;
  for (int top = 0; top < window.height; top += 4) {
    for (int left = 0; left < window.width; left += 4) {
      double patch = 0;
      for (int y = top; y < std::min(top + 4, window.height); ++y) {
        for (int x = left; x < std::min(left + 4, window.width); ++x) {
          for (int c = 0; c < 3; ++c) {
            const std::size_t i = std::size_t(4 * ((window.y + y) * p.width + window.x + x) + c);
            const double a = double(p.first[i]) - p.whole[i], b = double(p.second[i]) - p.whole[i];
            const double half_apart = (a - b) / 2, mean = (a + b) / 2;
            patch += half_apart * half_apart + (is_cleaned ? 2.5 : 1) * mean * mean;
          }
        }
      }
      sum += patch;
      sum_of_squares += patch * patch;
    }
  }
  if (sum == 0) return {};
  const double rms = std::sqrt(sum / (3.0 * window.width * window.height)) / 65535;
  const double by_chance = rms * 1.96 * std::sqrt(sum_of_squares * 2 / 3) / sum / 2;
  return {rms, by_chance + (is_cleaned ? 0.15 : 0) * rms};
}

PictureNoise by_device(Device& device, const Pictures& p, const Window& window,
                       bool is_cleaned = false) {
  const DeviceArray<u16> first(device, p.first), second(device, p.second), whole(device, p.whole);
  return measure_noise(device, {first.data(), second.data(), whole.data()}, p.width, window,
                       is_cleaned);
}

TEST_ON_EVERY_DEVICE(noise_kernels, is_that_of_a_plain_loop) {
  constexpr int a_block = MeasureNoise::lanes * MeasureNoise::patches_a_lane;
  struct Case {
    int width, height;
    Window window;
  };
  const Case cases[] = {{1, 1, {0, 0, 1, 1}},
                        {3, 5, {0, 0, 3, 5}},
                        {4, 4, {0, 0, 4, 4}},
                        {37, 31, {0, 0, 37, 31}},
                        {37, 31, {5, 6, 7, 23}},   // from the window's corner on
                        {37, 31, {36, 30, 1, 1}},  // the last pixel
                        {4 * a_block, 4, {0, 0, 4 * a_block, 4}},
                        {4 * a_block + 1, 4, {0, 0, 4 * a_block + 1, 4}},
                        {257, 131, {0, 0, 257, 131}}};
  for (const Case& one : cases) {
    for (const unsigned near : {65535u, 3u}) {
      const Pictures p{one.width, one.height, words(one.width, one.height, 1, near),
                       words(one.width, one.height, 2, near),
                       words(one.width, one.height, 3, near)};
      for (const bool is_cleaned : {false, true}) {
        const PictureNoise expected = by_hand(p, one.window, is_cleaned),
                           got = by_device(device, p, one.window, is_cleaned);
        EXPECT_DOUBLE_EQ(got.rms, expected.rms) << one.width << " x " << one.height;
        EXPECT_DOUBLE_EQ(got.error, expected.error) << one.width << " x " << one.height;
      }
    }
  }
}

TEST_ON_EVERY_DEVICE(noise_kernels, the_furthest_there_can_be_is_full_scale) {
  const std::size_t values = 4 * 64 * 64;
  const Pictures p{64, 64, Words(values, 65535), Words(values, 65535), Words(values, 0)};
  EXPECT_EQ(by_device(device, p, {0, 0, 64, 64}).rms, 1);
}

TEST_ON_EVERY_DEVICE(noise_kernels, halves_are_added_exactly) {
  for (const std::size_t count : {1u, 255u, 257u, 65537u}) {
    std::mt19937_64 random(7);
    std::vector<u64> even(count), odd(count), sum(count);
    for (std::size_t i = 0; i < count; ++i) {
      even[i] = random() >> 2;
      odd[i] = random() >> 2;
      sum[i] = even[i] + odd[i];
    }
    DeviceArray<u64> histogram(device, even);
    Accumulation sums(device, histogram, true);
    device.upload(sums.half(1).data(), odd.data(), count * sizeof(u64));
    const DeviceArray<u64> beside(device, std::vector<u64>(count, 1));
    sums.sum_halves(beside.data());
    EXPECT_EQ(beside.download(), sum);
    EXPECT_EQ(histogram.download(), even);
    sums.sum_halves(histogram.data());
    EXPECT_EQ(histogram.download(), sum);
    EXPECT_EQ(sums.half(1).download(), odd);
  }
}

}  // namespace
}  // namespace kiln::test
