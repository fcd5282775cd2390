// SPDX-License-Identifier: MIT
// The vignette beside its formula in double, in linear light, and in every picture: stripes, crops, keys between.
#include "kernels/vignette.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/animation/interpolate.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stages.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/output_reference.h"

namespace kiln::test {
namespace {

using namespace kiln::testing;

Flame even_light(int width, int height) {
  Flame flame = flame_over(width, height, -1, -1, 35);
  flame.quality = 20;
  flame.estimator_radius = 0;
  flame.xforms.push_back(contraction(1, 0.5, 0, 0));
  flame.xforms.push_back(contraction(1, 0.5, 0.4, 13.5));
  return flame;
}

/// The factor by the words of the header: 1 in the center, 1 - strength in the corners.
double expected(double strength, int width, int height, int x, int y) {
  const double u = width > 1 ? 2.0 * x / (width - 1) - 1 : 0;
  const double v = height > 1 ? 2.0 * y / (height - 1) - 1 : 0;
  const double t = (u * u + v * v) / 2;
  return 1 - strength * (3 * t * t - 2 * t * t * t);
}

TEST_ON_EVERY_DEVICE(Vignette, each_pixel_has_the_factor_of_its_place) {
  for (const auto& [width, height] :
       {std::pair{1, 1}, {2, 1}, {1, 7}, {16, 16}, {17, 16}, {67, 131}, {160, 90}})
    for (const double strength : {0.4, 1.0, -1.0}) {
      Flame flame = flame_over(width, height, -1, -1, 35);
      flame.vignette = strength;
      const OutputPlan plan = plan_output(flame, {});
      std::vector<Vec4> light;
      for (int i = 0; i < width * height; ++i)
        light.push_back({float(i % 200), 20, 3.5f, float(i % 3)});
      const DeviceArray<Vec4> array(device, light);
      const DimCorners kernel{array.data(), width, height, plan.vignette};
      device.launch(kernel, kernel.block_count());
      const std::vector<Vec4> got = array.download();
      for (int i = 0; i < width * height; ++i) {
        const Vec4 &was = light[std::size_t(i)], &is = got[std::size_t(i)];
        const double factor = expected(strength, width, height, i % width, i / width);
        const double floats[][2] = {{was.r, is.r}, {was.g, is.g}, {was.b, is.b}, {was.a, is.a}};
        for (const auto& [before, after] : floats)
          ASSERT_NEAR(after, before * factor, 1e-6 * (1 + before))
              << width << " x " << height << ", pixel " << i << ", " << strength;
      }
    }
}

TEST(Vignette, is_in_where_it_is_asked_for) {
  Flame flame = even_light(64, 48);
  EXPECT_FALSE(is_in(stages::vignette, plan_output(flame, {})));
  flame.vignette = -0.01;
  EXPECT_TRUE(is_in(stages::vignette, plan_output(flame, {})));
}

/// Linear light, whose quotient says the factor.
LinearLight light_of(Flame flame, double vignette, RenderOptions options = {}) {
  flame.vignette = vignette;
  options.linear = true;
  const Image image = Renderer(options).render(prepare({flame, {}, {}, 0}, options));
  return image.linear();
}

TEST(Vignette, dims_linear_light_and_its_alpha_and_no_hits) {
  const int width = 80, height = 61;
  const Flame flame = even_light(width, height);
  const LinearLight plain = light_of(flame, 0), dim = light_of(flame, 0.75);
  EXPECT_EQ(plain.hits, dim.hits);
  int lit = 0;
  for (std::size_t i = 0; i < plain.rgba.size(); ++i) {
    const int pixel = int(i / 4);
    const double factor = expected(0.75, width, height, pixel % width, pixel / width);
    lit += plain.rgba[i] > 0;
    ASSERT_NEAR(dim.rgba[i], plain.rgba[i] * factor, 1e-6 * (1 + plain.rgba[i])) << i;
  }
  EXPECT_GT(lit, 200);
}

TEST(Vignette, of_a_crop_is_the_whole_pictures) {
  const int width = 80, height = 61;
  const Flame flame = even_light(width, height);
  RenderOptions options;
  options.crop = Window{50, 40, 30, 21};
  const LinearLight whole = light_of(flame, 0.75), part = light_of(flame, 0.75, options);
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 30 * 4; ++x)
      ASSERT_EQ(part.rgba[std::size_t(y * 30 * 4 + x)],
                whole.rgba[std::size_t(((y + 40) * width + 50) * 4 + x)]);
}

TEST(Vignette, moves_between_keys) {
  Flame first = even_light(64, 48), second = first;
  second.time = 2;
  second.vignette = 0.5;
  EXPECT_DOUBLE_EQ(interpolate({first, second}, 1).vignette, 0.25);
}

}  // namespace
}  // namespace kiln::test
