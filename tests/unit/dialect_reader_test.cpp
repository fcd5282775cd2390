// SPDX-License-Identifier: MIT
// What the attributes of other programs' flames mean, one small file each; that they are read more
// mildly than flam3's; and that flam3's are not.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <cmath>
#include <numbers>

#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/motion_curves.h"
#include "engine/model/variations.h"
#include "engine/program/compile.h"

namespace kiln {
namespace {

const std::string ember = "version=\"EMBER-LNX-1.0.0.19\" ";
const std::string apophysis = "version=\"Apophysis 7X\" ";
const std::string jwildfire = "version=\"0.16 (06.11.2011)\" ";
const std::string flam3 = "version=\"FLAM3-LNX-3.1.1\" ";

std::string flame(const std::string& attributes, const std::string& xform = "color=\"0\"",
                  const std::string& more = "<color index=\"0\" rgb=\"1 2 3\"/>") {
  return "<flame size=\"8 8\" " + attributes + "><xform weight=\"1\" linear=\"1\" " + xform + "/>" +
         "<xform weight=\"1\" linear=\"1\" color=\"1\"/>" + more + "</flame>\n";
}

Flame read(const std::string& xml) { return parse_flames(xml, "test.flame", {}).flames.at(0); }
Flame read_with(const std::string& attributes) { return read(flame(attributes)); }
Xform xform_with(const std::string& version, const std::string& attributes) {
  return read(flame(version, attributes)).xforms.at(0);
}
Xform final_with(const std::string& version, const std::string& attributes) {
  return read(flame(version, "color=\"0\"",
                    "<finalxform linear=\"1\" " + attributes +
                        "/><color index=\"0\" rgb=\"1 2 3\"/>"))
      .final_xform.value();
}

std::string refusal(const std::string& xml) {
  try {
    read(xml);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> warnings(const std::string& xml) {
  std::vector<std::string> texts;
  for (const Warning& warning : parse_flames(xml, "test.flame", {}).warnings)
    texts.push_back(warning.text);
  return texts;
}

// ---- what is left out ----

TEST(DialectReader, ember_has_its_own_usual_values) {
  const Flame got = read("<flame " + ember + "><xform weight=\"1\" linear=\"1\"/>" +
                         "<color index=\"0\" rgb=\"1 2 3\"/></flame>");
  EXPECT_EQ(got.width, 1920);
  EXPECT_EQ(got.height, 1080);
  EXPECT_EQ(got.quality, 30);
  EXPECT_EQ(got.temporal_samples, 100);
  EXPECT_EQ(got.highlight_power, 1);
  EXPECT_EQ(got.palette_mode, PaletteMode::linear);
  EXPECT_EQ(got.palette_interpolation, PaletteInterpolation::hsv);
  EXPECT_EQ(got.temporal_filter_exp, 1);
  EXPECT_EQ(got.gamma_threshold, 0.01);
  EXPECT_EQ(got.estimator_radius, 9);
  EXPECT_EQ(read_with(flam3).quality, 1);
}

TEST(DialectReader, apophysis_estimates_density_only_if_it_says_so) {
  EXPECT_EQ(read_with(apophysis).gamma_threshold, 0);
  EXPECT_EQ(read_with(apophysis + "estimator_radius=\"7\"").estimator_radius, 0);
  EXPECT_EQ(read_with(apophysis + "enable_de=\"0\" estimator_radius=\"7\"").estimator_radius, 0);
  EXPECT_EQ(read_with(apophysis + "enable_de=\"1\" estimator_radius=\"7\"").estimator_radius, 7);
  EXPECT_EQ(read_with(flam3 + "enable_de=\"0\" estimator_radius=\"7\"").estimator_radius, 7);
  EXPECT_EQ(read_with(ember + "estimator_radius=\"7\"").estimator_radius, 7);
}

TEST(DialectReader, every_flame_begins_anew) {
  const FlameFile file = parse_flames(flame(ember + "time=\"4\"") + flame(ember), "test.flame", {});
  EXPECT_EQ(file.flames.at(1).time, 0);
  ReaderOptions as_ember;
  as_ember.dialect = Dialect::fractorium;
  const std::string two = flame(flam3 + "time=\"4\"") + flame(flam3);
  EXPECT_EQ(parse_flames(two, "test.flame", as_ember).flames.at(1).time, 0);
  const FlameFile sticky =
      parse_flames(flame(flam3 + "time=\"4\"") + flame(flam3), "test.flame", {});
  EXPECT_EQ(sticky.flames.at(1).time, 4);
}

// ---- attributes of <flame> ----

TEST(DialectReader, angle_turns_apophysis_pictures) {
  EXPECT_NEAR(read_with(apophysis + "angle=\"0.5\"").rotate_deg, -90 / std::numbers::pi, 1e-12);
  EXPECT_NEAR(read_with(apophysis + "angle=\"0.5\" rotate=\"3\"").rotate_deg,
              -90 / std::numbers::pi, 1e-12);
  EXPECT_EQ(read_with(ember + "angle=\"0.5\" rotate=\"3\"").rotate_deg, 3);
  EXPECT_EQ(read_with(flam3 + "angle=\"0.5\"").rotate_deg, 0);
}

TEST(DialectReader, oversample_is_supersample) {
  for (const std::string& version : {ember, apophysis, jwildfire, flam3})
    EXPECT_EQ(read_with(version + "oversample=\"3\"").supersample, 3) << version;
}

TEST(DialectReader, cam_zoom_of_jwildfire_scales) {
  EXPECT_EQ(read_with(jwildfire + "scale=\"40\" cam_zoom=\"1.5\"").scale, 60);
  EXPECT_EQ(read_with(ember + "scale=\"40\" zoom=\"-2\"").zoom, 0);
  EXPECT_EQ(read_with(flam3 + "scale=\"40\" zoom=\"-2\"").zoom, -2);
}

TEST(DialectReader, the_log_scale_may_be_given) {
  for (const std::string& version : {ember, apophysis, flam3}) {
    const Flame got = read_with(version + "logscale_k2=\"0.25\"");
    EXPECT_EQ(got.logscale_k2, 0.25);
    EXPECT_EQ(read("<flames>" + genome_xml(got) + "</flames>").logscale_k2, 0.25);
  }
  EXPECT_EQ(genome_xml(read_with(ember)).find("logscale_k2"), std::string::npos);
  EXPECT_NE(refusal(flame(ember + "logscale_k2=\"-1\"")).find("must be between 0 and"),
            std::string::npos);
}

TEST(DialectReader, a_solo_xform_is_seen_in_full) {
  const std::string faint = "opacity=\"0.5\" color=\"0\"";
  const Flame shown = read(flame(apophysis + "soloxform=\"0\"", faint));
  EXPECT_EQ(shown.xforms[0].opacity, 1);
  EXPECT_EQ(shown.xforms[1].opacity, 0);
  EXPECT_EQ(read(flame(flam3 + "soloxform=\"0\"", faint)).xforms[0].opacity, 0.5);
}

TEST(DialectReader, what_has_no_counterpart_is_said_once_and_refuses_nothing) {
  const std::string odd = "solid_rendering=\"true\" mixer_mode=\"FULL\"";
  const std::vector<std::string> said = warnings(flame(jwildfire + odd));
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0],
            "test.flame:1: flame: solid_rendering=\"true\" has no counterpart in kiln; the picture "
            "is made without");
  EXPECT_TRUE(warnings(flame(jwildfire + "mixer_mode=\"OFF\" fps=\"25\"")).empty());
  EXPECT_TRUE(warnings(flame(jwildfire + "white_level=\"200\" contrast=\"1.2\" fg_opacity=\"0\" "
                                         "shading_light_count=\"2\" grad_edit_hue_curve_x0=\"3\""))
                  .empty());
  std::vector<std::string> told;
  tell(
      parse_flames(flame(jwildfire + odd) + flame(jwildfire + odd), "test.flame", {}),
      [](int) { return true; }, Use::stills,
      [&](const std::string& text) { told.push_back(text); });
  EXPECT_EQ(told.size(), 2u);
  EXPECT_NE(refusal(flame(flam3 + odd)).find("needs setting solid_rendering"), std::string::npos);
}

TEST(DialectReader, maps_of_jwildfires_other_planes_are_terms) {
  const std::string deep = "yzCoefs=\"1 0 0 2 0 0\" zxPost=\"1 0 0 1 0 3\"";
  EXPECT_TRUE(warnings(flame(jwildfire, deep)).empty());
  const Xform xform = read(flame(jwildfire, deep)).xforms.at(0);
  ASSERT_EQ(xform.staged.size(), 2u);
  EXPECT_EQ(xform.staged[0].stage, Stage::pre);
  EXPECT_EQ(xform.staged[0].parameters[8], 2);
  EXPECT_EQ(xform.staged[1].parameters[11], 3);
  EXPECT_NE(refusal(flame(flam3, deep)).find("needs setting yzCoefs"), std::string::npos);
}

// ---- JWildfire's own files ----

const std::string version_of_2021 = "version=\"JWildfire V7.30 (27.11.2021)\" ";

Flame approximate(const std::string& xml) {
  ReaderOptions options;
  options.approximate = true;
  return parse_flames(xml, "test.flame", options).flames.at(0);
}

TEST(JWildfireReader, is_known_by_its_version) {
  EXPECT_EQ(read_with(version_of_2021).dialect, Dialect::jwildfire);
  EXPECT_EQ(read_with(version_of_2021).estimator_radius, 0);
  EXPECT_EQ(read_with(version_of_2021 + "estimator_radius=\"3\"").estimator_radius, 3);
  EXPECT_EQ(read_with(flam3).estimator_radius, 9);
}

TEST(JWildfireReader, its_light_is_read_and_written_again) {
  const Flame got =
      read_with(version_of_2021 + "white_level=\"180\" contrast=\"1.5\" fg_opacity=\"0\"");
  EXPECT_EQ(got.white_level, 180);
  EXPECT_EQ(got.contrast, 1.5);
  EXPECT_EQ(got.fg_opacity, 0);
  const Flame again = read("<flames>" + genome_xml(got) + "</flames>");
  EXPECT_EQ(again.dialect, Dialect::jwildfire);
  EXPECT_EQ(again.white_level, 180);
  EXPECT_EQ(again.contrast, 1.5);
  EXPECT_EQ(again.fg_opacity, 0);
  EXPECT_EQ(genome_xml(read_with(flam3)).find("white_level"), std::string::npos);
  EXPECT_EQ(warnings(flame(flam3 + "contrast=\"1.5\"")).size(), 1u);  // flam3 ignores it
}

TEST(JWildfireReader, what_is_left_out_is_as_its_program_has_it) {
  const Flame got = read_with(version_of_2021);
  EXPECT_EQ(got.antialias_amount, 0.25);
  EXPECT_EQ(got.antialias_radius, 0.5);
  EXPECT_EQ(got.low_density_brightness, 0.24);
  EXPECT_EQ(got.filter_radius_px, 0.75);
  const Flame none = read_with(version_of_2021 +
                               "antialias_amount=\"0\" filter=\"0\" "
                               "low_density_brightness=\"0\"");
  const Flame again = read("<flames>" + genome_xml(none) + "</flames>");
  EXPECT_EQ(again.antialias_amount, 0);
  EXPECT_EQ(again.low_density_brightness, 0);
  EXPECT_EQ(again.filter_radius_px, 0);
  EXPECT_EQ(read_with(flam3).antialias_amount, 0);
}

TEST(JWildfireReader, its_filter_is_its_own) {
  EXPECT_EQ(read_with(version_of_2021).filter_kernel, FilterKernel::mitchell_smooth);
  const Flame got = read_with(version_of_2021 + "filter=\"0.5\" filter_kernel=\"GAUSSIAN\"");
  EXPECT_EQ(got.filter_kernel, FilterKernel::gaussian);
  EXPECT_EQ(read("<flames>" + genome_xml(got) + "</flames>").filter_kernel, FilterKernel::gaussian);
  const Flame none = read("<flames>" + genome_xml(read_with(flam3)) + "</flames>");
  EXPECT_EQ(none.filter_kernel, FilterKernel::none);
  EXPECT_EQ(warnings(flame(version_of_2021 + "filter_kernel=\"ODD\"")).size(), 1u);
}

TEST(JWildfireReader, a_final_xform_colors_only_where_that_is_said) {
  EXPECT_EQ(final_with(version_of_2021, "symmetry=\"0.2\"").color_speed, 0);
  EXPECT_EQ(final_with(version_of_2021, "color_type=\"UNSET\"").color_speed, 0);
  EXPECT_NEAR(final_with(version_of_2021, "color_type=\"DIFFUSION\" symmetry=\"0.2\"").color_speed,
              0.4, 1e-12);
  EXPECT_EQ(final_with(flam3, "symmetry=\"0.2\"").color_speed, 0.4);
  EXPECT_EQ(xform_with(version_of_2021, "color_type=\"UNSET\"").color_speed, 0.5);
  EXPECT_EQ(xform_with(version_of_2021, "color_type=\"NONE\"").color_speed, 0);
  const Flame got = read(flame(version_of_2021, "color=\"0\"",
                               "<finalxform linear=\"1\" color_type=\"DIFFUSION\"/>"
                               "<color index=\"0\" rgb=\"1 2 3\"/>"));
  EXPECT_EQ(read("<flames>" + genome_xml(got) + "</flames>").final_xform->color_speed, 0.5);
}

TEST(JWildfireReader, other_ways_to_color_are_terms_of_all_xforms) {
  const Flame got = read(flame(version_of_2021, "color_type=\"TARGET\" targetcolor=\"1 0 0.5\""));
  EXPECT_EQ(got.palette.size(), 257u);
  EXPECT_EQ(got.palette.back(), (Rgba{1, 0, 0.5, 1}));
  for (const Xform& xform : got.xforms)
    EXPECT_EQ(xform.staged.back().variation, find_variation("palette_step").value());
  EXPECT_NE(refusal(flame(version_of_2021, "color_type=\"ODD\"")).find("color type ODD"),
            std::string::npos);
}

TEST(JWildfireReader, curves_that_are_off_are_not_there) {
  const auto curve = [](const std::string& property, const std::string& enabled) {
    return property + "_enabled=\"" + enabled + "\" " + property + "_view_xmin=\"-10\" " +
           property + "_interpolation=\"SPLINE\" " + property + "_point_count=\"2\" " + property +
           "_x0=\"1\" " + property + "_y0=\"5\" " + property + "_parent_curve=\"1\" ";
  };
  const std::string off = curve("brightnessCurve", "false"), on = curve("camZoomCurve", "true");
  EXPECT_TRUE(warnings(flame(version_of_2021 + off)).empty());
  EXPECT_EQ(read_with(version_of_2021 + off + "brightness=\"3\"").brightness, 3);
  EXPECT_EQ(read_with(version_of_2021 + "scale=\"40\" " + on).scale, 200);
  const std::string odd = curve("oddCurve", "true");
  EXPECT_NE(refusal(flame(version_of_2021 + odd)).find("curve oddCurve"), std::string::npos);
  const Flame got = approximate(flame(version_of_2021 + odd + off));
  ASSERT_EQ(got.missing.size(), 1u);  // once
  const std::string xform = "julian=\"1\" julian_power=\"3\" " + curve("julian_power", "false") +
                            curve("xyCoeff00Curve", "false");
  EXPECT_TRUE(warnings(flame(version_of_2021, xform)).empty());
  EXPECT_TRUE(read(flame(version_of_2021, xform)).missing.empty());
  EXPECT_EQ(read(flame(version_of_2021, curve("xyCoeff00Curve", "true"))).xforms[0].coefs.a, 5);
  // without the points it is no curve, but what it says
  EXPECT_EQ(warnings(flame(version_of_2021, "odd_enabled=\"x\"")).size(), 1u);
}

TEST(JWildfireReader, names_may_have_blanks) {
  const std::string xml = flame(version_of_2021, "color=\"0\" julian =\"1\" julian power=\"3\"");
  const Xform xform = read(xml).xforms.at(0);
  EXPECT_EQ(xform.variations[std::size_t(find_variation("julian").value())], 1);
  EXPECT_EQ(xform.parameters[std::size_t(find_parameter("julian_power").value())], 3);
  EXPECT_NE(refusal(flame(flam3, "color=\"0\" julian power=\"3\"")).find("malformed"),
            std::string::npos);
  EXPECT_NE(refusal(flame(version_of_2021, "color")).find("malformed"), std::string::npos);
}

TEST(JWildfireReader, what_changes_its_argument_does_so_before_the_others_alone) {
  const auto blur = [](const std::string& version, const std::string& priority) {
    const Xform xform =
        xform_with(version, "pre_blur=\"0.5\" pre_blur_fx_priority=\"" + priority + "\"");
    double weight = 0;
    for (const StagedVariation& form : xform.staged) weight += form.weight;
    return weight;
  };
  EXPECT_EQ(blur(version_of_2021, "-1"), 0.5);
  EXPECT_EQ(blur(version_of_2021, "2"), 0.5);
  EXPECT_EQ(blur(version_of_2021, "0"), 0);
  EXPECT_EQ(blur(version_of_2021, "1"), 0);
}

TEST(JWildfireReader, backgrounds_of_several_colors_are_gradients) {
  const auto parts = [](const std::string& type, const std::string& last) {
    std::string text = type + " ";
    for (const char* part : {"ul", "ur", "ll", "lr"})
      text += std::string("background_") + part + "=\"0.2 0.4 0.6\" ";
    return text + "background_cc=\"" + last + "\"";
  };
  const auto read_parts = [&](const std::string& type, const std::string& last) {
    return read_with(version_of_2021 + parts(type, last));
  };
  const std::string full = "background_type=\"GRADIENT_2X2_C\" background=\"1 1 1\"";
  const Flame equal = read_parts(full, "0.2 0.4 0.6");
  EXPECT_EQ(equal.background, (std::array<double, 3>{0.2, 0.4, 0.6}));
  EXPECT_EQ(equal.background_type, BackgroundType::single_color);
  EXPECT_EQ(genome_xml(equal).find("background_"), std::string::npos);

  const Flame several = read_parts(full, "0 0 1");
  EXPECT_EQ(several.background_type, BackgroundType::gradient_2x2_c);
  EXPECT_EQ(several.background_lr[1], 0.4);
  EXPECT_EQ(several.background_cc, (std::array<double, 3>{0, 0, 1}));
  EXPECT_TRUE(several.missing.empty());
  // between the corners the center does not count
  const Flame corners = read_parts("background_type=\"GRADIENT_2X2\"", "0 0 1");
  EXPECT_EQ(corners.background_type, BackgroundType::single_color);
  EXPECT_EQ(corners.background[2], 0.6);
  // without a word of its type it is a gradient, unless it has a color
  EXPECT_EQ(read_parts("", "0 0 1").background_type, BackgroundType::gradient_2x2_c);
  EXPECT_EQ(read_parts("background=\"0 0.5 0\"", "0 0 1").background_type,
            BackgroundType::single_color);
  EXPECT_EQ(read_with(version_of_2021 + "background_type=\"SINGLE_COLOR\" background=\"0 0.5 0\"")
                .background[1],
            0.5);
  EXPECT_EQ(warnings(flame(version_of_2021 + "background_type=\"ODD\"")).size(), 1u);
  EXPECT_EQ(warnings(flame(version_of_2021 + "background_image=\"sky.png\"")).size(), 1u);
  EXPECT_TRUE(warnings(flame(version_of_2021 + "background_image=\"\"")).empty());
  EXPECT_NE(refusal(flame(flam3 + "background_ul=\"1 0\"")).find("background_ul=\"1 0\""),
            std::string::npos);
  for (const Flame& written : {several, read_with(flam3 + full + " background_cc=\"0 0 1\"")}) {
    const Flame again = read("<flames>" + genome_xml(written) + "</flames>");
    EXPECT_EQ(again.background_type, BackgroundType::gradient_2x2_c);
    EXPECT_EQ(again.background_cc, written.background_cc);
  }
}

TEST(JWildfireReader, saturation_is_an_attribute_of_all) {
  EXPECT_EQ(read_with(version_of_2021 + "saturation=\"0.5\"").saturation, 0.5);
  EXPECT_EQ(read_with(flam3 + "saturation=\"1.5\"").saturation, 1.5);
}

TEST(JWildfireReader, balance_is_of_the_palette) {
  const Flame got = read_with(version_of_2021 + "balancing_red=\"2\" balancing_blue=\"0.5\"");
  EXPECT_NEAR(got.palette[0].r, 2 / 255.0, 1e-12);
  EXPECT_NEAR(got.palette[0].g, 2 / 255.0, 1e-12);
  EXPECT_NEAR(got.palette[0].b, 1.5 / 255.0, 1e-12);
}

TEST(JWildfireReader, has_several_final_xforms) {
  const Flame two = read(flame(version_of_2021, "color=\"0\"",
                               "<finalxform linear=\"1\"/><finalxform spherical=\"1\"/>"
                               "<color index=\"0\" rgb=\"1 2 3\"/>"));
  ASSERT_EQ(two.more_finals.size(), 1u);
  EXPECT_EQ(two.final_xform->variations[0], 1);
  EXPECT_EQ(two.more_finals[0].variations[2], 1);
  EXPECT_EQ(read("<flames>" + genome_xml(two) + "</flames>").more_finals.size(), 1u);
  EXPECT_NE(refusal(flame(flam3, "color=\"0\"",
                          "<finalxform linear=\"1\"/><finalxform spherical=\"1\"/>"
                          "<color index=\"0\" rgb=\"1 2 3\"/>"))
                .find("one finalxform at most"),
            std::string::npos);
}

TEST(JWildfireReader, groups_of_variations_are_forms_that_are_added) {
  const Xform xform =
      xform_with(version_of_2021,
                 "swirl=\"0.5\" swirl_fx_priority=\"-1\" bent=\"0.2\" bent_fx_priority=\"1\"");
  ASSERT_EQ(xform.staged.size(), 2u);
  EXPECT_EQ(xform.staged[0].stage, Stage::pre_add);
  EXPECT_EQ(xform.staged[1].stage, Stage::post_add);
  EXPECT_EQ(xform.variations[std::size_t(find_variation("swirl").value())], 0);
  EXPECT_EQ(form_name(Stage::pre_add, xform.staged[0].variation), "pre_add_swirl");
  EXPECT_EQ(find_form("post_add_bent")->stage, Stage::post_add);
}

TEST(JWildfireReader, depth_of_what_is_flat_is_kept_where_it_says) {
  EXPECT_EQ(read_with(version_of_2021).preserve_z, 0);
  EXPECT_EQ(read_with(version_of_2021 + "preserve_z=\"1\"").preserve_z, 1);
  EXPECT_EQ(read_with(version_of_2021 + "new_linear=\"1\"").preserve_z, 1);
  const Flame again = read("<flames>" + genome_xml(read_with(version_of_2021)) + "</flames>");
  EXPECT_EQ(again.preserve_z, 0);
  const Xform deep = xform_with(version_of_2021, "linear3D=\"0.5\"");
  EXPECT_EQ(deep.variations[std::size_t(find_variation("apophysis_zscale").value())], 0.5);
}

TEST(JWildfireReader, its_camera_may_be_a_final_xform) {
  const Flame banked = read_with(version_of_2021 + "cam_roll=\"0.2\" cam_pitch=\"0.5\"");
  ASSERT_TRUE(banked.final_xform);
  EXPECT_EQ(banked.depth_camera, DepthCamera{});
  const Flame tilted = read_with(version_of_2021 + "cam_zpos=\"1\" cam_pitch=\"0.5\"");
  EXPECT_FALSE(tilted.final_xform);
  EXPECT_EQ(tilted.depth_camera.pitch_rad, 0.5);
  EXPECT_EQ(tilted.depth_camera.z, 0);
}

TEST(JWildfireReader, layers_are_kept_apart_by_chaos) {
  const std::string layer =
      "<xform weight=\"2\" linear=\"1\"/><xform weight=\"2\" linear=\"1\"/>"
      "<color index=\"0\" rgb=\"255 0 0\"/></layer>";
  const Flame got =
      read("<jwf-flame " + version_of_2021 + "><layer weight=\"1\">" + layer +
           "<layer weight=\"0.5\">" + layer + "<layer visible=\"0\">" + layer + "</jwf-flame>");
  ASSERT_EQ(got.xforms.size(), 4u);
  EXPECT_EQ(got.xforms[3].chaos, (std::vector<double>{0, 0, 1, 1}));
  EXPECT_EQ(got.xforms[0].weight, got.xforms[2].weight);
  ASSERT_EQ(got.palette.size(), 512u);
  EXPECT_EQ(got.palette[256].r, 0.5);
  EXPECT_NEAR(got.xforms[2].color, 256.0 / 510, 1e-12);
}

TEST(JWildfireReader, notes_of_what_is_left_out_are_never_cut) {
  std::string odd;
  for (int i = 0; i < 80; ++i) odd += "odd" + std::to_string(i) + "=\"1\" ";
  std::vector<std::string> told;
  tell(
      parse_flames(flame(version_of_2021 + odd + "mixer_mode=\"FULL\" stereo3d_mode=\"ANAGLYPH\""),
                   "test.flame", {}),
      [](int) { return true; }, Use::stills,
      [&](const std::string& text) { told.push_back(text); });
  ASSERT_EQ(told.size(), 53u);  // 50, that there are more, and the two
  EXPECT_NE(told[50].find("further warnings"), std::string::npos);
  EXPECT_NE(told[51].find("mixer_mode"), std::string::npos);
  EXPECT_NE(told[52].find("stereo3d_mode"), std::string::npos);
}

// ---- attributes of <xform> ----

TEST(DialectReader, symmetry_is_not_embers) {
  EXPECT_EQ(xform_with(ember, "color_speed=\"0.25\" symmetry=\"0.9\"").color_speed, 0.25);
  EXPECT_NEAR(xform_with(apophysis, "symmetry=\"0.9\"").color_speed, 0.05, 1e-15);
  EXPECT_EQ(xform_with(apophysis, "symmetry=\"0.9\"").animate, 0);
}

TEST(DialectReader, a_missing_color_is_0_in_apophysis) {
  const std::string two =
      "<xform weight=\"1\" linear=\"1\"/><xform weight=\"1\" linear=\"1\"/>"
      "<color index=\"0\" rgb=\"1 2 3\"/></flame>";
  EXPECT_EQ(read("<flame " + apophysis + ">" + two).xforms[1].color, 0);
  EXPECT_EQ(read("<flame " + flam3 + ">" + two).xforms[1].color, 1);
}

TEST(DialectReader, opacity_is_a_share_where_it_may_not_exceed_1) {
  EXPECT_EQ(xform_with(ember, "opacity=\"2.5\"").opacity, 2.5);
  EXPECT_EQ(xform_with(apophysis, "opacity=\"2.5\"").opacity, 1);
  EXPECT_EQ(xform_with(jwildfire, "opacity=\"2.5\"").opacity, 1);
  EXPECT_EQ(xform_with(flam3, "opacity=\"2.5\"").opacity, 2.5);
  EXPECT_EQ(xform_with(apophysis, "plotmode=\"off\"").opacity, 0);
}

TEST(DialectReader, opacity_weighs_samples_linearly) {
  const auto hit = [](const std::string& version) {
    const CompiledFlame compiled =
        compile(read(flame(version + "palette_mode=\"step\"", "opacity=\"0.5\"")), {1, 0, 8, 8});
    return compiled.hits.at(0) * compiled.unit;
  };
  EXPECT_NEAR(hit(ember), 127.5, 0.01);
  EXPECT_NEAR(hit(flam3), 25.5, 0.01);
}

TEST(DialectReader, chaos_of_zeros_goes_to_the_first_xform) {
  const Flame zeros = read(flame(ember, "chaos=\"0 0\""));
  const CompiledFlame compiled = compile(zeros, {1, 0, 8, 8});
  const std::vector<std::uint32_t> row(compiled.cumulative.begin() + 2,
                                       compiled.cumulative.begin() + 4);
  EXPECT_EQ(row, (std::vector<std::uint32_t>{0, 0xffffffffu}));
  EXPECT_NE(refusal(flame(flam3, "chaos=\"0 0\"")).find("chaos leaves no xform to go to"),
            std::string::npos);
  EXPECT_EQ(xform_with(apophysis, "chaos=\"1 -0.5\"").chaos, (std::vector<double>{1, 0.5}));
}

TEST(DialectReader, a_final_xform_may_be_off_and_may_have_a_weight) {
  EXPECT_EQ(final_with(apophysis, "weight=\"0.5\"").weight, 0);
  EXPECT_TRUE(final_with(apophysis, "enabled=\"1\" chaos=\"1\"").chaos.empty());
  const std::string off =
      "<finalxform linear=\"1\" enabled=\"0\"/>"
      "<color index=\"0\" rgb=\"1 2 3\"/>";
  EXPECT_FALSE(read(flame(apophysis, "", off)).final_xform);
  EXPECT_FALSE(refusal(flame(flam3, "", off)).empty());
}

TEST(DialectReader, symmetry_elements_are_expanded_but_for_ember) {
  const std::string three = "<symmetry kind=\"3\"/><color index=\"0\" rgb=\"1 2 3\"/>";
  EXPECT_EQ(read(flame(ember, "", three)).xforms.size(), 2u);
  EXPECT_EQ(read(flame(apophysis, "", three)).xforms.size(), 4u);
}

// ---- milder reading ----

TEST(DialectReader, numbers_may_be_followed_by_text) {
  const Flame got = read(flame(apophysis + "gamma=\"3 \" quality=\"20px\" center=\"1 2 3\"",
                               "coefs=\"1 0 0 1 0 0 \" color=\"0.5 0 0\""));
  EXPECT_EQ(got.gamma, 3);
  EXPECT_EQ(got.quality, 20);
  EXPECT_EQ(got.center_y, 2);
  EXPECT_EQ(got.xforms[0].color, 0.5);
  EXPECT_NE(refusal(flame(flam3 + "gamma=\"3 \"")).find("characters follow"), std::string::npos);
}

TEST(DialectReader, what_cannot_be_read_keeps_its_usual_value) {
  const std::string odd = "gamma=\"much\" center=\"1\" zoom=\"\"";
  const Flame got = read_with(ember + odd);
  EXPECT_EQ(got.gamma, 4);
  EXPECT_EQ(got.center_x, 0);
  EXPECT_EQ(warnings(flame(ember + odd)).at(0),
            "test.flame:1: flame: gamma=\"much\": \"much\" is not a number (write it like -1.5 or "
            "2e-3); the usual value is taken");
  EXPECT_FALSE(refusal(flame(flam3 + "gamma=\"much\"")).empty());
}

TEST(DialectReader, files_may_have_several_roots_marks_and_bare_ampersands) {
  const FlameFile file =
      parse_flames("\xEF\xBB\xBF" + flame(apophysis + "name=\"a & b &amp; c\"") + flame(apophysis),
                   "test.flame", {});
  EXPECT_EQ(file.flames.at(0).name, "a_&_b_&_c");
  EXPECT_EQ(file.flames.size(), 2u);
}

TEST(DialectReader, names_in_latin_1_become_utf_8) {
  EXPECT_EQ(read_with(apophysis + "name=\"caf\xE9\"").name, "caf\xC3\xA9");
  EXPECT_EQ(read_with(apophysis + "nick=\"caf\xC3\xA9\"").nick, "caf\xC3\xA9");
  EXPECT_EQ(as_utf8("a\xFF\xE2\x82\xAC"), "a\xC3\xBF\xE2\x82\xAC");
  EXPECT_EQ(as_utf8("\xE2\x80\xAE"), "\xE2\x80\xAE");  // one character, though not to be printed
}

// ---- palettes of any length ----

std::string palette_of(int entries) {
  std::string text = "<palette count=\"256\" format=\"RGB\">";  // Ember ignores count
  for (int i = 0; i < entries; ++i) text += fmt::format("{:02X}{:02X}00\n", i % 256, i / 256);
  return text + "</palette>";
}

TEST(DialectReader, palettes_have_as_many_entries_as_they_have) {
  for (int entries : {1, 2, 64, 256, 300, 512, 1024}) {
    const Flame got = read(flame(ember, "", palette_of(entries)));
    ASSERT_EQ(got.palette.size(), std::size_t(entries));
    EXPECT_NEAR(got.palette.back().r * 255, (entries - 1) % 256, 1e-9);
    const Flame again = parse_flames(genome_xml(got), "again.flam3", {}).flames.at(0);
    EXPECT_EQ(again.palette, got.palette) << entries;
  }
  EXPECT_EQ(
      read(flame(flam3, "", "<palette count=\"512\" format=\"RGB\">" + palette_of(512).substr(34)))
          .palette.size(),
      256u);
}

TEST(DialectReader, palettes_that_are_no_bytes_keep_their_length) {
  Flame got = read(flame(ember, "", palette_of(3)));
  got.palette[1] = {0.1234, 0.5, 0.25, 1};
  EXPECT_EQ(parse_flames(genome_xml(got), "again.flam3", {}).flames.at(0).palette, got.palette);
}

/// The color of the compiled table at coordinate c: red in 0..255.
double red_at(const CompiledFlame& compiled, double c) {
  const ColorIndex& color = compiled.program.color;
  const auto index = std::uint32_t(std::min(float(c) * color.scale + color.offset, color.max));
  const std::uint32_t entry = index >> color.fraction_bits;
  const double fraction =
      double(index & ((1u << color.fraction_bits) - 1)) / double(1u << color.fraction_bits);
  const auto red = [&](std::uint32_t i) { return compiled.palette.at(i).v[0] * compiled.unit; };
  return fraction > 0 ? red(entry) * (1 - fraction) + red(entry + 1) * fraction : red(entry);
}

TEST(DialectReader, colors_lie_between_the_ends_of_the_palette) {
  for (int entries : {2, 64, 256, 300, 1024}) {
    for (const char* mode : {"step", "linear"}) {
      const std::string attributes = ember + "palette_mode=\"" + mode + "\"";
      const CompiledFlame compiled =
          compile(read(flame(attributes, "", palette_of(entries))), {1, 0, 8, 8});
      for (double c : {0.0, 0.1, 0.37, 0.5, 0.93, 0.999, 1.0}) {
        const double t = c * (entries - 1);
        const int i = std::min(int(t), std::max(entries - 2, 0));
        const double mix = t - i, low = i % 256, high = (i + 1) % 256;
        const double expected =
            std::string(mode) == "step" ? int(t) % 256 : low + mix * (high - low);
        EXPECT_NEAR(red_at(compiled, c), expected, 0.6) << entries << " " << mode << " " << c;
      }
    }
  }
}

/// Curves that are on are a film of the flame's frames, each as a still of that frame.
TEST(JWildfireReader, curves_that_are_on_are_a_film) {
  const auto curved = [](const std::string& more, const std::string& on) {
    return "<flame version=\"JWildfire V7.30 (27.11.2021)\" size=\"64 36\" scale=\"20\"" + more +
           "><xform weight=\"1\" coefs=\"0.5 0 0 0.5 0 0\" linear=\"1\" weightCurve_enabled=\"" +
           on +
           "\" weightCurve_point_count=\"2\" weightCurve_interpolation=\"LINEAR\" "
           "weightCurve_x0=\"1\""
           " weightCurve_y0=\"1\" weightCurve_x1=\"5\" weightCurve_y1=\"9\"/><color index=\"0\" "
           "rgb=\"1 2 3\"/></flame>";
  };
  ReaderOptions film;
  film.curves_are_films = true;
  const auto keys = [&](const std::string& xml) {
    return parse_flames(xml, "test.flame", film).flames;
  };
  const std::vector<Flame> all = keys(curved(" frame_count=\"3\" frame=\"2\"", "true"));
  ASSERT_EQ(all.size(), 4u);  // a film ends before its last key
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(all[k].time, double(k));
    EXPECT_EQ(all[k].temporal_samples, 1);
    EXPECT_EQ(all[k].index, 0);
    Flame still = read(curved(fmt::format(" frame=\"{}\"", k + 1), "true"));
    still.time = double(k);
    still.temporal_samples = 1;
    EXPECT_EQ(genome_xml(all[k]), genome_xml(still)) << k;
    EXPECT_NEAR(all[k].xforms[0].weight, 1 + 2.0 * double(k), 1e-9);
  }
  EXPECT_EQ(keys(curved("", "true")).size(), 6u);  // up to the last point
  EXPECT_EQ(keys(curved(" frame_count=\"3\"", "false")).size(), 1u);
  tinyxml2::XMLDocument long_one;
  long_one.Parse(curved(" frame_count=\"99999999\"", "true").c_str());
  EXPECT_EQ(frames_of_curves(*long_one.RootElement()), 10000);
  EXPECT_EQ(read(curved(" frame=\"2\"", "true")).xforms[0].weight, 3);  // a still
  std::string ours = curved(" frame_count=\"3\"", "true");
  ours.replace(ours.find("JWildfire V7.30 (27.11.2021)"), 28, "FLAM3-LNX-3.1.1");
  EXPECT_THROW(keys(ours), Error);  // curves are JWildfire's alone
}

std::string jwildfires(const std::string& attributes, const std::string& xform) {
  return "<flame version=\"JWildfire V7.30 (27.11.2021)\" size=\"64 36\" scale=\"20\" " +
         attributes + "><xform weight=\"1\" coefs=\"0.5 0 0 0.5 0 0\" " + xform +
         "/><color index=\"0\" rgb=\"1 2 3\"/></flame>";
}

TEST(JWildfireReader, uses_of_a_variation_are_written_so_that_they_can_be_read) {
  const char* const xforms[] = {
      "linear3D=\"1\" juliascope=\"0.5\" juliascope_power=\"3\" juliascope_dist=\"2\" "
      "juliascope_fx_priority=\"-1\" juliascope#1#=\"0.5\" juliascope#1#_power=\"4\" "
      "juliascope#1#_dist=\"1\"",
      "linear3D=\"1\" julian2=\"0\" julian2_a=\"2\" julian2#1#=\"0.5\" julian2#1#_a=\"1\"",
      "post_rotate_x=\"0.3\" linear3D=\"1\" flatten=\"1\" post_ztranslate=\"0.5\"",
      "linear3D=\"1\" julian=\"0.5\" julian#1#=\"0.2\" julian#2#=\"0.1\""};
  for (const char* xform : xforms) {
    const std::string once = genome_xml(read(jwildfires("preserve_z=\"1\"", xform)));
    const std::string twice = genome_xml(read(once));
    EXPECT_EQ(once, twice) << xform;
    // of a flame whose dialect is another, as between keys
    Flame mixed = read(once);
    mixed.dialect = Dialect::flam3;
    EXPECT_EQ(read(genome_xml(mixed)).xforms[0].staged.size(), mixed.xforms[0].staged.size());
  }
  std::string many = "linear=\"1\"";
  for (int use = 1; use <= 65; ++use) many += fmt::format(" julian#{}#=\"0.1\"", use);
  EXPECT_THROW(read(jwildfires("", many)), Error);
}

TEST(DialectReader, of_two_names_for_one_form_the_first_works) {
  const Flame flame = read(
      "<flame version=\"Apophysis 7X\" size=\"64 36\" scale=\"20\"><xform weight=\"1\" "
      "coefs=\"0.5 0 0 0.5 0 0\" linear=\"1\" post_linear=\"0.7\" post_linear3D=\"0.5\"/><color "
      "index=\"0\" rgb=\"1 2 3\"/></flame>");
  ASSERT_EQ(flame.xforms[0].staged.size(), 1u);
  EXPECT_EQ(flame.xforms[0].staged[0].weight, 0.7);
}

TEST(JWildfireReader, films_of_curves_have_limits_and_say_what_is_odd_once) {
  const auto curved = [](const std::string& flame, const std::string& y) {
    return jwildfires(flame,
                      "linear=\"1\" weightCurve_enabled=\"true\" "
                      "weightCurve_point_count=\"2\" weightCurve_interpolation=\"LINEAR\" "
                      "weightCurve_x0=\"1\" weightCurve_y0=\"1\" weightCurve_x1=\"3\" "
                      "weightCurve_y1=\"" +
                          y + "\"/><xform weight=\"1\" coefs=\"0.5 0 0 0.5 1 0\" linear=\"1\"");
  };
  ReaderOptions film;
  film.curves_are_films = true;
  film.set.push_back({"temporal_samples", "8"});
  const FlameFile file =
      parse_flames(curved("frame_count=\"4\" brightness=\"xx\"", "-1"), "test.flame", film);
  EXPECT_EQ(file.warnings.size(), 1u);
  ASSERT_EQ(file.flames.size(), 5u);
  EXPECT_EQ(file.flames[2].xforms[0].weight, 0) << "a curve below 0";
  EXPECT_EQ(file.flames[0].temporal_samples, 8);
  std::string many = "<flames>";
  for (int k = 0; k < 4; ++k) many += curved("frame_count=\"9999\"", "1");
  EXPECT_THROW(parse_flames(many + "</flames>", "test.flame", film), Error);
}

TEST(DialectReader, palettes_of_different_lengths_blend) {
  Flame one = read(flame(ember + "time=\"0\"", "", palette_of(2)));
  Flame two = read(flame(ember + "time=\"1\"", "", palette_of(5)));
  one.palette_interpolation = PaletteInterpolation::rgb;
  const Flame between = interpolate({one, two}, 0.5);
  ASSERT_EQ(between.palette.size(), 5u);
  EXPECT_NEAR(between.palette[2].r * 255, 0.5 * 0.5 + 0.5 * 2, 1e-9);
}

TEST(DialectReader, opacities_of_different_dialects_blend_by_their_weight) {
  Flame one = read(flame(flam3 + "time=\"0\"", "opacity=\"0.5\""));
  Flame two = read(flame(ember + "time=\"1\"", "opacity=\"0.1\""));
  const double weight = std::pow(interpolate({one, two}, 1).xforms[0].opacity, 3.3219280948873626);
  EXPECT_NEAR(weight, 0.1, 1e-9);
}

/// Fractorium's motion of camera and brightness: named, and flam3 ignores it without a word.
TEST(DialectReader, flame_motion_is_named) {
  const std::string more =
      "<flame_motion motion_frequency=\"1\" zoom=\"0.5\"/><color index=\"0\" rgb=\"1 2 3\"/>";
  const auto warnings_of = [&](const std::string& version) {
    return parse_flames(flame(version, "color=\"0\"", more), "test.flame", {}).warnings;
  };
  ASSERT_EQ(warnings_of(ember).size(), 1u);
  EXPECT_EQ(warnings_of(ember)[0].key, std::string(note_key) + "flame_motion");
  EXPECT_TRUE(warnings_of(flam3).empty());
}

}  // namespace
}  // namespace kiln
