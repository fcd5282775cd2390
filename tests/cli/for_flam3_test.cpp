// SPDX-License-Identifier: MIT
// kiln convert --for flam3: flames of other programs as flam3 can say them.
#include "engine/io/flame/for_flam3.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/variations.h"
#include "tests/cli/program.h"
#include "tests/places.h"

namespace kiln {
namespace {

using namespace test;

const std::string colors =
    "<palette count=\"4\" format=\"RGB\">FF0000 00FF00 0000FF FFFFFF</palette>";

std::string flame_of(const std::string& attributes, const std::string& xforms) {
  return "<flame size=\"160 90\" scale=\"40\" quality=\"60\" filter=\"0.5\" " + attributes + ">" +
         xforms + colors + "</flame>";
}

Flame read(const std::string& xml) { return parse_flames(xml, "test.flame", {}).flames.at(0); }

ForFlam3 told(const std::string& attributes, const std::string& xforms) {
  return for_flam3(read(flame_of(attributes, xforms)));
}

std::string names_of(const std::vector<Missing>& lost) {
  std::string all;
  for (const Missing& one : lost)
    all += (all.empty() ? "" : "; ") + one.what + " (" + one.place + ")";
  return all;
}

std::array<double, 3> mean_of(const Image& image) {
  std::array<double, 3> mean{};
  const Bytes& pixels = std::get<Bytes>(image.pixels);
  const std::size_t count = std::size_t(image.width) * std::size_t(image.height);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      mean[c] += pixels[i * (pixels.size() / count) + c] / double(count);
  return mean;
}

/// The picture stays: brightness, gamma, white level, contrast, oversampling, colors.
TEST(ForFlam3, flames_of_jwildfire_are_as_bright_there) {
  const ScratchFolder scratch;
  const std::string folder = std::string(source_dir()) + "/tests/jwildfire/";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (!file.ends_with(".flame") || file > "10") continue;
    if (run_program(
            {"convert", entry.path().string(), "-o", "a.flam3", "--force", "--for", "flam3"},
            {scratch.path(), "", {}, {}})
            .code != 0)
      continue;
    ++count;
    std::array<double, 3> means[2];
    for (int i = 0; i < 2; ++i) {
      const std::string flame = i == 0 ? entry.path().string() : "a.flam3";
      const Outcome outcome =
          run_program({"render", flame, "-o", "a.png", "--force", "-q", "--quality-scale", "0.25"},
                      {scratch.path(), "", {}, {}});
      ASSERT_EQ(outcome.code, 0) << file << ": " << outcome.err;
      means[i] = mean_of(read_png(scratch / "a.png"));
    }
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(means[1][c], means[0][c], 1.5 + 0.04 * means[0][c]) << file;
  }
  EXPECT_GE(count, 5);
}

TEST(ForFlam3, what_flam3_lacks_is_named) {
  const ForFlam3 made = told(
      "version=\"JWildfire V7.30 (27.11.2021)\" cam_pitch=\"0.5\" kiln_bloom=\"0.5 2 0\""
      " saturation=\"0.5\" background_type=\"GRADIENT_2X2_C\" background_ul=\"1 0 0\"",
      "<xform weight=\"1\" coefs=\"0.5 0 0 0.5 0 0\" linear=\"1\"/>"
      "<xform weight=\"1\" coefs=\"0.5 0 0 0.5 1 0\" linear=\"0.5\" hexes=\"0.5\""
      " post_swirl=\"1\"/>"
      "<finalxform linear=\"1\"/><finalxform spherical=\"1\"/>");
  const std::string names = names_of(made.lost);
  for (const char* name :
       {"kiln_bloom", "setting saturation", "setting background_type", "variation hexes (xform 2)",
        "variation post_swirl (xform 2)", "final xform 2"})
    EXPECT_NE(names.find(name), names.npos) << name << " in " << names;
  EXPECT_TRUE(made.flame.more_finals.empty());
  EXPECT_EQ(made.flame.effects.bloom, Bloom{});
  EXPECT_EQ(made.flame.saturation, 1);
  EXPECT_EQ(made.flame.background_ul, (std::array<double, 3>{}));
  ASSERT_EQ(made.flame.xforms.size(), 2u);
  EXPECT_TRUE(made.flame.xforms[1].staged.empty());
  EXPECT_EQ(made.flame.xforms[1].variations[0], 0.5);
  EXPECT_EQ(made.flame.xforms[1].variations[std::size_t(*find_variation("hexes"))], 0);
}

TEST(ForFlam3, what_it_has_stays) {
  const Flame flame = read(flame_of(
      "version=\"FLAM3-LNX-3.1.1\" rotate=\"20\" estimator_curve=\"0.7\"",
      "<xform weight=\"1\" color=\"0.2\" coefs=\"0.5 0 0 0.5 0 0\" julian=\"1\" julian_power=\"3\""
      " opacity=\"0.5\" chaos=\"1 0.5\"/>"
      "<xform weight=\"2\" color=\"1\" coefs=\"0.5 0 0 0.5 1 0\" linear=\"1\"/>"));
  const ForFlam3 made = for_flam3(flame);
  EXPECT_EQ(names_of(made.lost), "");
  EXPECT_EQ(made.flame.xforms[0].opacity, 0.5);
  EXPECT_EQ(made.flame.xforms[0].chaos, flame.xforms[0].chaos);
  EXPECT_EQ(made.flame.xforms[0].parameters, flame.xforms[0].parameters);
  EXPECT_EQ(made.flame.brightness, flame.brightness);
  EXPECT_EQ(made.flame.center_x, flame.center_x);
  EXPECT_EQ(made.flame.estimator_curve, 0.7);
}

TEST(ForFlam3, numbers_of_others_become_flam3s) {
  const ForFlam3 made =
      told("version=\"EMBER-WIN-1.0.0.19\" brightness=\"4\"",
           "<xform weight=\"1\" coefs=\"0.5 0 0 0.5 0 0\" linear=\"1\" opacity=\"0.1\""
           " chaos=\"0 0\"/>"
           "<xform weight=\"1\" coefs=\"0.5 0 0 0.5 1 0\" linear=\"1\" opacity=\"0\"/>");
  EXPECT_EQ(made.flame.dialect, Dialect::flam3);
  EXPECT_NEAR(made.flame.brightness, 4 * 255.0 / 268, 1e-12);
  // flam3's samples of opacity o weigh o^3.32
  EXPECT_NEAR(std::pow(made.flame.xforms[0].opacity, 3.3219280948873623), 0.1, 1e-12);
  EXPECT_EQ(made.flame.xforms[1].opacity, 0);
  EXPECT_EQ(made.flame.xforms[0].chaos.at(0), 1);
  ASSERT_EQ(made.flame.palette.size(), 256u);
  EXPECT_EQ(made.flame.palette.front(), (Rgba{1, 0, 0, 1}));
  EXPECT_EQ(made.flame.palette.back(), (Rgba{1, 1, 1, 1}));
}

/// Depth is not seen from straight above.
TEST(ForFlam3, depth_that_is_not_seen_is_not_missed) {
  const std::string xforms =
      "<xform weight=\"1\" coefs=\"0.5 0 0 0.5 0 0\" linear3D=\"1\""
      " zscale=\"0.5\" ztranslate=\"1\"/>";
  const std::string version = "version=\"JWildfire V7.30 (27.11.2021)\" ";
  EXPECT_EQ(names_of(told(version, xforms).lost), "");
  const std::string names = names_of(told(version + "cam_pitch=\"0.5\"", xforms).lost);
  EXPECT_NE(names.find("variation ztranslate (xform 1)"), names.npos) << names;
}

/// What is lost is refused before anything is written, or named; of several flames each.
TEST(ForFlam3, the_program_refuses_or_names_what_is_lost) {
  const ScratchFolder scratch;
  const std::string plain = "<xform weight=\"1\" coefs=\"0.5 0 0 0.5 0 0\" linear=\"1\"/>";
  const std::string hexes = "<xform weight=\"1\" coefs=\"0.5 0 0 0.5 0 0\" hexes=\"1\"/>";
  write_file(scratch / "two.flam3", "<flames>" + flame_of("name=\"one\"", plain) +
                                        flame_of("name=\"two\"", hexes) + "</flames>");
  const Start here{scratch.path(), "", {}, {}};
  const Outcome refused =
      run_program({"convert", "two.flam3", "-o", "out.flam3", "--for", "flam3"}, here);
  EXPECT_EQ(refused.code, 4);
  EXPECT_NE(refused.err.find("flame 1 \"two\" needs variation hexes (xform 1), which flam3 does not"
                             " have; --approximate writes it without"),
            std::string::npos)
      << refused.err;
  EXPECT_FALSE(std::filesystem::exists(scratch / "out.flam3"));
  const Outcome made = run_program(
      {"convert", "two.flam3", "-o", "out.flam3", "--for", "flam3", "--approximate"}, here);
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.err.find("which flam3 does not have; it is written without"), std::string::npos)
      << made.err;
  const std::string text = read_file(scratch / "out.flam3");
  EXPECT_EQ(text.find("hexes"), text.npos);
  EXPECT_NE(text.find("name=\"two\""), text.npos);
}

}  // namespace
}  // namespace kiln
