// SPDX-License-Identifier: MIT
// Names that several programs have: whose meaning a flame's version or the command line chooses, and
// that the choice lasts when the flame is written again.
#include "engine/model/meanings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/unsupported.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

std::string version(const std::string& text) { return "version=\"" + text + "\""; }
const std::string ember_1 = version("EMBER-WIN-1.0.0.19"),
                  ember_22 = version("EMBER-LNX-22.21.4.2"),
                  ember_24 = version("EMBER-WIN-24.24.12.1"), ember_25 = version("EMBER-25.25.12"),
                  apophysis = version("Apophysis 7X"), apophysis_2 = version("Apophysis 2.09"),
                  jwildfire = version("0.16 (06.11.2011)");

FlameFile read_file(const std::string& head, const std::string& xform,
                    std::optional<Meaning> meaning = {}) {
  ReaderOptions options;
  options.meaning = meaning;
  options.approximate = true;
  return parse_flames("<flame size=\"8 8\" " + head + "><xform weight=\"1\" " + xform +
                          "</xform><color index=\"0\" rgb=\"1 2 3\"/></flame>",
                      "meant.flame", options);
}
Flame read(const std::string& head, const std::string& xform, std::optional<Meaning> meaning = {}) {
  return read_file(head, xform + ">", meaning).flames.at(0);
}

/// Names of the variations that the xform has, in kiln's order, then those of its other forms.
std::string names(const Flame& flame) {
  const Xform& xform = flame.xforms.at(0);
  std::string all;
  const auto add = [&](const std::string& name) { all += (all.empty() ? "" : " ") + name; };
  for (std::size_t v = 0; v < xform.variations.size(); ++v)
    if (xform.variations[v] != 0) add(variations()[v].name);
  for (const StagedVariation& form : xform.staged) add(form_name(form.stage, form.variation));
  return all;
}
std::string meant(const std::string& head, const std::string& xform,
                  std::optional<Meaning> meaning = {}) {
  return names(read(head, xform, meaning));
}

double weight(const Flame& flame, const char* name) {
  return flame.xforms.at(0).variations.at(std::size_t(find_variation(name).value()));
}
double parameter(const Flame& flame, const char* name) {
  return flame.xforms.at(0).parameters.at(std::size_t(find_parameter(name).value()));
}

TEST(Meanings, OfFractoriumCameOneAfterTheOther) {
  const std::string three = R"(sin="1" cross="1" curve="1")";
  EXPECT_EQ(meant("", three), "cross curve sin");
  EXPECT_EQ(meant(ember_1, three), "cross curve sin");
  EXPECT_EQ(meant(ember_22, three), "cross curve ember_sin");
  EXPECT_EQ(meant(ember_24, three), "curve ember_sin ember_cross");
  EXPECT_EQ(meant(ember_25, three), "ember_sin ember_cross ember_curve");
  EXPECT_EQ(meant(version("EMBER-"), three), "cross curve sin");
}

TEST(Meanings, OfTwoNamesAreOneVariation) {
  const std::string two = R"(cross="0.25" ember_cross="0.5")";
  for (const std::string& xform : {two, std::string(R"(ember_cross="0.5" cross="0.25")")})
    EXPECT_EQ(weight(read(ember_24, xform), "ember_cross"), 0.75);
  EXPECT_EQ(weight(read("", two), "cross"), 0.25);
  EXPECT_EQ(weight(read("", two), "ember_cross"), 0.5);
  const std::string waves = R"(waves2="0.25" waves2_scalez="0.5" waves2z="0.5")";
  EXPECT_EQ(weight(read(ember_1, waves), "waves2z"), 0.75);
}

TEST(Meanings, AreThoseThatAreAskedFor) {
  EXPECT_EQ(meant(ember_25, R"(sin="1")", Meaning::flam3), "sin");
  EXPECT_EQ(meant(ember_1, R"(sin="1" curve="1")", Meaning::fractorium), "ember_sin ember_curve");
  EXPECT_EQ(meant("", R"(blur_zoom="1" sin="1")", Meaning::apophysis), "sin apophysis_blur_zoom");
}

TEST(Meanings, OfEveryTwinOfFractorium) {
  for (const char* name :
       {"sin",   "cos",   "tan",    "sec",        "csc",       "cot",       "sinh",
        "cosh",  "tanh",  "sech",   "csch",       "coth",      "cross",     "fan2",
        "curve", "edisc", "escher", "juliascope", "lazysusan", "circlecrop"})
    EXPECT_EQ(meant(ember_25, std::string(name) + "=\"1\""), std::string("ember_") + name);
}

TEST(Meanings, HoldForAllFormsAndTheirParameters) {
  const Flame flame =
      read(ember_25, R"(linear="1" pre_fan2="0.5" pre_fan2_x="0.25" fan2="2" fan2_y="0.75")"
                     R"( post_cross="1")");
  EXPECT_EQ(names(flame), "linear ember_fan2 pre_ember_fan2 post_ember_cross");
  EXPECT_EQ(flame.xforms[0].staged.at(0).parameters.at(0), 0.25);
  EXPECT_EQ(parameter(flame, "ember_fan2_y"), 0.75);
  EXPECT_NEAR(parameter(flame, "ember_fan2_x"), 0.70710678, 1e-7);  // left out: Fractorium's
  EXPECT_EQ(parameter(flame, "fan2_y"), 0);
}

TEST(Meanings, HoldForMotionsToo) {
  const FlameFile file = read_file(
      ember_25, R"(fan2="1"><motion motion_frequency="1" motion_function="sin" fan2_x="0.25"/>)");
  const Motion& motion = file.flames.at(0).xforms.at(0).motions.at(0);
  EXPECT_EQ(motion.parameters.at(std::size_t(find_parameter("ember_fan2_x").value())), 0.25);
  EXPECT_EQ(motion.parameters.at(std::size_t(find_parameter("fan2_x").value())), 0);
}

TEST(Meanings, ThatTheFileDoesNotSayAreTold) {
  const FlameFile file =
      read_file(ember_25, R"(sin="1" pre_cross="1" cropn="1" lazysusan="1" tan="0">)");
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_EQ(
      file.warnings[0].text,
      "meant.flame:1: flame: cropn, cross, sin: as Fractorium means it since 2024; --meaning flam3 "
      "reads it as flam3 means it");
  EXPECT_TRUE(read_file(ember_25, R"(sin="1">)", Meaning::fractorium).warnings.empty());
  EXPECT_TRUE(read_file(ember_1, R"(sin="1">)").warnings.empty());
  EXPECT_TRUE(read_file(ember_25, R"(swirl="1">)").warnings.empty());
}

TEST(Meanings, StayWhenTheFlameIsWritten) {
  for (const std::string& head : {ember_1, ember_25, apophysis + " cam_pitch=\"1\"", jwildfire}) {
    const Flame flame =
        read(head + " new_linear=\"1\"",
             R"(sin="1" lazysusan="0.5" cropn="1" post_curl="0.5" pre_falloff2="1" bubble="1")"
             R"( bwraps="0.5" log="1" log_base="10")");
    const Flame again = parse_flames(genome_xml(flame), "again.flam3", {}).flames.at(0);
    EXPECT_EQ(names(again), names(flame)) << head;
    EXPECT_EQ(again.xforms[0].staged, flame.xforms[0].staged) << head;
    EXPECT_EQ(again.xforms[0].parameters, flame.xforms[0].parameters) << head;
  }
}

TEST(Meanings, OfLazysusanAreFractoriumsInBothOfItsModes) {
  EXPECT_EQ(meant(ember_1, R"(lazysusan="0.5")"), "ember_lazysusan");
  EXPECT_EQ(meant(ember_25, R"(lazysusan="0.5")", Meaning::flam3), "ember_lazysusan");
  EXPECT_EQ(meant(apophysis + " new_linear=\"1\"", R"(lazysusan="0.5")"), "lazysusan");
  EXPECT_NEAR(parameter(read(ember_1, R"(lazysusan="0.5")"), "ember_lazysusan_spin"),
              std::numbers::pi, 1e-6);
}

TEST(Meanings, OfJWildfireAreItsOwn) {
  const std::string head = jwildfire + " preserve_z=\"1\"";
  EXPECT_EQ(meant(head, R"(lazysusan="0.5" lazysusan_spin="0.25")"), "jwildfire_lazysusan");
  EXPECT_EQ(
      parameter(read(head, R"(lazysusan="0.5" lazysusan_spin="0.25")"), "jwildfire_lazysusan_spin"),
      0.25);
  EXPECT_EQ(meant(head, R"(gaussian="0.5" blur_square="1")"), "gaussian_blur square");
  const Flame curled =
      read(head, R"(linear="1" post_curl3D="2" post_curl3D_cx="0.5" post_curl3D_cy="0.25")");
  const StagedVariation& form = curled.xforms[0].staged.at(0);
  EXPECT_EQ(form.weight, 1);
  EXPECT_EQ(form.parameters.at(0), 1);
  EXPECT_EQ(form.parameters.at(1), -0.5);
}

TEST(Meanings, OfCropnAreNumbers) {
  const std::string xform = R"(cropn="1" cropn_scatterdist="0.5")";
  EXPECT_EQ(parameter(read(ember_1, xform), "cropn_zero"), 0);
  EXPECT_EQ(parameter(read(ember_1, xform), "cropn_scatterdist"), 0.5);
  EXPECT_EQ(parameter(read(ember_25, xform), "cropn_zero"), 1);
  EXPECT_EQ(parameter(read(ember_25, xform), "cropn_scatterdist"), 1);
  EXPECT_EQ(parameter(read(ember_25, xform + " cropn_zero=\"1\""), "cropn_zero"), 0);
}

TEST(Meanings, OfApophysisAreThoseOf7X) {
  const std::string xform = R"(linear3D="1" falloff2="1" blur_zoom="0.5" pre_falloff2="0.25")";
  EXPECT_EQ(meant(apophysis, xform),
            "linear apophysis_blur_zoom apophysis_falloff2 pre_apophysis_falloff2");
  EXPECT_EQ(meant(apophysis_2, xform), "linear blur_zoom falloff2 pre_falloff2");
  EXPECT_EQ(meant(jwildfire, xform),
            "linear blur_zoom apophysis_falloff2 apophysis_zscale pre_apophysis_falloff2");
  EXPECT_EQ(meant(apophysis, R"(linear3D="1" pre_zscale="0.5")"), "linear pre_apophysis_zscale");
}

TEST(Meanings, OfBubbleMatterInDepth) {
  EXPECT_EQ(meant(apophysis, R"(bubble="1")"), "bubble");
  EXPECT_EQ(meant(apophysis + " cam_pitch=\"0.5\"", R"(bubble="1")"), "apophysis_bubble");
  EXPECT_EQ(meant(jwildfire + " cam_persp=\"0.5\"", R"(bubble="1")"), "apophysis_bubble");
  EXPECT_EQ(meant(apophysis, R"(bubble="1" julia3D="1")"), "julia3D apophysis_bubble");
  EXPECT_EQ(meant(ember_1 + " cam_pitch=\"0.5\"", R"(bubble="1")"), "bubble");
}

/// Where depth is seen, pre_ and post_ forms that leave it alone there.
TEST(Meanings, OfApophysisFormsLeaveDepthAlone) {
  const std::string xform =
                        R"(linear3D="1" pre_blur="0.5" pre_crop="1" pre_crop_left="-2" crop="1")"
                        R"( post_crop="1")",
                    deep = apophysis + " cam_pitch=\"0.5\"";
  EXPECT_EQ(meant(apophysis, xform), "linear crop pre_blur pre_crop post_crop");
  EXPECT_EQ(meant(deep, xform),
            "linear crop pre_apophysis_gaussian_blur pre_apophysis_crop post_apophysis_crop");
  const Flame flame = read(deep, xform);
  EXPECT_EQ(flame.xforms[0].staged.at(0).weight, 0.5);
  EXPECT_EQ(flame.xforms[0].staged.at(1).parameters.at(0), -2);
  EXPECT_EQ(meant(ember_1 + " cam_pitch=\"0.5\"", xform),
            "linear crop pre_blur pre_crop post_crop");
  EXPECT_EQ(meant(jwildfire, R"(linear3D="1" post_zscale_wf="0.5")"),
            "linear apophysis_zscale post_apophysis_zscale");
}

TEST(Meanings, OfPostCurlWeighItsParameters) {
  const std::string xform =
      R"(linear3D="1" post_curl="0.5" post_curl_c1="0.25" post_curl_c2="3" post_curl3D="2")"
      R"( post_curl3D_cz="0.125" pre_curl="0.5" pre_curl_c1="0.25")";
  const std::vector<StagedVariation> forms = read(apophysis, xform).xforms[0].staged;
  EXPECT_EQ(forms.at(0).weight, 1);
  EXPECT_EQ(forms.at(0).parameters, (std::vector<double>{0.125, 1.5}));
  EXPECT_EQ(forms.at(1).weight, 1);
  EXPECT_EQ(forms.at(1).parameters, (std::vector<double>{0, 0, 0.25}));
  EXPECT_EQ(forms.at(2).weight, 0.5);  // pre_curl is as it was
  EXPECT_EQ(read(ember_1, xform).xforms[0].staged.at(0).weight, 0.5);
}

/// Apophysis: gain^2 / (radius + 1e-6); Fractorium: gain^2.
TEST(Meanings, OfBwrapsDivideTheGainByTheRadius) {
  const std::string xform =
      R"(bwraps="1" bwraps_cellsize="0.4" bwraps_space="0.5" bwraps_gain="3")";
  const double radius = 0.5 * 0.4 / (1 + 0.25);
  const double gain = parameter(read(apophysis, xform), "bwraps_gain");
  EXPECT_NEAR(gain * gain, 9 / (radius + 1e-6), 1e-9);
  EXPECT_EQ(parameter(read(ember_1, xform), "bwraps_gain"), 3);
  EXPECT_EQ(parameter(read(apophysis, R"(bwraps="1" bwraps_cellsize="-1" bwraps_gain="3")"),
                      "bwraps_gain"),
            3);
}

TEST(Meanings, OfEpispiralWithoutThicknessAreACircle) {
  EXPECT_EQ(parameter(read(apophysis, R"(epispiral="1")"), "epispiral_thickness"), 1e-20);
  EXPECT_EQ(parameter(read(ember_1, R"(epispiral="1")"), "epispiral_thickness"), 0);
}

TEST(Meanings, OfOneMoreParameterAreVariationsOfTheirOwn) {
  EXPECT_EQ(meant(ember_1, R"(log="0.5" log_base="10")"), "logn");
  EXPECT_EQ(meant("", R"(log="0.5" log_base="10")"), "logn");
  EXPECT_EQ(parameter(read(ember_1, R"(log="0.5" log_base="10")"), "logn_base"), 10);
  EXPECT_EQ(meant(ember_1, R"(log="0.5" log_base="2.718281828")"), "log");
  EXPECT_EQ(meant(ember_1, R"(swirl="0.5" log_base="10")"), "swirl");
  EXPECT_EQ(parameter(read(ember_1, R"(log_base="10")"), "logn_base"),
            default_parameters().at(std::size_t(find_parameter("logn_base").value())));
  EXPECT_EQ(meant(ember_1, R"(linear="1" post_log="0.5" post_log_base="10")"), "linear post_logn");
  EXPECT_EQ(meant(ember_1, R"(logn="0.5" logn_base="10")"), "logn");
}

TEST(Meanings, OfWaves2WithDepthHaveAllParameters) {
  const std::string waves = R"(waves2="1" waves2_scalex="0.5" waves2_scalez="0.25")";
  const Flame flame = read(ember_1, waves), plain = read("", waves);
  EXPECT_EQ(names(flame), "waves2z");
  EXPECT_EQ(parameter(flame, "waves2z_scalex"), 0.5);
  EXPECT_EQ(parameter(flame, "waves2z_scalez"), 0.25);
  EXPECT_EQ(parameter(flame, "waves2z_freqx"), 2);  // Fractorium's
  EXPECT_EQ(parameter(plain, "waves2z_freqx"), 0);  // flam3's
  EXPECT_EQ(parameter(flame, "waves2_scalex"), 0);
  EXPECT_EQ(meant(ember_1, R"(waves2="1" waves2_freqz="3")"), "waves2");
}

TEST(Meanings, OfFractoriumHaveNumbersInTheirRanges) {
  const Flame flame = read(ember_1, R"(stripes="1" stripes_space="0" pie="1" pie_slices="2.7")"
                                    R"( pie_thickness="3" wedge="1" wedge_count="-4")");
  EXPECT_EQ(parameter(flame, "stripes_space"), 0.5);
  EXPECT_EQ(parameter(flame, "pie_slices"), 3);
  EXPECT_EQ(parameter(flame, "pie_thickness"), 1);
  EXPECT_EQ(parameter(flame, "wedge_count"), 1);
  EXPECT_EQ(parameter(read(apophysis, R"(stripes="1" stripes_space="0")"), "stripes_space"), 0);
}

/// Fractorium adds nothing, flam3 divides 0 by 0.
TEST(Meanings, OfPerspectiveWithoutDistanceAreThePointAtTheOrigin) {
  const std::string xform =
      R"(linear="1" perspective="2" post_perspective="1" post_perspective_angle="0.5")";
  for (const std::string& head : {ember_1, ember_25}) {
    const Flame flame = read(head, xform);
    EXPECT_EQ(parameter(flame, "perspective_dist"), 1e-30);
    EXPECT_EQ(parameter(flame, "perspective_angle"), 1);
    EXPECT_EQ(flame.xforms[0].staged.at(0).parameters, (std::vector<double>{1, 1e-30}));
    EXPECT_TRUE(read_file(head, xform + ">").warnings.empty());
  }
  for (const std::string& head : {std::string(), apophysis})
    EXPECT_EQ(parameter(read(head, xform), "perspective_dist"), 0);
  EXPECT_EQ(
      parameter(read(ember_1, R"(perspective="1" perspective_dist="0.5")"), "perspective_dist"),
      0.5);
}

TEST(Meanings, OfMobiusAreTwo) {
  const FlameFile strip = read_file(apophysis, R"(mobius="1" mobius_radius="2" mobius_width="1">)");
  EXPECT_EQ(missing_names(strip.flames.at(0)),
            (std::vector<std::string>{"variation mobius_strip"}));
  EXPECT_TRUE(read(apophysis, R"(Mobius="1" Re_B="2")").missing.empty());
}

TEST(Meanings, OfJWildfireKeepDepthWhereItSays) {
  EXPECT_EQ(meant(jwildfire, R"(linear="1")"), "linear");
  EXPECT_EQ(meant(jwildfire + " preserve_z=\"1\"", R"(linear="1")"), "linear");
  EXPECT_EQ(meant(apophysis + " preserve_z=\"1\"", R"(linear="1")"), "linear flatten");
}

}  // namespace
}  // namespace kiln
