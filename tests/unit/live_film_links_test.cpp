// SPDX-License-Identifier: MIT
// Links of a film whose keys have not all the same numbers.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/animation/film.h"
#include "engine/live/live_film.h"
#include "tests/sample_flame.h"

namespace kiln {
namespace {

Flame flame_of(double time, double brightness) {
  Flame flame = test::sample_flame("conch", 160, 20);
  flame.source = "film.flam3";
  flame.time = time;
  flame.brightness = brightness;
  return flame;
}

/// A key may get the xform back, and another formula for its number: then all keys have that one.
TEST(LiveFilm, a_number_that_a_key_gets_back_has_one_formula) {
  std::vector<Flame> keys = {flame_of(0, 4), flame_of(60, 8)};
  const std::string number = "xform" + std::to_string(keys[0].xforms.size()) + ".color";
  keys[0].links = {{"brightness", "2 + 3"}, {number, "xform1.color / 2"}};
  keys[1].links = keys[0].links;
  keys[1].xforms.pop_back();
  const auto film = live_film(std::move(keys));
  EXPECT_EQ(film->keys[1].links.size(), 1u) << "what it has not got is cut";
  Flame whole = moment_of(*film, 0);
  whole.links[1].is = "xform1.color / 3";
  const auto edited = with_key(*film, whole, 60);
  EXPECT_EQ(links_of(edited->keys), whole.links);
  EXPECT_EQ(edited->keys[0].links, edited->keys[1].links);
}

TEST(LiveFilm, links_of_an_edit_come_before_others_of_its_film) {
  std::vector<Flame> keys = {flame_of(0, 4), flame_of(60, 8)};
  const std::string number = "xform" + std::to_string(keys[0].xforms.size()) + ".color";
  keys[0].links = {{"brightness", "2 + 3"}, {number, "xform1.color / 2"}};
  keys[1].xforms.pop_back();
  const auto film = live_film(std::move(keys));
  Flame last = moment_of(*film, 60);
  last.links = {{"gamma", "3"}};
  const std::vector<NumberLink> both = {last.links[0], film->keys[0].links[1]};
  EXPECT_EQ(links_of(with_key(*film, last, 60)->keys), both);
}

TEST(LiveFilm, links_in_another_order_are_no_others) {
  std::vector<Flame> keys = {flame_of(0, 4), flame_of(60, 8)};
  keys[0].links = keys[1].links = {{"brightness", "2 + 3"}, {"gamma", "3"}};
  const auto film = live_film(std::move(keys));
  Flame turned = moment_of(*film, 0);
  std::swap(turned.links[0], turned.links[1]);
  EXPECT_EQ(with_key(*film, turned, 0)->keys[1].links, film->keys[1].links);
}

}  // namespace
}  // namespace kiln
