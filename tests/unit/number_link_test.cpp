// SPDX-License-Identifier: MIT
// Numbers that follow others: formulas, names, order, circles, files, films, and what is refused.
#include "engine/model/number_link.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/animation/film.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/sequence.h"
#include "engine/base/error.h"
#include "engine/flock/flock.h"
#include "engine/io/flame/flame_diff.h"
#include "engine/io/flame/flame_parts.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/for_flam3.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/live/flame_history.h"
#include "engine/live/live_film.h"
#include "engine/model/number_formula.h"
#include "engine/model/track_target.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

std::string link(const std::string& number, const std::string& is) {
  return "<kiln_link number=\"" + number + "\" is=\"" + is + "\"/>\n";
}

std::vector<Flame> read(const std::string& text) {
  return parse_flames(text, "tied.flam3", {}).flames;
}
Flame tied(const std::string& links, const std::string& attributes = "") {
  return read(triangle(attributes, "\n" + links))[0];
}

std::string refusal(const std::string& links) {
  try {
    tied(links);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    return error.what();
  }
  return "taken";
}

double number(const Flame& flame, int xform, const char* name, std::size_t part = 0) {
  return find_track_target(xform, name)->get(flame).at(part);
}

double value(const char* text, std::vector<double> numbers = {}) {
  return NumberFormula(text).value(numbers);
}

std::string said_of(const std::string& text) {
  try {
    const NumberFormula formula(text);
  } catch (const NumberFormulaError& error) {
    return std::to_string(error.column) + ": " + error.what;
  }
  return "taken";
}

TEST(NumberFormula, has_the_values_of_arithmetic) {
  EXPECT_EQ(value("1 + 2 * 3 - 4 / 8"), 6.5);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("8 - 3 - 2"), 3);
  EXPECT_EQ(value("(1 + 2) * -(3)"), -9);
  EXPECT_EQ(value("1.5e1 + .5"), 15.5);
  EXPECT_EQ(value("7 % 4 + -7 % 4"), 0);
  EXPECT_EQ(value("mod(-7, 4)"), 1);
  EXPECT_EQ(value("3 > 2 ? 10 : 20"), 10);
  EXPECT_EQ(value("select(3 <= 2, 10, 20)"), 20);
  EXPECT_EQ(value("min(3, max(1, 2)) + clamp(9, 0, 5) + abs(-1) + floor(1.5) + ceil(1.5)"), 11);
  EXPECT_NEAR(value("sin(pi / 6) + cos(0) + atan2(0, 1) + hypot(3, 4)"), 6.5, 1e-12);
  EXPECT_EQ(value("b.x + 2 * a - b.x", {1, 20, 3}), 38) << "names count in their order";
  EXPECT_EQ(NumberFormula("b.x + a").names().at(1).text, "a");
}

TEST(NumberFormula, says_where_it_is_none) {
  EXPECT_EQ(said_of("1 +"), "4: a number, or the name of one, is missing here");
  EXPECT_EQ(said_of("(1"), "3: \")\" is missing");
  EXPECT_EQ(said_of("1)"), "2: \")\" closes nothing");
  EXPECT_EQ(said_of("2 a"), "3: \"a\" is not expected here; an operator such as * is missing");
  EXPECT_EQ(said_of("a = 2"), "3: \"=\" is not of a formula; \"==\" compares");
  EXPECT_EQ(said_of("sine(2)"), "1: there is no function sine (did you mean \"sin\"?)");
  EXPECT_EQ(said_of("min(2)"), "1: min takes 2 numbers, not 1");
  EXPECT_EQ(said_of("1.2.3"), "1: \"1.2.3\" is no number");
  EXPECT_EQ(said_of("1 ? 2"), "6: \":\" is wanted, as in xform1.turn > 90 ? 1 : 0");
  EXPECT_NE(said_of(std::string(70, '(') + "1").find("nested deeper"), std::string::npos);
  EXPECT_NE(said_of(std::string(70, '-') + "1").find("nested deeper"), std::string::npos);
  std::string sum = "1";
  for (int i = 0; i < 250; ++i) sum += "+1";
  EXPECT_NE(said_of(sum).find("too long"), std::string::npos);
}

TEST(NumberLinks, are_followed_where_a_file_is_read) {
  const Flame flame =
      tied(link("xform2.turn", "xform1.turn + 72") + link("xform3.weight", "xform1.weight / 4") +
           link("brightness", "xform3.color * 10") + link("center.y", "center.x + 1") +
           link("xform3.size", "xform2.size * 0.5"));
  EXPECT_NEAR(number(flame, 1, "turn"), 72, 1e-9);
  EXPECT_EQ(flame.xforms[2].weight, 0.25);
  EXPECT_EQ(flame.brightness, 10);
  EXPECT_EQ(flame.center_y, 1.5);
  EXPECT_NEAR(number(flame, 2, "size", 0), 0.25, 1e-12);
  EXPECT_NEAR(number(flame, 2, "size", 1), 0.25, 1e-12) << "both axes keep their share";
  const Flame again = read(genome_xml(flame))[0];
  EXPECT_EQ(again.links, flame.links);
  EXPECT_EQ(genome_xml(again), genome_xml(flame))
      << "written and read it is the same to the last bit";
  EXPECT_EQ(read(brief_genome_xml(flame, BriefPalette::whole))[0].links, flame.links);
}

TEST(NumberLinks, come_behind_what_they_follow) {
  const Flame flame =
      tied(link("xform3.weight", "xform2.weight * 2") + link("xform2.weight", "xform1.weight * 3") +
           link("xform1.weight", "brightness"));
  EXPECT_EQ(flame.xforms[0].weight, 4);
  EXPECT_EQ(flame.xforms[1].weight, 12);
  EXPECT_EQ(flame.xforms[2].weight, 24);
}

TEST(NumberLinks, stay_within_what_a_number_may_be) {
  EXPECT_EQ(tied(link("xform1.color", "7")).xforms[0].color, 1);
  EXPECT_EQ(tied(link("xform1.weight", "-7")).xforms[0].weight, 0);
  EXPECT_GT(tied(link("gamma", "-1")).gamma, 0);
  EXPECT_EQ(tied(link("xform1.weight", "1 / (xform2.color - 0.5)")).xforms[0].weight, 1)
      << "what has no finite value changes nothing";
  EXPECT_EQ(tied(link("passes", "1.6")).passes, 2) << "counts are whole";
}

TEST(NumberLinks, that_cannot_be_are_refused_with_line_and_remedy) {
  for (const auto& [links, says] : std::vector<std::pair<std::string, std::string>>{
           {"<kiln_link is=\"1\"/>", "which number follows; write number="},
           {"<kiln_link number=\"zoom\"/>", "what it follows; write is="},
           {"<kiln_link number=\"zoom\" is=\"\"/>", "is empty"},
           {"<kiln_link number=\"zoom\" is=\"1\" to=\"2\"/>", "it knows number and is"},
           {link("zoomy", "1"),
            "number=\"zoomy\": no number of a flame has this name (did you mean \"zoom\"?)"},
           {link("turn", "1"), "say which: xform1.turn"},
           {link("xform1.center", "1"), "no number of a flame has this name"},
           {link("xform0.turn", "1"), "no number of a flame has this name"},
           {link("xform01.turn", "1"), "no number of a flame has this name"},
           {link("xform4.turn", "1"), "xform4.turn: the flame has 3 xforms"},
           {link("zoom", "xform4.turn"), "is=\"xform4.turn\": xform4.turn: the flame has 3 xforms"},
           {link("final.color", "1"), "the flame has no finalxform"},
           {link("xform1.position", "1"), "has two numbers; say which, .x or .y"},
           {link("xform1.position.z", "1"), "has two numbers, .x and .y"},
           {link("xform1.turn.x", "1"), "turn is one number; leave .x out"},
           {link("xform1.chaos", "1"), "say which, .1, .2"},
           {link("xform1.chaos.4", "1"), "xform1.chaos.4"},
           {link("filter_shape", "1"), "is a word"},
           {link("hue", "1"), "turns the palette"},
           {link("name", "1"), "no number of a flame has this name"},
           {link("zoom", "1 +"), "is=\"1 +\" at column 4: a number"},
           {link("zoom", "1 + bright"), "at column 5: bright: no number"},
           {link("zoom", "1") + link("zoom", "2"), "follows something already"},
           {link("xform1.size", "1") + link("xform1.size.x", "2"), "follows something already"},
           {link("zoom", "zoom + 1"), "in a circle"},
           {link("zoom", "rotate") + link("rotate", "gamma") + link("gamma", "zoom"),
            "in a circle"},
           {link("zoom", std::string(1001, ' ') + "1"), "longer than 1000"}}) {
    const std::string said = refusal(links);
    EXPECT_NE(said.find(says), std::string::npos) << links << ": " << said;
    EXPECT_EQ(said.find("tied.flam3:"), 0u) << said;
  }
  EXPECT_NE(refusal(link("zoom", "1") + link("rotate", "1 +")).find("tied.flam3:3:"),
            std::string::npos);
}

TEST(NumberLinks, a_flame_has_256_at_most) {
  std::string links;
  for (std::size_t i = 0; i < most_links; ++i) links += link("zoom", "1");
  EXPECT_NE(refusal(links).find("follows something already"), std::string::npos);
  EXPECT_NE(refusal(links + link("zoom", "1")).find("more than 256 links"), std::string::npos);
}

TEST(NumberLinks, win_against_the_file_and_say_so) {
  const auto warnings = [](const std::string& text, bool is_edit = false) {
    ReaderOptions options;
    std::string said;
    options.is_edit = is_edit;
    options.warn = [&](const std::string& warning) { said += warning + "\n"; };
    parse_flames(text, "tied.flam3", options);
    return said;
  };
  const std::string text = triangle("", "\n" + link("xform2.color", "xform1.color + 0.25"));
  EXPECT_EQ(warnings(text),
            "tied.flam3:2: kiln_link: xform2.color is 0.25 by its link, not 0.5 as the file says; "
            "cut the link to set it by hand\n");
  EXPECT_EQ(warnings(text, true), "");
  EXPECT_EQ(warnings(triangle("", link("xform2.color", "xform1.color + 0.500001"))), "")
      << "the same with fewer digits";
  ReaderOptions set;
  set.set = {{"xform.0.color", "0.5"}};
  EXPECT_EQ(parse_flames(text, "tied.flam3", set).flames[0].xforms[1].color, 0.75)
      << "behind --set";
}

TEST(NumberLinks, of_a_film_come_behind_its_tracks) {
  const std::string track =
      "<kiln_track xform=\"1\" name=\"turn\"><key time=\"0\" value=\"0\"/><key time=\"10\" "
      "value=\"90\"/></kiln_track>";
  const std::vector<Flame> film =
      read("<flames>" + triangle("time=\"0\"", track + link("xform2.turn", "xform1.turn + 72")) +
           triangle("time=\"10\"") + "</flames>");
  for (const double time : {0.0, 4.0, 10.0}) {
    const Flame flame = flame_at(film, time);
    EXPECT_NEAR(number(flame, 0, "turn"), 9 * time, 1e-9);
    EXPECT_NEAR(number(flame, 1, "turn"), 9 * time + 72, 1e-9) << "also where another key lies";
  }
  const Frame frame = frame_at(film, {5, 5});
  EXPECT_NEAR(number(frame.flame, 1, "turn"), 117, 1e-9);
  ASSERT_TRUE(frame.moving);
  int samples = 0;
  frame.moving->visit([&](const Flame& one) {
    ++samples;
    EXPECT_NEAR(number(one, 1, "turn"), number(one, 0, "turn") + 72, 1e-9) << "motion blur";
  });
  EXPECT_GT(samples, 1);
  // without tracks, where the key flames lie apart
  std::vector<Flame> keys = read(
      "<flames>" + triangle("time=\"0\"", link("xform2.color", "xform1.color * xform1.color")) +
      triangle("time=\"10\"") + "</flames>");
  keys[1].xforms[0].color = 1;
  const Frame blurred = frame_at(keys, {5, 5});
  ASSERT_TRUE(blurred.moving);
  blurred.moving->visit([&](const Flame& one) {
    EXPECT_NEAR(one.xforms[1].color, one.xforms[0].color * one.xforms[0].color, 1e-9);
  });
}

TEST(NumberLinks, may_bring_variations_that_no_key_has) {
  const std::string track =
      "<kiln_track name=\"zoom\"><key time=\"0\" value=\"0\"/><key time=\"10\" "
      "value=\"1\"/></kiln_track>";
  const std::vector<Flame> film =
      read(triangle("time=\"0\" temporal_samples=\"3\"", track + link("xform1.julian", "zoom")));
  EXPECT_EQ(number(flame_at(film, 5), 0, "julian"), 0.5);
  const Frame frame = frame_at(film, {5, 5});
  ASSERT_TRUE(frame.moving);
  bool is_there = false;
  for (const Flame* flame : frame.moving->bounds()) is_there |= number(*flame, 0, "julian") != 0;
  EXPECT_TRUE(is_there);
}

TEST(NumberLinks, of_a_film_are_one_for_a_number) {
  const auto played = [](const std::string& first, const std::string& second) -> std::string {
    try {
      const FilmTracks tracks(read("<flames>" + triangle("time=\"0\"", first) +
                                   triangle("time=\"10\"", "\n" + second) + "</flames>"));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(played(link("zoom", "1"), link("zoom", "1")), "");
  EXPECT_NE(played(link("zoom", "1"), link("zoom", "2")).find("make both the same, or cut one"),
            std::string::npos);
  const std::string moved = played(
      link("xform1.position.x", "1"),
      "<kiln_track xform=\"1\" name=\"position\"><key time=\"0\" value=\"0 0\"/></kiln_track>");
  EXPECT_NE(moved.find("follows others by a link"), std::string::npos) << moved;
}

TEST(NumberLinks, of_sequences_are_each_flames_own) {
  Flame flame = tied(link("xform2.turn", "xform1.turn + 72"));
  flame.xforms[1].animate = 0;
  const Flame turned = Sequence({flame}, {.nframes = 8}, Sequence::Ending::loop).at(2);
  EXPECT_NEAR(number(turned, 0, "turn"), 90, 1e-9);
  EXPECT_NEAR(number(turned, 1, "turn"), 162, 1e-9);
  EXPECT_TRUE(turned.links.empty()) << "a flame of a sequence has values";
}

TEST(NumberLinks, keep_to_their_xforms) {
  Flame flame = tied(link("xform3.turn", "xform1.turn + xform3.color"));
  move_part(flame, "xform.0", 2);
  EXPECT_EQ(links_xml(flame), "   " + link("xform2.turn", "xform3.turn + xform2.color"));
  insert_part(flame, "xform.0", "");
  EXPECT_EQ(links_xml(flame), "   " + link("xform3.turn", "xform4.turn + xform3.color"));
  Flame without = flame;
  remove_part(without, "xform.0");
  EXPECT_EQ(without.links.size(), 1u);
  remove_part(without, "xform.2");
  EXPECT_TRUE(without.links.empty()) << "what it followed is gone";
  Flame last = tied(link("zoom", "xform1.weight"));
  insert_part(last, "final.0", "");
  set_part(last, "links", link("zoom", "final.color + 1"));
  EXPECT_EQ(last.zoom, 1);
  remove_part(last, "final.0");
  EXPECT_TRUE(last.links.empty());
}

TEST(NumberLinks, are_a_part_for_programs_and_followed_after_each_change) {
  Flame flame = tied("");
  set_part(flame, "links", link("xform2.weight", "xform1.weight * 2"));
  EXPECT_EQ(flame.xforms[1].weight, 2);
  set_part(flame, "xform.0.weight", "3");
  EXPECT_EQ(flame.xforms[1].weight, 6);
  EXPECT_EQ(part_text(flame, "links"), links_xml(flame));
  for (const char* bad : {"xform9.weight", "nonsense"}) {
    EXPECT_THROW(set_part(flame, "links", link(bad, "1")), Error);
    EXPECT_EQ(flame.links.size(), 1u) << "what is refused changes nothing";
  }
  set_part(flame, "links", "");
  set_part(flame, "xform.0.weight", "4");
  EXPECT_EQ(flame.xforms[1].weight, 6);
}

TEST(NumberLinks, are_told_apart_and_lost_for_flam3) {
  const Flame with = tied(link("zoom", "0")), without = tied("");
  const FlameDiff diff = diff_flames(with, without);
  ASSERT_EQ(diff.attributes.size(), 1u);
  EXPECT_EQ(diff.attributes[0].name, "kiln_link");
  EXPECT_TRUE(diff.looks_same());
  std::string lost;
  const Flame plain = flame_for_flam3(with, true, [&](const std::string& text) { lost += text; });
  EXPECT_NE(lost.find("links"), std::string::npos) << lost;
  EXPECT_TRUE(plain.links.empty());
}

TEST(NumberLinks, of_mutations_still_hold) {
  const Flame flame = tied(link("xform2.weight", "xform1.weight * 2"));
  int held = 0;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Flame child = mutated(flame, {}, seed);
    if (child.links.empty()) continue;
    ++held;
    EXPECT_NEAR(child.xforms[1].weight, 2 * child.xforms[0].weight, 1e-12);
  }
  EXPECT_GT(held, 0);
}

TEST(NumberLinks, that_a_hand_makes_are_the_whole_films) {
  const std::string text =
      "<flames>" + triangle("time=\"0\"") + triangle("time=\"10\"") + "</flames>";
  const auto film = live_film(text, {});
  Flame flame = moment_of(*film, 5);
  flame.links = {{"xform2.color", "xform1.color", 0}};
  follow_links(flame);
  const auto linked = with_key(*film, flame, 5);
  ASSERT_EQ(linked->keys.size(), 2u) << "and no key is made of it";
  for (const Flame& key : linked->keys) EXPECT_EQ(key.xforms[1].color, 0);
  EXPECT_EQ(moment_of(*linked, 7).links, flame.links);
  Flame moved = moment_of(*linked, 5);
  moved.xforms[0].color = 0.75;
  follow_links(moved);
  const auto three = with_key(*linked, moved, 5);
  ASSERT_EQ(three->keys.size(), 3u);
  EXPECT_EQ(three->keys[1].xforms[1].color, 0.75);
  EXPECT_EQ(three->keys[1].links, flame.links);
  Flame cut = moment_of(*three, 5);
  cut.links.clear();
  const auto free = with_key(*three, cut, 5);
  EXPECT_EQ(free->keys.size(), 3u);
  for (const Flame& key : free->keys) EXPECT_TRUE(key.links.empty());
}

TEST(NumberLinks, move_with_a_track_that_a_hand_changes_and_make_no_key) {
  const std::string track =
      "<kiln_track xform=\"1\" name=\"color\"><key time=\"0\" value=\"0\"/></kiln_track>";
  const auto film =
      live_film("<flames>" + triangle("time=\"0\"", track + link("xform2.color", "xform1.color")) +
                    triangle("time=\"10\"") + "</flames>",
                {});
  Flame flame = moment_of(*film, 5);
  flame.xforms[0].color = 0.75;
  follow_links(flame);
  const auto moved = with_key(*film, flame, 5);
  EXPECT_EQ(moved->keys.size(), 2u);
  EXPECT_EQ(moment_of(*moved, 5).xforms[1].color, 0.75);
}

TEST(NumberLinks, are_a_step_of_undo) {
  FlameHistory history(tied(""), {});
  history.edit(tied(link("xform2.weight", "xform1.weight * 3")), 1);
  EXPECT_EQ(history.flame().xforms[1].weight, 3);
  ASSERT_TRUE(history.undo());
  EXPECT_EQ(history.flame().xforms[1].weight, 1);
  EXPECT_TRUE(history.flame().links.empty());
  ASSERT_TRUE(history.redo());
  EXPECT_EQ(history.flame().links.size(), 1u);
}

}  // namespace
}  // namespace kiln
