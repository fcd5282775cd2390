// SPDX-License-Identifier: MIT
// Packets of OSC, of friends and of others, and the numbers of flames that they name.
#include "engine/live/osc.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/live/named_numbers.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using namespace std::string_literals;

std::string whole(std::uint64_t value, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text += char(value >> shift & 0xff);
  return text;
}

std::string text(const std::string& word) { return word + std::string(4 - word.size() % 4, '\0'); }

std::string real(float value) { return whole(std::bit_cast<std::uint32_t>(value), 4); }

std::string bundle(const std::vector<std::string>& parts) {
  std::string all = "#bundle\0"s + whole(1, 8);
  for (const std::string& part : parts) all += whole(part.size(), 4) + part;
  return all;
}

std::string refusal(const std::string& packet) {
  try {
    read_osc(packet);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    return error.what();
  }
  return "taken";
}

TEST(Osc, reads_numbers_of_all_types) {
  const std::string packet = text("/kiln/zoom") + text(",ifhdTF") + whole(std::uint32_t(-3), 4) +
                             real(0.5f) + whole(std::uint64_t(-1) << 33, 8) +
                             whole(std::bit_cast<std::uint64_t>(1.25), 8);
  const auto messages = read_osc(packet);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].address, "/kiln/zoom");
  EXPECT_EQ(messages[0].numbers, (std::vector<double>{-3, 0.5, -8589934592.0, 1.25, 1, 0}));
}

TEST(Osc, reads_bundles_in_bundles) {
  const std::string one = text("/a") + text(",f") + real(1),
                    two = text("/b") + text(",f") + real(2);
  const auto messages = read_osc(bundle({one, bundle({two, one}), bundle({})}));
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[1].address, "/b");
  std::string deep = one;
  for (int i = 0; i < most_osc_depth; ++i) deep = bundle({deep});
  EXPECT_EQ(read_osc(deep).size(), 1u);
  EXPECT_NE(refusal(bundle({deep})).find("bundles in each other"), std::string::npos);
}

TEST(Osc, writes_what_it_reads) {
  std::vector<OscMessage> messages;
  for (int i = 0; i < 200; ++i)
    messages.push_back({"/kiln/xform/" + std::to_string(i) + "/position", {i * 0.5, -1.0}});
  const std::vector<std::string> packets = osc_packets(messages);
  EXPECT_GT(packets.size(), 1u);
  std::vector<OscMessage> again;
  for (const std::string& packet : packets) {
    EXPECT_LE(packet.size(), 1400u);
    for (OscMessage& message : read_osc(packet)) again.push_back(message);
  }
  EXPECT_EQ(again, messages);
  EXPECT_TRUE(osc_packets({}).empty());
}

TEST(Osc, refuses_what_is_none) {
  const std::string head = text("/kiln/zoom");
  const std::string infinite = real(std::numeric_limits<float>::infinity());
  for (const auto& [packet, says] : std::vector<std::pair<std::string, std::string>>{
           {"", "has 0 bytes"},
           {"abc", "has 3 bytes"},
           {std::string(most_osc_bytes + 4, 'a'), "up to 8192"},
           {"/abc", "without an end"},
           {"abc\0"s, "an address that is none"},
           {"/\1b\0"s, "an address that is none"},
           {head, "says no types"},
           {head + text("f"), "says no types"},
           {head + text(",f"), "ends 4 bytes too early"},
           {head + text(",f") + infinite, "no finite number"},
           {head + text(",f") + real(1) + real(1), "goes on behind"},
           {head + text(",s") + text("a"), "type s"},
           {head + text("," + std::string(65, 'T')), "more than 64 values"},
           {text("/kiln/*") + text(",f") + real(1), "patterns"},
           {"#bundle\0"s, "too early"},
           {"#bundle\0"s + whole(1, 8) + whole(0, 4), "a part of 0 bytes"},
           {"#bundle\0"s + whole(1, 8) + whole(0xfffffffcu, 4), "too early"},
           {bundle({head + text(",f") + real(1), head}), "says no types"}})
    EXPECT_NE(refusal(packet).find(says), std::string::npos) << refusal(packet) << " not: " << says;
}

TEST(Osc, any_bytes_are_a_packet_or_a_message) {
  std::mt19937 random(7);
  const std::string good = bundle(
      {text("/kiln/zoom") + text(",f") + real(1), bundle({text("/a") + text(",i") + whole(1, 4)})});
  int taken = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string packet = good;
    for (int changes = int(random() % 4); changes >= 0; --changes)
      packet[random() % packet.size()] = char(random());
    if (i % 5 == 0) packet.resize(random() % (packet.size() + 1));
    if (i % 7 == 0)
      for (char& c : packet) c = char(random());
    try {
      for (const OscMessage& message : read_osc(packet)) {
        EXPECT_TRUE(message.address.starts_with("/"));
        for (const double number : message.numbers) EXPECT_TRUE(std::isfinite(number));
      }
      ++taken;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
    }
  }
  EXPECT_GT(taken, 1000);
}

Flame flame() {
  return parse_flames(triangle("zoom=\"0\" brightness=\"4\""), "film.flam3", {}).flames[0];
}

TEST(NamedNumbers, have_addresses) {
  EXPECT_EQ(number_at("/kiln/zoom")->xform, track_of_flame);
  EXPECT_EQ(number_at("/kiln/xform/2/turn")->xform, 1);
  EXPECT_EQ(number_at("/kiln/final/color")->xform, track_of_final);
  for (const char* address : {"/kiln/zoom", "/kiln/xform/3/position", "/kiln/final/turn"}) {
    const auto number = number_at(address);
    ASSERT_TRUE(number) << address;
    EXPECT_EQ(address_of(number->xform, number->name), address);
  }
  for (const char* address :
       {"", "/", "/kiln", "/kiln/", "/kiln/nothing", "/kiln/xform/0/turn", "/kiln/xform/-1/turn",
        "/kiln/xform/99999999999999999999/turn", "/kiln/xform/2", "/kiln/xform/2/",
        "/kiln/xform/x/turn", "/kiln/final/weight", "/other/zoom"})
    EXPECT_FALSE(number_at(address)) << address;
}

TEST(NamedNumbers, are_put_within_what_a_flame_can_have) {
  Flame moved = flame();
  put_numbers(moved, {{track_of_flame, "zoom", {1.5}}, {0, "turn", {30}}});
  EXPECT_EQ(moved.zoom, 1.5);
  put_numbers(moved, {{track_of_flame, "zoom", {1}}, {track_of_flame, "zoom", {2}}});
  EXPECT_EQ(moved.zoom, 2);
  put_numbers(moved, {{track_of_flame, "gamma", {-1e300}}});
  EXPECT_GT(moved.gamma, 0);
  const auto refused = [&](NamedNumber number) {
    Flame before = flame();
    try {
      put_numbers(before, {{track_of_flame, "zoom", {3}}, number});
    } catch (const Error& error) {
      EXPECT_EQ(before.zoom, 0) << "nothing is changed where one cannot be";
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_NE(refused({9, "turn", {1}}).find("the flame has"), std::string::npos);
  EXPECT_NE(refused({track_of_final, "turn", {1}}).find("no final one"), std::string::npos);
  EXPECT_NE(refused({track_of_flame, "zoom", {1, 2}}).find("has 1 numbers, not 2"),
            std::string::npos);
  EXPECT_NE(refused({track_of_flame, "zoom", {}}).find("has 1 numbers, not 0"), std::string::npos);
  EXPECT_NE(refused({track_of_flame, "zoom", {NAN}}).find("no finite number"), std::string::npos);
  EXPECT_NE(refused({track_of_flame, "palette_mode", {7}}).find("place of a word"),
            std::string::npos);
}

TEST(NamedNumbers, tell_what_has_changed) {
  ChangedNumbers changes;
  Flame now = flame();
  EXPECT_TRUE(changes.since_last(now).empty()) << "of the first flame nothing";
  EXPECT_TRUE(changes.since_last(now).empty());
  now.time = 7;
  EXPECT_TRUE(changes.since_last(now).empty()) << "a time is no number";
  put_numbers(now, {{track_of_flame, "zoom", {1}}, {0, "weight", {3}}});
  const auto found = changes.since_last(now);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "zoom");
  EXPECT_EQ(found[0].value, std::vector<double>{1});
  EXPECT_EQ(address_of(found[1].xform, found[1].name), "/kiln/xform/1/weight");
  EXPECT_TRUE(changes.since_last(now).empty());
}

}  // namespace
}  // namespace kiln
