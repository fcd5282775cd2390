// SPDX-License-Identifier: MIT
// --set and --palette as the reader sees them, and what turns a palette.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/palette_library.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/palette.h"
#include "tests/places.h"

namespace kiln {
namespace {

const std::string library_file = std::string(source_dir()) + "/flames/palettes.xml";

std::string flame_with(const std::string& attributes, const std::string& palette) {
  return "<flame filter=\"0.5\" " + attributes + "><xform weight=\"1\" linear=\"1\"/>" +
         "<xform weight=\"1\" linear=\"1\"/>" + palette + "</flame>";
}
const std::string color = R"(<color index="0" rgb="255 0 0"/>)";

ReaderOptions with_settings(const std::vector<std::string>& texts) {
  ReaderOptions options;
  options.palettes_file = library_file;
  for (const std::string& text : texts) options.set.push_back(parse_setting("--set", text));
  return options;
}

Flame read_with(const std::string& xml, const ReaderOptions& options) {
  return parse_flames(xml, "test.flam3", options).flames.at(0);
}

/// What the file says, the settings, and what the edited file says.
void expect_edited(const std::string& before, const std::vector<std::string>& settings,
                   const std::string& after, const std::string& palette = color) {
  const Flame got = read_with(flame_with(before, palette), with_settings(settings));
  const Flame wanted = read_with(flame_with(after, palette), with_settings({}));
  EXPECT_EQ(genome_xml(got), genome_xml(wanted)) << after;
}

TEST(AttributeSettings, are_as_if_the_file_said_so) {
  expect_edited(R"(gamma="3")", {"gamma=2.5"}, R"(gamma="2.5")");
  expect_edited("", {"size=40 30", "center=1 -2"}, R"(size="40 30" center="1 -2")");
  expect_edited("", {"filter_shape=box", "gamma=2", "gamma=3"}, R"(filter_shape="box" gamma="3")");
  expect_edited("", {"name=a=b c"}, R"(name="a=b c")");
  expect_edited("", {"kiln_bloom=0.2 3 0"}, R"(kiln_bloom="0.2 3 0")");
  expect_edited(R"(soloxform="1")", {"soloxform=0"}, R"(soloxform="0")");
  expect_edited(R"(soloxform="1")", {"soloxform=-1"}, "");
  expect_edited("", {"palette=3"}, R"(palette="3")");
  expect_edited(R"(palette="3")", {"hue=0.25"}, R"(palette="3" hue="0.25")");
  expect_edited(R"(palette="3")", {"palette=-1"}, "");
  expect_edited(R"(estimator_radius="3" estimator_minimum="5")", {"estimator_minimum=1"},
                R"(estimator_radius="3" estimator_minimum="1")");
}

TEST(AttributeSettings, of_keys_come_before_rotations_unwind) {
  const auto keys = [&](const std::string& one, const std::string& two) {
    return "<flames>" + flame_with("time=\"0\" " + one, color) +
           flame_with("time=\"1\" " + two, color) + "</flames>";
  };
  const ReaderOptions old = with_settings({"interpolation_type=old"});
  const auto flames = parse_flames(keys(R"(rotate="10")", R"(rotate="350")"), "f", old).flames;
  EXPECT_EQ(flames.at(1).rotate_deg, 350);  // with log, the usual: -10
  EXPECT_EQ(
      parse_flames(keys(R"(rotate="10")", R"(rotate="350")"), "f", {}).flames.at(1).rotate_deg,
      -10);
}

std::string refusal_of(const std::string& text) {
  try {
    parse_setting("--set", text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::usage) << text;
    return error.what();
  }
  ADD_FAILURE() << text << " is taken";
  return {};
}

TEST(AttributeSettings, wrong_ones_are_wrong_usage_by_name) {
  const auto says = [](const std::string& text, const std::string& part) {
    const std::string message = refusal_of(text);
    EXPECT_NE(message.find("--set"), std::string::npos) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  says("gama=3", "did you mean \"gamma\"?");
  says("cam_roll=0", "no attribute cam_roll");
  says("gamma", "ATTRIBUTE=VALUE");
  says("=3", "ATTRIBUTE=VALUE");
  says("gamma=", "gamma");
  says("gamma=bright", "gamma=\"bright\"");
  says("gamma=0", "gamma");
  says("supersample=17", "supersample");
  says("size=3", "width height");
  says("size=200000 100000", "2^34");
  says("filter_shape=gausian", "did you mean \"gaussian\"?");
  says("palette_mode=smooth", "palette_mode");
  says("kiln_bloom=2", "strength");
}

TEST(AttributeSettings, contradictions_are_wrong_usage_only_if_they_are_new) {
  const auto kind_of = [](const std::string& attributes, const std::vector<std::string>& settings) {
    try {
      read_with(flame_with(attributes, color), with_settings(settings));
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("estimator_minimum"), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("test.flam3:1"), std::string::npos);
      return int(error.kind);
    }
    return 0;
  };
  const std::string bad = R"(estimator_radius="3" estimator_minimum="5")";
  EXPECT_EQ(kind_of("", {"estimator_radius=3", "estimator_minimum=5"}), int(ErrorKind::usage));
  EXPECT_EQ(kind_of(bad, {"gamma=3"}), int(ErrorKind::input));
  EXPECT_EQ(kind_of("", {"estimator_minimum=5"}), 0);
}

TEST(AttributeSettings, all_attributes_are_known) {
  const std::vector<std::string> names = flame_attribute_names();
  for (const char* name : {"brightness", "time", "palette", "hue", "estimator_curve", "kiln_glare"})
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), name)) << name;
}

TEST(AttributeSettings, a_palette_from_outside_replaces_any) {
  ReaderOptions options;
  options.palettes_file = "/nonexistent.xml";  // nobody asks for it
  Palette green;
  green.fill({0, 1, 0, 1});
  options.palette = std::make_shared<const Palette>(green);
  EXPECT_EQ(read_with(flame_with("", ""), options).palette, green);
  EXPECT_EQ(read_with(flame_with("", color), options).palette, green);
  EXPECT_EQ(read_with(flame_with(R"(palette="3")", color), options).palette, green);
}

TEST(PaletteNames, numbers_of_names) {
  const PaletteLibrary library = PaletteLibrary::load(library_file);
  EXPECT_EQ(library.number_of("ember"), 0);
  EXPECT_EQ(library.number_of("EMBER"), 0);
  EXPECT_EQ(library.number_of("embers"), std::nullopt);
  EXPECT_EQ(library.names().size(), library.size());
  for (const std::string& name : library.names()) EXPECT_TRUE(library.number_of(name)) << name;
}

TEST(TurnedPalette, hues_turn_and_alpha_stays) {
  Palette palette;
  palette.fill({0.5, 0.5, 0.5, 1});
  palette[0] = {1, 0, 0, 1};
  palette[1] = {0.25, 0.125, 0, 0.5};
  const Palette third = turned(palette, 1 / 3.0);
  EXPECT_NEAR(third[0].g, 1, 1e-15);
  EXPECT_NEAR(third[0].r + third[0].b, 0, 1e-15);
  EXPECT_NEAR(third[1].g, 0.25, 1e-15);
  EXPECT_NEAR(third[1].b, 0.125, 1e-15);
  EXPECT_EQ(third[1].a, 0.5);
  EXPECT_EQ(third[2], palette[2]);
  EXPECT_EQ(turned(palette, -0.25), turned(palette, 0.75));
}

}  // namespace
}  // namespace kiln
