// SPDX-License-Identifier: MIT
// What differs between two flames: all that their files say, xforms matched by likeness.
#include "engine/io/flame/flame_diff.h"

#include <gtest/gtest.h>

#include "engine/flock/flock.h"
#include "engine/io/flame/flame_parts.h"
#include "engine/io/flame/flame_reader.h"
#include "tests/places.h"

namespace kiln {
namespace {

using Lines = std::vector<std::string>;

Flame conch() {
  return read_flames(std::string(source_dir()) + "/flames/conch.flam3", {}).flames.at(0);
}

TEST(FlameDiff, a_flame_is_the_same_as_itself) {
  const FlameDiff diff = diff_flames(conch(), conch());
  EXPECT_TRUE(diff.is_same());
  EXPECT_TRUE(diff.looks_same());
  EXPECT_EQ(in_words(diff), Lines{});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Flame flame = random_draft(usual_flame(), seed);
    EXPECT_TRUE(diff_flames(flame, flame).is_same());
  }
}

TEST(FlameDiff, each_part_has_its_line) {
  const Flame a = conch();
  Flame b = a;
  set_part(b, "gamma", "3");
  set_part(b, "name", "other");
  set_part(b, "xform.0.color_speed", "0.125");
  set_part(b, "tracks", R"(<kiln_track name="gamma"><key time="0" value="3"/></kiln_track>)");
  b.palette[7].r += 0.25;
  const Lines lines = in_words(diff_flames(a, b));
  ASSERT_EQ(lines.size(), 5u) << lines[0];
  EXPECT_EQ(lines[0], "name: conch, then other (not seen in a still)");
  EXPECT_EQ(lines[1].substr(lines[1].find(", then")), ", then 3");
  EXPECT_TRUE(lines[2].starts_with("xform.0.color_speed: ")) << lines[2];
  EXPECT_EQ(lines[3], "palette: 256 colors, then 1 of them others, by up to 0.250");
  EXPECT_EQ(lines[4], "track of gamma: only in the second");
}

TEST(FlameDiff, a_song_is_part_of_a_film) {
  Flame a = conch(), b = conch();
  a.sound.emplace().file = "a.flac";
  EXPECT_FALSE(diff_flames(a, b).is_same());
  b.sound.emplace().file = "b.flac";
  EXPECT_FALSE(diff_flames(a, b).is_same());
  b.sound = a.sound;
  EXPECT_TRUE(diff_flames(a, b).is_same());
}

TEST(FlameDiff, names_and_films_look_the_same) {
  const Flame a = conch();
  Flame b = a;
  set_part(b, "name", "other");
  set_part(b, "time", "7");
  b.edits = "<edit/>\n";
  const FlameDiff diff = diff_flames(a, b);
  EXPECT_FALSE(diff.is_same());
  EXPECT_TRUE(diff.looks_same());
  set_part(b, "xform.0.opacity", "0.5");
  EXPECT_FALSE(diff_flames(a, b).looks_same());
}

/// Xforms are drawn by their places: one more, one less or another order is another picture.
TEST(FlameDiff, xforms_that_come_go_or_change_places_are_seen) {
  const Flame a = conch();
  Flame more = a, fewer = a, turned = a, without_final = a;
  insert_part(more, "xform.0", "");
  remove_part(fewer, "xform.0");
  move_part(turned, "xform.0", 1);
  insert_part(without_final, "final", "");
  for (const Flame& b : {more, fewer, turned, without_final}) {
    EXPECT_FALSE(diff_flames(a, b).looks_same()) << in_words(diff_flames(a, b)).at(0);
    EXPECT_FALSE(diff_flames(b, a).looks_same()) << in_words(diff_flames(b, a)).at(0);
  }
}

TEST(FlameDiff, xforms_are_matched_by_likeness) {
  const Flame a = conch();
  ASSERT_GE(a.xforms.size(), 2u);
  Flame b = a;
  insert_part(b, "xform.0", R"(<xform weight="1" color="0" bubble="1" coefs="3 0 0 3 7 7"/>)");
  set_part(b, "xform.2.color_speed", "0.125");
  const FlameDiff diff = diff_flames(a, b);
  ASSERT_EQ(diff.xforms.size(), a.xforms.size() + 1);
  EXPECT_EQ(diff.xforms[0].a, 0);
  EXPECT_EQ(diff.xforms[0].b, 1);
  EXPECT_TRUE(diff.xforms[0].changes.empty());
  EXPECT_EQ(diff.xforms[1].b, 2);
  ASSERT_EQ(diff.xforms[1].changes.size(), 1u);
  EXPECT_EQ(diff.xforms[1].changes[0].name, "color_speed");
  EXPECT_FALSE(diff.xforms.back().a.has_value());
  EXPECT_EQ(diff.xforms.back().b, 0);
}

TEST(FlameDiff, xaos_is_compared_between_xforms_that_match) {
  Flame a = conch();
  set_part_numbers(a, "xform.0.chaos", std::vector<double>{0.5, 2});
  Flame b = a;
  insert_part(b, "xform.0", R"(<xform weight="1" color="0" bubble="1" coefs="3 0 0 3 7 7"/>)");
  for (const XformChange& change : diff_flames(a, b).xforms) EXPECT_TRUE(change.changes.empty());
  set_part_numbers(b, "xform.1.chaos", std::vector<double>{1, 0.5, 3});
  const FlameDiff diff = diff_flames(a, b);
  ASSERT_EQ(diff.xforms[0].changes.size(), 1u);
  EXPECT_EQ(diff.xforms[0].changes[0].name, "chaos to xform.1");
  EXPECT_EQ(diff.xforms[0].changes[0].b, "3");
}

TEST(FlameDiff, json_has_all_of_it) {
  Flame b = conch();
  set_part(b, "gamma", "3");
  const std::string json = diff_json(diff_flames(conch(), b));
  EXPECT_TRUE(json.starts_with(R"({"same":false,"looks_same":false,"words":["gamma: )")) << json;
  EXPECT_NE(json.find(R"("attributes":[{"name":"gamma","a":")"), json.npos) << json;
}

}  // namespace
}  // namespace kiln
