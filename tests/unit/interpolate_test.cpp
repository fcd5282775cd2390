// SPDX-License-Identifier: MIT
// Flames between key flames: known answers, and numbers that flam3-genome 3.1.1 wrote. The whole
// range of cases is compared with flam3 in tests/conformance/genome_main.cpp.
#include "engine/animation/interpolate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "engine/base/error.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr double tight = 1e-12;

std::size_t variation(const char* name) { return std::size_t(find_variation(name).value()); }
double& parameter(Xform& xform, const char* name) {
  return xform.parameters[std::size_t(find_parameter(name).value())];
}

Xform xform_with(const char* name, double weight = 1) {
  Xform xform;
  xform.weight = 1;
  xform.variations.assign(std::size_t(variation_count()), 0.0);
  xform.variations[variation(name)] = weight;
  xform.parameters = default_parameters();
  return xform;
}

Flame flame_at(double time, std::vector<Xform> xforms = {xform_with("linear")}) {
  Flame flame;
  flame.time = time;
  flame.xforms = std::move(xforms);
  for (Rgba& color : flame.palette) color = {0.5, 0.5, 0.5, 1};
  return flame;
}

Flame flame_with_coefs(double time, const AffineD& coefs) {
  Flame flame = flame_at(time);
  flame.xforms[0].coefs = coefs;
  return flame;
}

void expect_near(const AffineD& got, const AffineD& expected, double tolerance = tight) {
  EXPECT_NEAR(got.a, expected.a, tolerance);
  EXPECT_NEAR(got.d, expected.d, tolerance);
  EXPECT_NEAR(got.b, expected.b, tolerance);
  EXPECT_NEAR(got.e, expected.e, tolerance);
  EXPECT_NEAR(got.c, expected.c, tolerance);
  EXPECT_NEAR(got.f, expected.f, tolerance);
}

std::string error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    return error.what();
  }
  return "no error";
}

// ---- keys ----

TEST(interpolate, one_key_is_returned_as_it_is) {
  Flame key = flame_at(3);
  key.name = "alone";
  key.xforms[0].motions.push_back({});
  const Flame got = interpolate({key}, 17.5);
  EXPECT_EQ(got.name, "alone");
  EXPECT_EQ(got.time, 3);
  EXPECT_EQ(got.xforms[0].motions.size(), 1u);
}

TEST(interpolate, keys_need_increasing_times) {
  std::vector<Flame> keys = {flame_at(2), flame_at(2)};
  keys[1].source = "rose.flam3";
  keys[1].line = 14;
  EXPECT_EQ(error_of([&] { interpolate(keys, 2); }),
            "rose.flam3:14: flame: time=\"2\" does not come after the time=\"2\" of the flame "
            "before; give the key flames increasing times, or make a sequence of them, as "
            "kiln animate --sequence does");
  EXPECT_EQ(error_of([] { interpolate({}, 2); }), "no key flames: the file has no <flame>");
}

TEST(interpolate, segment_and_what_lies_outside) {
  std::vector<Flame> keys = {flame_at(0), flame_at(1), flame_at(3)};
  keys[0].brightness = 10;
  keys[1].brightness = 20;
  keys[2].brightness = 24;
  const auto brightness = [&](double time) { return interpolate(keys, time).brightness; };
  EXPECT_NEAR(brightness(0.25), 12.5, tight);
  EXPECT_NEAR(brightness(1), 20, tight);
  EXPECT_NEAR(brightness(2.5), 23, tight);
  EXPECT_NEAR(brightness(-0.5), 5, tight);  // the outer segments go on
  EXPECT_NEAR(brightness(5), 28, tight);
}

TEST(interpolate, smooth_is_catmull_rom_over_four_keys) {
  std::vector<Flame> keys;
  for (int i = 0; i < 4; ++i) keys.push_back(flame_at(i));
  keys[1].interpolation = Interpolation::smooth;
  for (int i = 0; i < 4; ++i) {  // an impulse at each key shows its weight
    for (int k = 0; k < 4; ++k) keys[std::size_t(k)].zoom = k == i ? 1 : 0;
    constexpr double half_way[] = {-1 / 16.0, 9 / 16.0, 9 / 16.0, -1 / 16.0};
    EXPECT_NEAR(interpolate(keys, 1.5).zoom, half_way[i], tight) << i;
    EXPECT_NEAR(interpolate(keys, 2).zoom, i == 2 ? 1 : 0, tight) << i;
  }
  keys[0].filter_shape = FilterShape::bell;  // the first that counts decides, not the segment's
  EXPECT_EQ(interpolate(keys, 1.5).filter_shape, FilterShape::bell);
}

TEST(interpolate, many_times_give_the_same_flames_as_one) {
  std::vector<Flame> keys;
  for (int i = 0; i < 5; ++i) {
    keys.push_back(flame_with_coefs(i, {1.0 + i, 0.3 * i, -0.1, 1, 0, 0}));
    keys.back().palette[5] = {0.2 * i, 0.3, 0.1, 1};
    keys.back().interpolation = i == 2 ? Interpolation::smooth : Interpolation::linear;
  }
  Interpolator many(keys);
  for (double time : {0.5, 0.75, 2.5, 2.25, 1.5, 3.5, 9.0, -1.0, 2.0, 2.75})
    EXPECT_TRUE(genome_xml(many.at(time)) == genome_xml(interpolate(keys, time))) << time;
}

TEST(interpolate, settings_linear_rounded_or_of_the_first) {
  Flame first = flame_at(0), second = flame_at(1);
  second.quality = 11;
  second.rotate_deg = 40;
  second.center_x = 2;
  second.background = {1, 0.5, 0};
  second.temporal_samples = 1003;
  second.supersample = 2;
  second.width = 103;
  first.temporal_filter = TemporalFilter::exp;
  second.palette_mode = PaletteMode::linear;
  second.interpolation_type = InterpolationType::old;
  first.name = second.name = "key";
  const Flame got = interpolate({first, second}, 0.25);
  EXPECT_NEAR(got.quality, 3.5, tight);
  EXPECT_NEAR(got.rotate_deg, 10, tight);
  EXPECT_NEAR(got.center_x, 0.5, tight);
  EXPECT_NEAR(got.background[1], 0.125, tight);
  EXPECT_EQ(got.temporal_samples, 1001);  // 1000.75
  EXPECT_EQ(got.supersample, 1);          // 1.25
  EXPECT_EQ(got.width, 101);              // 100.75
  EXPECT_EQ(got.temporal_filter, TemporalFilter::exp);
  EXPECT_EQ(got.palette_mode, PaletteMode::step);
  EXPECT_EQ(got.interpolation_type, InterpolationType::log);
  EXPECT_EQ(got.name, "");
  EXPECT_EQ(got.time, 0.25);
}

// A color becomes a gradient by and by, and a gradient without a center one with it.
TEST(interpolate, one_color_and_several_blend) {
  std::vector<Flame> keys = {flame_at(0), flame_at(1), flame_at(2)};
  keys[0].background = {0.4, 0, 0};
  keys[1].background_type = BackgroundType::gradient_2x2_c;
  keys[1].background_ul = {0, 1, 0};
  keys[1].background_cc = {0, 0, 1};
  keys[2].background_type = BackgroundType::gradient_2x2;
  keys[2].background_ul = {1, 1, 1};
  keys[2].background_cc = {9, 9, 9};  // which is not seen
  const Flame first = interpolate(keys, 0.25), second = interpolate(keys, 1.5);
  EXPECT_EQ(first.background_type, BackgroundType::gradient_2x2_c);
  EXPECT_NEAR(first.background_ul[0], 0.3, tight);
  EXPECT_NEAR(first.background_ul[1], 0.25, tight);
  EXPECT_NEAR(first.background_lr[0], 0.3, tight);
  EXPECT_NEAR(first.background_cc[2], 0.25, tight);
  EXPECT_EQ(second.background_type, BackgroundType::gradient_2x2_c);
  EXPECT_NEAR(second.background_ul[0], 0.5, tight);
  EXPECT_NEAR(second.background_cc[0], 0.125, tight);
  EXPECT_NEAR(second.background_cc[2], 0.625, tight);
  keys[1].background_type = BackgroundType::gradient_2x2;
  EXPECT_EQ(interpolate(keys, 0.5).background_type, BackgroundType::gradient_2x2);
}

// A key ends its segment: what is not blended is still that of the key before, as in flam3.
TEST(interpolate, exactly_at_a_key_settings_are_of_the_segment_that_ends_there) {
  std::vector<Flame> keys = {flame_at(0), flame_at(1), flame_at(2)};
  keys[0].palette_mode = keys[2].palette_mode = PaletteMode::step;
  keys[1].palette_mode = PaletteMode::linear;
  const auto mode = [&](double time) { return interpolate(keys, time).palette_mode; };
  EXPECT_EQ(mode(0), PaletteMode::step);
  EXPECT_EQ(mode(1), PaletteMode::step);
  EXPECT_EQ(mode(1.0001), PaletteMode::linear);
  EXPECT_EQ(mode(2), PaletteMode::linear);
}

TEST(interpolate, of_two_equal_stars_the_first_gives_the_points) {
  Flame first = flame_at(0), second = flame_at(1);
  first.effects.glare = {4, 0, 0.2};
  second.effects.glare = {8, 0, 0.2};
  EXPECT_EQ(interpolate({first, second}, 0.5).effects.glare.points, 4);
  EXPECT_EQ(interpolate({first, second}, 0.75).effects.glare.points, 8);
}

TEST(interpolate, effects_that_no_key_has_stay_unwritten) {
  EXPECT_EQ(genome_xml(interpolate({flame_at(0), flame_at(1)}, 0.5)).find("kiln_"),
            std::string::npos);
}

// ---- affine maps ----

TEST(interpolate, log_turns_and_stretches_columns) {
  const std::vector<Flame> keys = {flame_with_coefs(0, {}),
                                   flame_with_coefs(1, {0, 4, -9, 0, 2, -2})};
  const double c = std::sqrt(0.5);
  expect_near(interpolate(keys, 0.5).xforms[0].coefs, {2 * c, 2 * c, -3 * c, 3 * c, 1, -1});
}

TEST(interpolate, half_a_turn_goes_the_positive_way) {
  const std::vector<Flame> keys = {flame_with_coefs(0, {}),
                                   flame_with_coefs(1, {-1, 0, 0, -1, 0, 0})};
  expect_near(interpolate(keys, 0.5).xforms[0].coefs, {0, 1, -1, 0, 0, 0});
}

TEST(interpolate, linear_types_average_the_numbers) {
  std::vector<Flame> keys = {flame_with_coefs(0, {}), flame_with_coefs(1, {-1, 0, 0, -1, 0, 0})};
  for (InterpolationType type :
       {InterpolationType::linear, InterpolationType::old, InterpolationType::older}) {
    keys[0].interpolation_type = type;
    expect_near(interpolate(keys, 0.5).xforms[0].coefs, {0, 0, 0, 0, 0, 0});
  }
}

TEST(interpolate, a_vanishing_column_shrinks_linearly_along_the_other) {
  const std::vector<Flame> keys = {flame_with_coefs(0, {0, 0, 0, 2, 0, 0}),
                                   flame_with_coefs(1, {1, 0, 0, 2, 0, 0})};
  // The column without length has the other's angle, a quarter turn.
  const double c = std::sqrt(0.5);
  expect_near(interpolate(keys, 0.5).xforms[0].coefs, {0.5 * c, 0.5 * c, 0, 2, 0, 0});
}

TEST(interpolate, a_short_column_has_no_logarithm) {
  std::vector<Flame> keys = {flame_with_coefs(0, {0, 1e-4, 0, 2, 0, 0}),
                             flame_with_coefs(1, {0, 1, 0, 2, 0, 0})};
  EXPECT_NEAR(interpolate(keys, 0.5).xforms[0].coefs.d, 1e-2, tight);  // the geometric mean
  keys[0].xforms[0].coefs.d = 4e-5;                                    // below e^-10
  EXPECT_NEAR(interpolate(keys, 0.5).xforms[0].coefs.d, 0.50002, tight);
}

TEST(interpolate, identity_posts_stay_exact) {
  const std::vector<Flame> keys = {flame_with_coefs(0, {0.3, 0.1, -0.7, 0.2, 0, 0}), flame_at(1)};
  EXPECT_EQ(interpolate(keys, 1 / 3.0).xforms[0].post, AffineD{});
}

// ---- values of xforms ----

TEST(interpolate, values_are_clamped_where_flam3_clamps) {
  Flame first = flame_at(0), second = flame_at(1);
  first.xforms[0].weight = 1;
  second.xforms[0].weight = 3;
  second.xforms[0].color = 1;
  second.xforms[0].color_speed = 1;
  second.xforms[0].opacity = 0.5;
  const Flame before = interpolate({first, second}, -1), after = interpolate({first, second}, 2);
  EXPECT_EQ(before.xforms[0].weight, 0);
  EXPECT_EQ(before.xforms[0].color, 0);
  EXPECT_EQ(before.xforms[0].color_speed, 0);
  EXPECT_NEAR(before.xforms[0].opacity, 1.5, tight);
  EXPECT_NEAR(after.xforms[0].weight, 5, tight);
  EXPECT_EQ(after.xforms[0].color, 1);
}

TEST(interpolate, xaos_is_linear_and_never_negative) {
  Flame first = flame_at(0, {xform_with("linear"), xform_with("linear")});
  Flame second = first;
  second.time = 1;
  EXPECT_TRUE(interpolate({first, second}, 0.5).xforms[0].chaos.empty());
  second.xforms[1].chaos = {0};  // the missing second is 1
  const Flame got = interpolate({first, second}, 0.25);
  EXPECT_TRUE(got.xforms[0].chaos.empty());
  ASSERT_EQ(got.xforms[1].chaos.size(), 2u);
  EXPECT_NEAR(got.xforms[1].chaos[0], 0.75, tight);
  EXPECT_EQ(got.xforms[1].chaos[1], 1);
  EXPECT_EQ(interpolate({first, second}, 3).xforms[1].chaos[0], 0);
}

TEST(interpolate, stagger_moves_one_xform_after_the_other) {
  Flame first = flame_at(0, {xform_with("linear"), xform_with("linear"), xform_with("linear")});
  Flame second = first;
  second.time = 1;
  for (Xform& xform : second.xforms) xform.opacity = 0;
  const Flame got = interpolate({first, second}, 0.25, 0.75);
  // Each moves for half the time, the next starting a quarter later; the first is half-way.
  EXPECT_NEAR(got.xforms[0].opacity, 0.5, tight);
  EXPECT_NEAR(got.xforms[1].opacity, 1, tight);
  EXPECT_NEAR(got.xforms[2].opacity, 1, tight);
  EXPECT_NEAR(interpolate({first, second}, 0.25).xforms[0].opacity, 0.75, tight);
}

TEST(interpolate, stagger_does_not_reach_xaos) {  // as in flam3
  Flame first = flame_at(0, {xform_with("linear"), xform_with("linear")});
  Flame second = first;
  second.time = 1;
  second.xforms[1].chaos = {0, 1};
  EXPECT_NEAR(interpolate({first, second}, 0.25, 1).xforms[1].chaos.at(0), 0.75, tight);
}

// ---- palettes ----

struct PaletteCase {
  PaletteInterpolation rule;
  double blend;
  Rgba expected;
};

TEST(interpolate, palettes_by_the_rule_of_the_first) {
  Flame first = flame_at(0), second = flame_at(1);
  first.palette[9] = {1, 0, 0, 1};       // hue 0
  second.palette[9] = {0.5, 0, 1, 0.5};  // hue 4.5, the short way round -1.5
  const PaletteCase cases[] = {
      {PaletteInterpolation::rgb, 0, {0.75, 0, 0.5, 0.75}},
      {PaletteInterpolation::hsv, 0, {0, 1, 0.25, 0.75}},           // hue 2.25
      {PaletteInterpolation::hsv_circular, 0, {1, 0, 0.75, 0.75}},  // hue -0.75
      {PaletteInterpolation::hsv_circular, 0.5, {0.875, 0, 0.625, 0.75}},
      {PaletteInterpolation::sweep, 0, {1, 0, 0, 1}},
  };
  for (const PaletteCase& one : cases) {
    first.palette_interpolation = one.rule;
    first.hsv_rgb_palette_blend = one.blend;
    const Rgba got = interpolate({first, second}, 0.5).palette[9];
    EXPECT_NEAR(got.r, one.expected.r, tight) << int(one.rule);
    EXPECT_NEAR(got.g, one.expected.g, tight) << int(one.rule);
    EXPECT_NEAR(got.b, one.expected.b, tight) << int(one.rule);
    EXPECT_NEAR(got.a, one.expected.a, tight) << int(one.rule);
  }
}

TEST(interpolate, hues_go_the_short_way_round_in_both_directions) {
  Flame first = flame_at(0), second = flame_at(1);
  first.palette_interpolation = PaletteInterpolation::hsv_circular;
  first.palette[9] = {0.5, 0, 1, 1};                               // hue 4.5
  second.palette[9] = {1, 0, 0, 1};                                // hue 0, on the short way 6
  const Rgba got = interpolate({first, second}, 0.25).palette[9];  // hue 4.875
  EXPECT_NEAR(got.r, 0.875, tight);
  EXPECT_NEAR(got.g, 0, tight);
  EXPECT_NEAR(got.b, 1, tight);
}

TEST(interpolate, sweep_has_a_border) {
  Flame first = flame_at(0), second = flame_at(1);
  first.palette_interpolation = PaletteInterpolation::sweep;
  for (Rgba& color : second.palette) color = {1, 1, 1, 1};
  const Palette got = interpolate({first, second}, 0.75).palette;
  EXPECT_EQ(got[63].r, 0.5);
  EXPECT_EQ(got[64].r, 1);
}

TEST(interpolate, palettes_stay_within_0_and_1) {
  Flame first = flame_at(0), second = flame_at(1);
  first.palette_interpolation = PaletteInterpolation::rgb;
  second.palette[0] = {1, 0, 0.5, 1};
  const Rgba got = interpolate({first, second}, 3).palette[0];
  EXPECT_EQ(got, (Rgba{1, 0, 0.5, 1}));
}

// ---- alignment ----

/// What the missing second xform of a flame becomes beside one with `other`.
Xform padding_beside(Xform other, InterpolationType type = InterpolationType::log) {
  Flame lean = flame_at(0);
  lean.interpolation_type = type;
  const auto aligned = align({lean, flame_at(1, {xform_with("linear"), std::move(other)})});
  EXPECT_TRUE(aligned[0].padding[1]);
  EXPECT_FALSE(aligned[1].padding[1]);
  return aligned[0].flame.xforms[1];
}

double weight_of(const Xform& xform, const char* name) { return xform.variations[variation(name)]; }

TEST(align, padding_is_an_identity_of_weight_0) {
  const Xform padding = padding_beside(xform_with("swirl"));
  EXPECT_EQ(padding.weight, 0);
  EXPECT_EQ(padding.color, 1);  // index modulo 2
  EXPECT_EQ(padding.color_speed, 0.5);
  EXPECT_EQ(padding.animate, 1);
  EXPECT_EQ(weight_of(padding, "linear"), 1);
  EXPECT_EQ(padding.coefs, AffineD{});
}

TEST(align, half_turned_identity_beside_inversions) {
  for (const char* name :
       {"spherical", "ngon", "julian", "juliascope", "polar", "wedge_sph", "wedge_julia"}) {
    const Xform padding = padding_beside(xform_with(name));
    EXPECT_EQ(weight_of(padding, "linear"), -1) << name;
    EXPECT_EQ(padding.coefs, (AffineD{.a = -1, .d = 0, .b = 0, .e = -1, .c = 0, .f = 0})) << name;
    EXPECT_EQ(weight_of(padding_beside(xform_with(name, -1)), "linear"), 1) << name;
    EXPECT_EQ(weight_of(padding_beside(xform_with(name), InterpolationType::linear), "linear"), 1)
        << name;
  }
}

TEST(align, neutral_parameters_of_what_the_neighbor_uses) {
  Xform other = xform_with("blob");
  other.variations[variation("super_shape")] = 0.5;
  parameter(other, "super_shape_m") = 5;
  parameter(other, "blob_low") = 0.2;
  Xform padding = padding_beside(other);
  EXPECT_EQ(weight_of(padding, "linear"), 0);
  EXPECT_EQ(weight_of(padding, "blob"), 0.5);
  EXPECT_EQ(weight_of(padding, "super_shape"), 0.5);
  EXPECT_EQ(parameter(padding, "blob_low"), 1);
  EXPECT_EQ(parameter(padding, "super_shape_n2"), 2);
  EXPECT_EQ(parameter(padding, "super_shape_m"), 5);  // copied from the neighbor
}

TEST(align, swapped_axes_beside_fan_and_rings) {
  const Xform padding = padding_beside(xform_with("fan"));
  EXPECT_EQ(weight_of(padding, "fan"), 1);
  EXPECT_EQ(weight_of(padding, "linear"), 0);
  EXPECT_EQ(padding.coefs, (AffineD{.a = 0, .d = 1, .b = 1, .e = 0, .c = 0, .f = 0}));
}

TEST(align, old_types_pad_only) {
  for (InterpolationType type : {InterpolationType::old, InterpolationType::older}) {
    Xform padding = padding_beside(xform_with("blob"), type);
    EXPECT_EQ(weight_of(padding, "linear"), 1);
    EXPECT_EQ(weight_of(padding, "blob"), 0);
  }
}

TEST(align, the_flame_before_decides_whether_an_identity_is_turned) {
  using enum InterpolationType;
  for (const auto& [before, own, turned] : {std::tuple{log, linear, true}, {linear, log, false}}) {
    Flame first = flame_at(0, {xform_with("linear"), xform_with("spherical")}),
          second = flame_at(1);
    first.interpolation_type = before;
    second.interpolation_type = own;
    const auto aligned = align({first, second});
    EXPECT_EQ(weight_of(aligned[1].flame.xforms[1], "linear"), turned ? -1 : 1);
  }
}

TEST(align, parameters_come_from_the_neighbor_that_uses_them) {
  Flame first = flame_at(0), second = flame_at(1, {xform_with("flower")});
  parameter(second.xforms[0], "flower_petals") = 7;
  parameter(second.xforms[0], "flower_holes") = 3;
  first.xforms[0].variations[variation("curl")] = 1;
  parameter(first.xforms[0], "curl_c2") = 9;
  auto aligned = align({first, second});
  EXPECT_EQ(parameter(aligned[0].flame.xforms[0], "flower_petals"), 7);
  EXPECT_EQ(parameter(aligned[0].flame.xforms[0], "flower_holes"), 0);  // flam3 forgets them
  EXPECT_EQ(parameter(aligned[1].flame.xforms[0], "curl_c2"), 9);
}

TEST(align, a_missing_final_xform_is_added) {
  Flame with_final = flame_at(1);
  with_final.final_xform = xform_with("spherical");
  const auto aligned = align({flame_at(0), with_final});
  ASSERT_TRUE(aligned[0].flame.final_xform);
  EXPECT_TRUE(aligned[0].final_padding);
  EXPECT_EQ(aligned[0].flame.final_xform->color_speed, 0);
  EXPECT_EQ(aligned[0].flame.final_xform->animate, 0);
  EXPECT_EQ(weight_of(*aligned[0].flame.final_xform, "linear"), -1);
}

TEST(align, xaos_rows_get_full_length) {
  Flame first = flame_at(0);
  first.xforms[0].chaos = {0.5};
  const auto aligned = align({first, flame_at(1, {xform_with("linear"), xform_with("linear")})});
  EXPECT_EQ(aligned[0].flame.xforms[0].chaos, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(aligned[1].flame.xforms[1].chaos, (std::vector<double>{1, 1}));
}

// ---- motion ----

TEST(motion, waves) {
  using enum MotionFunction;
  EXPECT_NEAR(motion_wave(sin, 0.25), 1, tight);
  EXPECT_NEAR(motion_wave(sin, -0.25), -1, tight);
  EXPECT_NEAR(motion_wave(sin, 1 / 12.0), 0.5, tight);
  EXPECT_LT(motion_wave(sin, 1), 0);  // -2.4e-16 in flam3, and the sign may decide an alignment
  EXPECT_NEAR(motion_wave(hill, 0.5), 1, tight);
  EXPECT_NEAR(motion_wave(hill, 0), 0, tight);
  EXPECT_NEAR(motion_wave(hill, 1 / 3.0), 0.75, tight);
  const double triangle_values[] = {0, 0.5, 1, 0.5, 0, -0.5, -1, -0.5};
  for (int eighth = -8; eighth < 16; ++eighth)
    EXPECT_NEAR(motion_wave(triangle, eighth / 8.0), triangle_values[(eighth + 8) % 8], tight);
}

TEST(motion, adds_amplitudes_and_goes_away) {
  Flame flame = flame_at(0);
  Motion motion;
  motion.frequency = 2;
  motion.function = MotionFunction::triangle;
  motion.weight = -3;
  motion.color = 0.25;
  motion.color_speed = motion.animate = 0;
  motion.opacity = 0.5;
  motion.coefs = {0.1, 0, 0, 0, 0, 2};
  motion.post = {0, 0, 0, 0, 0, 0};
  motion.variations.assign(std::size_t(variation_count()), 0.0);
  motion.parameters.assign(std::size_t(parameter_count()), 0.0);
  motion.variations[variation("swirl")] = 0.25;
  flame.xforms[0].motions = {motion};
  const Flame got = apply_motion(flame, 0.0625);  // an eighth of the wave: half the amplitude
  EXPECT_EQ(got.xforms[0].weight, 0);             // 1 - 1.5, clamped
  EXPECT_NEAR(got.xforms[0].color, 0.125, tight);
  EXPECT_NEAR(got.xforms[0].opacity, 1.25, tight);
  EXPECT_NEAR(weight_of(got.xforms[0], "swirl"), 0.125, tight);
  expect_near(got.xforms[0].coefs, {1.05, 0, 0, 1, 0, 1});
  EXPECT_TRUE(got.xforms[0].motions.empty());
  EXPECT_EQ(got.xforms[0].color_speed, 0.5);
}

TEST(rotate, turns_animated_xforms_only) {
  Flame flame = flame_at(0, {xform_with("linear"), xform_with("linear"), xform_with("linear")});
  for (Xform& xform : flame.xforms) xform.coefs = {2, 0, 0, 1, 5, 6};
  flame.xforms[1].animate = 0;
  flame.final_xform = flame.xforms[0];
  AlignedFlame aligned{flame, {false, false, true}, false, {}};
  rotate(aligned, 90, InterpolationType::linear);
  expect_near(aligned.flame.xforms[0].coefs, {0, 2, -1, 0, 5, 6});
  expect_near(aligned.flame.xforms[1].coefs, {2, 0, 0, 1, 5, 6});
  expect_near(aligned.flame.xforms[2].coefs, {2, 0, 0, 1, 5, 6});  // padding
  expect_near(aligned.flame.final_xform->coefs, {2, 0, 0, 1, 5, 6});
  rotate(aligned, 90, InterpolationType::log);
  expect_near(aligned.flame.xforms[2].coefs, {0, 2, -1, 0, 5, 6});
}

}  // namespace
}  // namespace kiln
