// SPDX-License-Identifier: MIT
// Tone mapping: flam3's printed values, every branch against double, and light that no picture
// should have.
#include "kernels/tonemap.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/render/stages/tone/tone_stage.h"
#include "tests/kernels/output_reference.h"

namespace kiln {
namespace {

using namespace kiln::testing;

ToneCurve curve_of(const ToneSettings& settings) {
  Flame flame;
  flame.gamma = settings.gamma;
  flame.gamma_threshold = settings.threshold;
  flame.vibrancy = settings.vibrancy;
  flame.highlight_power = settings.highlight_power;
  flame.background = settings.background;
  return plan_tone(flame, settings.transparent);
}

Vec4 tone_map(const Vec4& light, const ToneSettings& settings) {
  Vec4 display;
  run_kernel(ToneMap{&light, &display, 1, curve_of(settings)});
  return display;
}

TEST(ToneMap, opacity_is_that_of_flam3) {
  const double rows[][4] = {{0.002, 4, 0.01, 0.0928912931003}, {0.005, 4, 0.01, 0.212014338928},
                            {0.05, 4, 0.01, 0.472870804502},   {0.5, 4, 0.01, 0.840896415254},
                            {1.5, 4, 0.01, 1.1066819197},      {0.3, 2.2, 0.5, 0.522257178131}};
  for (const auto& [density, gamma, threshold, alpha] : rows) {
    const ToneCurve curve = curve_of({gamma, threshold});
    EXPECT_NEAR(curve.opacity(float(density)), alpha, 1e-6 * alpha) << density;
  }
}

TEST(ToneMap, highlights_are_those_of_flam3) {
  const double rows[][4] = {{-1, 264.217444, 105.686978, 26.4217444},
                            {-0.5, 259.608722, 103.843489, 25.9608722},
                            {0, 255, 102, 25.5},
                            {0.3, 255, 103.621207, 27.9318101},
                            {1, 255, 107.337531, 33.5062972},
                            {2, 255, 112.488859, 41.233288}};
  for (const auto& [power, r, g, b] : rows) {
    ToneSettings settings;
    settings.highlight_power = power;
    const Vec4 got = curve_of(settings).limit_highlights(
        {500 / 255.0f, 200 / 255.0f, 50 / 255.0f, 0}, 134.750896f);
    EXPECT_NEAR(got.r, r, 1e-4) << power;
    EXPECT_NEAR(got.g, g, 1e-4) << power;
    EXPECT_NEAR(got.b, b, 1e-4) << power;
    const Vec4 dim = tone_map({30, 12, 3, 40}, settings);
    EXPECT_NEAR(dim.r, 120.831782, 1e-4) << power;
    EXPECT_NEAR(dim.g, 48.3327129, 1e-4) << power;
    EXPECT_NEAR(dim.b, 12.0831782, 1e-4) << power;
  }
}

/// JWildfire's display value of a color 0..255 at an intensity, over a background 0..255 (the formulas of its tone
/// mapping, in double).
double of_jwildfire(const Flame& flame, double intensity, double color, double background) {
  const double e = 1 / flame.gamma, threshold = flame.gamma_threshold;
  const double curve = std::pow(intensity, e), share = intensity / threshold;
  const double alpha = intensity > threshold
                           ? curve
                           : (1 - share) * intensity * std::pow(threshold, e - 1) + share * curve;
  const double r = intensity / flame.white_level * color * 200 / 256;
  const double v = 256 * flame.vibrancy;
  const double light = v * (alpha / intensity) * r + (256 - v) * std::pow(r, e);
  const double cover = 1 - std::atan(3 * (flame.fg_opacity - 1)) / 1.25;
  return std::min(255.0, light + background * (1 - std::min(1.0, alpha * cover)));
}

TEST(ToneMap, light_of_jwildfire_is_by_its_formula) {
  Flame flame;
  flame.dialect = Dialect::jwildfire;
  flame.background = {0.8, 0.4, 0};
  for (const double white_level : {220.0, 60.0})
    for (const double opacity : {1.0, 0.0, 0.9, 1.4})
      for (const double vibrancy : {1.0, 0.3})
        for (const double intensity : {0.004, 0.05, 0.5, 1.5}) {
          flame.white_level = white_level;
          flame.fg_opacity = opacity;
          flame.vibrancy = vibrancy;
          const Vec4 light = {float(200 * intensity), float(90 * intensity), 0,
                              float(255 * intensity)};
          Vec4 display;
          run_kernel(ToneMap{&light, &display, 1, plan_tone(flame, false)});
          EXPECT_NEAR(display.r, of_jwildfire(flame, intensity, 200, 256 * 0.8), 0.01);
          EXPECT_NEAR(display.g, of_jwildfire(flame, intensity, 90, 256 * 0.4), 0.01);
          EXPECT_NEAR(display.b, 0, 0.01);
        }
  flame.dialect = Dialect::flam3;
  flame.white_level = 60;
  flame.fg_opacity = 0;
  EXPECT_EQ(plan_tone(flame, false).vibrancy, float(256 * 0.3));
  EXPECT_EQ(plan_tone(flame, false).cover, 1);
}

TEST(ToneMap, every_branch_matches_double) {
  std::mt19937 random(4);
  for (double vibrancy : {1.0, 0.0, 0.4, 1.5, -0.5}) {
    for (double power : {-1.0, -2.0, -0.3, 0.0, 0.7, 2.0}) {
      for (bool transparent : {false, true}) {
        for (double threshold : {0.01, 0.0, 0.8}) {
          const ToneSettings settings{2.5, threshold, vibrancy, power, {0.1, 0.5, 1}, transparent};
          std::vector<Vec4> light;
          for (int i = 0; i < 257; ++i) {  // just past a block
            const float brightness = float(std::pow(10.0, int(random() % 7) - 3));
            const auto draw = [&] { return brightness * float(random() % 1000); };
            light.push_back({draw(), draw(), draw(), draw()});
          }
          light[0] = {0, 0, 0, 0};
          light[1] = {0, 0, 0, 100};
          std::vector<Vec4> display = light;
          const ToneCurve curve = curve_of(settings);
          run_kernel(ToneMap{display.data(), display.data(), i64(display.size()), curve});
          for (std::size_t i = 0; i < light.size(); ++i) {
            const Vec4 whole = curve(light[i]);  // the loops are the curve, to the last bit
            ASSERT_EQ(std::memcmp(&whole, &display[i], sizeof whole), 0) << i;
            const Pixel expected =
                tone_mapped({light[i].r, light[i].g, light[i].b, light[i].a}, settings);
            const float got[4] = {display[i].r, display[i].g, display[i].b, display[i].a};
            // float; vibrancy outside 0..1 subtracts large terms
            for (int c = 0; c < 3; ++c)
              ASSERT_NEAR(got[c], expected[c], 0.01) << i << " " << vibrancy << " " << power;
            ASSERT_NEAR(got[3], expected[3], 1e-6);
          }
        }
      }
    }
  }
}

TEST(ToneMap, gamma_threshold_0_divides_by_nothing) {
  ToneSettings settings;
  settings.threshold = 0;
  const Vec4 got = tone_map({1e-6f, 1e-6f, 1e-6f, 1e-6f}, settings);
  EXPECT_NEAR(got.a, std::pow(1e-6 / 255, 0.25), 1e-7);
  EXPECT_NEAR(got.r, 256 * std::pow(1e-6 / 255, 0.25), 1e-4);
}

TEST(ToneMap, negative_light_draws_no_specks) {  // flam3: NaN, drawn as 255
  for (double vibrancy : {1.0, 0.5}) {
    ToneSettings settings;
    settings.vibrancy = vibrancy;
    const Vec4 got = tone_map({-5, 20, -0.1f, 60}, settings),
               with_zero = tone_map({0, 20, 0, 60}, settings);
    EXPECT_EQ(got.r, 0);
    EXPECT_EQ(got.b, 0);
    EXPECT_EQ(got.g, with_zero.g);
    EXPECT_GT(got.g, 0);
    const Vec4 dark = tone_map({-5, -4, -3, -2}, settings);
    EXPECT_EQ(dark.r + dark.g + dark.b + dark.a, 0);
  }
}

TEST(ToneMap, extreme_light_and_settings_stay_in_range) {
  const float inf = __builtin_huge_valf(), nan = __builtin_nanf("");
  for (float x : {inf, nan, 1e38f, 1e-40f, -inf, 0.0f}) {
    for (float a : {inf, nan, 1e38f, 1e-40f, -inf, 0.0f}) {
      for (double gamma : {4.0, 0.0, 1e-3, -1.0}) {
        for (double power : {-1.0, -0.5, 1.0}) {
          for (double vibrancy : {1.0, 0.3}) {
            const Vec4 got =
                tone_map({x, 1, 0, a}, {gamma, 0.01, vibrancy, power, {0.2, 0.2, 0.2}, true});
            ASSERT_TRUE(got.r >= 0 && got.r <= 255 && got.g >= 0 && got.g <= 255 && got.b >= 0 &&
                        got.b <= 255 && got.a >= 0 && got.a <= 1)
                << x << " " << a << " gamma " << gamma << " -> " << got.r << " " << got.g << " "
                << got.b << " " << got.a;
          }
        }
      }
    }
  }
}

TEST(ToneMap, background_shows_where_there_is_no_light) {
  ToneSettings settings;
  settings.background = {0.25, 0.5, 1};
  const Vec4 opaque = tone_map({0, 0, 0, 0}, settings);
  EXPECT_EQ(opaque.r, 64);
  EXPECT_EQ(opaque.g, 128);
  EXPECT_EQ(opaque.b, 255);
  settings.transparent = true;
  const Vec4 clear = tone_map({0, 0, 0, 0}, settings);
  EXPECT_EQ(clear.b, 0);
  EXPECT_EQ(clear.a, 0);
}

TEST(ToneMap, transparent_and_without_opacity_there_is_no_color) {
  ToneSettings settings;
  settings.vibrancy = 0.5;  // the gamma of each channel: light without alpha
  settings.transparent = true;
  const Vec4 got = tone_map({30, 20, 10, 0}, settings);
  EXPECT_EQ(got.r + got.g + got.b + got.a, 0);
}

TEST(ToneMap, the_straight_piece_has_a_slope_that_floats_hold) {
  Flame flame;
  flame.gamma = 4;
  flame.gamma_threshold = 1e-40;  // 1e-40^(1/4 - 1) is 1e30
  EXPECT_EQ(plan_tone(flame, false).low_slope, 1e30f);
  flame.gamma_threshold = 1e-300;
  EXPECT_EQ(plan_tone(flame, false).low_slope, 1e30f);
  flame.gamma_threshold = 1e-4;
  EXPECT_NEAR(plan_tone(flame, false).low_slope, 1000, 1e-3);
}

}  // namespace
}  // namespace kiln
