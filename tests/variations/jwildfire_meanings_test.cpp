// SPDX-License-Identifier: MIT
// What JWildfire means by names that others have too, from an xform of its files to a point on every device: against
// numbers that it printed (jwildfire_shared.txt), and against the formulas in which it differs.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include "engine/base/text.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/variations.h"
#include "tests/devices.h"
#include "tests/evaluate_xforms.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

using Point = std::array<double, 3>;

std::string flame_of(const std::string& xform, const std::string& flame = "") {
  return "<flame version=\"JWildfire V7.30 (27.11.2021)\" size=\"8 8\" cam_pitch=\"0.1\" " + flame +
         "><xform weight=\"1\" " + xform + "/><color index=\"0\" rgb=\"1 2 3\"/></flame>";
}
FlameFile file_of(const std::string& xform, const std::string& flame = "") {
  return parse_flames(flame_of(xform, flame), "test.flame", {});
}
Flame read(const std::string& xform, const std::string& flame = "") {
  return file_of(xform, flame).flames.at(0);
}

const std::string keeps = "preserve_z=\"1\" ";

Point made(Device& device, const Flame& flame, const Point& at, const Random& random = {1, 2}) {
  const auto results = evaluate_xforms(
      device, flame,
      std::vector<std::vector<ExtendedPoint>>{{{float(at[0]), float(at[1]), float(at[2]), 0.3f}}},
      {{random}});
  return {results[0][0].x, results[0][0].y, results[0][0].z};
}
Point made(Device& device, const std::string& xform, const Point& at,
           const std::string& flame = "") {
  return made(device, read(xform, flame), at);
}

void expect_near(const Point& got, const Point& expected, const std::string& what) {
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(got[i], expected[i], 2e-6 * std::max(1.0, std::fabs(expected[i])))
        << what << ": coordinate " << i;
}

double weight_of(const Xform& xform, const char* variation) {
  return xform.variations.at(std::size_t(find_variation(variation).value()));
}
double parameter_of(const Xform& xform, const char* parameter) {
  return xform.parameters.at(std::size_t(find_parameter(parameter).value()));
}
std::string forms_of(const Xform& xform) {
  std::vector<std::string> names;
  for (const StagedVariation& form : xform.staged)
    names.push_back(form_name(form.stage, form.variation));
  return joined(names, " ");
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, OfOthersVariationsGiveItsNumbers) {
  std::ifstream file(std::string(source_dir()) + "/tests/variations/jwildfire_shared.txt");
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    const std::size_t bar = line.find('|');
    std::istringstream numbers(line.substr(bar + 1));
    Point at, out;
    std::string arrow;
    numbers >> at[0] >> at[1] >> at[2] >> arrow >> out[0] >> out[1] >> out[2];
    const Point got = made(device, line.substr(0, bar), at, keeps);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(got[i], out[i], 2e-5 * std::max(1.0, std::fabs(out[i])))
          << line << ": coordinate " << i;
    ++rows;
  }
  EXPECT_EQ(rows, 56);
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, SplitsSlideAlongTheirBorders) {
  const std::string all =
      "splits=\"0.5\" splits_x=\"1\" splits_y=\"2\" splits_lshear=\"0.1\" splits_rshear=\"0.2\" "
      "splits_ushear=\"0.3\" splits_dshear=\"0.4\"";
  expect_near(made(device, all, {1, 1, 0}), {0.5 * (2 + 0.3), 0.5 * (3 + 0.2), 0}, "right, up");
  expect_near(made(device, all, {-1, -1, 0}), {0.5 * (-2 - 0.4), 0.5 * (-3 - 0.1), 0},
              "left, down");
  const FlameFile plain = file_of(
      "splits=\"0.5\" splits_x=\"1\" splits_lshear=\"0\" splits_rshear=\"0\" splits_ushear=\"0\" "
      "splits_dshear=\"0\"");
  EXPECT_EQ(weight_of(plain.flames[0].xforms[0], "splits"), 0.5);
  EXPECT_TRUE(plain.warnings.empty());
  // in another group it is what it is, too
  expect_near(made(device, "linear3D=\"1\" splits_fx_priority=\"-1\" " + all, {1, 1, 0}),
              {1 + 0.5 * (2 + 0.3), 1 + 0.5 * (3 + 0.2), 0}, "before the others");
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, RingsWithoutAWidthAreTwiceAsFar) {
  expect_near(made(device, "rings=\"0.3\"", {0.3, 0.4, 0}), {0.8, 0.6, 0}, "rings");
  const Xform xform = read("rings2=\"1\" rings2_val=\"0\"").xforms[0];
  EXPECT_NEAR(parameter_of(xform, "rings2_val") * parameter_of(xform, "rings2_val") + 1e-10, 1e-8,
              1e-15);
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, PowersAreWholeNumbers) {
  for (const char* name : {"julian", "juliascope", "julia3D", "julia3Dz", "julian2"}) {
    const auto power = [&](const std::string& value) {
      const std::string of = std::string(name) + "_power";
      return parameter_of(read(std::string(name) + "=\"1\" " + of + "=\"" + value + "\"").xforms[0],
                          of.c_str());
    };
    EXPECT_EQ(power("2.6"), 3) << name;
    EXPECT_EQ(power("-2.5"), -3) << name;
    const FlameFile none = file_of(std::string(name) + "=\"1\"");
    EXPECT_EQ(parameter_of(none.flames[0].xforms[0], (std::string(name) + "_power").c_str()), 2);
    ASSERT_EQ(none.warnings.size(), 1u) << name;
    EXPECT_NE(none.warnings[0].text.find("draws anew"), std::string::npos);
  }
  const FlameFile second = file_of("julian=\"1\" julian_power=\"3\" julian#1#=\"1\"");
  EXPECT_EQ(second.warnings.size(), 1u);
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, LogarithmsAndWavesHaveNoFurtherParameters) {
  const FlameFile log = file_of("log=\"1\" log_base=\"10\"");
  EXPECT_EQ(weight_of(log.flames[0].xforms[0], "log"), 1);
  ASSERT_EQ(log.warnings.size(), 1u);
  EXPECT_NE(log.warnings[0].text.find("log_base is none of JWildfire's parameters"),
            std::string::npos);
  EXPECT_EQ(weight_of(read("waves2=\"1\" waves2_scalez=\"1\"").xforms[0], "waves2"), 1);
}

/// w z with preserve_z, and nothing without.
TEST_ON_EVERY_DEVICE(JWildfireMeanings, FlatVariationsKeepDepthWhereItIsPreserved) {
  const Point at = {0.3, 0.4, 0.5};
  for (const char* name : {"linear", "bent", "sin", "cylinder", "ex", "bi_linear", "spherical"}) {
    const std::string xform = std::string(name) + "=\"0.5\"";
    EXPECT_NEAR(made(device, xform, at, keeps)[2], 0.25, 1e-6) << name;
    EXPECT_EQ(made(device, xform, at)[2], 0) << name;
  }
  const std::string before = " linear3D=\"1\" bent_fx_priority=\"-1\"";
  EXPECT_NEAR(made(device, "bent=\"0.5\"" + before, at, keeps)[2], 0.75, 1e-6);
  for (const char* name : {"hexes", "crackle", "lace_js"})
    EXPECT_EQ(made(device, std::string(name) + "=\"0.5\"", at, keeps)[2], 0) << name;
  EXPECT_NEAR(made(device, "tile_log=\"0.5\"", at)[2], 0.25, 1e-6);
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, FlatFormsTakeAShareOfDepth) {
  const Point at = {0.3, 0.4, 0.5};
  const auto depth = [&](const std::string& more) {
    return made(device, "linear3D=\"1\" " + more, at)[2];
  };
  EXPECT_NEAR(depth("pre_flatten=\"1\""), 0.5, 1e-6);
  EXPECT_NEAR(depth("post_flatten=\"0.25\""), 0.375, 1e-6);
  EXPECT_NEAR(depth("post_flatten=\"-0.25\""), 0.375, 1e-6);
  EXPECT_EQ(depth("post_flatten=\"2\""), 0);
  EXPECT_EQ(depth("flatten=\"1\""), 0);
  // in the order of the file
  EXPECT_EQ(depth("post_ztranslate=\"0.5\" flatten=\"1\""), 0);
  EXPECT_NEAR(depth("flatten=\"1\" post_ztranslate=\"0.5\""), 0.5, 1e-6);
}

/// z *= w; z += w; turns by w quarter turns.
TEST_ON_EVERY_DEVICE(JWildfireMeanings, FormsInSpaceAreThoseOfApophysis) {
  const Point at = {0.3, 0.4, 0.5};
  const double s = std::sin(0.25 * 3.14159265358979323846),
               c = std::cos(0.25 * 3.14159265358979323846);
  const auto expect = [&](const std::string& form, const Point& expected) {
    expect_near(made(device, "linear3D=\"1\" " + form + "=\"0.5\"", at), expected, form);
  };
  expect("pre_zscale", {0.3, 0.4, 0.25});
  expect("pre_ztranslate", {0.3, 0.4, 1});
  for (const std::string stage : {"pre_", "post_"}) {
    expect(stage + "rotate_x", {0.3, 0.4 * c + 0.5 * s, 0.5 * c - 0.4 * s});
    expect(stage + "rotate_y", {0.3 * c - 0.5 * s, 0.4, 0.3 * s + 0.5 * c});
    expect(stage + "spin_z", {0.3 * c + 0.4 * s, 0.4 * c - 0.3 * s, 0.5});
  }
  expect("post_rotate_z", {0.3 * c + 0.4 * s, 0.4 * c - 0.3 * s, 0.5});
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, PostDepthAddsToThePoint) {
  const Point at = {0.3, 0.4, 0.5};
  const std::string xform = "linear3D=\"2\" post_depth=\"0.5\" post_depth_power=\"2\"";
  Point expected;  // V = 2 A and abs(Z)^2 = 1
  for (std::size_t i = 0; i < 3; ++i) expected[i] = 2 * at[i] + 0.5 * (at[i] + 2 * at[i]);
  expect_near(made(device, xform, at), expected, "post_depth");
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, GainsOfBubblesAreTwoOrThoseOfACell) {
  EXPECT_EQ(parameter_of(read("bwraps7=\"1\"").xforms[0], "bwraps_gain"), 2);
  const auto form = [&](const std::string& name, const std::string& gain) {
    std::string text = name + "=\"1\" ";
    for (const char* said : {"cellsize=\"0.25\"", "space=\"0.1\"", "inner_twist=\"0.5\""})
      text += name + "_" + said + " ";
    return text + name + "_gain=\"" + gain + "\"";
  };
  const Point at = {0.15, 0.1, 0};
  // gain^2 / cellsize: 4 times as much
  const Point whole = made(device, form("bwraps7", "1.5"), at);
  for (const std::string name : {"pre_bwraps2", "post_bwraps2"})
    expect_near(made(device, "linear3D=\"1\" " + form(name, "0.75"), at), whole, name);
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, FormsOfCropsAndDiscsLeaveDepthAlone) {
  for (const char* form :
       {"pre_crop", "post_crop", "pre_circlecrop", "post_circlecrop", "pre_spherical",
        "post_spherical", "pre_disc", "pre_bwraps2", "post_bwraps2"}) {
    for (const std::string& flame : {keeps, std::string()}) {
      const std::string xform = "linear3D=\"1\" " + std::string(form) + "=\"0.5\"";
      EXPECT_NEAR(made(device, xform, {0.3, 0.4, 0.5}, flame)[2], 0.5, 1e-6)
          << form << ' ' << flame;
    }
  }
  // outside of the circle nothing of depth is lost, either
  const std::string outside = "linear3D=\"1\" post_circlecrop=\"1\" post_circlecrop_radius=\"0.1\"";
  EXPECT_NEAR(made(device, outside, {0.3, 0.4, 0.5})[2], 0.5, 1e-6);
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, CropsTakeThePlaceOfTheSumBeforeThem) {
  const Point at = {0.3, 0.4, 0};
  expect_near(made(device, "swirl=\"1\" crop=\"0.5\"", at), {0.15, 0.2, 0}, "crop");
  expect_near(made(device, "swirl=\"1\" shredlin=\"0.5\"", at),
              made(device, "shredlin=\"0.5\"", at), "shredlin");
  const Point both = made(device, "crop=\"0.5\" linear=\"2\"", at);
  expect_near(both, {0.75, 1, 0}, "what comes after is added");
  expect_near(made(device, "crop=\"0.5\" linear3D=\"2\"", at), both, "linear3D has a place, too");
  const std::string circle = "circlecrop=\"1\" circlecrop_zero=\"0\" circlecrop_radius=";
  expect_near(made(device, "linear=\"2\" " + circle + "\"0.25\"", at), {0.15, 0.2, 0}, "outside");
  expect_near(made(device, "linear=\"2\" " + circle + "\"2\"", at), {0.9, 1.2, 0}, "inside");
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, CropsOfZeroHide) {
  EXPECT_EQ(weight_of(read("crop=\"0.5\" crop_zero=\"1\"").xforms[0], "jwildfire_hiding_crop"),
            0.5);
  EXPECT_EQ(weight_of(read("crop=\"0.5\" crop_zero=\"0\"").xforms[0], "jwildfire_crop"), 0.5);
  const Xform circle = read("circlecrop=\"0.5\" circlecrop_radius=\"3\"").xforms[0];  // zero is 1
  EXPECT_EQ(weight_of(circle, "jwildfire_hiding_circlecrop"), 0.5);
  EXPECT_EQ(parameter_of(circle, "jwildfire_hiding_circlecrop_radius"), 3);
  const Xform form =
      read("linear=\"1\" post_crop=\"1\" post_crop_left=\"-3\" post_crop_zero=\"1\"").xforms[0];
  EXPECT_EQ(forms_of(form), "post_jwildfire_hiding_crop");
  EXPECT_EQ(form.staged[0].parameters[0], -3);
  EXPECT_EQ(form.staged[0].parameters[5], 1);
  expect_near(made(device, "crop=\"0.5\" crop_zero=\"1\"", {2, 0.4, 0}), {0, 0, 0}, "outside");
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, FalloffsDrift) {
  const Flame flame = read(
      "falloff2=\"1\" falloff2_scatter=\"100\" falloff2_mindist=\"0\" falloff2_mul_x=\"5\" "
      "falloff2_mul_y=\"0\" falloff2_mul_z=\"0\"");
  double largest = 0;
  for (std::uint32_t k = 0; k < 64; ++k) {
    const double moved = made(device, flame, {1, 0, 0}, Random{k * 2654435761u + 1, k + 7})[0] - 1;
    EXPECT_GE(moved, 0);
    largest = std::max(largest, moved);
  }
  EXPECT_GT(largest, 3);
  EXPECT_LE(largest, 4);  // 0.04 times 100, the factor is 1
}

TEST_ON_EVERY_DEVICE(JWildfireMeanings, OfPowersOfShapesAreNotClamped) {
  EXPECT_EQ(
      parameter_of(read("super_shape=\"1\" super_shape_rnd=\"3\"").xforms[0], "super_shape_rnd"),
      3);
}

TEST(JWildfireMeanings, WhatIsLeftOutIsItsOwn) {
  const auto left_out = [](const std::string& variation, const char* parameter) {
    return parameter_of(read(variation + "=\"1\"").xforms[0], parameter);
  };
  EXPECT_EQ(left_out("splits", "splits_y"), 0.6);
  EXPECT_EQ(left_out("rectangles", "rectangles_x"), 0.3);
  EXPECT_EQ(left_out("lazysusan", "jwildfire_lazysusan_space"), 0.4);
  EXPECT_EQ(left_out("lazysusan", "jwildfire_lazysusan_spin"), 0.1);
  EXPECT_EQ(left_out("wedge", "wedge_count"), 1);
  EXPECT_EQ(left_out("auger", "auger_freq"), 1);
  EXPECT_EQ(left_out("falloff2", "apophysis_falloff2_mindist"), 0.5);
  EXPECT_EQ(left_out("mobius", "mobius_im_c"), -0.15);
  EXPECT_EQ(left_out("waves2", "waves2_freqx"), 3.14159265358979323846 / 2);
  EXPECT_EQ(left_out("linearT", "linearT_powX"), 1.2);
  const Xform form = read("linear=\"1\" post_curl=\"1\"").xforms[0];
  EXPECT_EQ(form.staged.at(0).parameters.at(0), 0.1);
}

// ---- uses, groups, names ----

/// The second use of a variation has parameters, and a group, of its own.
TEST_ON_EVERY_DEVICE(JWildfireUses, HaveParametersOfTheirOwn) {
  const Point at = {0.5, 0.25, 0};
  const std::string first = "splits=\"1\" splits_x=\"1\" splits_y=\"0\" ";
  const std::string second = "splits#1#=\"0.5\" splits#1#_x=\"0.2\" splits#1#_y=\"2\" ";
  const std::string third = "splits#2#=\"0.1\" splits#2#_x=\"10\" splits#2#_y=\"0\" ";
  const Flame flame = read(first + second + third);
  EXPECT_TRUE(flame.missing.empty());
  const Point expected = {1.5 + 0.35 + 1.05, 0.25 + 1.125 + 0.025, 0};
  expect_near(made(device, flame, at), expected, "three");
  const std::string written = genome_xml(flame);
  const Flame again = parse_flames("<flames>" + written + "</flames>", "a.flame", {}).flames.at(0);
  expect_near(made(device, again, at), expected, written);
  EXPECT_EQ(genome_xml(again), written);

  const std::string before = "splits#1#_fx_priority=\"-1\" ";
  // A + 0.5 (A + (0.2, 2)), and then the others of that
  const Point moved = {0.5 + 0.5 * 0.7, 0.25 + 0.5 * 2.25, 0};
  expect_near(made(device, first + second + before, at), {moved[0] + 1, moved[1], 0}, "before");
  // a use of another stage, and one of the first alone
  expect_near(made(device,
                   "linear=\"1\" post_splits=\"1\" post_splits_x=\"1\" post_splits#1#=\"2\" "
                   "post_splits#1#_x=\"3\" post_splits_y=\"0\" post_splits#1#_y=\"0\"",
                   at),
              {2 * (1.5 + 3), 2 * 0.25, 0}, "post_");
}

TEST_ON_EVERY_DEVICE(JWildfireUses, WithShearsOfTheirOwn) {
  const std::string xform =
      "splits=\"1\" splits_x=\"1\" splits_y=\"0\" splits#1#=\"1\" splits#1#_x=\"0\" "
      "splits#1#_y=\"0\" "
      "splits#1#_rshear=\"3\"";
  expect_near(made(device, xform, {0.5, 0.25, 0}), {1.5 + 0.5, 0.25 + 3.25, 0}, "shear");
}

/// Where one of them takes the place of the sum, all stand in the order of the file.
TEST_ON_EVERY_DEVICE(JWildfireUses, StandInTheOrderOfTheFile) {
  const std::string crop = "crop=\"1\" ", splits = "splits=\"1\" splits_x=\"1\" splits_y=\"0\" ";
  const std::string second = "splits#1#=\"1\" splits#1#_x=\"2\" splits#1#_y=\"0\" ";
  const Point at = {0.5, 0.25, 0};
  expect_near(made(device, splits + crop + second, at), {0.5 + 2.5, 0.5, 0}, "between");
  expect_near(made(device, splits + second + crop, at), {0.5, 0.25, 0}, "last");
}

TEST_ON_EVERY_DEVICE(JWildfireUses, AreOfLinearOneWeight) {
  const Flame flame = read("linear3D=\"1\" linear3D#1#=\"0.5\" linear=\"0.25\"");
  EXPECT_EQ(weight_of(flame.xforms[0], "linear"), 1.75);
  expect_near(made(device, flame, {1, 1, 1}), {1.75, 1.75, 1.5}, "linear");
}

TEST(JWildfireUses, OfWhatNobodyKnowsAreNamed) {
  ReaderOptions options;
  options.approximate = true;
  const Flame flame =
      parse_flames(flame_of("linear=\"1\" oddness#1#=\"1\""), "test.flame", options).flames.at(0);
  EXPECT_EQ(joined(missing_names(flame), ", "), "variation oddness.1.");
}

TEST(JWildfireGroups, OfTwoDirectionsWorkTwice) {
  const auto forms = [](const std::string& more) {
    const Xform xform =
        read("linear=\"1\" prepost_circlize=\"0.5\" prepost_circlize_n=\"5\" " + more).xforms[0];
    std::string text;
    for (const StagedVariation& form : xform.staged)
      text += form_name(form.stage, form.variation) + ' ' + shortest(form.parameters.at(0)) + ' ' +
              shortest(form.parameters.at(2)) + "; ";
    return text;
  };
  const std::string pre = "pre_prepost_circlize 5 ", post = "post_prepost_circlize 5 ";
  EXPECT_EQ(forms(""), pre + "1; " + post + "0; ");
  EXPECT_EQ(forms("prepost_circlize_fx_priority=\"2\""), pre + "1; " + post + "0; ");
  EXPECT_EQ(forms("prepost_circlize_reverse=\"1\""), pre + "0; " + post + "1; ");
  EXPECT_EQ(forms("prepost_circlize_fx_priority=\"-2\""), pre + "0; " + post + "1; ");
  EXPECT_EQ(forms("prepost_circlize_fx_priority=\"-1\""), pre + "1; ");
  EXPECT_EQ(forms("prepost_circlize_fx_priority=\"1\""), post + "0; ");
}

TEST(JWildfireGroups, LeaveDepthAlone) {
  EXPECT_EQ(forms_of(read("linear=\"1\" pre_blur3D=\"0.1\"").xforms[0]), "pre_jwildfire_blur3D");
}

/// Blanks and signs of old names, as newer files have them.
TEST(JWildfireNames, MayHaveSigns) {
  const Xform corners =
      read("corners=\"1\" corners_mult x=\"3\" corners_log mode (0/1)=\"1\"").xforms[0];
  EXPECT_EQ(parameter_of(corners, "corners_mult_x"), 3);
  EXPECT_EQ(parameter_of(corners, "corners_log_mode"), 1);
  const auto missing = [](const std::string& xform) {
    ReaderOptions options;
    options.approximate = true;
    return joined(missing_names(parse_flames(flame_of(xform), "test.flame", options).flames.at(0)),
                  ", ");
  };
  EXPECT_EQ(parameter_of(read("synth=\"1\" synth_b_^/&/|=\"3\"").xforms[0], "synth_b_type"), 3);
  EXPECT_EQ(missing("linear=\"1\" dc_booleans=\"1\" dc_booleans_^/&/|=\"1\""),
            "variation dc_booleans");
  EXPECT_EQ(missing("linear=\"1\" taprats=\"1\" taprats_Rosette(1/0)=\"1\" it's=\"0\""),
            "variation taprats");
}

}  // namespace
}  // namespace kiln::test
