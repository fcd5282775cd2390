// SPDX-License-Identifier: MIT
// How pages find flames: mutations with a direction and locks, children of two, small pictures of what
// a page thinks of, palettes of files.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/io/flame/flame_reader.h"
#include "tests/cli/view_page.h"

namespace kiln {
namespace {

using nlohmann::json;
using test::Page;
using view_explore = test::ViewProgram;

/// The flames of a set by their places, and which pages they came to.
std::map<int, json> set_of(Page& page, json wanted) {
  wanted["number"] = 17;
  page.send(wanted);
  const json begun = page.wait("mutations").head;
  EXPECT_EQ(begun["number"], 17);
  std::map<int, json> flames;
  while (flames.size() < begun["count"].get<std::size_t>()) {
    const json one = page.wait("thumbnail").head;
    if (one.empty()) break;
    EXPECT_EQ(one["set"], begun["set"]);
    flames[one["place"]] = one["flame"];
  }
  return flames;
}

Flame flame_of(const json& xml) {
  return std::move(parse_flames(xml.get<std::string>(), "set", {}).flames.at(0));
}

/// Whether the xform puts things where the other one does, and with the same variations.
bool is_like(const Xform& a, const Xform& b) {
  return a.coefs == b.coefs && a.variations == b.variations;
}

/// At any place: others may have come or gone.
bool has_like(const Flame& flame, const Xform& one) {
  return std::any_of(flame.xforms.begin(), flame.xforms.end(),
                     [&](const Xform& other) { return is_like(one, other); });
}

TEST_F(view_explore, mutations_go_in_a_direction_and_keep_what_is_locked) {
  Page page(port, token);
  const json words = page.wait("welcome").head;
  EXPECT_EQ(words["directions"][0], "any");
  EXPECT_EQ(words["breedings"].size(), 5u);
  const Flame parent = flame_of(page.wait("flame").head["flame"]);
  const json ask = {{"type", "mutate"}, {"count", 6}, {"width", 16}, {"strength", 1}};
  json wanted = ask;
  wanted["direction"] = "palette";
  wanted["parent"] = true;
  auto flames = set_of(page, wanted);
  EXPECT_EQ(flame_of(flames[0]).palette, parent.palette) << "the flame itself";
  for (int place = 1; place < 6; ++place) {
    const Flame flame = flame_of(flames[place]);
    EXPECT_NE(flame.palette, parent.palette);
    for (std::size_t x = 0; x < 3; ++x) EXPECT_TRUE(is_like(flame.xforms[x], parent.xforms[x]));
  }
  wanted = ask;
  wanted["locks"] = {{"palette", true}, {"camera", true}, {"xforms", {0, 2}}};
  int others = 0;
  for (const auto& [place, xml] : set_of(page, wanted)) {
    const Flame flame = flame_of(xml);
    EXPECT_EQ(flame.palette, parent.palette);
    EXPECT_EQ(flame.scale, parent.scale);
    EXPECT_EQ(flame.center_x, parent.center_x);
    EXPECT_TRUE(has_like(flame, parent.xforms[0]));
    EXPECT_TRUE(has_like(flame, parent.xforms[2]));
    others += !has_like(flame, parent.xforms[1]);
  }
  EXPECT_GT(others, 2);
}

/// Each lock keeps its own.
TEST_F(view_explore, a_lock_of_the_camera_is_none_of_the_palette) {
  Page page(port, token);
  const Flame parent = flame_of(page.wait("flame").head["flame"]);
  for (const char* locked : {"camera", "palette"}) {
    const json wanted = {{"type", "mutate"},
                         {"count", 3},
                         {"width", 16},
                         {"strength", 1},
                         {"seed", 5},
                         {"direction", "palette"},
                         {"locks", {{locked, true}}}};
    for (const auto& [place, xml] : set_of(page, wanted))
      EXPECT_EQ(flame_of(xml).palette == parent.palette, std::string(locked) == "palette");
  }
}

TEST_F(view_explore, a_seed_is_the_same_mutations_again) {
  Page page(port, token);
  page.wait("flame");
  json wanted = {{"type", "mutate"}, {"count", 4}, {"width", 16}, {"seed", 7}};
  const auto first = set_of(page, wanted);
  EXPECT_EQ(set_of(page, wanted), first);
  wanted["seed"] = 70;
  EXPECT_NE(set_of(page, wanted), first);
}

TEST_F(view_explore, children_have_xforms_of_both) {
  Page page(port, token);
  const json first = page.wait("flame").head["flame"];
  const json ask = {{"type", "mutate"}, {"count", 2}, {"width", 16}, {"breeding", "unite"}};
  json wanted = ask;
  wanted["mate"] = 1;
  for (const auto& [place, xml] : set_of(page, wanted)) EXPECT_EQ(flame_of(xml).xforms.size(), 6u);
  wanted["mate"] = first;
  EXPECT_EQ(set_of(page, wanted).size(), 2u);
  wanted["mate"] = 999;
  page.send(wanted);
  EXPECT_EQ(page.error(), "mutate: \"mate\": there is no flame 999; 2 are open, counted from 0");
}

/// Each gets what it has asked for, whole, and nothing of the other's.
TEST_F(view_explore, pages_at_one_flame_have_walls_of_their_own) {
  Page page(port, token), other(port, token);
  const json flame = page.wait("flame").head["flame"];
  other.wait("flame");
  const json pictures = {{"type", "pictures"}, {"width", 24}, {"flames", json(20, flame)}};
  const std::array<Page*, 2> pages = {&page, &other};
  for (Page* const one : pages) {  // all at once, so that one is asked for while the other is made
    one->send({{"type", "mutate"}, {"count", 12}, {"width", 64}});
    one->send(pictures);
    one->send({{"type", "wall"}, {"want", {0, 1}}, {"width", 24}});
  }
  for (Page* const one : pages) {
    std::map<json, int> left;  // of the sets that it has begun: pictures to come
    left[one->wait("mutations").head["set"]] = 12;
    left[one->wait("pictures").head["set"]] = 20;
    left[0] = 2;
    std::vector<json> came = std::move(one->passed_over);
    while (came.size() < 12 + 20 + 2) {
      came.push_back(one->wait("thumbnail").head);
      ASSERT_FALSE(came.back().empty()) << came.size() << " pictures came";
    }
    for (const json& head : came) ASSERT_GT(left[head["set"]]--, 0) << head.dump();
  }
}

TEST_F(view_explore, pictures_of_what_a_page_thinks_of) {
  Page page(port, token);
  const json flame = page.wait("flame").head["flame"];
  page.settled();
  page.send({{"type", "pictures"},
             {"number", 5},
             {"width", 24},
             {"flames", {flame, test::triangle(), flame}}});
  const json set = page.wait("pictures").head;
  EXPECT_EQ(set["number"], 5);
  EXPECT_EQ(set["count"], 3);
  for (int place = 0; place < 3; ++place) {
    const Page::Said one = page.wait("thumbnail");
    EXPECT_EQ(one.head["set"], set["set"]);
    EXPECT_EQ(one.head["place"], place);
    EXPECT_EQ(one.head["width"], 24);
    EXPECT_FALSE(one.head.contains("flame")) << "the page has it";
    EXPECT_EQ(one.picture.substr(0, 2), "\xff\xd8");
  }
}

TEST_F(view_explore, palettes_of_files) {
  Page page(port, token);
  page.wait("flame");
  const auto palettes = [&](const char* name, const char* base64) {
    page.send({{"type", "palettes"}, {"name", name}, {"bytes", base64}});
    const json said = page.wait("palettes").head;
    EXPECT_EQ(said["name"], name);
    return said["palettes"];
  };
  // "0 0 255\n255 0 0\n"
  const json map = palettes("two.map", "MCAwIDI1NQoyNTUgMCAwCg==");
  ASSERT_EQ(map.size(), 1u);
  EXPECT_EQ(map[0]["colors"].get<std::string>().size(), 256u * 6);
  EXPECT_EQ(map[0]["colors"].get<std::string>().substr(0, 6), "0000FF");
  // <flame name="g"><xform weight="1" linear="1"/><color index="0" rgb="0 255 0"/></flame>
  const json flame = palettes(
      "g.flam3",
      "PGZsYW1lIG5hbWU9ImciPjx4Zm9ybSB3ZWlnaHQ9IjEiIGxpbmVhcj0iMSIvPjxjb2xvciBpbmRleD0iMCIgcmdiPSIw"
      "IDI1NSAwIi8+PC9mbGFtZT4=");
  ASSERT_EQ(flame.size(), 1u);
  EXPECT_EQ(flame[0]["name"], "g");
  EXPECT_EQ(flame[0]["colors"].get<std::string>().substr(0, 6), "00FF00");
  // a black and a red pixel, of a picture that kiln has no reader for
  page.send({{"type", "palettes"},
             {"name", "photo.jpg"},
             {"bytes", ""},
             {"width", 2},
             {"pixels", "AAAA//8AAP8="}});
  const json colors = page.wait("palettes").head["palettes"];
  ASSERT_EQ(colors.size(), 2u);
  EXPECT_EQ(colors[0]["name"], "from dark to light");
  EXPECT_EQ(colors[0]["colors"].get<std::string>().substr(0, 6), "000000");
  EXPECT_EQ(colors[0]["colors"].get<std::string>().substr(255 * 6), "FF0000");
  // as large as a page sends them, and a row more
  for (const auto& [rows, fits] : {std::pair(256, true), std::pair(257, false)}) {
    std::string black;
    for (int i = 0; i < rows; ++i) black += "AAAA";
    page.send({{"type", "palettes"},
               {"name", "long"},
               {"bytes", ""},
               {"width", 3},
               {"pixels", black + black + black + black}});
    if (fits)
      EXPECT_EQ(page.wait("palettes").head["palettes"].size(), 2u);
    else
      EXPECT_NE(page.error().find("up to 256 rows"), std::string::npos);
  }
  page.send({{"type", "palettes"}, {"name", "x.map"}, {"bytes", "bm90aGluZw=="}});  // "nothing"
  EXPECT_NE(page.error().find("x.map"), std::string::npos);
}

TEST_F(view_explore, wrong_wishes_are_answered) {
  Page page(port, token);
  page.wait("flame");
  for (const char* text :
       {R"({"type":"mutate","direction":"sideways"})", R"({"type":"mutate","direction":7})",
        R"({"type":"mutate","breeding":"cloning"})", R"({"type":"mutate","locks":7})",
        R"({"type":"mutate","locks":{"colors":true}})",
        R"({"type":"mutate","locks":{"xforms":[0.5]}})", R"({"type":"mutate","mate":"<flame"})",
        R"({"type":"mutate","mate":null})", R"({"type":"pictures"})",
        R"({"type":"pictures","flames":[7]})", R"({"type":"pictures","flames":["<flame/>"]})",
        R"({"type":"palettes","name":"a","bytes":"%"})",
        R"({"type":"palettes","name":"a","bytes":"","pixels":"AAAA/w=="})",
        R"({"type":"palettes","name":"a","bytes":"","pixels":"AAAA/w==","width":2})",
        R"({"type":"palettes","name":"a","bytes":"","pixels":"","width":1})",
        R"({"type":"palettes","name":"a","bytes":"","pixels":"AAAA","width":1})"}) {
    page.client().send(text);
    EXPECT_NE(page.error(), "") << text;
  }
  page.send({{"type", "mutate"}, {"direction", "sideways"}});
  EXPECT_NE(page.error().find("affine"), std::string::npos) << "which there are";
}

}  // namespace
}  // namespace kiln
