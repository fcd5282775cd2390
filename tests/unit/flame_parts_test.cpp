// SPDX-License-Identifier: MIT
// Parts of flames by name: whatever is set to what it is changes no byte of the flame, what is set to
// something else is what the edited file would be, and what a file must not have is refused in its words.
#include "engine/io/flame/flame_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

#include "engine/api/kiln.h"
#include "engine/base/error.h"
#include "engine/flock/flock.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/track_target.h"
#include "engine/model/variations.h"
#include "tests/places.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;

Flame parsed(const std::string& xml) { return parse_flames(xml, "test.flam3", {}).flames.at(0); }

std::string flame_with(const std::string& xforms, const std::string& attributes = "") {
  return "<flame version=\"kiln 0.2.0\" " + attributes + " size=\"64 48\">" + xforms +
         "<color index=\"0\" rgb=\"255 0 0\"/></flame>";
}

Flame three() {
  return parsed(
      flame_with(R"(<xform weight="1" color="0" julian="1" julian_power="3" coefs="1 0 0 1 0 0"/>
    <xform weight="2" color="1" linear="1" pre_crop="1" coefs="1 0 0 1 0.5 0" chaos="1 0.5 2"/>
    <xform weight="3" color="0.5" spherical="1" coefs="1 0 0 1 0 0.25"/>
    <finalxform color="0" swirl="0.5" coefs="1 0 0 1 0 0"/>
    <kiln_track xform="3" name="turn"><key time="0" value="0"/><key time="9" value="90"/></kiln_track>)"));
}

std::vector<Flame> gallery() {
  std::vector<Flame> all;
  for (const char* folder : {"/flames", "/flames/found", "/flames/wild"})
    for (const auto& entry : fs::directory_iterator(std::string(source_dir()) + folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".flam3" && ending != ".flame") continue;
      for (Flame& flame : read_flames(entry.path().string(), {}).flames)
        all.push_back(std::move(flame));
    }
  return all;
}

/// One xform for each variation and each of its forms.
std::vector<Flame> of_all_variations() {
  std::vector<Flame> all;
  for (const VariationInfo& variation : variations()) {
    std::string parameters;
    for (const ParameterInfo& p : variation.parameters) parameters += " " + p.name + "=\"0.375\"";
    all.push_back(parsed(flame_with(
        "<xform weight=\"1\" color=\"0\" linear=\"0.5\" " +
        (variation.name == "linear" ? "" : variation.name + "=\"0.25\"") + parameters + " pre_" +
        variation.name + "=\"0.5\" post_" + variation.name + "=\"0.75\" coefs=\"1 0 0 1 0 0\"/>")));
  }
  return all;
}

/// Sets every part of an xform to what it is.
void set_xform_to_itself(Flame& flame, const std::string& place) {
  const bool is_final = place.starts_with("final");
  for (const std::string& name : part_names(flame, place)) {
    const std::string part = place + "." + name;
    set_part(flame, part, part_text(flame, part));
  }
  for (const std::string& form : part_names(flame, place + ".variations")) {
    set_part_numbers(flame, place + "." + form, part_numbers(flame, place + "." + form));
    for (const std::string& parameter : part_names(flame, place + "." + form))
      set_part_numbers(flame, place + "." + parameter,
                       part_numbers(flame, place + "." + parameter));
  }
  for (const char* name : {"coefs", "post", "weight", "opacity", "var_color"})
    if (!(is_final && std::string(name) == "weight"))
      set_part_numbers(flame, place + "." + name, part_numbers(flame, place + "." + name));
  set_part(flame, place, part_text(flame, place));
}

void set_to_itself(Flame& flame, bool with_attributes) {
  if (with_attributes)
    for (const std::string& name : part_names(flame, ""))
      set_part(flame, name, part_text(flame, name));
  for (const char* name : {"xaos", "palette_rgba"})
    set_part_numbers(flame, name, part_numbers(flame, name));
  set_part(flame, "tracks", part_text(flame, "tracks"));
  const int xforms = part_count(flame, "xform");
  for (int i = 0; i < xforms; ++i) set_xform_to_itself(flame, "xform." + std::to_string(i));
  for (int i = 0; i < part_count(flame, "final"); ++i)
    set_xform_to_itself(flame, "final." + std::to_string(i));
  insert_part(flame, "xform.0", part_text(flame, "xform." + std::to_string(xforms - 1)));
  remove_part(flame, "xform.0");
  move_part(flame, "xform.0", xforms - 1);
  move_part(flame, "xform." + std::to_string(xforms - 1), 0);
}

void expect_unchanged(const std::vector<Flame>& flames, std::size_t attributes_of_each) {
  for (std::size_t f = 0; f < flames.size(); ++f) {
    const std::string before = genome_xml(flames[f]);
    Flame flame = flames[f];
    ASSERT_NO_THROW(set_to_itself(flame, f % attributes_of_each == 0)) << before;
    ASSERT_EQ(genome_xml(flame), before) << flames[f].place();
    ASSERT_EQ(genome_xml(settled(flame)), before) << flames[f].place();
  }
}

TEST(FlameParts, a_round_trip_of_the_gallery_changes_no_byte) {
  const std::vector<Flame> flames = gallery();
  EXPECT_GT(flames.size(), 30u);
  expect_unchanged(flames, 4);
}

TEST(FlameParts, a_round_trip_of_200_flames_by_chance_changes_no_byte) {
  std::vector<Flame> flames;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    flames.push_back(random_draft(usual_flame(), seed));
  expect_unchanged(flames, 20);
}

TEST(FlameParts, a_round_trip_of_all_variations_changes_no_byte) {
  const std::vector<Flame> flames = of_all_variations();
  EXPECT_GT(flames.size(), 90u);
  expect_unchanged(flames, 1000);
}

TEST(FlameParts, what_is_set_is_what_the_edited_file_says) {
  Flame flame = three();
  set_part(flame, "xform.0.julian_power", "5");
  set_part(flame, "xform.*.color_speed", "0.25");
  set_part(flame, "xform.1.pre_crop_left", "-0.5");
  set_part(flame, "final.swirl", "0.75");
  set_part(flame, "xform.2.name", "third");
  set_part(flame, "gamma", "3");
  const std::string xml = genome_xml(flame);
  for (const char* part : {"julian_power=\"5\"", "pre_crop_left=\"-0.5\"", "swirl=\"0.75\"",
                           "name=\"third\"", "gamma=\"3\""})
    EXPECT_NE(xml.find(part), xml.npos) << part << "\n" << xml;
  for (const Xform& xform : flame.xforms) EXPECT_EQ(xform.color_speed, 0.25);
  EXPECT_EQ(flame.final_xform->color_speed, 0.5);
  EXPECT_EQ(genome_xml(settled(flame)), xml);
}

TEST(FlameParts, settings_of_the_command_line_reach_xforms) {
  ReaderOptions options;
  for (const char* text : {"xform.0.julian=0.5", "xform.*.color_speed=0",
                           "xform.1.position=0.1 0.2", "final.opacity=0.5", "xform.2.chaos=0 1 1"})
    options.set.push_back(parse_setting("--set", text));
  const Flame flame = parse_flames(genome_xml(three()), "test.flam3", options).flames.at(0);
  EXPECT_EQ(part_text(flame, "xform.0.julian"), "0.5");
  EXPECT_EQ(part_text(flame, "xform.2.color_speed"), "0");
  EXPECT_EQ(part_text(flame, "xform.1.coefs"), "1 0 0 1 0.1 0.2");
  EXPECT_EQ(part_text(flame, "final.opacity"), "0.5");
  EXPECT_EQ(flame.xforms[2].chaos, (std::vector<double>{0, 1, 1}));
}

std::string refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::usage) << error.what();
    return error.what();
  }
  return "";
}

TEST(FlameParts, what_no_file_may_have_is_refused_and_changes_nothing) {
  Flame flame = three();
  const std::string before = genome_xml(flame);
  const std::vector<std::array<const char*, 3>> wrong = {
      {"xform.0.juliann", "1", "did you mean \"julian\"?"},
      {"xform.0.julian", "much", "xform.0: julian=\"much\""},
      {"xform.0.julian", "1e39", "julian"},
      {"xform.0.weight", "-1", "must not be negative"},
      {"xform.*.weight", "-1", "must not be negative"},
      {"final.weight", "1", "has no weight"},
      {"final.chaos", "1", "has no chaos"},
      {"xform.0.coefs", "1 2 3", "6"},
      {"xform.0.chaos", "1 -1", "negative"},
      {"xform.0.chaos", "1 1 1 1", "4 entries for 3 xforms"},
      {"xform.0.size", "-1", "size must be at least 0"},
      {"xform.3.julian", "1", "the flame has 3 xforms, counted from 0"},
      {"xform.julian", "1", "which xform?"},
      {"xform0.julian", "1", "written xform.0.julian"},
      {"julian", "1", "say which: xform.0.julian"},
      {"gama", "1", "did you mean \"gamma\"?"},
      {"gamma", "0", "gamma"},
      {"xform.0", "<xform juliann=\"1\"/>", "juliann"},
      {"xform.0", "<xform weight=\"1\" linear=\"1\"/><xform weight=\"1\" linear=\"1\"/>",
       "one element"},
      {"tracks", "<kiln_track name=\"gama\"><key time=\"0\" value=\"1\"/></kiln_track>", "gamma"},
      {"tracks", "<kiln_track xform=\"4\" name=\"turn\"><key time=\"0\" value=\"1\"/></kiln_track>",
       "no xform for the track"},
  };
  for (const auto& [part, value, words] : wrong) {
    const std::string said = refusal([&, p = part, v = value] { set_part(flame, p, v); });
    EXPECT_NE(said.find(words), said.npos) << part << "=" << value << ": " << said;
    EXPECT_EQ(genome_xml(flame), before) << part;
  }
  EXPECT_NE(refusal([&] { set_part_numbers(flame, "xaos", std::vector<double>(8, 1.0)); }), "");
  EXPECT_NE(refusal([&] { set_part_numbers(flame, "palette", std::vector<double>{1, 0, 2}); }), "");
  EXPECT_NE(refusal([&] { insert_part(flame, "final.0", ""); }).find("one final"),
            std::string::npos);
  EXPECT_NE(refusal([&] { remove_part(flame, "xform.7"); }), "");
  EXPECT_EQ(genome_xml(flame), before);
}

TEST(FlameParts, settings_that_no_flame_could_have_are_refused_before_it_is_read) {
  for (const char* text : {"xform.0.Juliann=1", "xform.*.weight=-1", "xform.x.julian=1", "julian=1",
                           "xform0.julian=1", "xform.0=1"})
    EXPECT_NE(refusal([&] { parse_setting("--set", text); }), "") << text;
  const auto said_of = [](const char* text) {
    ReaderOptions options;
    options.set.push_back(parse_setting("--set", text));
    return refusal([&] { parse_flames(genome_xml(three()), "a.flam3", options); });
  };
  const std::string said = said_of("xform.9.julian=1");
  EXPECT_NE(said.find("a.flam3:1: there is no xform.9"), said.npos) << said;
  // a flame's own formulas may have such names: it is known when it is there
  EXPECT_NE(said_of("xform.0.juliann=1").find("did you mean \"julian\"?"), std::string::npos);
}

TEST(FlameParts, xaos_and_tracks_stay_with_their_xforms) {
  Flame flame = three();  // chaos of xform 1: 1 0.5 2; a track of xform 2
  insert_part(flame, "xform.0", "");
  EXPECT_EQ(flame.xforms[2].chaos, (std::vector<double>{1, 1, 0.5, 2}));
  EXPECT_EQ(flame.tracks.at(0).xform, 3);
  move_part(flame, "xform.3", 0);
  EXPECT_EQ(flame.xforms[3].chaos, (std::vector<double>{2, 1, 1, 0.5}));
  EXPECT_EQ(flame.tracks.at(0).xform, 0);
  remove_part(flame, "xform.1");
  EXPECT_EQ(flame.xforms[2].chaos, (std::vector<double>{2, 1, 0.5}));
  remove_part(flame, "xform.0");
  EXPECT_EQ(flame.xforms[1].chaos, (std::vector<double>{1, 0.5}));
  EXPECT_TRUE(flame.tracks.empty());
  remove_part(flame, "final");
  EXPECT_FALSE(flame.final_xform.has_value());
}

/// Whatever is taken away, or put in another's place: the rest is a flame that the reader takes as it is.
TEST(FlameParts, what_is_left_of_a_flame_is_one) {
  Flame whole = three();
  set_part(whole, "tracks",
           part_text(whole, "tracks") +
               R"(<kiln_track xform="final" name="turn"><key time="0" value="1"/>)"
               R"(</kiln_track>)");
  const std::string finals = R"(<finalxform color="0.25" swirl="1" coefs="1 0 0 1 0 0.5"/>)";
  const std::string chaotic =
      R"(<xform weight="1" color="0" linear="1" coefs="1 0 0 1 0 0" chaos="1 2 3 4 5 6"/>)";
  const std::pair<const char*, std::function<void(Flame&)>> edits[] = {
      {"no final", [](Flame& f) { remove_part(f, "final"); }},
      {"no first", [](Flame& f) { remove_part(f, "xform.0"); }},
      {"no last", [](Flame& f) { remove_part(f, "xform.2"); }},
      {"the first last", [](Flame& f) { move_part(f, "xform.0", 2); }},
      {"a final as xform", [&](Flame& f) { insert_part(f, "xform.1", finals); }},
      {"a final in an xform's place", [&](Flame& f) { set_part(f, "xform.1", finals); }},
      {"an xform in a final's place", [&](Flame& f) { set_part(f, "final", chaotic); }},
      {"a row of another flame's xaos", [&](Flame& f) { set_part(f, "xform.0", chaotic); }},
      {"one with such a row", [&](Flame& f) { insert_part(f, "xform.0", chaotic); }}};
  for (const auto& [what, edit] : edits) {
    Flame flame = whole;
    edit(flame);
    const std::string xml = genome_xml(flame);
    ASSERT_NO_THROW(EXPECT_EQ(genome_xml(parsed(xml)), xml) << what) << what << xml;
    for (const Track& track : flame.tracks) EXPECT_TRUE(has_xform(flame, track.xform)) << what;
    for (const Xform& xform : flame.xforms) {
      EXPECT_GT(xform.weight, 0) << what;
      EXPECT_LE(xform.chaos.size(), flame.xforms.size()) << what;
    }
  }
}

TEST(FlameParts, a_palette_has_so_many_colors_and_no_more) {
  Flame flame = parsed(flame_with(R"(<xform weight="1" color="0" linear="1" coefs="1 0 0 1 0 0"/>)",
                                  R"(kiln_dialect="jwildfire")"));
  for (const std::size_t width : {3u, 4u}) {
    const char* const part = width == 3 ? "palette" : "palette_rgba";
    for (const std::size_t colors : {1u, 257u, 65536u})
      set_part_numbers(flame, part, std::vector<double>(colors * width, 1.0));
    EXPECT_EQ(flame.palette.size(), 65536u);
    for (const std::size_t numbers : {std::size_t(0), width + 1, 65537 * width})
      EXPECT_NE(refusal([&] { set_part_numbers(flame, part, std::vector<double>(numbers, 1.0)); }),
                "")
          << numbers;
    EXPECT_EQ(flame.palette.size(), 65536u);
  }
}

TEST(FlameParts, forms_are_removed_with_their_parameters) {
  Flame flame = three();
  remove_part(flame, "xform.0.julian");
  EXPECT_EQ(part_text(flame, "xform.0").find("julian"), std::string::npos);
  remove_part(flame, "xform.1.pre_crop");
  EXPECT_EQ(part_names(flame, "xform.1.variations"), std::vector<std::string>{"linear"});
  EXPECT_NE(refusal([&] { remove_part(flame, "xform.1.pre_crop"); }), "");
}

TEST(FlameParts, a_form_that_comes_again_is_found_by_its_number) {
  Flame flame = parsed(flame_with(R"(<xform weight="1" color="0" julian="0.5" julian_power="2" )"
                                  R"(julian.1.="0.25" julian.1._power="5" coefs="1 0 0 1 0 0"/>)",
                                  R"(kiln_dialect="jwildfire")"));
  EXPECT_EQ(part_names(flame, "xform.0.variations"),
            (std::vector<std::string>{"julian", "flatten", "julian.1."}));
  EXPECT_EQ(part_text(flame, "xform.0.julian.1._power"), "5");
  set_part(flame, "xform.0.julian.1._power", "7");
  EXPECT_EQ(part_text(flame, "xform.0.julian_power"), "2");
  EXPECT_EQ(part_text(settled(flame), "xform.0.julian.1._power"), "7");
}

TEST(FlameParts, a_flame_is_made_from_nothing) {
  Flame flame = empty_flame();
  EXPECT_THROW(settled(flame), Error);
  insert_part(flame, "xform.0", "");
  set_part_numbers(flame, "xform.0.coefs", std::vector<double>{0.5, 0, 0, 0.5, 0.25, 0});
  insert_part(flame, "final.0", part_text(flame, "xform.0"));
  EXPECT_EQ(genome_xml(settled(flame)), genome_xml(flame));
  EXPECT_EQ(part_text(flame, "xform.0.coefs"), "0.5 0 0 0.5 0.25 0");
  set_part_numbers(flame, "palette", std::vector<double>{0, 0, 0, 1, 0.5, 0});
  EXPECT_EQ(flame.palette.size(), 256u);
  EXPECT_EQ(flame.palette[255].g, 0.5);
}

/// The reader adds the point where only pre_ forms work on it, and so does a flame that is drawn.
TEST(FlameParts, a_flame_is_drawn_as_its_file_is_read) {
  Scene scene;
  scene.insert("xform.0");
  scene.set("size", "32 24");
  scene.set("quality", "5");
  scene.set("xform.0.coefs", "0.5 0 0 0.5 0.1 0");
  scene.set("xform.0.pre_swirl", "0.5");
  scene.remove("xform.0.linear");
  EXPECT_EQ(render(scene).hash, render(parse_scenes(scene.xml()).at(0)).hash);
  scene.set_numbers("palette", {1, 0, 0, 0, 1, 0});  // which is no edit of an xform, and ends none
  EXPECT_EQ(render(scene).hash, render(parse_scenes(scene.xml()).at(0)).hash);
}

TEST(FlameParts, scenes_have_their_parts_as_objects) {
  Scene scene = parse_scenes(genome_xml(three())).at(0);
  const Scene before = scene;
  EXPECT_TRUE(scene == before);
  XformPart first = xform(scene, 0);
  first.variation("julian").set_weight(0.5);
  first.variation("julian").set("power", 4);
  first.set("color_speed", 0.125);
  first.set_post({1, 0, 0, 1, 0.5, 0});
  EXPECT_EQ(first.variation("julian").weight(), 0.5);
  EXPECT_EQ(first.variation("julian").get("power"), 4);
  EXPECT_EQ(first.post()[4], 0.5);
  EXPECT_EQ(xform(before, 0).variation("julian").weight(), 1);
  EXPECT_EQ(first.variations(), std::vector<std::string>{"julian"});
  EXPECT_EQ(final_xform(scene).variations(), std::vector<std::string>{"swirl"});
  EXPECT_TRUE(scene != before);
  EXPECT_NE(scene.digest(), before.digest());
  EXPECT_EQ(scene.count("xform"), 3);
  EXPECT_EQ(scene.numbers("xaos").size(), 9u);
  EXPECT_EQ(differences(before, before), std::vector<std::string>{});
  EXPECT_EQ(differences(before, scene).size(), 4u);
}

}  // namespace
}  // namespace kiln
