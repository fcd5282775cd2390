// SPDX-License-Identifier: MIT
// JWildfire's antialiasing and glow: the table of shares beside samples that are really moved, and the kernel beside
// double loops.
#include "kernels/moved_light.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/render/stages/antialias/antialias_plan.h"
#include "engine/render/stages/log_scale/log_scale_stage.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stages.h"
#include "tests/kernels/output_reference.h"

namespace kiln {
namespace {

using namespace kiln::testing;

Flame moved_flame(double amount, double radius) {
  Flame flame;
  flame.dialect = Dialect::jwildfire;
  flame.antialias_amount = amount;
  flame.antialias_radius = radius;
  flame.estimator_radius = 0;
  flame.quality = 10;
  return flame;
}

TEST(MovedLight, shares_are_those_of_samples_that_are_moved) {
  for (const auto& [amount, radius] : {std::pair{0.25, 0.5}, {1.0, 0.9}, {0.5, 0.1}}) {
    SCOPED_TRACE(radius);
    const AntialiasPlan plan = plan_antialias(moved_flame(amount, radius));
    const int side = 2 * plan.radius + 1;
    ASSERT_EQ(plan.shares.size(), std::size_t(side) * side);
    std::vector<double> counted(plan.shares.size(), 0.0);
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> draw(1e-12, 1);
    constexpr int samples = 400'000;
    for (int i = 0; i < samples; ++i) {
      double x = draw(random) - 0.5, y = draw(random) - 0.5;  // in the bucket at (0, 0)
      if (draw(random) < amount) {
        const double angle = 2 * M_PI * draw(random);
        const double far = std::exp(radius * std::sqrt(-std::log(draw(random)))) - 1;
        x += far * std::cos(angle);
        y += far * std::sin(angle);
      }
      const int column = int(std::floor(x + 0.5)), row = int(std::floor(y + 0.5));
      if (std::abs(column) <= plan.radius && std::abs(row) <= plan.radius)
        counted[std::size_t((row + plan.radius) * side + column + plan.radius)] += 1.0 / samples;
    }
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < counted.size(); ++i) {
      EXPECT_NEAR(plan.shares[i], counted[i], 0.004) << i;
      sum += plan.shares[i];
      all += counted[i];
    }
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_GT(all, 0.99);  // hardly any is moved further
  }
}

TEST(MovedLight, is_the_logarithm_of_moved_sums_and_a_glow) {
  for (const auto& [width, height] : {std::pair{1, 1}, {7, 5}, {257, 3}, {31, 17}})
    for (const double glow : {0.0, 0.24, -0.1})
      for (const int channels : {4, 5}) {
        Flame flame = moved_flame(0.4, 0.5);
        flame.low_density_brightness = glow;
        const AntialiasPlan plan = plan_antialias(flame);
        const TestHistogram h = random_histogram(width, height, channels, 1 / 256.0f, 3);
        const LogCurve curve{2000, 1e-4f};
        std::vector<Vec4> light(std::size_t(width) * height, Vec4{1, 2, 3, 4});
        for (const bool accumulate : {false, true}) {
          run_kernel(MovedLight{{h.sums.data(), width, height, channels, h.unit},
                                curve,
                                plan.shares.data(),
                                plan.radius,
                                float(plan.glow * plan_log_curve(flame, 1).k2),
                                float(plan.samples),
                                light.data(),
                                accumulate});
        }
        const int side = 2 * plan.radius + 1;
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) {
            double sum[4] = {0, 0, 0, 0};
            for (int j = 0; j < side; ++j)
              for (int i = 0; i < side; ++i) {
                const int from_x = x + i - plan.radius, from_y = y + j - plan.radius;
                if (from_x < 0 || from_y < 0 || from_x >= width || from_y >= height) continue;
                const std::size_t at = (std::size_t(from_y) * width + from_x) * channels;
                for (int c = 0; c < 4; ++c)
                  sum[c] += double(h.sums[at + c]) / 256 * plan.shares[std::size_t(j * side + i)];
              }
            const double count = sum[3] / 255;  // oversample 1
            const double full = 2000 * std::log1p(1e-4 * sum[3]);
            const double lone = 255 * glow / 10 * std::min(count, 1.0) / (count + 1);
            const Vec4& got = light[std::size_t(y) * width + x];
            const double expected = 2 * (full + lone);  // twice, since it was added to itself
            ASSERT_NEAR(got.a, expected, 2e-4 * std::fabs(expected) + 1e-3);
            if (sum[3] > 0) {
              ASSERT_NEAR(got.r, expected * sum[0] / sum[3], 2e-4 * std::fabs(expected) + 1e-3);
            }
          }
      }
}

TEST(MovedLight, is_in_where_a_flame_of_jwildfire_asks_for_it) {
  EXPECT_TRUE(is_in(stages::antialias, plan_output(moved_flame(0.25, 0.5), {})));
  EXPECT_FALSE(is_in(stages::antialias, plan_output(moved_flame(0, 0.5), {})));
  EXPECT_FALSE(is_in(stages::antialias, plan_output(moved_flame(0.25, 0), {})));
  Flame flame = moved_flame(0.25, 0.5);
  flame.dialect = Dialect::flam3;
  EXPECT_FALSE(is_in(stages::antialias, plan_output(flame, {})));
  flame = moved_flame(0, 0);
  flame.low_density_brightness = 0.24;
  const OutputPlan glows = plan_output(flame, {});
  EXPECT_TRUE(is_in(stages::antialias, glows));
  EXPECT_EQ(glows.antialias.radius, 0);
  EXPECT_EQ(glows.antialias.shares, std::vector<float>{1});
  flame.estimator_radius = 5;  // who asks for an estimator has it
  EXPECT_FALSE(is_in(stages::antialias, plan_output(flame, {})));
}

TEST(MovedLight, sums_reach_as_far_as_filter_and_moves_do) {
  Flame flame = moved_flame(0.25, 0.5);
  const int moved = plan_antialias(flame).radius;
  EXPECT_EQ(moved, 3);
  flame.filter_radius_px = 0.75;
  flame.filter_kernel = FilterKernel::mitchell_smooth;
  EXPECT_EQ(plan_geometry(flame).gutter, taps_behind(flame) + moved);
  flame = moved_flame(1, 50);  // as a hostile file has it
  EXPECT_EQ(plan_antialias(flame).radius, 12);
  for (const float share : plan_antialias(flame).shares) EXPECT_TRUE(std::isfinite(share));
}

/// What ends by its noise or its time is the picture of the quality that it came to, its glow too.
TEST(MovedLight, glow_is_that_of_the_samples_that_are_there) {
  Flame flame = moved_flame(0, 0);
  flame.low_density_brightness = 0.24;
  flame.supersample = 2;
  flame.contrast = 1.5;
  const AntialiasPlan plan = plan_antialias(flame);
  for (const double quality : {1.0, 10.0, 4000.0}) {
    flame.quality = quality;
    EXPECT_NEAR(plan.glow * double(plan_log_curve(flame, 1).k2), 255 * 2 * 0.24 / (1.5 * quality),
                1e-4 * 255 / quality);
  }
}

}  // namespace
}  // namespace kiln
