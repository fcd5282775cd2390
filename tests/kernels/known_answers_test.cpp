// SPDX-License-Identifier: MIT
// Flames whose picture is known: Sierpinski's triangle, one contraction, a Cantor measure, one
// pixel; and the log scale of a single hit.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/render/renderer.h"
#include "engine/render/stages/output_plan.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/statistics.h"

namespace kiln::test {
namespace {

// ---- histograms ----

/// Halving towards three corners: a pixel (i, j) of a 2^k grid has hits if and only if i and j have
/// no binary digit 1 in common.
Flame sierpinski(int side) {
  Flame flame = flame_over(side, side, 0, 0, side);
  flame.xforms = {contraction(1, 0.5, 0, 0), contraction(1, 0.5, 0.5, 0),
                  contraction(1, 0.5, 0, 0.5)};
  for (int f = 0; f < 3; ++f) flame.xforms[std::size_t(f)].color = f / 2.0;
  return flame;
}

TEST_ON_EVERY_DEVICE(KnownAnswers, SierpinskiHasThirdsInItsTriangles) {
  constexpr int side = 256, plays = 60, level = 3;
  constexpr std::uint64_t samples = 100 * pool_slots;
  Player player(device, sierpinski(side), samples);
  const int cells = 1 << level, cell_side = side / cells;
  Measured shares(std::size_t(cells * cells));
  for (int seed = 0; seed < plays; ++seed) {
    const Histogram histogram = player.play(std::uint64_t(seed));
    double inside = 0;
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const double hits = histogram.hits(x, y);
        if (x & y) {
          ASSERT_EQ(hits, 0) << x << " " << y;
        }
        inside += hits;
        shares.now(std::size_t(y / cell_side * cells + x / cell_side)) += hits / double(samples);
      }
    }
    EXPECT_EQ(inside, double(samples));
    shares.end();
  }
  std::vector<double> expected;
  for (int i = 0; i < cells * cells; ++i)
    expected.push_back(i / cells & i % cells ? 0 : std::pow(3, -level));
  const Deviations found = deviations(shares, expected);
  EXPECT_EQ(found.cells, 27u);
  EXPECT_LT(found.largest, 4);
  for (std::size_t i = 0; i < shares.cells();
       ++i) {  // the errors are those of fair draws, or smaller
    EXPECT_LT(std::sqrt(shares.error2(i)), 1.5 * std::sqrt(1 / 27.0 / samples / plays)) << i;
  }
}

TEST_ON_EVERY_DEVICE(KnownAnswers, OneContractionHitsOnePixel) {
  Flame flame = flame_over(101, 67, -1, -1, 33);
  flame.xforms = {linear_xform(1, {0.5, 0.3, -0.3, 0.5, 0.4, 0.2})};  // a spiral
  const double a = 0.5, b = -0.3, c = 0.4, d = 0.3, e = 0.5, f = 0.2;
  const double determinant = (1 - a) * (1 - e) - b * d;
  const double x = ((1 - e) * c + b * f) / determinant, y = (d * c + (1 - a) * f) / determinant;
  const Histogram histogram = play(device, flame, 123'457);
  EXPECT_EQ(histogram.hits(int((x + 1) * 33), int((y + 1) * 33)), 123'457);
  EXPECT_EQ(histogram.all_hits(), 123'457);
}

/// (x + 1) / 5 with probability p, (x + 3) / 5 else: an interval of level n has p^left (1 -
/// p)^right, the gaps nothing.
TEST_ON_EVERY_DEVICE(KnownAnswers, CantorIntervalsHaveTheirMeasure) {
  constexpr int level = 4, width = 625, plays = 150;
  constexpr double p = 0.3;
  constexpr std::uint64_t samples = 100 * pool_slots;
  Flame flame = flame_over(width, 1, 0, 0, width);
  const double middle = 0.5 / width;
  flame.xforms = {linear_xform(p, {0.2, 0, 0, 0, 0.2, middle}),
                  linear_xform(1 - p, {0.2, 0, 0, 0, 0.6, middle})};
  Player player(device, flame, samples);
  Measured shares(width);
  for (int seed = 0; seed < plays; ++seed) {
    const Histogram histogram = player.play(std::uint64_t(seed));
    for (std::size_t i = 0; i < width; ++i) shares.now(i) = histogram.hits(i) / double(samples);
    shares.end();
  }
  std::vector<double> expected;
  double total = 0;
  for (int i = 0; i < width; ++i) {
    double share = 1;
    for (int rest = i, digit = 0; digit < level; ++digit, rest /= 5)
      share *= rest % 5 == 1 ? p : rest % 5 == 3 ? 1 - p : 0;
    expected.push_back(share);
    total += share;
  }
  EXPECT_NEAR(total, 1, 1e-12);
  const Deviations found = deviations(shares, expected);
  EXPECT_LT(found.largest, 4.3) << found.at;
  EXPECT_EQ(found.cells, 16u);
}

// ---- the log scale ----

/// One hit at every quality, and what it becomes: k1 log(1 + k2 255) of white.
TEST_ON_EVERY_DEVICE(KnownAnswers, OneHitIsLogScaledToOnePartInHundredThousand) {
  for (double quality = 10; quality <= 1e6; quality *= 10) {
    for (const double scale : {1.0, 50.0, 3000.0}) {
      Flame flame = flame_over(640, 360, 0, 0, scale);
      flame.quality = quality;
      const OutputPlan plan = plan_output(flame, {});
      const std::vector<u64> sums = {255, 127, 0, 255, 0, 0, 0, 0};  // [1, 2, 4]
      const DeviceArray<u64> on_device(device, sums);
      const DeviceArray<Vec4> light(device, 2);
      const LogScale kernel{{on_device.data(), 2, 1, 4, 1}, plan.log_curve, light.data(), 0};
      device.launch(kernel, kernel.block_count());
      const std::vector<Vec4> got = light.download();
      const double k1 = flame.brightness * 268 * 255 / 256;
      const double area = 640.0 * 360 / (scale * scale);
      const double expected = k1 * std::log1p(255 / (area * 255 * quality));
      EXPECT_NEAR(double(got[0].a) / expected, 1, 1e-5) << quality << " " << scale;
      EXPECT_NEAR(double(got[0].r) / expected, 1, 1e-5);
      EXPECT_NEAR(double(got[0].g) / (expected * 127 / 255), 1, 1e-5);
      EXPECT_EQ(got[0].b, 0);
      EXPECT_EQ(got[1].a, 0);
    }
  }
}

// ---- whole renders ----

/// Backends of render(): automatic on machines with a GPU is the GPU.
std::vector<Backend> backends() {
  std::vector<Backend> all = {Backend::cpu};
  if (open_every_device().size() > 1) all.push_back(Backend::cuda);
  return all;
}

/// A picture of one pixel that every sample hits. Its k2 A is 1 whatever the quality, so its light
/// is k1 ln 2.
Flame one_pixel() {
  Flame flame = flame_over(1, 1, -0.5, -0.5, 1);
  flame.xforms = {contraction(1, 0.5, 0, 0)};
  flame.xforms[0].color = 128.5 / 256;
  flame.palette[128] = {1, 0.6, 0.2, 1};
  flame.filter_shape = FilterShape::box;
  flame.gamma = 4;
  return flame;
}

TEST(KnownAnswers, OnePixelPictureIsAsComputedByHand) {
  // brightness 0.5: k1 = 133.47656; D = k1 ln 2 / 255 = 0.362819; alpha = D^(1/4) = 0.776109; 256
  // alpha = 198.6838. Red 198.68, green 119.21, blue 39.74; cut, and 16 bits are 256 times as much.
  for (const Backend backend : backends()) {
    for (const double quality : {1.0, 10.0, 1000.0, 1e6}) {
      Flame flame = one_pixel();
      flame.quality = quality;
      flame.brightness = 0.5;
      RenderOptions options;
      options.backend = backend;
      options.threads = 2;
      RenderStatistics statistics;
      EXPECT_EQ(render(flame, options, &statistics).pixels8(),
                (std::vector<std::uint8_t>{198, 119, 39, 255}))
          << quality;
      EXPECT_EQ(statistics.samples, std::uint64_t(quality));
      options.bits = 16;
      EXPECT_EQ(render(flame, options).pixels16(),
                (std::vector<std::uint16_t>{50863, 30517, 10172, 65535}))
          << quality;
      options.transparent = true;  // straight alpha: 256 for red, clamped; 153.6; 51.2
      EXPECT_EQ(render(flame, options).pixels16(),
                (std::vector<std::uint16_t>{65280, 39321, 13107, 50862}))
          << quality;
    }
  }
}

TEST(KnownAnswers, OnePixelBlendsItsBackground) {
  // 1 - alpha = 0.223891: 256 * 0.223891 * 0.5 = 28.66 more of red, none of green, 57.32 of blue
  for (const Backend backend : backends()) {
    Flame flame = one_pixel();
    flame.quality = 64;
    flame.brightness = 0.5;
    flame.background = {0.5, 0, 1};
    RenderOptions options;
    options.backend = backend;
    EXPECT_EQ(render(flame, options).pixels8(), (std::vector<std::uint8_t>{227, 119, 97, 255}));
  }
}

TEST(KnownAnswers, AnEmptyPictureIsBackground) {
  for (const Backend backend : backends()) {
    Flame flame = one_pixel();
    flame.width = 70;
    flame.center_x = 1000;
    flame.background = {0.5, 0, 1};
    flame.estimator_radius = 9;
    RenderOptions options;
    options.backend = backend;
    const Image image = render(flame, options);
    ASSERT_EQ(image.pixels8().size(), 280u);
    for (std::size_t i = 0; i < image.pixels8().size(); i += 4) {
      ASSERT_EQ(image.pixels8()[i], 128);
      ASSERT_EQ(image.pixels8()[i + 1], 0);
      ASSERT_EQ(image.pixels8()[i + 2], 255);
      ASSERT_EQ(image.pixels8()[i + 3], 255);
    }
  }
}

/// Passes add light of a brightness divided by their number; one pixel looks the same for any
/// number of them.
TEST(KnownAnswers, PassesDoNotChangeTheBrightness) {
  for (const Backend backend : backends()) {
    for (const int passes : {1, 2, 5}) {
      Flame flame = one_pixel();
      flame.quality = 1000;
      flame.brightness = 0.5;
      flame.passes = passes;
      RenderOptions options;
      options.backend = backend;
      EXPECT_EQ(render(flame, options).pixels8(), (std::vector<std::uint8_t>{198, 119, 39, 255}))
          << passes;
    }
  }
}

}  // namespace
}  // namespace kiln::test
