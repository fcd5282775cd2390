// SPDX-License-Identifier: MIT
// Saturation of finished pixels beside HSL as it is taught, through the hue.
#include "kernels/saturation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "engine/render/renderer.h"
#include "engine/render/stages/tone/tone_stage.h"
#include "tests/kernels/output_reference.h"
#include "tests/sample_flame.h"

namespace kiln {
namespace {

using namespace kiln::testing;
using Rgb = std::array<double, 3>;

/// r g b of 0 to 1 with another S; gray has hue 0.
Rgb with_saturation(const Rgb& rgb, double more) {
  const auto [r, g, b] = rgb;
  const double most = std::max({r, g, b}), least = std::min({r, g, b}), range = most - least;
  const double light = (most + least) / 2;
  double hue = 0, s = 0;  // hue in sixths of a turn
  if (range > 0) {
    s = light < 0.5 ? range / (most + least) : range / (2 - most - least);
    hue = most == r ? (g - b) / range : most == g ? 2 + (b - r) / range : 4 + (r - g) / range;
    if (hue < 0) hue += 6;
  }
  s = std::clamp(s + more, 0.0, 1.0);
  const double high = light < 0.5 ? light * (1 + s) : light + s - light * s, low = 2 * light - high;
  const auto channel = [&](double h) {
    h = std::fmod(h + 6, 6);
    if (h < 1) return low + (high - low) * h;
    if (h < 3) return high;
    return h < 4 ? low + (high - low) * (4 - h) : low;
  };
  return {channel(hue + 2), channel(hue), channel(hue - 2)};
}

template <class Channel>
std::vector<Channel> saturated(std::vector<Channel> pixels, float more) {
  run_kernel(Saturate<Channel>{pixels.data(), i64(pixels.size() / 4), {more}});
  return pixels;
}

template <class Channel>
void expect_as_taught(double full) {
  std::mt19937 random(3);
  for (const double more : {-1.0, -0.5, -0.1, 0.25, 1.0})
    for (const std::size_t count : {1u, 7u, 255u, 256u, 257u, 4099u}) {
      std::vector<Channel> pixels;
      for (std::size_t i = 0; i < 4 * count; ++i)
        pixels.push_back(Channel(random() % (i % 3 == 0 ? 9 : unsigned(full) + 1)));
      const std::vector<Channel> got = saturated(pixels, float(more));
      for (std::size_t i = 0; i < pixels.size(); i += 4) {
        const Rgb wanted =
            with_saturation({pixels[i] / full, pixels[i + 1] / full, pixels[i + 2] / full}, more);
        for (std::size_t c = 0; c < 3; ++c)
          ASSERT_NEAR(got[i + c], full * wanted[c], 0.5 + full * 1e-6) << more << " " << i;
        ASSERT_EQ(got[i + 3], pixels[i + 3]);
      }
    }
}

TEST(Saturate, is_hsl_with_another_saturation_rounded) {
  expect_as_taught<u8>(255);
  expect_as_taught<u16>(65280);
}

TEST(Saturate, of_what_has_no_hue) {
  using Pixels = std::vector<u8>;
  EXPECT_EQ(saturated(Pixels{0, 0, 0, 9, 255, 255, 255, 9}, 1),
            (Pixels{0, 0, 0, 9, 255, 255, 255, 9}));
  EXPECT_EQ(saturated(Pixels{100, 100, 100, 9}, 0.5f), (Pixels{150, 50, 50, 9}));
  EXPECT_EQ(saturated(Pixels{10, 20, 250, 9}, -1), (Pixels{130, 130, 130, 9}));
}

/// `more`: what is added to S.
TEST(Saturate, is_one_more_in_the_flame_and_never_below_none) {
  Flame flame;
  EXPECT_EQ(plan_saturation(flame).more, 0);
  flame.saturation = 1.5;
  EXPECT_EQ(plan_saturation(flame).more, 0.5f);
  flame.saturation = -3;
  EXPECT_EQ(plan_saturation(flame).more, -1);
}

TEST(Saturate, is_of_the_finished_pixels_in_both_depths) {
  Flame flame = test::sample_flame("lanterns", 80, 20);
  flame.background = {0.2, 0.4, 0.3};
  RenderOptions options;
  options.backend = Backend::cpu;
  for (const bool transparent : {false, true}) {
    options.transparent = transparent;
    flame.saturation = 1;
    options.bits = 8;
    const Image plain8 = render(flame, options);
    const std::vector<u8> bytes(plain8.pixels8().begin(), plain8.pixels8().end());
    options.bits = 16;
    const Image plain16 = render(flame, options);
    const std::vector<u16> words(plain16.pixels16().begin(), plain16.pixels16().end());
    flame.saturation = 0.4;
    const Image image16 = render(flame, options);
    options.bits = 8;
    const Image image8 = render(flame, options);
    const std::vector<u8> expected8 = saturated(bytes, float(0.4 - 1));
    const std::vector<u16> expected16 = saturated(words, float(0.4 - 1));
    EXPECT_TRUE(std::equal(expected8.begin(), expected8.end(), image8.pixels8().begin()));
    EXPECT_TRUE(std::equal(expected16.begin(), expected16.end(), image16.pixels16().begin()));
    EXPECT_NE(expected8, bytes);
  }
}

}  // namespace
}  // namespace kiln
