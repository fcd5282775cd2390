// SPDX-License-Identifier: MIT
// All stages after the histogram in a row, on the CPU: the order that engine/render/stages/output_plan.h
// documents, from integer sums to bytes, against the same picture in double.
#include <gtest/gtest.h>

#include "engine/render/stages/filter/filter_stage.h"
#include "kernels/density.h"
#include "kernels/tonemap.h"
#include "tests/kernels/output_reference.h"

namespace kiln {
namespace {

using namespace kiln::testing;

/// Histogram to 8-bit pixels with the kernels.
std::vector<u8> render_output(const OutputPlan& plan, const TestHistogram& h) {
  std::vector<Vec4> density(std::size_t(h.width) * h.height);
  if (plan.density.active()) {
    const auto thresholds = density_thresholds(plan.density, h.unit);
    const DensityTable table{thresholds.data(), plan.density.kernels.data(),
                             plan.density.coefficients.data(), plan.density.last};
    std::vector<Vec4> scaled(source_count(plan.density_grid));
    std::vector<u16> widths(source_count(plan.density_grid)), cells(cell_count(plan.density_grid));
    run_kernel(SelectWidth{h.view(), plan.density_grid, table, plan.log_curve,
                           plan.geometry.supersample, scaled.data(), widths.data(), cells.data()});
    run_kernel(GatherDensity{plan.density_grid, table, scaled.data(), widths.data(), cells.data(),
                             density.data(), 0});
  } else {
    run_kernel(LogScale{h.view(), plan.log_curve, density.data(), 0});
  }
  if (plan.earlyclip)
    run_kernel(ToneMap{density.data(), density.data(), i64(density.size()), plan.tone});

  std::vector<Vec4> rows(std::size_t(plan.filter_rows()) * plan.width);
  std::vector<Vec4> picture(std::size_t(plan.width) * plan.height);
  run_kernel(filter_rows(plan, density.data(), plan.filter.x.data(), rows.data()));
  run_kernel(filter_columns(plan, rows.data(), plan.filter.y.data(), picture.data()));
  if (!plan.earlyclip)
    run_kernel(ToneMap{picture.data(), picture.data(), i64(picture.size()), plan.tone});

  std::vector<u8> pixels(picture.size() * 4);
  run_kernel(Pack8{picture.data(), pixels.data(), i64(picture.size()), plan.transparent});
  return pixels;
}

/// The same in double.
std::vector<u8> reference_output(const Flame& flame, const OutputPlan& plan,
                                 const TestHistogram& h) {
  std::vector<Pixel> buffer;
  if (plan.density.active()) {
    buffer = scatter_density(h, plan.log_curve, plan.density, flame.estimator_radius);
  } else {
    for (int i = 0; i < h.width * h.height; ++i)
      buffer.push_back(log_scaled(h, plan.log_curve, i % h.width, i / h.width));
  }
  const ToneSettings tone{flame.gamma,           flame.gamma_threshold, flame.vibrancy,
                          flame.highlight_power, flame.background,      plan.transparent};
  if (plan.earlyclip) {
    for (Pixel& pixel : buffer) pixel = tone_mapped(pixel, tone);
  }
  auto picture =
      filtered(buffer, plan, flame.filter_shape, flame.filter_radius_px, flame.pixel_aspect);
  std::vector<u8> pixels;
  for (Pixel& pixel : picture) {
    if (!plan.earlyclip) pixel = tone_mapped(pixel, tone);
    for (int c = 0; c < 3; ++c) pixels.push_back(u8(std::clamp(pixel[c], 0.0, 255.0)));
    pixels.push_back(plan.transparent ? u8(std::clamp(pixel[3], 0.0, 1.0) * 255) : u8(255));
  }
  return pixels;
}

TEST(OutputStages, picture_equals_double_but_for_cut_edges) {
  for (int variant = 0; variant < 6; ++variant) {
    SCOPED_TRACE(variant);
    Flame flame;
    flame.width = 61;
    flame.height = 43;
    flame.quality = 20;
    flame.supersample = variant == 1 || variant == 4 ? 2 : 1;
    flame.estimator_radius = variant == 2 ? 0 : 5;
    flame.filter_shape = variant == 3 ? FilterShape::lanczos3 : FilterShape::gaussian;
    flame.filter_radius_px = variant == 3 ? 1.2 : 0.5;
    flame.vibrancy = variant == 4 ? 0.6 : 1;
    flame.highlight_power = variant == 5 ? 1 : -1;
    flame.background = {0.1, 0.2, 0.05};
    OutputSettings settings;
    settings.earlyclip = variant == 4;
    settings.transparent = variant == 3;
    const OutputPlan plan = plan_output(flame, settings);
    const TestHistogram h = random_histogram(plan.geometry.width, plan.geometry.height,
                                             variant == 5 ? 5 : 4, 0x1p-5f, 21);
    const auto got = render_output(plan, h), expected = reference_output(flame, plan, h);
    ASSERT_EQ(got.size(), expected.size());
    int differing = 0, sum = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_LE(std::abs(got[i] - expected[i]), 1) << i;
      differing += got[i] != expected[i];
      sum += i % 4 == 3 ? 0 : got[i];
    }
    EXPECT_LT(differing, int(got.size()) / 50);
    EXPECT_GT(sum / int(got.size()), 20);  // a picture, not black
    EXPECT_LT(sum / int(got.size()), 190);
  }
}

}  // namespace
}  // namespace kiln
