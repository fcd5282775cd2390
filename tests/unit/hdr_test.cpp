// SPDX-License-Identifier: MIT
// HDR of linear light: known values of PQ, and the picture that files of 8 bits show, where those do not cut.
#include "engine/render/develop/hdr.h"

#include <gtest/gtest.h>

#include "engine/render/renderer.h"
#include "engine/render/still.h"
#include "tests/sample_flame.h"

namespace kiln {
namespace {

/// One pixel of light, and a look that shows it as it is.
HdrFrame frame_of(std::vector<float> rgba, double peak, const Flame& flame) {
  Image image;
  image.width = 1;
  image.height = int(rgba.size() / 4);
  image.pixels.emplace<LinearLight>().rgba = std::move(rgba);
  return hdr_frame(image, flame, peak);
}

Flame plain() {
  Flame flame;
  flame.gamma = 1;
  flame.gamma_threshold = 0;
  return flame;
}

double code(double light) { return 65535 * pq_of(light); }

// SMPTE ST 2084 as ITU-R BT.2408 tabulates it: 58 % is white, 75 % is 1000 cd/m2.
TEST(hdr, pq_is_that_of_the_standard) {
  EXPECT_NEAR(pq_of(0), 0, 1e-5);
  EXPECT_NEAR(pq_of(100), 0.508, 5e-4);
  EXPECT_NEAR(pq_of(203), 0.5807, 5e-4);
  EXPECT_NEAR(pq_of(1000), 0.7518, 5e-4);
  EXPECT_NEAR(pq_of(10000), 1, 1e-9);
}

TEST(hdr, white_is_203_and_light_above_it_goes_on_up_to_the_peak) {
  constexpr float white = 255 / 256.0f;  // flam3's 256 in a scale of 255
  const HdrFrame frame = frame_of(
      {white, white, white, 1, 2 * white, 2 * white, 2 * white, 1, 90, 90, 90, 1, 0, 0, 0, 0}, 1000,
      plain());
  EXPECT_NEAR(frame.pixels[0], code(203), 20);
  EXPECT_NEAR(frame.pixels[1], code(203), 20);
  const double twice = 203 * 4.954;  // ((2 + 0.055) / 1.055)^2.4, and bent from 500 on
  EXPECT_NEAR(frame.pixels[3], code(500 + 500 * (twice - 500) / twice), 20);
  EXPECT_GT(frame.pixels[6], frame.pixels[3]);
  EXPECT_LE(frame.pixels[6], code(1000) + 1);
  EXPECT_EQ(frame.pixels[9], 0);
  EXPECT_NEAR(frame.levels.brightest, 1000, 1);
  EXPECT_NEAR(frame.levels.brightest_frame, (203 + 752 + 1000) / 4.0, 2);
}

// Red of sRGB is not the red of BT.2020.
TEST(hdr, colors_stay_what_they_are_in_other_primaries) {
  const HdrFrame red = frame_of({255 / 256.0f, 0, 0, 1}, 1000, plain());
  EXPECT_NEAR(red.pixels[0], code(203 * 0.6274), 20);
  EXPECT_NEAR(red.pixels[1], code(203 * 0.0691), 20);
  EXPECT_NEAR(red.pixels[2], code(203 * 0.0164), 20);
}

/// Every pixel that no channel of the usual picture cuts is that one, as light.
void expect_usual_picture(const Flame& flame, const std::optional<Window>& window = {}) {
  RenderOptions options;
  options.backend = Backend::cpu;
  options.bits = 16;
  options.crop = window;
  Flame as_it_is = flame;
  as_it_is.saturation = 1;
  const Image usual = render(flame, options), before = render(as_it_is, options);
  options.linear = true;
  const HdrFrame frame = hdr_frame(render(flame, options), flame, 10000, window);
  const auto light = [](double signal) {
    return hdr_white *
           (signal <= 0.04045 ? signal / 12.92 : std::pow((signal + 0.055) / 1.055, 2.4));
  };
  std::size_t seen = 0, cut = 0;
  for (std::size_t i = 0; i < frame.pixels.size() / 3; ++i) {
    const std::uint16_t *rgb = &usual.pixels16()[4 * i], *whole = &before.pixels16()[4 * i];
    if (std::max({whole[0], whole[1], whole[2]}) >= 65280) {
      ++cut;
      continue;
    }
    ++seen;
    const double r = light(rgb[0] / 65280.0), g = light(rgb[1] / 65280.0),
                 b = light(rgb[2] / 65280.0);
    ASSERT_NEAR(frame.pixels[3 * i], code(0.6274 * r + 0.3293 * g + 0.0433 * b), 40) << i;
    ASSERT_NEAR(frame.pixels[3 * i + 2], code(0.0164 * r + 0.088 * g + 0.8956 * b), 40) << i;
  }
  EXPECT_GT(seen, 1000u);
  EXPECT_GT(cut, 10u);
  EXPECT_GT(frame.levels.brightest, 300);
}

TEST(hdr, shows_the_usual_picture_below_white) {
  Flame flame = test::sample_flame("lanterns", 160, 60);
  flame.vibrancy = 0.7;
  flame.background = {0.1, 0.2, 0.3};
  expect_usual_picture(flame);
  flame.dialect = Dialect::jwildfire;
  flame.fg_opacity = 0.8;
  flame.estimator_radius = 0;
  expect_usual_picture(flame);
}

TEST(hdr, has_the_saturation_and_the_colors_behind_a_window) {
  Flame flame = test::sample_flame("lanterns", 160, 60);
  flame.background_type = BackgroundType::gradient_2x2;
  flame.background_ul = {0.7, 0.1, 0.2};
  flame.background_lr = {0.1, 0.6, 0.8};
  expect_usual_picture(flame);
  expect_usual_picture(flame, Window{31, 40, 90, 45});
  flame.saturation = 0.6;
  expect_usual_picture(flame);
}

}  // namespace
}  // namespace kiln
