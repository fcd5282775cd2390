// SPDX-License-Identifier: MIT
// The song of a film as pages meet it, numbers that are moved one by one, by pages and by OSC, and strips of films.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/io/flame/flame_reader.h"
#include "tests/cli/view_page.h"
#include "tests/unit/made_songs.h"

namespace kiln {
namespace {

using nlohmann::json;
using test::Page;

std::string little(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += char(value >> (8 * i) & 0xff);
  return text;
}

/// A WAV file of a drum twice a second.
std::string drums(double seconds) {
  test::MadeSong song(seconds, 22050);
  for (double t = 0.25; t + 0.3 < seconds; t += 0.5) song.kick(t);
  std::string samples;
  for (const std::int16_t sample : song.samples().mono) samples += little(std::uint16_t(sample), 2);
  const auto size = std::uint32_t(samples.size());
  return "RIFF" + little(36 + size, 4) + "WAVEfmt " + little(16, 4) + little(1, 2) + little(1, 2) +
         little(22050, 4) + little(44100, 4) + little(2, 2) + little(16, 2) + "data" +
         little(size, 4) + samples;
}

class view_song : public test::ViewProgram {
 protected:
  void SetUp() override {
    if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg";
    ViewProgram::SetUp();
    test::write_file(folder / "song.wav", drums(4));
  }
  /// A film with this song, and a number that it drives; what the page was told.
  static json film_with(Page& page, const json& song) {
    const std::string sound = "<kiln_sound file=\"" + song["file"].get<std::string>() +
                              "\" sha256=\"" + song["sha256"].get<std::string>() +
                              "\" fps=\"20\"/>";
    const std::string track =
        "<kiln_track name=\"brightness\" sound=\"bass\" from=\"2\" to=\"6\"/>";
    page.send({{"type", "film"},
               {"film", "<flames>" + test::triangle("time=\"0\"", sound + track) + "</flames>"},
               {"time", 0}});
    return page.wait("flame", [](const Page::Said& said) { return said.head.contains("film"); })
        .head;
  }
  static json heard(Page& page) {
    page.send({{"type", "song"}, {"file", "song.wav"}, {"number", 5}});
    return page.wait("song").head;
  }
};

TEST_F(view_song, is_heard_and_its_bytes_are_for_who_has_the_token) {
  Page page(port, token);
  const std::string here = "Host: " + host() + "\r\n";
  const json song = heard(page);
  EXPECT_EQ(song["number"], 5);
  EXPECT_EQ(song["name"], "song.wav");
  EXPECT_NEAR(song["seconds"].get<double>(), 4, 0.01);
  EXPECT_NEAR(song["bpm"].get<double>(), 120, 1);
  EXPECT_GT(song["beats"].size(), 5u);
  EXPECT_GT(song["wave"].size(), 100u);
  const std::string target = "/song/" + song["sha256"].get<std::string>();
  EXPECT_EQ(status(target + "?token=" + token, here), 200);
  EXPECT_EQ(status(target, here), 403);
  EXPECT_EQ(status("/song/" + std::string(64, '0') + "?token=" + token, here), 404);
  EXPECT_EQ(status("/song/..%2Fa.flam3?token=" + token, here), 404);
}

TEST_F(view_song, that_lies_elsewhere_or_is_none_is_refused) {
  Page page(port, token);
  const test::ScratchFolder other;
  test::write_file(other / "far.wav", drums(2));
  page.send({{"type", "song"}, {"file", other / "far.wav"}});
  EXPECT_NE(page.error().find("far.wav"), std::string::npos);
  page.send({{"type", "song"}, {"file", "../far.wav"}});
  EXPECT_FALSE(page.error().empty());
  page.send({{"type", "song"}, {"file", "a.flam3"}});
  EXPECT_NE(page.error().find("a.flam3"), std::string::npos);
  EXPECT_EQ(page.wait("song").head["failed"], true);
  page.send({{"type", "song"}});
  EXPECT_NE(page.error().find("the film has none"), std::string::npos);
  EXPECT_EQ(heard(page)["name"], "song.wav") << "afterwards all is well";
}

TEST_F(view_song, that_a_page_sends_is_kept_once_beside_others_of_its_name) {
  Page page(port, token);
  const auto send = [&](const std::string& name, const std::string& bytes) {
    page.send({{"type", "song"}, {"name", name}, {"bytes", test::base64(bytes)}});
  };
  send("mine.wav", drums(2));
  EXPECT_EQ(page.wait("song").head["name"], "mine.wav");
  send("mine.wav", drums(2));
  EXPECT_EQ(page.wait("song").head["name"], "mine.wav");
  send("mine.wav", drums(3));
  EXPECT_EQ(page.wait("song").head["name"], "mine-2.wav");
  EXPECT_EQ(test::read_file(folder / "mine.wav"), drums(2));
  for (const char* name : {"mine.txt", "", ".wav.sh", "-x.exe"}) {
    send(name, "RIFF");
    EXPECT_NE(page.error().find("no name of a song"), std::string::npos) << name;
  }
  send("../up.wav", drums(2));
  page.wait("song");
  EXPECT_FALSE(std::filesystem::exists(folder / "../up.wav"));
  page.send({{"type", "songs"}});
  const json files = page.wait("songs").head["files"];
  EXPECT_NE(std::find(files.begin(), files.end(), "mine-2.wav"), files.end()) << files;
}

TEST_F(view_song, moves_a_film_that_is_saved_and_opened_with_it) {
  Page page(port, token);
  const json song = heard(page);
  film_with(page, song);
  page.send({{"type", "levels"},
             {"number", 8},
             {"drives", {"<kiln_track name=\"zoom\" sound=\"bass\" from=\"0\" to=\"1\"/>"}}});
  const json levels = page.wait("levels").head;
  EXPECT_EQ(levels["number"], 8);
  const std::vector<double> course = levels["levels"][0];
  EXPECT_GT(*std::max_element(course.begin(), course.end()), 0.8);
  page.send({{"type", "strip"}, {"times", {0, 10, 20}}, {"width", 16}, {"number", 9}});
  const json strip = page.wait("strip").head;
  EXPECT_EQ(strip["count"], 3);
  for (int place = 0; place < 3; ++place) {
    const json small = page.wait("thumbnail").head;
    EXPECT_EQ(small["set"], strip["set"]);
    EXPECT_EQ(small["place"], place);
  }
  std::filesystem::create_directory(folder / "else");
  page.send({{"type", "save"}, {"name", "driven.flam3"}});
  page.wait("saved");
  const auto saved = read_flames(folder / "driven.flam3", {}).flames;
  EXPECT_EQ(saved.at(0).sound->file, "song.wav");
  end();
  ASSERT_TRUE(begin({"driven.flam3"})) << test::read_file(logs / "err");
  Page again(port, token);
  const json head = again.wait("flame").head;
  ASSERT_TRUE(head.contains("film")) << test::read_file(logs / "err");
  const Flame key = parse_flames(head["film"].get<std::string>(), "film", {}).flames.at(0);
  EXPECT_TRUE(key.sound->file.ends_with("/song.wav")) << key.sound->file;
  again.send({{"type", "song"}, {"number", 2}});
  EXPECT_EQ(again.wait("song").head["sha256"], song["sha256"]);
}

TEST_F(view_song, numbers_move_in_one_step) {
  Page page(port, token);
  page.wait("flame");
  for (int i = 1; i <= 20; ++i)
    page.send({{"type", "move"},
               {"gesture", 3},
               {"values", {{"/kiln/brightness", i}, {"/kiln/xform/1/position", {0.5, i}}}}});
  page.send(
      {{"type", "move"}, {"gesture", 3}, {"values", {{"/kiln/brightness", 7}}}, {"last", true}});
  const auto is_there = [](const Page::Said& said) {
    return said.head.value("flame", "").find("brightness=\"7\"") != std::string::npos;
  };
  const json moved = page.wait("flame", is_there).head;
  EXPECT_EQ(moved["undo"], 1);
  EXPECT_NE(moved["flame"].get<std::string>().find("0.5 20"), std::string::npos);
  for (const json& values : {json{{"/kiln/nothing", 1}}, json{{"zoom", 1}},
                             json{{"/kiln/zoom", "a"}}, json{{"/kiln/xform/9/turn", 1}}}) {
    page.send({{"type", "move"}, {"values", values}});
    EXPECT_FALSE(page.error().empty()) << values;
  }
  page.send({{"type", "undo"}});
  EXPECT_EQ(page.wait("flame").head["undo"], 0);
}

TEST_F(view_song, numbers_move_by_osc_and_what_is_none_is_said_once) {
  end();
  ASSERT_TRUE(begin({"a.flam3", "--osc", "0"})) << test::read_file(logs / "err");
  Page page(port, token);
  page.wait("flame");
  const std::string said = test::read_file(logs / "err"), before = "OSC is heard at 127.0.0.1:";
  ASSERT_NE(said.find(before), std::string::npos) << said;
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(std::uint16_t(std::stoi(said.substr(said.find(before) + before.size()))));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int out = socket(AF_INET, SOCK_DGRAM, 0);
  const auto send = [&](const std::string& packet) {
    EXPECT_EQ(sendto(out, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&to),
                     sizeof to),
              ssize_t(packet.size()));
  };
  for (int i = 0; i < 3; ++i) send("nonsense");
  std::string packet("/kiln/brightness\0\0\0\0,f\0\0", 24);
  const auto bits = std::bit_cast<std::uint32_t>(7.0f);
  for (int shift = 24; shift >= 0; shift -= 8) packet += char(bits >> shift & 0xff);
  send(packet);
  page.wait("flame", [](const Page::Said& one) {
    return one.head.value("flame", "").find("brightness=\"7\"") != std::string::npos;
  });
  close(out);
  const std::string all = test::read_file(logs / "err");
  const std::size_t refused = all.find("a packet");
  EXPECT_NE(refused, std::string::npos) << all;
  EXPECT_EQ(all.find("a packet", refused + 1), std::string::npos) << all;
}

TEST_F(view_song, addresses_of_osc_that_are_none_are_refused) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--osc", "x"},
                                             {"--osc", "127.0.0.1"},
                                             {"--osc", ":9000"},
                                             {"--osc", "127.0.0.1:70000"},
                                             {"--osc-out", "127.0.0.1:0"}}) {
    std::vector<std::string> all = {"view", "a.flam3", "--no-browser"};
    all.insert(all.end(), words.begin(), words.end());
    const test::Outcome outcome = test::run_program(all, {folder.path(), "", "", {}});
    EXPECT_EQ(outcome.code, 2) << words[1] << outcome.err;
    EXPECT_NE(outcome.err.find(words[0]), std::string::npos) << outcome.err;
  }
  const test::Outcome elsewhere = test::run_program(
      {"view", "a.flam3", "--no-browser", "--serve", "127.0.0.1:0", "--osc", "192.0.2.1:9000"},
      {folder.path(), "", "", {}});
  EXPECT_NE(elsewhere.code, 0);
  EXPECT_NE(elsewhere.err.find("anyone who reaches this machine"), std::string::npos)
      << elsewhere.err;
}

}  // namespace
}  // namespace kiln
