// SPDX-License-Identifier: MIT
// Curves on a device: every value looked up, any number of pixels, and what a picture gets of them.
#include "kernels/curves.h"

#include <gtest/gtest.h>

#include "engine/render/renderer.h"
#include "engine/render/stages/curves/curves_stage.h"
#include "engine/render/stages/output_plan.h"
#include "tests/devices.h"
#include "tests/kernels/output_reference.h"

namespace kiln {
namespace {

using namespace kiln::testing;

CurveMix darker_red() {
  ColorCurves curves;
  curves.curves[1] = {{0, 0}, {0.5, 0.1}, {1, 0.7}};
  return mix_of(curves);
}

TEST(ApplyCurves, every_pixel_of_any_size) {
  const std::vector<float> tables = plan_curves(darker_red());
  for (int count : {1, 7, 255, 256, 257, 1021}) {
    std::vector<Vec4> display;
    for (int i = 0; i < count; ++i)
      display.push_back({float(i % 256), float((i + 50) % 256), 3.5f, 0.25f});
    const std::vector<Vec4> before = display;
    run_kernel(ApplyCurves{display.data(), tables.data(), count});
    for (std::size_t i = 0; i < display.size(); ++i) {
      ASSERT_EQ(display[i].r, 255 * tables[std::size_t(before[i].r * 257)]);
      ASSERT_NEAR(display[i].g, before[i].g, 0.01f);
      ASSERT_EQ(display[i].a, 0.25f);
    }
  }
}

TEST(ApplyCurves, clamps_what_no_table_holds) {
  const std::vector<float> tables = plan_curves(darker_red());
  const float inf = __builtin_huge_valf(), nan = __builtin_nanf("");
  Vec4 display[2] = {{nan, -1, 300, 1}, {inf, -inf, 254.999f, 0}};
  run_kernel(ApplyCurves{display, tables.data(), 2});
  EXPECT_EQ(display[0].r, 0);
  EXPECT_EQ(display[0].g, 0);
  EXPECT_EQ(display[0].b, 255);
  EXPECT_NEAR(display[1].r, 0.7 * 255, 1e-3);
  EXPECT_EQ(display[1].g, 0);
}

}  // namespace
}  // namespace kiln
