// SPDX-License-Identifier: MIT
// Markers of films: read, written, kept by all that passes films on, and what is refused.
#include "engine/io/flame/film_parts.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/io/flame/flame_diff.h"
#include "engine/io/flame/flame_parts.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/for_flam3.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/live/live_film.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

std::vector<Flame> read(const std::string& text) {
  return parse_flames(text, "film.flam3", {}).flames;
}

std::string marked(const std::string& markers) { return triangle("time=\"0\"", markers); }

std::string refusal(const std::string& markers) {
  try {
    read(marked(markers));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    return error.what();
  }
  return "taken";
}

const std::string two =
    "<kiln_marker time=\"12.5\" name=\"drum &amp; &lt;bass&gt;\"/><kiln_marker time=\"-3\" "
    "name=\"ä\"/>";

TEST(Markers, are_read_and_written_as_they_were) {
  const std::vector<Flame> first = read(marked(two));
  ASSERT_EQ(first[0].markers.size(), 2u);
  EXPECT_EQ(first[0].markers[0], (FilmMarker{12.5, "drum & <bass>"}));
  EXPECT_EQ(first[0].markers[1], (FilmMarker{-3, "ä"}));
  EXPECT_EQ(read(genome_xml(first[0]))[0].markers, first[0].markers);
  EXPECT_EQ(read(brief_genome_xml(first[0], BriefPalette::whole))[0].markers, first[0].markers);
  Flame left = first[0];
  left.leave_film();
  EXPECT_EQ(genome_xml(left).find("kiln_marker"), std::string::npos);
}

TEST(Markers, what_is_none_is_refused_with_its_line) {
  for (const auto& [markers, says] : std::vector<std::pair<std::string, std::string>>{
           {"<kiln_marker name=\"a\"/>", "add time="},
           {"<kiln_marker time=\"1\"/>", "add name="},
           {"<kiln_marker time=\"x\" name=\"a\"/>", "time=\"x\""},
           {"<kiln_marker time=\"nan\" name=\"a\"/>", "time=\"nan\""},
           {"<kiln_marker time=\"1\" name=\"\"/>", "is no name"},
           {"<kiln_marker time=\"1\" name=\"" + std::string(201, 'a') + "\"/>", "longer than 200"},
           {"<kiln_marker time=\"1\" name=\"a&#10;b\"/>", "characters that no name has"},
           {"<kiln_marker time=\"1\" name=\"&#27;[2J\"/>", "characters that no name has"},
           {"<kiln_marker time=\"1\" name=\"&#31;\"/>", "characters that no name has"},
           {"<kiln_marker time=\"1\" name=\"a\" color=\"2\"/>", "no such attribute"}}) {
    const std::string said = refusal(markers);
    EXPECT_NE(said.find(says), std::string::npos) << markers << ": " << said;
    EXPECT_EQ(said.find("film.flam3:"), 0u) << said;
  }
  EXPECT_EQ(refusal("<kiln_marker time=\"1\" name=\"" + std::string(200, 'a') + "\"/>"), "taken");
}

TEST(Markers, a_file_has_a_thousand_at_most) {
  std::string markers;
  for (std::size_t i = 0; i < FilmParts::most_markers; ++i)
    markers += "<kiln_marker time=\"" + std::to_string(i) + "\" name=\"m\"/>";
  EXPECT_EQ(refusal(markers), "taken");
  EXPECT_NE(
      refusal(markers + "<kiln_marker time=\"0\" name=\"m\"/>").find("more than 1000 markers"),
      std::string::npos);
}

TEST(Markers, stay_with_the_film_whose_first_key_is_another) {
  const std::string film = "<flames>" + marked(two) + triangle("time=\"60\"") + "</flames>";
  const auto live = live_film(film, {});
  const auto earlier = with_key(*live, moment_of(*live, 0), -20);
  ASSERT_EQ(earlier->keys.size(), 3u);
  EXPECT_EQ(earlier->keys[0].markers.size(), 2u);
  EXPECT_TRUE(earlier->keys[1].markers.empty());
  const auto same = with_key(*live, moment_of(*live, 30), 0);
  EXPECT_EQ(same->keys[0].markers.size(), 2u);
  EXPECT_TRUE(moment_of(*live, 0).markers.empty());
}

TEST(Markers, are_a_part_for_programs) {
  Flame flame = read(marked(two))[0];
  EXPECT_EQ(part_text(flame, "markers"), markers_xml(flame));
  set_part(flame, "markers", "<kiln_marker time=\"4\" name=\"b\"/>");
  ASSERT_EQ(flame.markers.size(), 1u);
  EXPECT_EQ(flame.markers[0], (FilmMarker{4, "b"}));
  EXPECT_THROW(set_part(flame, "markers", "<kiln_marker time=\"4\"/>"), Error);
  EXPECT_EQ(flame.markers.size(), 1u) << "what is refused changes nothing";
  set_part(flame, "markers", "");
  EXPECT_TRUE(flame.markers.empty());
}

TEST(Markers, make_one_flame_a_film) {
  const auto documents = documents_of(read(marked(two)), [](const std::string&) {});
  ASSERT_EQ(documents.size(), 1u);
  EXPECT_TRUE(documents[0].film);
}

TEST(Markers, are_told_apart_and_lost_for_flam3) {
  const Flame with = read(marked(two))[0], without = read(marked(""))[0];
  const FlameDiff diff = diff_flames(with, without);
  ASSERT_EQ(diff.attributes.size(), 1u);
  EXPECT_EQ(diff.attributes[0].name, "kiln_marker");
  EXPECT_TRUE(diff.looks_same());
  std::string lost;
  flame_for_flam3(with, true, [&](const std::string& text) { lost += text; });
  EXPECT_NE(lost.find("markers"), std::string::npos) << lost;
}

}  // namespace
}  // namespace kiln
