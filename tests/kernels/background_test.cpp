// SPDX-License-Identifier: MIT
// Backgrounds of several colors beside JWildfire's rules as they are told, and in every picture: stripes, both
// depths, straight alpha, motion blur.
#include "kernels/background.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/render/memory_need.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"
#include "engine/render/stages/background/background_stage.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stripes.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/output_reference.h"

namespace kiln::test {
namespace {

using namespace kiln::testing;
using Color = std::array<double, 3>;

Flame with_gradient(BackgroundType type) {
  Flame flame = flame_over(70, 1000, -1, -1, 35);
  flame.quality = 20;
  flame.xforms.push_back(contraction(1, 0.5, 0, 0));
  flame.xforms.push_back(contraction(1, 0.5, 0.4, 13.5));
  flame.background = {0.9, 0.1, 0.9};  // which is not seen
  flame.background_type = type;
  flame.background_ul = {1, 0, 0};
  flame.background_ur = {0, 1, 0.25};
  flame.background_ll = {0, 0.25, 1};
  flame.background_lr = {1, 0.75, 0};
  flame.background_cc = {0.5, 1, 0.5};
  return flame;
}

/// The color between four, u of the way to the right and v down.
double bilinear(double ul, double ur, double ll, double lr, double u, double v) {
  return (1 - v) * ((1 - u) * ul + u * ur) + v * ((1 - u) * ll + u * lr);
}

/// 0 to 1, by the rule as it is told: each quarter for itself.
double expected(const Flame& flame, int width, int height, int x, int y, std::size_t c) {
  const double ul = flame.background_ul[c], ur = flame.background_ur[c],
               ll = flame.background_ll[c], lr = flame.background_lr[c];
  if (flame.background_type == BackgroundType::gradient_2x2)
    return bilinear(ul, ur, ll, lr, double(x) / (width - 1), double(y) / (height - 1));
  const int w2 = width / 2 - 1, h2 = height / 2 - 1;
  const double u = double(x <= w2 ? x : x - w2) / w2, v = double(y <= h2 ? y : y - h2) / h2;
  const double cc = flame.background_cc[c], top = (ul + ur) / 2, left = (ul + ll) / 2,
               right = (ur + lr) / 2, bottom = (ll + lr) / 2;
  if (x <= w2)
    return y <= h2 ? bilinear(ul, top, left, cc, u, v) : bilinear(left, cc, ll, bottom, u, v);
  return y <= h2 ? bilinear(top, ur, cc, right, u, v) : bilinear(cc, right, bottom, lr, u, v);
}

constexpr BackgroundType both[] = {BackgroundType::gradient_2x2, BackgroundType::gradient_2x2_c};

TEST(Background, every_pixel_has_its_color_as_far_as_the_picture_is_not_opaque) {
  for (const BackgroundType type : both)
    for (const auto& [width, height] : {std::pair{4, 5}, {7, 4}, {16, 9}, {160, 90}, {67, 131}}) {
      const Flame flame = with_gradient(type);
      const float alphas[] = {0, 0.25f, 1};
      std::vector<Vec4> display;
      for (int i = 0; i < width * height; ++i)
        display.push_back({float(i % 200), 20, 3.5f, alphas[i % 3]});
      const std::vector<Vec4> before = display;
      run_kernel(AddBackground{display.data(), width, height,
                               plan_gradient(flame, width, height).value()});
      for (int i = 0; i < width * height; ++i) {
        const Vec4 &got = display[std::size_t(i)], &was = before[std::size_t(i)];
        const auto wanted = [&](std::size_t c, float light) {
          const double behind = expected(flame, width, height, i % width, i / width, c);
          return std::clamp(double(light) + 256 * behind * (1 - double(was.a)), 0.0, 255.0);
        };
        ASSERT_NEAR(got.r, wanted(0, was.r), 1e-3) << width << " " << i;
        ASSERT_NEAR(got.g, wanted(1, was.g), 1e-3) << width << " " << i;
        ASSERT_NEAR(got.b, wanted(2, was.b), 1e-3) << width << " " << i;
        ASSERT_EQ(got.a, was.a);
      }
    }
}

TEST(Background, the_smallest_pictures_have_the_colors_of_their_corners) {
  for (const BackgroundType type : both) {
    const Flame flame = with_gradient(type);
    const BackgroundGradient one = plan_gradient(flame, 1, 1).value();
    EXPECT_EQ(one.at(0, 0).r, 256);
    const BackgroundGradient three = plan_gradient(flame, 3, 3).value();
    EXPECT_EQ(three.at(2, 0).g, 256);
    EXPECT_EQ(three.at(0, 2).b, 256);
    EXPECT_EQ(three.at(2, 2).g, 192);
  }
  EXPECT_FALSE(plan_gradient(Flame{}, 9, 9));
}

RenderOptions on_cpu() {
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = 2;
  return options;
}

std::array<int, 4> pixel(const Image& image, int x, int y) {
  const std::uint8_t* p =
      &image.pixels8()[4 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x))];
  return {p[0], p[1], p[2], p[3]};
}

TEST(Background, of_stripes_is_that_of_the_whole_picture) {
  for (const BackgroundType type : both) {
    const Flame flame = with_gradient(type);
    RenderOptions options = on_cpu();
    const PreparedFrame frame = prepare({flame, {}, {}, 0}, options);
    const Image whole = Renderer(options).render(frame, nullptr);
    options.max_memory_bytes = memory_need(frame, options).picture / 2;
    const auto device = open_device(options);
    EXPECT_GE(plan_memory(frame, options, *device).stripes.size(), 3u);
    EXPECT_EQ(whole.pixels8(), Renderer(options).render(frame, nullptr).pixels8());
    EXPECT_EQ(pixel(whole, 0, 0), (std::array<int, 4>{255, 0, 0, 255}));
    EXPECT_EQ(pixel(whole, 0, 999)[2], 255);
  }
}

TEST(Background, is_left_out_of_transparent_pictures_alone) {
  Flame flame = with_gradient(BackgroundType::gradient_2x2_c);
  flame.brightness = 1e4;
  Flame black = flame;
  black.background_type = BackgroundType::single_color;
  black.background = {0, 0, 0};
  RenderOptions options = on_cpu();
  const Image over_black = render(black, options), gradient = render(flame, options);
  options.transparent = true;
  EXPECT_EQ(render(flame, options).pixels8(), render(black, options).pixels8());
  int opaque = 0, clear = 0;
  for (std::size_t i = 0; i < gradient.pixels8().size(); i += 4) {
    const std::uint8_t *a = &over_black.pixels8()[i], *b = &gradient.pixels8()[i];
    opaque += std::equal(a, a + 3, b) && a[0] + a[1] + a[2] > 0;
    clear += a[0] + a[1] + a[2] == 0 && b[1] + b[2] > 0;
  }
  EXPECT_GT(opaque, 0);
  EXPECT_GT(clear, 1000);
  options.transparent = false;
  options.bits = 16;
  const Image words = render(flame, options);
  for (std::size_t i = 0; i < words.pixels16().size(); ++i)
    ASSERT_EQ(words.pixels16()[i] / 256, gradient.pixels8()[i]) << i;
}

TEST(Background, five_equal_colors_are_one) {
  Flame flame = with_gradient(BackgroundType::gradient_2x2_c), single = flame;
  for (const auto part : background_parts) flame.*part = {0.25, 0.5, 0.75};
  single.background_type = BackgroundType::single_color;
  single.background = {0.25, 0.5, 0.75};
  const Image a = render(flame, on_cpu()), b = render(single, on_cpu());
  for (std::size_t i = 0; i < a.pixels8().size(); ++i)
    ASSERT_NEAR(a.pixels8()[i], b.pixels8()[i], 1) << i;
  EXPECT_FALSE(has_gradient(flame));
}

// Where one of them has one color, all corners have it.
TEST(Background, of_a_frame_in_motion_has_the_mean_of_its_moments) {
  Flame gradient = with_gradient(BackgroundType::gradient_2x2), single = gradient;
  single.background_type = BackgroundType::single_color;
  FrameSettings settings(gradient, 4);
  for (const Flame* moment : {&gradient, &gradient, &single, &gradient}) settings.add(*moment);
  const Flame& frame = settings.frame();
  EXPECT_NEAR(frame.background_ul[0], 0.75 * 1 + 0.25 * 0.9, 1e-12);
  EXPECT_NEAR(frame.background_lr[1], 0.75 * 0.75 + 0.25 * 0.1, 1e-12);
  EXPECT_NEAR(frame.background[2], 0.9, 1e-12);
  EXPECT_EQ(frame.background_type, BackgroundType::gradient_2x2);
}

}  // namespace
}  // namespace kiln::test
