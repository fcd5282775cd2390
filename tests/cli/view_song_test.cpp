// SPDX-License-Identifier: MIT
// The song of a film as pages meet it, numbers that are moved one by one, by pages and by OSC, and strips of films.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "engine/io/flame/flame_reader.h"
#include "engine/live/osc.h"
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

TEST_F(view_song, that_is_another_than_the_film_was_made_with_is_refused) {
  Page page(port, token);
  film_with(page, heard(page));
  test::write_file(folder / "song.wav", drums(3));
  page.send({{"type", "song"}, {"number", 6}});
  EXPECT_NE(page.error().find("song.wav: another song lies there"), std::string::npos);
  EXPECT_EQ(page.wait("song").head["failed"], true);
  test::write_file(folder / "song.wav", drums(4));
  page.send({{"type", "song"}, {"number", 7}});
  EXPECT_EQ(page.wait("song").head["number"], 7);
}

TEST_F(view_song, levels_come_as_late_as_their_track_says) {
  Page page(port, token);
  film_with(page, heard(page));
  const std::string track = "<kiln_track name=\"zoom\" sound=\"bass\" from=\"0\" to=\"1\"";
  page.send({{"type", "levels"}, {"drives", {track + "/>", track + " delay=\"0.5\"/>"}}});
  const json levels = page.wait("levels").head;
  const std::vector<double> at_once = levels["levels"][0], late = levels["levels"][1];
  const auto steps = std::size_t(std::lround(0.5 * levels["rate"].get<double>()));
  ASSERT_EQ(at_once.size(), late.size());
  ASSERT_GT(at_once.size(), 3 * steps);
  for (std::size_t i = steps; i < late.size(); ++i) EXPECT_NEAR(late[i], at_once[i - steps], 0.002);
  EXPECT_EQ(late[0], at_once[0]) << "before the song it is still";
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
  std::string alike = drums(2);
  alike.back() = char(alike.back() + 3);
  send("mine.wav", alike);
  EXPECT_EQ(page.wait("song").head["name"], "mine-3.wav") << "as long, and another";
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

/// kiln view with a door for OSC, and somebody beside it who hears what it says by OSC.
class view_osc : public test::ViewProgram {
 protected:
  view_osc() {
    here_.sin_family = there_.sin_family = AF_INET;
    here_.sin_addr.s_addr = there_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(socket_, reinterpret_cast<const sockaddr*>(&here_), sizeof here_), 0);
    socklen_t size = sizeof here_;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&here_), &size);
  }
  ~view_osc() override { close(socket_); }
  void SetUp() override {
    ViewProgram::SetUp();
    if (IsSkipped()) return;
    end();
    const std::string out = "127.0.0.1:" + std::to_string(ntohs(here_.sin_port));
    ASSERT_TRUE(begin({"a.flam3", "b.flam3", "--osc", "0", "--osc-out", out}))
        << test::read_file(logs / "err");
    const std::string said = test::read_file(logs / "err"), before = "OSC is heard at 127.0.0.1:";
    const std::size_t at = said.find(before);
    ASSERT_NE(at, std::string::npos) << said;
    there_.sin_port = htons(std::uint16_t(std::stoi(said.substr(at + before.size()))));
  }
  void send(const std::string& packet) const {
    EXPECT_EQ(sendto(socket_, packet.data(), packet.size(), 0,
                     reinterpret_cast<const sockaddr*>(&there_), sizeof there_),
              ssize_t(packet.size()));
  }
  void send(const std::vector<OscMessage>& messages) const {
    for (const std::string& packet : osc_packets(messages)) send(packet);
  }
  /// The next packet that comes within this time; none: nothing.
  std::vector<OscMessage> told(int ms) const {
    pollfd wait{socket_, POLLIN, 0};
    if (poll(&wait, 1, ms) <= 0) return {};
    std::string packet(65536, '\0');
    packet.resize(
        std::size_t(std::max(ssize_t(0), recv(socket_, packet.data(), packet.size(), 0))));
    return read_osc(packet);
  }
  static json flame_with(Page& page, const std::string& text) {
    return page
        .wait("flame",
              [&](const Page::Said& one) {
                return one.head.value("flame", "").find(text) != std::string::npos;
              })
        .head;
  }

 private:
  const int socket_ = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in here_{}, there_{};
};

TEST_F(view_osc, numbers_move_and_what_is_none_is_said_once) {
  Page page(port, token);
  page.wait("flame");
  for (int i = 0; i < 3; ++i) send("nonsense");
  std::string packet("/kiln/brightness\0\0\0\0,f\0\0", 24);
  const auto bits = std::bit_cast<std::uint32_t>(7.0f);
  for (int shift = 24; shift >= 0; shift -= 8) packet += char(bits >> shift & 0xff);
  send(packet);
  flame_with(page, "brightness=\"7\"");
  const std::string all = test::read_file(logs / "err");
  const std::size_t refused = all.find("a packet");
  EXPECT_NE(refused, std::string::npos) << all;
  EXPECT_EQ(all.find("a packet", refused + 1), std::string::npos) << all;
}

TEST_F(view_osc, who_sends_much_that_is_none_does_not_fill_the_terminal) {
  Page page(port, token);
  page.wait("flame");
  for (int i = 0; i < 12; ++i) send({{"/kiln/no" + std::to_string(i), {1}}});
  send({{"/kiln/brightness", {7}}});
  flame_with(page, "brightness=\"7\"");
  const std::string said = test::read_file(logs / "err");
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = said.find("OSC from 127.0.0.1: ", at)) != said.npos; ++at) ++lines;
  EXPECT_EQ(lines, 8u) << said;
  const std::string end = "/kiln/no7: no number of a flame has this address; more is not said\n";
  EXPECT_NE(said.find(end), std::string::npos) << said;
}

TEST_F(view_osc, one_number_that_cannot_be_keeps_no_other_out) {
  Page page(port, token);
  page.wait("flame");
  send({{"/kiln/brightness", {7}}, {"/kiln/gamma", {3}}, {"/kiln/xform/9/turn", {1}}});
  const std::string xml = flame_with(page, "brightness=\"7\"")["flame"];
  if (xml.find("gamma=\"3\"") == std::string::npos) flame_with(page, "gamma=\"3\"");
  EXPECT_NE(test::read_file(logs / "err").find("OSC: /kiln/xform/9/turn: the flame has 3 xforms"),
            std::string::npos);
}

TEST_F(view_osc, a_rest_between_numbers_makes_two_steps_of_them) {
  Page page(port, token);
  page.wait("flame");
  send({{"/kiln/brightness", {7}}});
  send({{"/kiln/brightness", {8}}});
  EXPECT_EQ(flame_with(page, "brightness=\"8\"")["undo"], 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(1700));
  send({{"/kiln/brightness", {9}}});
  EXPECT_EQ(flame_with(page, "brightness=\"9\"")["undo"], 2);
}

TEST_F(view_osc, the_last_number_is_told_however_soon_it_comes_after_another) {
  Page page(port, token);
  page.send({{"type", "view"}, {"width", 32}, {"height", 24}, {"budget_ms", 1}});
  page.settled();
  for (int i = 0; i < 8; ++i) {
    const double first = 2 + i, last = first + 0.5;
    send({{"/kiln/brightness", {first}}});
    std::vector<OscMessage> now = told(10000);
    EXPECT_EQ(now, (std::vector<OscMessage>{{"/kiln/brightness", {first}}}));
    send({{"/kiln/brightness", {last}}});
    now = told(5000);
    EXPECT_EQ(now, (std::vector<OscMessage>{{"/kiln/brightness", {last}}})) << i;
  }
}

TEST_F(view_osc, another_page_at_another_flame_is_none_of_its_business) {
  Page page(port, token), other(port, token);
  page.settled();
  other.send({{"type", "select"}, {"index", 1}});
  other.wait("frame", [](const Page::Said& said) {
    return said.head["settled"] == true && said.head["index"] == 1;
  });
  EXPECT_TRUE(told(300).empty()) << "numbers of the first flame alone are told";
  send({{"/kiln/gamma", {2.5}}});
  EXPECT_EQ(told(10000), (std::vector<OscMessage>{{"/kiln/gamma", {2.5}}}));
}

TEST_F(view_osc, addresses_that_are_none_are_refused) {
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
