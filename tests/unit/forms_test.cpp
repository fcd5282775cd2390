// SPDX-License-Identifier: MIT
// pre_ and post_ forms as files have them: which program's rules put them together, what is written
// again, and what the program for the devices keeps of depth.
#include <gtest/gtest.h>

#include <string>

#include "engine/animation/interpolate.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/variations.h"
#include "engine/program/compile.h"
#include "engine/program/structure.h"

namespace kiln {
namespace {

Flame read(const std::string& head, const std::string& xform) {
  return parse_flames("<flame size=\"8 8\" " + head + "><xform weight=\"1\" " + xform +
                          "/><color index=\"0\" rgb=\"1 2 3\"/></flame>",
                      "forms.flame", {})
      .flames.at(0);
}
const std::string apophysis = "version=\"Apophysis 7X\"";
const std::string fractorium = "version=\"EMBER-WIN-1.0.0.19\"";

double weight(const Flame& flame, const char* name) {
  const XformValues& xform = flame.xforms.at(0);
  const NamedForm form = find_form(name).value();
  if (form.stage == Stage::regular) return xform.variations.at(std::size_t(form.variation));
  for (const StagedVariation& one : xform.staged)
    if (one.stage == form.stage && one.variation == form.variation) return one.weight;
  return 0;
}

/// Names of the staged forms, in order.
std::string staged(const Flame& flame) {
  std::string names;
  for (const StagedVariation& form : flame.xforms.at(0).staged)
    names += (names.empty() ? "" : " ") + form_name(form.stage, form.variation);
  return names;
}

Structure structure_of(const Flame& flame) {
  StructureFinder finder;
  finder.add(flame);
  return finder.found();
}

TEST(Forms, AreReadInTheOrderOfTheFile) {
  const Flame flame = read("",
                           "post_swirl=\"0.5\" pre_julia=\"2\" linear=\"1\" pre_curl_c1=\"0.25\" "
                           "pre_curl=\"0.75\"");
  EXPECT_EQ(staged(flame), "post_swirl pre_julia pre_curl");
  EXPECT_EQ(weight(flame, "pre_julia"), 2);
  EXPECT_EQ(flame.xforms[0].staged[2].parameters, (std::vector<double>{0.25, 0}));
  EXPECT_EQ(flame.xforms[0].parameters, default_parameters());  // of the regular form
  EXPECT_TRUE(structure_of(flame).extended());
}

TEST(Forms, TakeParametersWithoutTheirNames) {
  const Flame flame =
      read(fractorium, "linear=\"1\" pre_bwraps=\"1\" cellsize=\"2\" bwraps_gain=\"3\"");
  EXPECT_EQ(flame.xforms[0].staged.at(0).parameters, (std::vector<double>{2, 0, 3, 0, 0}));
}

TEST(Forms, OfTheSameVariationHaveTheirOwnParameters) {
  const Flame flame =
      read("", "curl=\"1\" curl_c1=\"0.5\" pre_curl=\"1\" post_curl=\"1\" post_curl_c1=\"0.125\"");
  EXPECT_EQ(flame.xforms[0].staged.at(0).parameters.at(0), 1);  // the default
  EXPECT_EQ(flame.xforms[0].staged.at(1).parameters.at(0), 0.125);
}

TEST(Forms, ByOtherNamesAddUp) {
  EXPECT_EQ(weight(read("", "linear=\"0.25\" linear3D=\"0.5\""), "linear"), 0.75);
  EXPECT_EQ(weight(read("", "linear3D=\"0.5\" linear=\"0.25\""), "linear"), 0.75);
  EXPECT_EQ(weight(read("", "Mobius=\"0.5\""), "mobius"), 0.5);
  EXPECT_EQ(read(apophysis, "Mobius=\"0.5\"")
                .xforms[0]
                .parameters.at(std::size_t(find_parameter("mobius_re_a").value())),
            1);
}

TEST(Forms, AreFlattenedAsApophysisDoes) {
  EXPECT_EQ(weight(read(apophysis, "linear=\"1\""), "flatten"), 1);
  EXPECT_EQ(weight(read(apophysis + " new_linear=\"1\"", "linear=\"1\""), "flatten"), 0);
  EXPECT_EQ(weight(read(fractorium, "linear=\"1\""), "flatten"), 0);
  EXPECT_EQ(weight(read("", "linear=\"1\""), "flatten"), 0);
  for (const char* deep : {"linear3D=\"1\"", "hemisphere=\"1\"", "post_crop=\"1\"",
                           "ztranslate=\"1\"", "curl3D=\"1\" curl3D_cz=\"0.5\""})
    EXPECT_EQ(weight(read(apophysis, std::string("linear=\"1\" ") + deep), "flatten"), 0) << deep;
  EXPECT_EQ(weight(read(apophysis, "curl3D=\"1\" curl3D_cx=\"0.5\""), "flatten"), 1);
}

TEST(Forms, FlattenComesLast) {
  EXPECT_EQ(staged(read("",
                        "linear=\"1\" pre_flatten=\"1\" pre_swirl=\"1\" post_flatten=\"1\" "
                        "post_blur=\"1\"")),
            "pre_swirl post_blur pre_flatten post_flatten");
}

TEST(Forms, PreBlurHasItsPlaceAmongOthers) {
  EXPECT_EQ(weight(read("", "pre_blur=\"1\" julia=\"1\""), "pre_blur"), 1);
  EXPECT_EQ(staged(read("", "pre_blur=\"1\" julia=\"1\"")), "");
  EXPECT_EQ(staged(read("", "pre_swirl=\"1\" pre_gaussian_blur=\"1\" julia=\"1\" pre_crop=\"1\"")),
            "pre_swirl pre_blur pre_crop");
}

TEST(Forms, OfWeight0DoNotMovePreBlur) {
  for (const std::string& head : {std::string(), apophysis, fractorium})
    EXPECT_EQ(staged(read(head, "pre_swirl=\"0\" pre_blur=\"1\" pre_bubble=\"1\" linear=\"1\"")),
              "pre_blur pre_bubble")
        << head;
}

TEST(Forms, ThatRestartTheSumKeepTheOrderOfAll) {
  const Flame flame = read("", "swirl=\"1\" mirror_x=\"1\" linear=\"0.5\"");
  EXPECT_EQ(staged(flame), "swirl mirror_x linear");
  EXPECT_EQ(weight(flame, "swirl"), 0);
}

TEST(Forms, PassThePointOnWhereNothingElseDoes) {
  EXPECT_EQ(weight(read("", "pre_swirl=\"1\""), "linear"), 1);
  EXPECT_EQ(weight(read("", "pre_swirl=\"1\" julia=\"1\""), "linear"), 0);
  EXPECT_EQ(weight(read("", "post_swirl=\"1\""), "linear"), 0);
  EXPECT_EQ(weight(read("", "pre_blur=\"1\""), "linear"), 0);  // flam3's stays at the origin
  EXPECT_EQ(weight(read(fractorium, "pre_blur=\"1\""), "linear"), 1);
}

TEST(Forms, AreWrittenAndReadAgain) {
  for (const std::string& head : {std::string(), apophysis, fractorium}) {
    const Flame flame = read(head + " cam_pitch=\"0.5\" cam_dof=\"0.25\"",
                             "linear3D=\"0.5\" pre_bwraps=\"0.3\" pre_bwraps_gain=\"2\" "
                             "post_falloff2=\"1\" var_color=\"0.25\" Spherical3D=\"1\"");
    const Flame again =
        parse_flames("<flames>" + genome_xml(flame) + "</flames>", "again.flam3", {}).flames.at(0);
    EXPECT_EQ(again.xforms[0].staged, flame.xforms[0].staged) << head;
    EXPECT_EQ(again.xforms[0].variations, flame.xforms[0].variations) << head;
    EXPECT_EQ(again.xforms[0].direct_color, 0.25);
    EXPECT_EQ(again.depth_camera, flame.depth_camera);
  }
}

TEST(Forms, BlendBetweenKeys) {
  const std::vector<Flame> keys = {
      read("time=\"0\"", "linear=\"1\" pre_curl=\"1\" pre_curl_c1=\"0.5\""),
      read("time=\"1\"", "linear=\"1\" post_curl=\"0.5\" post_curl_c1=\"0.25\"")};
  const Flame moved = interpolate(keys, 0.25);
  ASSERT_EQ(staged(moved), "pre_curl post_curl");
  const std::vector<StagedVariation>& forms = moved.xforms[0].staged;
  EXPECT_DOUBLE_EQ(forms[0].weight, 0.75);
  EXPECT_DOUBLE_EQ(forms[0].parameters[0], 0.5);  // as the key that has the form says
  EXPECT_DOUBLE_EQ(forms[1].weight, 0.125);
  EXPECT_DOUBLE_EQ(forms[1].parameters[0], 0.25);
}

// ---- depth ----

TEST(Depth, IsKeptWhereSomethingMakesAndSomethingShowsIt) {
  const auto deep = [](const std::string& head, const std::string& xform) {
    return structure_of(read(head, xform)).has_z;
  };
  EXPECT_FALSE(deep("", "linear=\"1\""));
  EXPECT_FALSE(deep("", "hemisphere=\"1\""));
  EXPECT_FALSE(deep("", "curl3D=\"1\""));
  EXPECT_TRUE(deep("", "curl3D=\"1\" curl3D_cz=\"0.5\""));
  EXPECT_TRUE(deep("", "hemisphere=\"1\" Spherical3D=\"1\""));
  EXPECT_FALSE(deep("", "Spherical3D=\"1\" flatten=\"1\" ztranslate=\"0\""));
  EXPECT_TRUE(deep("cam_pitch=\"0.5\"", "hemisphere=\"1\""));
  EXPECT_FALSE(deep("cam_yaw=\"0.5\" cam_zpos=\"3\"", "hemisphere=\"1\""));
}

/// A flat flame is seen from everywhere without keeping that its points are at 0.
TEST(Depth, ThatNobodyMakesIsNotKept) {
  const auto found = [](const std::string& head, const std::string& xform) {
    return structure_of(read(head, xform));
  };
  for (const char* head : {"cam_pitch=\"0.5\"", "cam_dof=\"0.1\"", "kiln_projection=\"sphere\""}) {
    const Structure flat = found(head, "linear=\"1\" julian=\"0.5\" pre_blur=\"0.1\"");
    EXPECT_FALSE(flat.has_z) << head;
    EXPECT_TRUE(flat.extended()) << head;
    for (const char* maker : {"bubble=\"1\"", "cylinder=\"1\"", "ztranslate=\"1\"",
                              "linear=\"1\" post_curl=\"1\"", "linear=\"1\" flatten=\"1\""})
      EXPECT_TRUE(found(head, maker).has_z) << head << maker;
  }
}

TEST(Depth, ThatNobodySeesCostsNothing) {
  for (const char* only_depth : {"flatten=\"1\"", "ztranslate=\"1\"", "zcone=\"2\"", "zblur=\"1\"",
                                 "pre_flatten=\"1\"", "post_ztranslate=\"1\"", "linear3D=\"1\""}) {
    const Structure structure = structure_of(read("", std::string("swirl=\"1\" ") + only_depth));
    EXPECT_FALSE(structure.extended()) << only_depth;
    EXPECT_EQ(structure.forms.at(0).size(), std::string(only_depth).starts_with("lin") ? 2u : 1u);
  }
}

}  // namespace
}  // namespace kiln
