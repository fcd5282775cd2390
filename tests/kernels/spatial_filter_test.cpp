// SPDX-License-Identifier: MIT
// The spatial filter: flam3's printed taps, the buffer's geometry, and the two passes against one
// double table.
#include "kernels/spatial_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "engine/base/error.h"
#include "engine/render/stages/filter/filter_stage.h"
#include "tests/kernels/output_reference.h"

namespace kiln {
namespace {

using namespace kiln::testing;

struct ReferenceTaps {
  FilterShape shape;
  int supersample;
  double radius;
  int size;
  std::vector<double> taps;  // first half
};

// flam3-pipeline.md section 17: printed by the real library.
const std::vector<ReferenceTaps> reference_taps = {
    {FilterShape::gaussian, 1, 0.5, 3, {0.000335237708, 0.999329525}},
    {FilterShape::box, 1, 0.5, 1, {1}},
    {FilterShape::hermite, 1, 0.5, 3, {0, 1}},
    {FilterShape::triangle, 1, 0.5, 3, {0, 1}},
    {FilterShape::bell, 1, 0.5, 3, {0, 1}},
    {FilterShape::bspline, 1, 0.5, 3, {0, 1}},
    {FilterShape::lanczos3, 1, 0.5, 3, {0, 1}},
    {FilterShape::lanczos2, 1, 0.5, 3, {0, 1}},
    {FilterShape::mitchell, 1, 0.5, 3, {0, 1}},
    {FilterShape::blackman, 1, 0.5, 3, {0, 1}},
    {FilterShape::catrom, 1, 0.5, 3, {0, 1}},
    {FilterShape::hanning, 1, 0.5, 3, {0, 1}},
    {FilterShape::quadratic, 1, 0.5, 3, {0, 1}},
    {FilterShape::hamming, 1, 0.5, 5, {0, 0, 1}},
    {FilterShape::gaussian, 2, 1, 8, {0.000872710787, 0.0175288647, 0.129521765, 0.35207666}},
    {FilterShape::hermite, 2, 1, 6, {0, 0.078125, 0.421875}},
    {FilterShape::box, 2, 1, 4, {0, 0.5}},
    {FilterShape::triangle, 2, 1, 6, {0, 0.125, 0.375}},
    {FilterShape::bell, 2, 1, 8, {0, 0.015625, 0.140625, 0.34375}},
    {FilterShape::quadratic, 2, 1, 8, {0, 0.015625, 0.140625, 0.34375}},
    {FilterShape::bspline, 2, 1, 10, {0, 0.00130208333, 0.03515625, 0.157552083, 0.305989583}},
    {FilterShape::lanczos3, 2, 1, 10, {0, -0.00737847222, -0.01171875, 0.128038194, 0.391059028}},
    {FilterShape::lanczos2, 2, 1, 6, {-0.00849252436, 0.0141542073, 0.494338317}},
    {FilterShape::mitchell, 2, 1, 10, {0, -0.01171875, -0.03515625, 0.11328125, 0.43359375}},
    {FilterShape::blackman, 2, 1, 6, {-0.0167735689, 0.0279559482, 0.488817621}},
    {FilterShape::catrom, 2, 1, 6, {-0.0240218038, 0.0400363396, 0.483985464}},
    {FilterShape::hamming,
     2,
     1,
     14,
     {0, 0.000330857416, 0.00450888277, -0.017882157, -0.0490686389, 0.121739835, 0.440371221}},
    {FilterShape::hanning, 2, 1, 10, {0, -0.00124984562, -0.019989036, 0.0925418335, 0.428697048}},
};

TEST(FilterPlan, taps_are_those_of_flam3) {
  for (const ReferenceTaps& reference : reference_taps) {
    SCOPED_TRACE(int(reference.shape));
    SCOPED_TRACE(reference.supersample);
    const FilterPlan plan =
        plan_filter(reference.shape, reference.radius, reference.supersample, 1);
    ASSERT_EQ(plan.size, reference.size);
    for (std::size_t i = 0; i < reference.taps.size(); ++i) {
      EXPECT_NEAR(plan.x[i], reference.taps[i], 3e-8) << i;
      EXPECT_NEAR(plan.y[plan.size - 1 - i], reference.taps[i], 3e-8) << i;
    }
  }
}

TEST(FilterPlan, box_holds_one_of_its_edges) {
  EXPECT_EQ(filter_value(FilterShape::box, -0.5), 0);
  EXPECT_EQ(filter_value(FilterShape::box, 0.5), 1);
  EXPECT_EQ(plan_filter(FilterShape::box, 0, 2, 1).x, (std::vector<float>{0, 1}));
}

TEST(FilterPlan, pixel_aspect_stretches_rows_of_taps) {
  const FilterPlan plan = plan_filter(FilterShape::triangle, 1, 2, 0.5);
  ASSERT_EQ(plan.size, 10);  // 2 * 1 * 2 * 1 / 0.5 = 8, then 9, then even as the supersample
  EXPECT_NEAR(plan.x[4] / plan.x[3], (1 - 0.125) / (1 - 0.375), 1e-6);  // arguments 0.125 and 0.375
  EXPECT_NEAR(plan.y[4] / plan.y[3], (1 - 0.25) / (1 - 0.75), 1e-6);    // divided by the aspect
  EXPECT_EQ(plan.y[2], 0);
}

TEST(FilterPlan, a_filter_without_a_tap_is_an_error) {
  EXPECT_THROW(plan_filter(FilterShape::triangle, 0.1, 2, 1), Error);
  EXPECT_NO_THROW(plan_filter(FilterShape::triangle, 0.1, 1, 1));
}

TEST(BufferGeometry, gutter_holds_filter_and_density) {
  Flame flame;
  BufferGeometry g = plan_geometry(flame);
  EXPECT_EQ(g.gutter, 9);
  EXPECT_EQ(g.filter_offset, 8);  // filter of 3 taps: 1
  EXPECT_EQ(g.width, 118);

  flame.supersample = 2;
  flame.filter_radius_px = 1;  // 8 taps: 3
  flame.estimator_radius = 8.5;
  g = plan_geometry(flame);
  EXPECT_EQ(g.gutter, 9 * 2 + 1);
  EXPECT_EQ(g.filter_offset, 16);
  EXPECT_EQ(g.height, 200 + 38);

  flame.estimator_radius = 0;
  g = plan_geometry(flame);
  EXPECT_EQ(g.gutter, 3);
  EXPECT_EQ(g.filter_offset, 0);

  flame.supersample = 4;
  flame.filter_radius_px = 0;  // 2 taps, in the middle of the 4
  g = plan_geometry(flame);
  EXPECT_EQ(g.gutter, 0);
  EXPECT_EQ(g.filter_offset, 1);
}

TEST(BufferGeometry, a_filter_of_another_supersample) {
  Flame flame;
  flame.estimator_radius = 0;
  flame.supersample = 2;
  flame.filter_radius_px = 1;
  flame.filter_supersample = 1;
  BufferGeometry g = plan_geometry(flame);
  const OutputPlan plan = plan_output(flame, {});
  EXPECT_EQ(plan.filter.size, plan_filter(FilterShape::gaussian, 1, 1, 1).size);
  EXPECT_EQ(plan.filter.size, 5);  // of 2 * 1.5 + 1, made odd: one bucket before the pixel's two,
  EXPECT_EQ(g.gutter, 2);          // two behind them
  EXPECT_EQ(g.filter_offset, 1);
  EXPECT_LE(g.filter_offset + plan.filter_rows(), g.height);

  flame.supersample = 3;
  g = plan_geometry(flame);
  EXPECT_EQ(g.gutter, 1);
  EXPECT_EQ(g.filter_offset, 0);

  flame.supersample = 4;
  flame.filter_radius_px = 0.3;  // a tap for four buckets
  EXPECT_EQ(plan_output(flame, {}).filter.size, 1);
  g = plan_geometry(flame);
  EXPECT_EQ(g.gutter, 0);
  EXPECT_EQ(g.filter_offset, 1);
}

TEST(SpatialFilter, two_passes_equal_the_table) {
  struct Case {
    int width, height, supersample;
    FilterShape shape;
    double radius, pixel_aspect, estimator_radius;
  };
  for (const Case& c :
       {Case{1, 1, 1, FilterShape::gaussian, 0.5, 1, 9},
        Case{65, 7, 1, FilterShape::gaussian, 2, 1, 0},
        Case{13, 17, 2, FilterShape::hamming, 1, 1, 3}, Case{64, 3, 3, FilterShape::box, 0.8, 1, 0},
        Case{31, 5, 2, FilterShape::lanczos3, 1.3, 1.5, 1},
        Case{129, 3, 1, FilterShape::bell, 1, 1, 0}, Case{5, 4, 4, FilterShape::box, 0, 1, 0}}) {
    SCOPED_TRACE(c.width);
    Flame flame;
    flame.width = c.width;
    flame.height = c.height;
    flame.supersample = c.supersample;
    flame.filter_shape = c.shape;
    flame.filter_radius_px = c.radius;
    flame.pixel_aspect = c.pixel_aspect;
    flame.estimator_radius = c.estimator_radius;
    const OutputPlan plan = plan_output(flame, {});
    std::mt19937 random(11);
    std::vector<Vec4> buffer;
    std::vector<Pixel> in_double;
    for (int i = 0; i < plan.geometry.width * plan.geometry.height; ++i) {
      const auto draw = [&] { return float(random() % 1000); };
      buffer.push_back({draw(), draw(), draw(), draw()});
      in_double.push_back({buffer[i].r, buffer[i].g, buffer[i].b, buffer[i].a});
    }
    std::vector<Vec4> rows(std::size_t(plan.filter_rows()) * plan.width),
        picture(std::size_t(c.width) * c.height);
    run_kernel(filter_rows(plan, buffer.data(), plan.filter.x.data(), rows.data()));
    run_kernel(filter_columns(plan, rows.data(), plan.filter.y.data(), picture.data()));
    const auto expected = filtered(in_double, plan, c.shape, c.radius, c.pixel_aspect);
    for (std::size_t i = 0; i < picture.size(); ++i) {
      const float got[4] = {picture[i].r, picture[i].g, picture[i].b, picture[i].a};
      for (int k = 0; k < 4; ++k)
        ASSERT_NEAR(got[k], expected[i][k], 2e-3) << i;  // terms up to 1000, float
    }
  }
}

/// JWildfire's Mitchell filter with its parameters B and C, and its Gauss curve.
double mitchell(double t, double b, double c) {
  const double near = (12 - 9 * b - 6 * c) * t * t * t + (-18 + 12 * b + 6 * c) * t * t + 6 - 2 * b;
  const double far =
      (-b - 6 * c) * t * t * t + (6 * b + 30 * c) * t * t + (-12 * b - 48 * c) * t + 8 * b + 24 * c;
  return t < 1 ? near / 6 : t < 2 ? far / 6 : 0;
}
double gauss(double t) { return std::exp(-2 * t * t); }

struct TableCase {
  int width, height, supersample;
  FilterKernel kernel;
  double radius, support;
  double (*value)(double);
  bool sharpens;
};

/// The sum of a kernel's table around a pixel, by the formulas of JWildfire: of its n x n cells, of which the first is
/// n / 2 - 1 before the pixel's first one.
double table_sum(const TableCase& c, double radius, double support, double (*value)(double),
                 const std::function<double(int, int)>& cell) {
  const int f = int(2 * c.supersample * support * radius);
  int n = f + 1;
  n += 1 - n % 2;
  const double adjust = f > 0 ? support * n / f : 1;
  double sum = 0, weights = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double rho = adjust * std::hypot((2 * i + 1.0) / n - 1, (2 * j + 1.0) / n - 1);
      sum += value(rho) * cell(i - (n / 2 - 1), j - (n / 2 - 1));
      weights += value(rho);
    }
  return std::max(sum / weights, 0.0);
}

TEST(TableFilter, is_that_of_jwildfire) {
  const auto smooth = [](double t) { return mitchell(t, 0.42, 0.29); };
  const auto plain = [](double t) { return mitchell(t, 1.0 / 3, 1.0 / 3); };
  for (const TableCase& c :
       {TableCase{13, 7, 1, FilterKernel::mitchell_smooth, 0.75, 2, smooth, true},
        TableCase{1, 1, 1, FilterKernel::mitchell_smooth, 0.75, 2, smooth, true},
        TableCase{65, 5, 1, FilterKernel::mitchell, 1.3, 2, plain, true},
        TableCase{31, 4, 3, FilterKernel::mitchell, 0.2, 2, plain,
                  true},  // opacity reaches further
        TableCase{64, 3, 2, FilterKernel::gaussian, 0.5, 1.5, gauss, false},
        TableCase{129, 2, 1, FilterKernel::gaussian, 2, 1.5, gauss, false}}) {
    SCOPED_TRACE(c.width);
    Flame flame;
    flame.dialect = Dialect::jwildfire;
    flame.width = c.width;
    flame.height = c.height;
    flame.supersample = c.supersample;
    flame.filter_kernel = c.kernel;
    flame.filter_radius_px = c.radius;
    flame.estimator_radius = 0;
    const OutputPlan plan = plan_output(flame, {});
    const BufferGeometry& g = plan.geometry;
    std::mt19937 random(11);
    std::vector<Vec4> buffer;
    for (int i = 0; i < g.width * g.height; ++i) {
      const auto draw = [&] { return float(random() % 1000); };
      buffer.push_back({draw(), draw(), draw(), draw()});
    }
    std::vector<Vec4> picture(std::size_t(c.width) * c.height);
    run_kernel(filter_table(plan, buffer.data(), plan.filter.table.data(), picture.data()));
    for (int y = 0; y < c.height; ++y)
      for (int x = 0; x < c.width; ++x) {
        const auto at = [&](int i, int j) -> const Vec4& {
          return buffer.at(std::size_t((g.gutter + c.supersample * y + j) * g.width + g.gutter +
                                       c.supersample * x + i));
        };
        const Vec4& got = picture[std::size_t(y) * c.width + x];
        const auto red = [&](int i, int j) { return double(at(i, j).r); };
        const auto blue = [&](int i, int j) { return double(at(i, j).b); };
        const auto opacity = [&](int i, int j) { return double(at(i, j).a); };
        ASSERT_NEAR(got.r, table_sum(c, c.radius, c.support, c.value, red), 2e-3);
        ASSERT_NEAR(got.b, table_sum(c, c.radius, c.support, c.value, blue), 2e-3);
        ASSERT_NEAR(got.a,
                    c.sharpens ? table_sum(c, 0.75, 1.5, gauss, opacity)
                               : table_sum(c, c.radius, c.support, c.value, opacity),
                    2e-3);
      }
  }
}

TEST(TableFilter, of_less_than_a_bucket_is_none) {
  Flame flame;
  flame.dialect = Dialect::jwildfire;
  flame.filter_kernel = FilterKernel::gaussian;
  flame.filter_radius_px = 0;
  EXPECT_FALSE(is_table(flame));
  EXPECT_TRUE(plan_output(flame, {}).filter.table.empty());
  flame.filter_radius_px = 0.1;  // a table of one
  EXPECT_FALSE(is_table(flame));
  flame.filter_radius_px = 0.75;
  EXPECT_TRUE(is_table(flame));
  flame.dialect = Dialect::flam3;  // whose grid lies otherwise
  EXPECT_FALSE(is_table(flame));
  flame.dialect = Dialect::jwildfire;
  flame.filter_kernel = FilterKernel::none;
  EXPECT_FALSE(is_table(flame));
}

TEST(TableFilter, kernels_are_1_in_the_middle_or_as_high_as_they_are) {
  EXPECT_NEAR(filter_value(FilterKernel::sinepow10, 0), 1, 1e-12);
  EXPECT_EQ(filter_value(FilterKernel::sinepow10, 0.99), 0);  // not defined there
  EXPECT_NEAR(filter_value(FilterKernel::sinepow5, std::pow(10, std::log(0.25) / 5)), 0.5, 1e-9);
  EXPECT_NEAR(filter_value(FilterKernel::lanczos2, 0.5),
              std::pow(2 / M_PI, 1) * std::pow(std::sin(M_PI / 4) / (M_PI / 4), 2), 1e-9);
  EXPECT_EQ(filter_value(FilterKernel::hanning, 1.01), 0);
  EXPECT_NEAR(filter_value(FilterKernel::mitchell_smooth, 1.333), mitchell(1.333, 0.42, 0.29),
              1e-12);
}

}  // namespace
}  // namespace kiln
