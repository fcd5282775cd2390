// SPDX-License-Identifier: MIT
// Films that a song drives: their elements in files, the flame at a time, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/animation/film.h"
#include "engine/animation/frame_at.h"
#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/for_flam3.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/track_reader.h"
#include "engine/sound/tracks.h"
#include "tests/cli/program.h"
#include "tests/unit/made_songs.h"

namespace kiln {
namespace {

using namespace test;

std::vector<Flame> read(const std::string& children) {
  return parse_flames(triangle("zoom=\"0\"", children), "film.flam3", {}).flames;
}

const std::string song_line = "<kiln_sound file=\"song.flac\" fps=\"20\"/>";

std::string driven(const std::string& attributes) {
  return song_line + "<kiln_track " + attributes + "/>";
}

std::shared_ptr<const Song> drums() {
  static const auto song = [] {
    MadeSong made(6);
    for (int beat = 0; beat < 11; ++beat) made.kick(0.25 + 0.5 * beat, beat % 4 == 0 ? 0.9 : 0.5);
    return std::make_shared<const Song>(made.samples(), std::string(64, 'a'));
  }();
  return song;
}

std::vector<Flame> heard(std::vector<Flame> keys) {
  for (Flame& key : keys)
    if (key.sound) key.sound->heard = drums();
  return keys;
}

std::string refusal(const std::string& children) {
  try {
    read(children);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    return error.what();
  }
  return "taken";
}

TEST(SongFilm, a_song_drives_what_a_track_moves) {
  const auto keys = heard(read(
      driven("name=\"zoom\" sound=\"beat\" from=\"0\" to=\"2\" release=\"0.1\"") +
      "<kiln_track xform=\"2\" name=\"turn\" sound=\"beat\" shape=\"steps\" from=\"0\" to=\"45\"/>"
      "<kiln_track name=\"brightness\" sound=\"bass\" from=\"4\" to=\"8\" easing=\"ease-in\"/>"
      "<kiln_track name=\"palette_mode\" sound=\"beat\" from=\"step\" to=\"linear\"/>"));
  EXPECT_EQ(film_end(keys), 120);
  const Flame before = flame_at(keys, 4), on = flame_at(keys, 5.2), after = flame_at(keys, 9.8);
  EXPECT_EQ(before.zoom, 0);
  EXPECT_GT(on.zoom, 1.7);
  EXPECT_LT(after.zoom, 0.2);
  EXPECT_TRUE(on.tracks.empty());
  EXPECT_FALSE(on.sound);
  EXPECT_GT(on.brightness, 6);
  const auto turn = find_track_target(1, "turn");
  EXPECT_NEAR(turn->get(before)[0], 0, 1e-9);
  EXPECT_NEAR(turn->get(after)[0], 45, 1e-9);
  EXPECT_NEAR(std::remainder(turn->get(flame_at(keys, 118))[0] - 11 * 45, 360), 0, 1e-9);
}

TEST(SongFilm, delay_and_start_move_it_in_time) {
  const std::string zoom = "name=\"zoom\" sound=\"beat\" from=\"0\" to=\"2\" release=\"0.1\"";
  const auto plain = heard(read(driven(zoom)));
  const auto late = heard(read(driven(zoom + " delay=\"0.25\"")));
  const auto soon = heard(read(driven(zoom + " delay=\"-0.1\"")));
  const auto later =
      heard(read("<kiln_sound file=\"a\" fps=\"20\" start=\"1.5\"/><kiln_track " + zoom + "/>"));
  for (double time : {3.0, 5.5, 12.25, 30.0}) {
    EXPECT_NEAR(flame_at(late, time + 5).zoom, flame_at(plain, time).zoom, 1e-9);
    EXPECT_NEAR(flame_at(soon, time - 2).zoom, flame_at(plain, time).zoom, 1e-9);
    EXPECT_NEAR(flame_at(later, time).zoom, flame_at(plain, time + 30).zoom, 1e-9);
  }
  EXPECT_EQ(film_end(later), 90);
}

TEST(SongFilm, files_keep_it) {
  const std::string elements = "<kiln_sound file=\"m &amp; n/s&quot;ong.flac\" sha256=\"" +
                               std::string(64, '7') +
                               "\" fps=\"30000/1001\" start=\"2.5\" bar=\"3\" length=\"keys\"/>"
                               "<kiln_track xform=\"2\" name=\"position\" sound=\"60-250\" "
                               "each=\"bar\" shape=\"held\" threshold=\"0.1\" "
                               "delay=\"-0.05\" attack=\"0.02\" release=\"0\" from=\"0 1\" to=\"1 "
                               "2\" easing=\"0.3 0 0.2 1\"/>";
  const std::vector<Flame> first = read(elements);
  ASSERT_TRUE(first[0].sound);
  EXPECT_EQ(first[0].sound->file, "m & n/s\"ong.flac");
  EXPECT_NEAR(first[0].sound->rate, 29.97, 0.001);
  const std::string xml = genome_xml(first[0]);
  const std::vector<Flame> again = parse_flames(xml, "again", {}).flames;
  EXPECT_TRUE(again[0].tracks == first[0].tracks);
  EXPECT_EQ(genome_xml(again[0]), xml);
  const FilmSound& sound = *again[0].sound;
  EXPECT_EQ(sound.file, "m & n/s\"ong.flac");
  EXPECT_EQ(sound.sha256, std::string(64, '7'));
  EXPECT_EQ(sound.fps, "30000/1001");
  EXPECT_EQ(sound.start_s, 2.5);
  EXPECT_EQ(sound.beats_of_bar, 3);
  EXPECT_EQ(sound.length, SoundLength::keys);
  // flam3 has no songs
  const auto plain = for_flam3(first[0]);
  EXPECT_EQ(genome_xml(plain.flame).find("kiln_sound"), std::string::npos);
}

TEST(SongFilm, a_film_is_as_long_as_it_says) {
  const auto length = [](const std::string& attributes, bool two) {
    std::string xml = two ? two_keys() : triangle();
    xml.insert(xml.find("</flame>"), "<kiln_sound file=\"a\" fps=\"20\" " + attributes + "/>");
    return film_end(heard(parse_flames(xml, "film", {}).flames));
  };
  EXPECT_EQ(length("", false), 120);
  EXPECT_EQ(length("", true), 10);
  EXPECT_EQ(length("length=\"song\"", true), 120);
  EXPECT_EQ(length("length=\"keys\"", false), 0);
  const auto keys = heard(read(driven("name=\"zoom\" sound=\"bass\" from=\"0\" to=\"1\"")));
  EXPECT_EQ(between_keys(keys, {}).frames.size(), 120u);
}

TEST(SongFilm, keys_of_a_drive_are_its_frames) {
  const auto live = heard(read(
      driven("name=\"zoom\" sound=\"bass\" from=\"0\" to=\"0.7\" each=\"beat\" release=\"0.3\"") +
      "<kiln_track xform=\"1\" name=\"turn\" sound=\"beat\" shape=\"steps\" from=\"0\" to=\"90\" "
      "attack=\"0.1\"/>"));
  auto baked = live;
  baked[0].tracks.clear();
  for (const Track& track : live[0].tracks)
    baked[0].tracks.push_back(keys_of_drive(track, *drums(), *live[0].sound, 0, 120));
  baked[0].sound.reset();
  EXPECT_LT(baked[0].tracks[1].keys.size(), 60u) << "keys where nothing changes are left out";
  const auto again = parse_flames(genome_xml(baked[0]), "baked", {}).flames;
  for (int frame = 0; frame <= 120; ++frame)
    EXPECT_EQ(genome_xml(flame_at(again, frame)), genome_xml(flame_at(live, frame))) << frame;
}

TEST(SongFilm, keys_of_a_drive_are_as_late_and_begin_where_it_does) {
  for (const char* delay : {"0", "0.2", "-0.15"}) {
    const auto live =
        heard(read("<kiln_sound file=\"a\" fps=\"20\" start=\"1.5\"/><kiln_track "
                   "name=\"zoom\" sound=\"beat\" from=\"0\" to=\"2\" delay=\"" +
                   std::string(delay) + "\"/>"));
    const Track keys = keys_of_drive(live[0].tracks[0], *drums(), *live[0].sound, -10, 90);
    EXPECT_EQ(keys.keys.front().time, -10);
    auto baked = live;
    baked[0].tracks = {keys};
    baked[0].sound.reset();
    for (int frame = -10; frame <= 90; ++frame)
      EXPECT_EQ(flame_at(baked, frame).zoom, flame_at(live, frame).zoom) << delay << " " << frame;
  }
}

/// Each key flame may name the song; the first one's words hold.
TEST(SongFilm, the_first_key_says_how_the_song_is_played) {
  std::string xml = two_keys();
  for (const char* start : {"3", "1"})  // the last one first
    xml.insert(xml.find("</flame>", start[0] == '3' ? xml.find("time=\"10\"") : 0),
               std::string("<kiln_sound file=\"a\" start=\"") + start + "\"/>");
  const std::vector<Flame> keys = parse_flames(xml, "film", {}).flames;
  ASSERT_TRUE(keys[1].sound);
  EXPECT_EQ(sound_of(keys)->start_s, 1);
}

TEST(SongFilm, what_is_wrong_is_said_with_its_line) {
  const std::string zoom = "name=\"zoom\" from=\"0\" to=\"1\" ";
  const std::pair<std::string, const char*> all[] = {
      {"<kiln_sound/>", "give it at least one"},
      {"<kiln_sound fps=\"30\"/>", "names no song"},
      {"<kiln_sound file=\"\"/>", "names no song"},
      {"<kiln_sound file=\"http://a.b/c.mp3\"/>", "file of this machine"},
      {"<kiln_sound file=\"\\\\server\\song.mp3\"/>", "file of this machine"},
      {"<kiln_sound file=\"//server/song.mp3\"/>", "file of this machine"},
      {"<kiln_sound file=\"/\\server\\song.mp3\"/>", "file of this machine"},
      {"<kiln_sound file=\"ftp://a.b/c.mp3\"/>", "file of this machine"},
      {"<kiln_sound file=\"x-own://a\"/>", "file of this machine"},
      {"<kiln_sound file=\"a\" sha256=\"12\"/>", "64 hexadecimal digits"},
      {"<kiln_sound file=\"a\" fps=\"0\"/>", "must be a rate"},
      {"<kiln_sound file=\"a\" fps=\"3e1\"/>", "must be a rate"},
      {"<kiln_sound file=\"a\" bar=\"0\"/>", "bar=\"0\""},
      {"<kiln_sound file=\"a\" start=\"-1\"/>", "start=\"-1\""},
      {"<kiln_sound file=\"a\" length=\"ever\"/>", "song, keys"},
      {"<kiln_sound file=\"a\" loud=\"1\"/>", "no such attribute"},
      {song_line + song_line, "a song already"},
      {"<kiln_track " + zoom + "/>", "add sound="},
      {"<kiln_track " + zoom + "sound=\"bas\"/>", "did you mean \"bass\""},
      {"<kiln_track " + zoom + "sound=\"250-60\"/>", "band in Hz"},
      {"<kiln_track " + zoom + "sound=\"1-60\"/>", "band in Hz"},
      {"<kiln_track " + zoom + "sound=\"bass\" shape=\"held\"/>", "add each="},
      {"<kiln_track " + zoom + "sound=\"bass\" each=\"day\"/>", "onset, beat, bar"},
      {"<kiln_track " + zoom + "sound=\"bass\" threshold=\"1\"/>", "threshold=\"1\""},
      {"<kiln_track " + zoom + "sound=\"bass\" release=\"-1\"/>", "release=\"-1\""},
      {"<kiln_track " + zoom + "sound=\"bass\" ends=\"cycle\"/>", "ends is of keys"},
      {"<kiln_track " + zoom + "sound=\"bass\"><key time=\"0\" value=\"1\"/></kiln_track>",
       "keys and a song"},
      {"<kiln_track name=\"zoom\" sound=\"bass\" from=\"0\"/>", "add from="},
      {"<kiln_track name=\"zoom\" sound=\"bass\" from=\"a\" to=\"1\"/>", "from=\"a\""},
      {"<kiln_track xform=\"1\" name=\"size\" sound=\"bass\" from=\"1\" to=\"1 2\"/>", "as many"},
      {"<kiln_track " + zoom + "sound=\"bass\" easing=\"smooth\"/>", "easing=\"smooth\""},
      {"<kiln_track " + zoom + "sound=\"bass\" volume=\"11\"/>", "no such attribute"},
  };
  for (const auto& [element, part] : all) {
    const std::string said = refusal(element);
    EXPECT_NE(said.find(part), said.npos) << element << "\n" << said;
    EXPECT_EQ(said.find("film.flam3:"), 0u) << said;
  }
}

TEST(SongFilm, plays_only_with_the_song_that_it_names) {
  const ScratchFolder folder;
  const auto said = [&](std::vector<Flame> keys) {
    for (Flame& key : keys) key.source = folder / "film.flam3";
    try {
      hear_song(keys);
      flame_at(keys, 1);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
      return std::string(error.what());
    }
    return std::string("plays");
  };
  const std::string zoom = "<kiln_track name=\"zoom\" sound=\"bass\" from=\"0\" to=\"1\"/>";
  EXPECT_NE(said(read(zoom)).find("the film has no song; add <kiln_sound"), std::string::npos);
  EXPECT_NE(said(read(song_line + zoom)).find("song.flac: cannot be opened"), std::string::npos);
  write_file(folder / "song.flac", "");
  EXPECT_NE(said(read(song_line + zoom)).find("is empty"), std::string::npos);
  write_file(folder / "song.flac", triangle());
  EXPECT_NE(said(read(song_line + zoom)).find("perhaps of flames"), std::string::npos);
  auto two = read(song_line + zoom);
  two.push_back(two[0]);
  two[1].tracks.clear();
  two[1].time = 10;
  two[1].sound->file = "other.flac";
  EXPECT_NE(said(two).find("a song already"), std::string::npos);
  // a film that no song drives, and that is not as long as one, needs none
  std::string xml = two_keys();
  xml.insert(xml.find("</flame>"), song_line);
  EXPECT_EQ(said(parse_flames(xml, "film", {}).flames), "plays");
  EXPECT_THROW(flame_at(read(song_line + zoom), 1), Error) << "nobody has heard it";
}

/// 2,000 elements with something odd in them: a message with its line, or a film that is written as it was read and plays.
TEST(SongFilm, hostile_elements_are_messages_or_films) {
  const std::string whole =
      "<kiln_sound file=\"song.flac\" sha256=\"" + std::string(64, 'a') +
      "\" fps=\"25\" start=\"0.5\" bar=\"4\" length=\"song\"/><kiln_track xform=\"1\" "
      "name=\"turn\" "
      "sound=\"60-250\" each=\"beat\" shape=\"steps\" threshold=\"0.2\" delay=\"0.1\" "
      "attack=\"0.1\" "
      "release=\"0.2\" from=\"0\" to=\"90\" easing=\"ease-out\"/><kiln_track name=\"zoom\" "
      "sound=\"bass\" from=\"0.2\" to=\"1.4\"/>";
  const char* odd[] = {
      "",     "-1",   "1e308", "nan",      "inf",       "1e-320", "999999999999", "0",     "-0",
      "beat", "held", "steps", "20-20",    "&#1;",      "%s%n",   "../../../etc", "\xff",  "final",
      "0 0",  "bar",  "18000", "20-18000", "/dev/zero", "60",     "keys",         "0.999", "1/0"};
  std::uint32_t state = 12345;
  const auto chance = [&](std::size_t n) {
    state = state * 1664525 + 1013904223;
    return std::size_t(state >> 8) % n;
  };
  int films = 0, messages = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = whole;
    for (std::size_t change = chance(4) == 0 ? 2 : 1; change > 0; --change) {
      std::vector<std::size_t> quotes;
      for (std::size_t at = 0; (at = text.find('"', at)) != text.npos; ++at) quotes.push_back(at);
      if (quotes.size() < 2) break;
      const std::size_t value = 2 * chance(quotes.size() / 2);
      const std::size_t begin = quotes[value] + 1, end = quotes[value + 1];
      switch (chance(5)) {
        case 0:
          text.erase(chance(text.size()), chance(20));
          break;
        case 1:
          text[chance(text.size())] = char(32 + chance(95));
          break;
        case 2:
          text.insert(chance(text.size()), text.substr(chance(text.size()), chance(60)));
          break;
        default:
          text.replace(begin, end - begin, odd[chance(std::size(odd))]);
      }
    }
    try {
      const std::vector<Flame> keys = heard(read(text));
      const std::string xml = genome_xml(keys[0]);
      ASSERT_EQ(genome_xml(parse_flames(xml, "again", {}).flames.at(0)), xml) << text;
      for (const double time : {-5.0, 0.0, 12.3, 1e6}) {
        const Flame flame = flame_at(keys, time);
        ASSERT_TRUE(std::isfinite(flame.zoom) && std::isfinite(flame.xforms[0].coefs.a)) << text;
      }
      ++films;
    } catch (const Error& error) {
      ASSERT_TRUE(error.kind == ErrorKind::input || error.kind == ErrorKind::unsupported)
          << error.what();
      ++messages;
    }
  }
  EXPECT_GT(films, 100);
  EXPECT_GT(messages, 300);
}

}  // namespace
}  // namespace kiln
