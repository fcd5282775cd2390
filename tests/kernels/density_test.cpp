// SPDX-License-Identifier: MIT
// Log scaling and density estimation: flam3's printed kernel sets, its quirks, and the kernels
// against double loops.
#include "kernels/density.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/error.h"
#include "engine/render/stages/log_scale/log_scale_stage.h"
#include "tests/kernels/output_reference.h"

namespace kiln {
namespace {

using namespace kiln::testing;

struct ReferenceSet {
  double radius, minimum, curve;
  int supersample;
  double cutoff;
  int last;
  std::vector<std::pair<int, double>> widths;
  std::array<double, 3> widest, narrowest;  // coefficients at (0, 0), (1, 0), (1, 1)
};

// flam3-pipeline.md section 17: printed by the real library. Table entries outside the reach are
// never applied, so they are 0 here.
const std::vector<ReferenceSet> reference_sets = {
    {9,
     0,
     0.4,
     1,
     416,
     109,
     {{0, 10},
      {1, 7.57858283255},
      {5, 4.88359341931},
      {50, 2.07477941064},
      {99, 1.58489319246},
      {100, 1.57859764468},
      {105, 1.32357617478},
      {109, 1}},
     {0.0144895186538, 0.013851943346, 0.0132424229573},
     {0.957454562326, 0, 0}},
    {9,
     0,
     0.4,
     2,
     1888,
     119,
     {{0, 19},
      {1, 14.3993073818},
      {5, 9.27882749668},
      {50, 3.94208088021},
      {99, 3.01129706568},
      {100, 2.99933552488},
      {105, 2.51479473208},
      {119, 1}},
     {0.00401411051747, 0.00396438370431, 0.00391527290706},
     {0.957454562326, 0, 0}},
    {5,
     2,
     0.6,
     1,
     4,
     3,
     {{0, 6}, {1, 3.95852373232}, {3, 3}},
     {0.040316155976, 0.0355788827729, 0.0313982538445},
     {0.160943513524, 0.097617175434, 0.0592078098153}},
    {4.5,
     0.7,
     1.1,
     3,
     5,
     4,
     {{0, 14.5}, {1, 6.76448918864}, {4, 3.1}},
     {0.00688675140075, 0.00674091982031, 0.0065981763214},
     {0.15128355426, 0.094717018325, 0.0593013140407}},
    {20,
     0.3,
     0.6,
     1,
     110,
     102,
     {{0, 21},
      {1, 13.8548330631},
      {5, 7.16685378878},
      {50, 1.98461920227},
      {99, 1.32501042341},
      {100, 1.31712341508},
      {102, 1.3}},
     {0.00328654716985, 0.00325318149678, 0.00322015455858},
     {0.781841049812, 0.0545397375469, 0}},
};

TEST(DensityPlan, kernel_sets_are_those_of_flam3) {
  for (const ReferenceSet& set : reference_sets) {
    SCOPED_TRACE(set.radius);
    SCOPED_TRACE(set.supersample);
    const DensityPlan plan = plan_density(set.radius, set.minimum, set.curve, set.supersample);
    EXPECT_EQ(plan.cutoff, set.cutoff);
    ASSERT_EQ(plan.last, set.last);
    for (const auto& [k, width] : set.widths)
      EXPECT_NEAR(plan.widths[k], width, 1e-11 * width) << k;
    const int offsets[3][2] = {{0, 0}, {1, 0}, {1, 1}};
    for (int i = 0; i < 3; ++i) {
      const auto [dx, dy] = offsets[i];
      EXPECT_NEAR(plan.coefficient(0, dx, dy), set.widest[i], 1e-7 * set.widest[i]) << i;
      EXPECT_NEAR(plan.coefficient(set.last, dx, dy), set.narrowest[i], 1e-7 * set.narrowest[i])
          << i;
    }
  }
}

TEST(DensityPlan, equal_radius_and_minimum_switch_estimation_off) {
  const DensityPlan plan = plan_density(3, 3, 0.4, 1);
  EXPECT_EQ(plan.widths, std::vector<double>{4});
  EXPECT_FALSE(plan.active());
  EXPECT_FALSE(plan_density(0, 0, 0.4, 1).active());
  EXPECT_TRUE(plan_density(3, 2, 0.4, 1).active());
}

double kernel_total(const DensityPlan& plan, int k) {
  double sum = 0;
  for (int dy = -plan.reach; dy <= plan.reach; ++dy) {
    for (int dx = -plan.reach; dx <= plan.reach; ++dx) sum += plan.coefficient(k, dx, dy);
  }
  return sum;
}

TEST(DensityPlan, kernels_of_integer_width_lose_their_tips) {
  const DensityPlan plan = plan_density(9, 0, 0.4, 1);
  // width 10, but its tips lie outside the norm as well
  EXPECT_NEAR(kernel_total(plan, 0), 1, 1e-6);
  EXPECT_NEAR(kernel_total(plan, 1), 1, 1e-6);
  EXPECT_NEAR(kernel_total(plan, 109), 0.957454562326, 1e-7);
  const DensityPlan wide = plan_density(5, 2, 0.6, 1);
  double norm = 0;
  for (int y = -3; y <= 3; ++y) {
    for (int x = -3; x <= 3; ++x) norm += x * x + y * y <= 9 ? std::exp(-0.5 * (x * x + y * y)) : 0;
  }
  EXPECT_NEAR(kernel_total(wide, 3), 1 - 4 * std::exp(-4.5) / norm, 1e-6);
}

TEST(DensityPlan, refuses_what_flam3_refuses) {
  EXPECT_THROW(plan_density(-1, 0, 0.4, 1), Error);
  EXPECT_THROW(plan_density(9, -1, 0.4, 1), Error);
  EXPECT_THROW(plan_density(9, 0, 0, 1), Error);
  EXPECT_THROW(plan_density(2, 3, 0.4, 1), Error);
  EXPECT_THROW(plan_density(9, 0, 0.2, 3), Error);  // more than 1e7 kernels
  EXPECT_NO_THROW(plan_density(9, 0, 0.2, 2));
}

TEST(DensityPlan, width_follows_the_hits) {
  const DensityPlan plan = plan_density(9, 0, 0.4, 1);
  const std::pair<int, int> cases[] = {{1, 0},     {2, 1},     {100, 99},  {101, 101},   {105, 101},
                                       {106, 102}, {416, 109}, {417, 109}, {100000, 109}};
  for (const auto& [hits, width] : cases)
    EXPECT_EQ(density_width(plan, u64(hits) * 255, 1), width) << hits;
  EXPECT_EQ(density_width(plan, 255 * 16 + 1, 0x1p-4), 1);  // a little more than one hit
  EXPECT_EQ(density_width(plan, 255 * 16, 0x1p-4), 0);
  EXPECT_EQ(density_width(plan, 1, 0x1p-4), 0);

  const DensityPlan even = plan_density(9, 0, 0.4, 2);  // hits count (2/3)^2
  EXPECT_EQ(density_width(even, 9 * 255, 1), 3);
  EXPECT_EQ(density_width(even, 10 * 255, 1), 4);
}

TEST(DensityPlan, thresholds_agree_with_the_rule) {
  for (int os : {1, 2, 3}) {
    const DensityPlan plan = plan_density(9, 0, 0.4, os);
    const auto thresholds = density_thresholds(plan, 0x1p-3);
    ASSERT_EQ(int(thresholds.size()), plan.last);
    for (u64 hits = 1; hits < 2000 * 255 * 8; hits += 255 * 4 - 1 + hits % 3) {
      const auto exceeded =
          std::lower_bound(thresholds.begin(), thresholds.end(), hits) - thresholds.begin();
      ASSERT_EQ(exceeded, density_width(plan, hits, 0x1p-3)) << hits;
    }
  }
}

TEST(LogScale, matches_double) {
  for (auto [width, height] : {std::pair{1, 1}, {7, 3}, {13, 19}, {257, 1}, {16, 16}}) {
    for (int channels : {4, 5}) {
      const TestHistogram h = random_histogram(width, height, channels, 0x1p-4f, 3);
      const LogCurve curve{1067.8f, 0.0031f};
      std::vector<Vec4> density(h.sums.size() / channels, Vec4{-1, -1, -1, -1});
      LogScale kernel{h.view(), curve, density.data(), 0};
      run_kernel(kernel);
      for (int pass = 1; pass <= 2; ++pass) {
        for (int i = 0; i < width * height; ++i) {
          const Pixel expected = log_scaled(h, curve, i % width, i / width);
          const float got[4] = {density[i].r, density[i].g, density[i].b, density[i].a};
          for (int c = 0; c < 4; ++c)
            ASSERT_NEAR(got[c], pass * expected[c], 1e-6 * pass * expected[c]);
        }
        kernel.accumulate = 1;
        if (pass == 1) run_kernel(kernel);
      }
    }
  }
}

TEST(LogScale, one_hit_is_scaled_right_at_any_quality) {
  Flame flame;
  for (double quality : {10.0, 100.0, 1e4, 1e6}) {
    flame.quality = quality;
    const double area = flame.width * flame.height / (flame.scale * flame.scale);
    const double expected = 4 * 268 * 255 / 256.0 * std::log1p(1 / (area * quality));
    const u64 sums[4] = {0, 100, 255, 255};
    Vec4 density[1];
    run_kernel(LogScale{{sums, 1, 1, 4, 1}, plan_log_curve(flame, 1), density, 0});
    EXPECT_NEAR(density[0].a, expected, 1e-5 * expected) << quality;
    EXPECT_NEAR(density[0].g, expected * 100 / 255, 1e-5 * expected) << quality;
    EXPECT_EQ(density[0].r, 0);
  }
}

TEST(LogScale, constants_follow_section_8) {
  Flame flame;
  flame.width = 200;
  flame.height = 150;
  flame.scale = 30;
  flame.zoom = 1.5;
  flame.quality = 7;
  flame.passes = 3;
  flame.supersample = 2;
  flame.brightness = 5;
  flame.pixel_aspect = 1.25;
  const LogCurve curve = plan_log_curve(flame, 0.5);
  const double ppy = 30 * std::exp2(1.5), ppx = ppy / 1.25, area = 200 * 150 / (ppx * ppy);
  EXPECT_NEAR(curve.k1, 5 * 268 * 255 / 256.0 / 3, 1e-4);
  const double k2 = 4 * 3 / (area * 255 * 7 * 8 * 0.5);
  EXPECT_NEAR(curve.k2, k2, 1e-6 * k2);
}

/// flam3's 268 are 255 there: measured, docs/reference/compatibility.md.
TEST(LogScale, of_fractorium_is_darker_than_that_of_flam3) {
  Flame flame;
  flame.brightness = 5;
  const LogCurve of_flam3 = plan_log_curve(flame, 1);
  flame.dialect = Dialect::fractorium;
  EXPECT_NEAR(plan_log_curve(flame, 1).k1, 5 * 255 * 255 / 256.0, 1e-4);
  EXPECT_EQ(plan_log_curve(flame, 1).k2, of_flam3.k2);
  flame.dialect = Dialect::apophysis;
  EXPECT_EQ(plan_log_curve(flame, 1).k1, of_flam3.k1);
}

/// Intensity 2 k b s log10(1 + x / (k area Q s)) of a bucket with x hits of s Q a pixel, here of Q a pixel.
TEST(LogScale, of_jwildfire_is_of_base_10) {
  Flame flame;
  flame.width = 200;
  flame.height = 100;
  flame.scale = 50;
  flame.quality = 40;
  flame.brightness = 3;
  for (const double contrast : {1.0, 1.6})
    for (const int oversample : {1, 2}) {
      flame.contrast = contrast;
      flame.supersample = oversample;
      flame.dialect = Dialect::jwildfire;
      const LogCurve curve = plan_log_curve(flame, 1);
      const double hits = 70, area = 200 * 100 / (50.0 * 50);
      const double bucket = 2 * contrast * 3 / oversample *
                            std::log10(1 + hits * oversample / (contrast * area * 40));
      const double light = curve.k1 * std::log1p(curve.k2 * 255 * hits) / 255;
      EXPECT_NEAR(light, bucket * oversample * oversample, 1e-4 * light)
          << contrast << " " << oversample;
      flame.dialect = Dialect::flam3;
      EXPECT_NEAR(plan_log_curve(flame, 1).k1, 3 * 268 * 255 / 256.0, 1e-3);
    }
}

TEST(LogScale, takes_k2_from_the_flame_if_it_says_one) {
  Flame flame;
  flame.logscale_k2 = 0.125;
  const LogCurve given = plan_log_curve(flame, 1);
  flame.quality = 77;
  EXPECT_EQ(given.k2, 0.125f);
  EXPECT_EQ(plan_log_curve(flame, 1).k2, 0.125f);
  flame.logscale_k2 = 0;
  EXPECT_EQ(given.k1, plan_log_curve(flame, 1).k1);
  EXPECT_NE(plan_log_curve(flame, 1).k2, 0.125f);
}

/// Density estimation of a histogram with the kernels. all_wide: as if every cell held a source of
/// the widest kernel.
std::vector<Vec4> estimate(const TestHistogram& h, const LogCurve& curve, const DensityPlan& plan,
                           bool all_wide, int passes = 1) {
  const DensityGrid grid = density_grid(plan, h.width, h.height);
  const auto thresholds = density_thresholds(plan, h.unit);
  const DensityTable table{thresholds.data(), plan.kernels.data(), plan.coefficients.data(),
                           plan.last};
  std::vector<Vec4> scaled(source_count(grid)),
      density(std::size_t(h.width) * h.height, Vec4{-1, -1, -1, -1});
  std::vector<u16> widths(source_count(grid)), cells(cell_count(grid));
  run_kernel(SelectWidth{h.view(), grid, table, curve, plan.supersample, scaled.data(),
                         widths.data(), cells.data()});
  if (all_wide) std::fill(cells.begin(), cells.end(), u16(0));
  for (int pass = 0; pass < passes; ++pass) {
    run_kernel(GatherDensity{grid, table, scaled.data(), widths.data(), cells.data(),
                             density.data(), pass > 0});
  }
  return density;
}

TEST(GatherDensity, equals_a_scatter_in_double) {
  struct Case {
    int width, height, channels, supersample;
    double radius, minimum, curve;
  };
  for (const Case& c : {Case{1, 1, 4, 1, 9, 0, 0.4}, Case{37, 23, 4, 1, 9, 0, 0.4},
                        Case{17, 33, 5, 1, 20, 0.3, 0.6}, Case{41, 31, 5, 2, 4, 0, 0.4},
                        Case{47, 29, 4, 3, 4.5, 0.7, 1.1}, Case{33, 18, 4, 1, 5, 2, 0.6},
                        Case{26, 27, 4, 4, 1, 0, 0.5}}) {
    SCOPED_TRACE(c.width);
    const TestHistogram h =
        random_histogram(c.width, c.height, c.channels, 0x1p-6f, unsigned(c.width));
    const LogCurve curve{1067.8f, 0.004f};
    const DensityPlan plan = plan_density(c.radius, c.minimum, c.curve, c.supersample);
    const auto got = estimate(h, curve, plan, false);
    const auto expected = scatter_density(h, curve, plan, c.radius);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const float values[4] = {got[i].r, got[i].g, got[i].b, got[i].a};
      // sums of up to 1600 positive products
      for (int k = 0; k < 4; ++k)
        ASSERT_NEAR(values[k], expected[i][k], 1e-5 * expected[i][k] + 1e-30) << i;
    }
  }
}

TEST(GatherDensity, skipping_changes_no_bit) {
  TestHistogram h = random_histogram(83, 67, 4, 1, 5);
  for (int y = 20; y < 60;
       ++y) {  // dense and empty areas beside sparse ones: some tiles skip, some do not
    for (int x = 0; x < 70; ++x) {
      for (int c = 0; c < 4; ++c) h.sums[(y * 83 + x) * 4 + c] = x < 40 ? 255 * 5000 : 0;
    }
  }
  const LogCurve curve{1067.8f, 0.004f};
  const DensityPlan plan = plan_density(9, 0, 0.4, 1);
  const auto sparing = estimate(h, curve, plan, false), thorough = estimate(h, curve, plan, true);
  EXPECT_EQ(std::memcmp(sparing.data(), thorough.data(), sparing.size() * sizeof(Vec4)), 0);
}

TEST(GatherDensity, dense_areas_keep_957_thousandths) {
  TestHistogram h{40, 40, 4, 1, std::vector<u64>(40 * 40 * 4, 255 * 1000)};
  const LogCurve curve{1067.8f, 0.004f};
  const auto got = estimate(h, curve, plan_density(9, 0, 0.4, 1), false);
  for (const Vec4& pixel : got)
    ASSERT_NEAR(pixel.a, 0.957454562326 * log_scaled(h, curve, 0, 0)[3], 1e-2);
}

TEST(GatherDensity, a_bucket_without_hits_is_no_source) {
  TestHistogram h{5, 5, 5, 1, std::vector<u64>(5 * 5 * 5)};
  for (int c = 0; c < 4; ++c)
    h.sums[12 * 5 + c] = 255;  // light, but no hits: a weight of 0 in the hit counter
  const LogCurve curve{1067.8f, 0.004f};
  const DensityPlan plan = plan_density(9, 0, 0.4, 1);
  for (const Vec4& pixel : estimate(h, curve, plan, false)) ASSERT_EQ(pixel.a, 0);
  h.sums[12 * 5 + 4] = 255;
  EXPECT_GT(estimate(h, curve, plan, false)[12].a, 0);
}

TEST(GatherDensity, passes_add_up) {
  const TestHistogram h = random_histogram(20, 20, 4, 1, 8);
  const DensityPlan plan = plan_density(9, 0, 0.4, 1);
  const auto once = estimate(h, {1000, 0.004f}, plan, false),
             twice = estimate(h, {1000, 0.004f}, plan, false, 2);
  for (std::size_t i = 0; i < once.size(); ++i) ASSERT_EQ(twice[i].g, 2 * once[i].g);
}

}  // namespace
}  // namespace kiln
