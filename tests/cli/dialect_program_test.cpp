// SPDX-License-Identifier: MIT
// Flames of other programs from the command line: whose meaning their names have, curves of
// brightness, palettes from gradients, and what validate says of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/io/picture/picture_format.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

class dialects : public testing::Test {
 protected:
  Outcome kiln(const std::vector<std::string>& arguments) const {
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  void put(const std::string& name, const std::string& bytes) const {
    write_file(folder / name, bytes);
  }

  ScratchFolder folder;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Channels of a picture, 0..255.
std::vector<double> levels(const std::string& path) {
  const Image image = read_png(path);
  std::vector<double> values;
  if (image.bits() == 8) {
    for (const auto value : std::get<Bytes>(image.pixels)) values.push_back(value);
  } else {
    for (const auto value : std::get<Words>(image.pixels)) values.push_back(value / 256.0);
  }
  return values;
}

TEST_F(dialects, are_found_shown_and_asked_for) {
  put("a.flame", triangle("version=\"EMBER-LNX-1.0.0.19\""));
  put("b.flame", triangle());
  const Outcome found = kiln({"info", "a.flame"});
  EXPECT_TRUE(contains(found.out, "dialect: fractorium (version \"EMBER-LNX-1.0.0.19\")"))
      << found.out;
  EXPECT_TRUE(contains(kiln({"info", "a.flame", "--json"}).out,
                       R"("dialect":"fractorium","dialect_reason":"version \"EMBER-LNX)"));
  EXPECT_FALSE(contains(kiln({"info", "b.flame"}).out, "dialect"));
  EXPECT_TRUE(contains(kiln({"info", "b.flame", "--dialect", "apophysis"}).out,
                       "dialect: apophysis (asked for)"));
  EXPECT_EQ(kiln({"info", "b.flame", "--dialect", "chaotica"}).code, 2);
  for (const char* command : {"render", "animate", "info", "validate", "convert", "sequence"})
    EXPECT_TRUE(contains(kiln({command, "--help"}).out, "--dialect")) << command;
}

TEST_F(dialects, meaning_of_names_is_chosen_and_lasts) {
  const std::string xform = "<xform weight=\"1\" cross=\"0.5\" coefs=\"0.5 0 0 0.5 0.25 0\"/>";
  put("new.flame", triangle("version=\"EMBER-WIN-25.25.12\"", xform));
  const Outcome chosen = kiln({"convert", "new.flame", "-o", "new.flam3"});
  EXPECT_EQ(chosen.code, 0);
  EXPECT_TRUE(contains(chosen.err, "cross: as Fractorium means it since 2024")) << chosen.err;
  EXPECT_TRUE(contains(read_file(folder / "new.flam3"), " ember_cross=\"0.5\""));
  const Outcome again = kiln({"convert", "new.flam3", "-o", "again.flam3"});
  EXPECT_FALSE(contains(again.err, "means")) << again.err;
  EXPECT_EQ(read_file(folder / "again.flam3"), read_file(folder / "new.flam3"));
  ASSERT_EQ(kiln({"convert", "new.flame", "--meaning", "flam3", "-o", "old.flam3"}).code, 0);
  EXPECT_TRUE(contains(read_file(folder / "old.flam3"), " cross=\"0.5\""));
  EXPECT_EQ(kiln({"info", "new.flame", "--meaning", "chaotica"}).code, 2);
}

TEST_F(dialects, convert_keeps_the_meaning) {
  put("a.flame", triangle("version=\"Apophysis 7X\" angle=\"0.5\" curves=\"0 0.2 1 0 0 1 1 1 1 1 1 "
                          "1\""));
  ASSERT_EQ(kiln({"convert", "a.flame", "-o", "b.flam3"}).code, 0);
  ASSERT_EQ(kiln({"convert", "b.flam3", "-o", "c.flam3"}).code, 0);
  const std::string written = read_file(folder / "b.flam3");
  EXPECT_TRUE(contains(written, "kiln_dialect=\"apophysis\"")) << written;
  EXPECT_TRUE(contains(written, "curves=\"0 0.2 1 ")) << written;
  EXPECT_EQ(read_file(folder / "c.flam3"), written);
}

TEST_F(dialects, curves_change_the_finished_picture) {
  const std::string inverted = "overall_curve=\"0 1 1 0\"";
  put("plain.flame", triangle());
  put("curved.flame", triangle(inverted));
  for (const std::string bits : {"8", "16"}) {
    for (const std::string name : {"plain", "curved"}) {
      const Outcome made = kiln({"render", name + ".flame", "--bits", bits, "-q"});
      ASSERT_EQ(made.code, 0) << made.err;
    }
    const std::vector<double> plain = levels(folder / "plain.png"),
                              curved = levels(folder / "curved.png");
    ASSERT_EQ(plain.size(), curved.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      if (i % 4 == 3) continue;
      ASSERT_NEAR(curved[i], 255 - plain[i], 1.01) << bits << " bits, value " << i;
    }
  }
}

TEST_F(dialects, a_linear_picture_has_no_curves_and_it_is_said) {
  put("a.flame", triangle("overall_curve=\"0 1 1 0\""));
  const Outcome linear = kiln({"render", "a.flame", "-o", "a.exr"});
  EXPECT_TRUE(contains(linear.err, "linear light without them")) << linear.err;
  const Outcome usual = kiln({"render", "a.flame"});
  EXPECT_FALSE(contains(usual.err, "linear light")) << usual.err;
}

TEST_F(dialects, palettes_come_from_gradients_and_maps) {
  put("a.flame", triangle());
  put("one.ugr", "Red {\ngradient:\n title=\"Red\" index=0 color=255\n}\n");
  put("two.gradient",
      "a {\ngradient:\nindex=0 color=255\n}\nGreen Sea {\ngradient:\nindex=0 color=65280\n}\n");
  put("blue.map", "0 0 255\n0 0 255\n");
  const auto color = [&](const std::string& palette) {
    const Outcome made = kiln({"render", "a.flame", "--palette", palette, "-o", "a.png"});
    EXPECT_EQ(made.code, 0) << made.err;
    const std::string text = kiln({"convert", "a.png", "-o", "-"}).out;
    const std::size_t at = text.find("format=\"RGB\">");
    return at == text.npos ? text : text.substr(text.find_first_of("0123456789ABCDEF", at + 13), 6);
  };
  EXPECT_EQ(color("one.ugr"), "FF0000");
  EXPECT_EQ(color("two.gradient#1"), "00FF00");
  EXPECT_EQ(color("two.gradient#green-sea"), "00FF00");
  EXPECT_EQ(color("blue.map"), "0000FF");
  const Outcome several = kiln({"render", "a.flame", "--palette", "two.gradient"});
  EXPECT_EQ(several.code, 2);
  EXPECT_TRUE(contains(several.err, "choose one by number or name: two.gradient#0")) << several.err;
  put("two.ugr", read_file(folder / "two.gradient"));
  EXPECT_EQ(kiln({"render", "a.flame", "--palette", "two.ugr"}).code, 2);
  put("bad.map", "1 2\n");
  const Outcome bad = kiln({"render", "a.flame", "--palette", "bad.map"});
  EXPECT_EQ(bad.code, 3);
  EXPECT_TRUE(contains(bad.err, "bad.map:1: \"1 2\" is no color")) << bad.err;
}

TEST_F(dialects, validate_says_complete_approximate_or_refused) {
  const std::string deep = "version=\"0.16 (06.11.2011)\" name=\"deep\" mixer_mode=\"FULL\"";
  put("complete.flame", triangle("version=\"Apophysis 7X\""));
  put("approximate.flame", triangle() + triangle(deep));
  put("refused.flame", triangle("", "<xform weight=\"1\" juliaNN=\"1\"/>"));
  put("derived.flame", triangle("version=\"EMBER-WIN-1.0.0.19\"",
                                "<xform weight=\"1\" auger=\"0.5\" auger_half_scale=\"0.05\"/>"));
  put("child.flame", triangle("", "<xform weight=\"1\"><variationGroup linear=\"1\"/></xform>"));
  EXPECT_EQ(kiln({"validate", "complete.flame"}).out, "complete.flame: complete, 1 flame\n");
  const Outcome approximate = kiln({"validate", "approximate.flame"});
  EXPECT_EQ(approximate.code, 0);
  EXPECT_EQ(approximate.out,
            "approximate.flame: flame 1 \"deep\" is approximate, without mixer_mode\n"
            "approximate.flame: approximate, 2 flames\n");
  const Outcome json = kiln({"validate", "approximate.flame", "refused.flame", "--json", "-q"});
  EXPECT_EQ(json.code, 4);
  EXPECT_TRUE(contains(json.out,
                       R"("verdict":"approximate","dialects":["flam3","jwildfire"],"approximate":)"
                       R"([{"index":1,"name":"deep","without":["mixer_mode"]}])"))
      << json.out;
  EXPECT_TRUE(contains(json.out, R"("missing":[{"what":"variation juliaNN","place":"xform 4",)"))
      << json.out;
  EXPECT_TRUE(contains(json.out, R"(did you mean \"julian\"?)")) << json.out;
  EXPECT_TRUE(contains(json.out, R"("verdict":"refused")")) << json.out;
  EXPECT_EQ(kiln({"validate", "derived.flame", "--strict"}).out,
            "derived.flame: complete, 1 flame\n");
  for (const char* command : {"validate", "render"})
    EXPECT_EQ(kiln({command, "child.flame"}).code, 4) << command;
  EXPECT_EQ(kiln({"render", "child.flame", "--approximate", "-q"}).code, 0);
  EXPECT_EQ(kiln({"validate", "refused.flame", "--approximate", "-q"}).out,
            "refused.flame: flame 0 is approximate, without variation juliaNN\n"
            "refused.flame: approximate, 1 flame\n");
}

}  // namespace
}  // namespace kiln
