// SPDX-License-Identifier: MIT
// Flames by chance and their relatives: the same on every machine, never lost, and what is locked stays.
#include "engine/flock/flock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/error.h"
#include "engine/flock/chance.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/image.h"
#include "engine/model/variations.h"
#include "tests/devices.h"
#include "tests/places.h"

namespace kiln {
namespace {

Flame small_conch() {
  ReaderOptions options;
  options.warn = [](const std::string&) {};
  Flame flame =
      read_flames(std::string(source_dir()) + "/flames/conch.flam3", options).flames.at(0);
  flame.scale *= 160.0 / flame.width;
  flame.height = flame.height * 160 / flame.width;
  flame.width = 160;
  flame.quality = 60;
  return flame;
}

RenderOptions first_device() { return test::options_of_every_device()[0]; }

/// Every parameter of every variation says what it may be by chance, and its default can be written.
TEST(Flock, every_parameter_has_a_range) {
  for (const VariationInfo& variation : variations()) {
    for (const ParameterInfo& parameter : variation.parameters) {
      EXPECT_LE(parameter.low, parameter.high) << parameter.name;
      EXPECT_TRUE(parameter.low != 0 || parameter.high != 0 || parameter.default_value == 0 ||
                  variation.name.find("crop") != std::string::npos ||
                  parameter.name == "dc_ztransl_clamp" || parameter.name == "palette_step_target")
          << parameter.name << " is always 0";
      if (!parameter.is_whole) continue;
      EXPECT_EQ(parameter.low, std::floor(parameter.low)) << parameter.name;
      EXPECT_EQ(parameter.high, std::floor(parameter.high)) << parameter.name;
    }
  }
}

/// With parameters that are drawn no variation loses its points: mobius with all of them 0 lost all.
TEST(Flock, no_variation_loses_its_points_by_its_parameters) {
  PreviewRenderer renderer(first_device());
  Flame like = small_conch();
  like.final_xform.reset();
  // two corners of a triangle, and the variation at the third
  like.xforms.assign(2, empty_xform());
  for (std::size_t x = 0; x < 2; ++x) {
    like.xforms[x].weight = 1;
    like.xforms[x].variations[0] = 1;
    like.xforms[x].coefs = {0.5, 0, 0, 0.5, x == 0 ? 0.5 : -0.5, 0.1};
  }
  like.scale = 30;
  like.center_x = like.center_y = 0;
  for (int v = 0; v < variation_count(); ++v) {
    // the square root of what is below 0 outside of its square, whatever the parameters
    const VariationInfo& variation = variations()[std::size_t(v)];
    if (variation.name == "invsquircular") continue;
    const std::uint64_t seeds = variation.parameters.empty() ? 1 : 4;  // chance has no more to say
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      Chance chance(seed);
      Flame flame = like;
      flame.xforms.push_back(empty_xform());
      flame.xforms[2].weight = 1;
      flame.xforms[2].coefs = {0.6, 0.2, -0.2, 0.6, 0.2, -0.5};
      add_variation(flame.xforms[2], v, 0.8, chance);
      renderer.study(flame, 32 * 32, 40'000);
      const auto bad = double(renderer.statistics().bad_values);
      EXPECT_LE(bad, 0.05 * (bad + double(renderer.statistics().samples)))
          << variation.name << " " << genome_xml(flame);
    }
  }
}

TEST(Flock, random_flames_are_seen_and_read_back) {
  PreviewRenderer renderer(first_device());
  const Flame like = small_conch();
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Flame flame = random_flame(like, seed, renderer);
    EXPECT_EQ(dull(look(flame, renderer), {}), "") << seed;
    EXPECT_EQ(genome_xml(random_flame(like, seed, renderer)), genome_xml(flame));
    const std::string xml = genome_xml(flame);
    EXPECT_EQ(genome_xml(parse_flames(xml, "child", {}).flames.at(0)), xml) << seed;
  }
}

/// flam3's programs call a point bad that leaves the range of numbers; it starts anew.
TEST(Flock, random_flames_have_few_bad_values_in_a_render) {
  const RenderOptions options = first_device();
  PreviewRenderer renderer(options);
  Flame like = small_conch();
  like.estimator_radius = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Flame flame = random_flame(like, seed, renderer);
    flame.width = flame.height = 16;
    flame.zoom = 0;
    flame.quality = 20;
    RenderStatistics statistics;
    render(flame, options, &statistics);
    EXPECT_LE(double(statistics.bad_values), 0.05 * double(statistics.samples))
        << genome_xml(flame);
  }
}

std::string all_xml(const std::vector<Flock::Member>& members) {
  std::string text;
  for (const Flock::Member& member : members) text += genome_xml(member.flame);
  return text;
}

TEST(Flock, is_the_same_on_every_device_and_for_any_number_of_threads) {
  const Flame like = small_conch();
  std::set<std::string> flocks;
  for (RenderOptions options : test::options_of_every_device()) {
    for (const int threads : {1, 3}) {
      options.threads = threads;
      Flock flock(options);
      flocks.insert(all_xml(flock.random(like, 5, 20, {})));
    }
  }
  EXPECT_EQ(flocks.size(), 1u);
}

TEST(Flock, members_are_unlike_those_before_them) {
  Taste taste;
  taste.least_distance = 0.6;  // so that some are too near
  Flock flock(first_device(), taste);
  const std::vector<Flock::Member> members = flock.random(small_conch(), 1, 30, {});
  ASSERT_EQ(members.size(), 30u);
  EXPECT_GT(flock.reasons().at("like another"), 0);
  for (std::size_t a = 0; a < members.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_GE(distance(members[a].look, members[b].look), taste.least_distance) << a << " " << b;
}

TEST(Flock, wishes_are_kept) {
  Wishes wishes;
  wishes.variations = {*find_variation("julian"), *find_variation("spherical")};
  wishes.least_xforms = wishes.most_xforms = 3;
  wishes.symmetry = 1;
  Wishes without;
  without.without = {*find_variation("linear"), *find_variation("julian")};
  const std::set<std::string> known = {"julian", "spherical"};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Flame flame = random_draft(small_conch(), seed, wishes);
    EXPECT_EQ(flame.xforms.size(), 3u);
    for (const std::string& name : used_variations(flame))
      EXPECT_TRUE(known.contains(name)) << name;
    Flame other = random_draft(small_conch(), seed, without);
    std::erase_if(other.xforms, is_of_symmetry);
    for (const std::string& name : used_variations(other)) {
      EXPECT_NE(name, "linear") << seed;
      EXPECT_NE(name, "julian") << seed;
    }
  }
}

TEST(Flock, a_mutation_of_strength_0_is_the_flame_and_others_are_not) {
  const Flame flame = small_conch();
  for (std::size_t d = 0; d < direction_names.size(); ++d) {
    const auto direction = Direction(d);
    int changed = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      EXPECT_EQ(genome_xml(mutated(flame, {0, direction}, seed)), genome_xml(flame));
      const std::string xml = genome_xml(mutated(flame, {0.7, direction}, seed));
      changed += xml != genome_xml(flame);
      EXPECT_EQ(xml, genome_xml(mutated(flame, {0.7, direction}, seed)));
      EXPECT_EQ(genome_xml(parse_flames(xml, "child", {}).flames.at(0)), xml);
    }
    // conch has no parameters and no post affine, which come by chance
    if (direction != Direction::parameters) {
      EXPECT_GT(changed, 3) << direction_names[d];
    }
  }
}

TEST(Flock, what_is_locked_stays) {
  Flame flame = random_draft(small_conch(), 3);
  flame.final_xform = flame.xforms[0];
  Mutation mutation{1, Direction::any, {true, true, {0, -1}}};
  const auto xml_of = [](const Xform& xform) {
    Flame alone;
    alone.xforms = {xform};
    return genome_xml(alone);
  };
  int changed = 0;
  for (std::size_t d = 0; d < direction_names.size(); ++d) {
    mutation.direction = Direction(d);
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const Flame child = mutated(flame, mutation, seed);
      changed += genome_xml(child) != genome_xml(flame);
      EXPECT_EQ(xml_of(child.xforms.at(0)), xml_of(flame.xforms[0])) << direction_names[d];
      EXPECT_EQ(xml_of(*child.final_xform), xml_of(*flame.final_xform)) << direction_names[d];
      EXPECT_EQ(child.palette, flame.palette) << direction_names[d];
      EXPECT_EQ(child.scale, flame.scale);
    }
  }
  EXPECT_GT(changed, 300);
}

TEST(Flock, a_power_that_mutates_is_never_0) {
  const Flame flame =
      parse_flames(R"(<flame size="8 8"><xform weight="1" julian="1" julian_power="1"/>
      <color index="0" rgb="255 128 0"/><color index="255" rgb="0 128 255"/></flame>)",
                   "power", {})
          .flames.at(0);
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    EXPECT_EQ(genome_xml(mutated(flame, {1}, seed)).find("julian_power=\"0\""), std::string::npos);
}

/// Which xform each weight of chaos leads to is in its digits: 1 + 10 from + to.
TEST(Flock, chaos_stays_with_its_xforms_when_one_goes) {
  Flame flame = small_conch();
  flame.xforms.resize(3, flame.xforms[0]);
  flame.xforms.push_back(flame.xforms[0]);
  for (std::size_t from = 0; from < 4; ++from) {
    flame.xforms[from].chaos.clear();
    for (std::size_t to = 0; to < 4; ++to)
      flame.xforms[from].chaos.push_back(double(1 + 10 * from + to));
  }
  int went = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Flame child = mutated(flame, {1, Direction::xforms}, seed);
    std::vector<int> left;
    for (const Xform& xform : child.xforms)
      if (!xform.chaos.empty()) left.push_back(int(xform.chaos[0]) / 10);
    went += left.size() < 4;
    for (const Xform& xform : child.xforms) {
      if (xform.chaos.empty()) continue;  // a new one
      ASSERT_EQ(xform.chaos.size(), left.size()) << seed;
      for (std::size_t to = 0; to < left.size(); ++to)
        EXPECT_EQ(int(xform.chaos[to] - 1) % 10, left[to]) << seed;
    }
  }
  EXPECT_GT(went, 5);
}

TEST(Flock, children_have_something_of_both_parents) {
  const Flame first = random_draft(small_conch(), 11), second = random_draft(small_conch(), 12);
  std::map<std::string, int> alternations;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Flame united = bred(first, second, Breeding::unite, seed);
    EXPECT_EQ(united.xforms.size(), first.xforms.size() + second.xforms.size());
    const Flame grafted = bred(first, second, Breeding::graft, seed);
    EXPECT_EQ(grafted.xforms[0].coefs, first.xforms[0].coefs);
    EXPECT_EQ(grafted.xforms[0].variations, second.xforms[0].variations);
    const Flame alternating = bred(first, second, Breeding::alternate, seed);
    for (const Flame* parent : {&first, &second})
      EXPECT_TRUE(std::any_of(alternating.xforms.begin(), alternating.xforms.end(),
                              [&](const Xform& xform) {
                                return std::any_of(
                                    parent->xforms.begin(), parent->xforms.end(),
                                    [&](const Xform& one) { return one.coefs == xform.coefs; });
                              }))
          << seed;
    ++alternations[genome_xml(alternating)];
    for (const Xform& xform : bred(first, second, Breeding::interpolate, seed).xforms)
      EXPECT_EQ(xform.weight, Chance::neat(xform.weight)) << "more digits than people read";
    EXPECT_EQ(united.scale, first.scale);
  }
  EXPECT_GT(alternations.size(), 4u);
}

TEST(Flock, histories_name_the_parents) {
  Flame first = small_conch(), second = small_conch();
  first.edits = "<edit nick=\"a &amp; b\" action=\"random\"/>\n";
  second.index = 4;
  Flame child = first;
  child.nick = "c\"<d>";
  note_edit(child, "cross unite seed 3", {{first, "one.flam3"}, {second, "two.flam3"}});
  EXPECT_EQ(child.edits,
            "<edit nick=\"c&quot;&lt;d&gt;\" action=\"cross unite seed 3\">"
            "<edit filename=\"one.flam3\" index=\"0\" nick=\"a &amp; b\" action=\"random\"/>"
            "<edit filename=\"two.flam3\" index=\"4\"/></edit>\n");
  const std::string xml = genome_xml(child);
  EXPECT_EQ(genome_xml(parse_flames(xml, "child", {}).flames.at(0)), xml);
  // a thousand generations are no thousand times as long
  for (int generation = 0; generation < 1000; ++generation) {
    const Flame parent = child, other = child;
    note_edit(child, "cross", {{parent, "x"}, {other, "y"}});
  }
  EXPECT_LT(child.edits.size(), 40000u);
  EXPECT_NO_THROW(parse_flames(genome_xml(child), "child", {}));
}

/// Pictures of strips are rows of the flame's picture, but for noise.
TEST(Flock, strips_make_the_picture) {
  Flame flame = small_conch();
  flame.height = 91;
  flame.rotate_deg = 20;
  flame.quality = 400;
  const Image whole = render(flame, first_device());
  int row = 0;
  for (const Flame& strip : strips(flame, 4)) {
    const Image image = render(strip, first_device());
    double apart = 0, light = 0;
    for (std::size_t i = 0; i < image.pixels8().size(); ++i) {
      const int expected = whole.pixels8()[i + std::size_t(row) * std::size_t(whole.width) * 4];
      apart += std::abs(expected - int(image.pixels8()[i]));
      light += expected;
    }
    EXPECT_LT(apart, 0.06 * light) << row;
    row += image.height;
  }
  EXPECT_EQ(row, 91);
  EXPECT_THROW(strips(flame, 92), Error);
}

TEST(Flock, chaos_of_children_speaks_of_the_same_xforms) {
  Flame first = small_conch(), second = small_conch();
  const auto give = [](Flame& flame, std::size_t count, double base) {
    flame.xforms.assign(count, flame.xforms[0]);
    for (std::size_t from = 0; from < count; ++from) {
      flame.xforms[from].chaos.clear();
      for (std::size_t to = 0; to < count; ++to)
        flame.xforms[from].chaos.push_back(base + double(10 * from + to));
    }
  };
  give(first, 3, 100);
  give(second, 2, 200);
  const Flame united = bred(first, second, Breeding::unite, 1);
  ASSERT_EQ(united.xforms.size(), 5u);
  EXPECT_EQ(united.xforms[1].chaos, (std::vector<double>{110, 111, 112}));
  EXPECT_EQ(united.xforms[3].chaos, (std::vector<double>{1, 1, 1, 200, 201}));
  EXPECT_EQ(united.xforms[4].chaos, (std::vector<double>{1, 1, 1, 210, 211}));
  for (const Xform& xform : bred(first, second, Breeding::alternate, 1).xforms)
    EXPECT_TRUE(xform.chaos.empty()) << "of other numbers";
}

/// What somebody made is none of a symmetry, though it neither pulls a color nor turns.
TEST(Flock, only_turns_and_mirrors_are_of_a_symmetry) {
  const Flame five = with_symmetry(small_conch(), -3);
  const Xform turned = five.xforms.back();
  ASSERT_TRUE(is_of_symmetry(turned));
  const auto stays = [&](const char* what, auto change) {
    Xform own = turned;
    change(own);
    EXPECT_FALSE(is_of_symmetry(own)) << what;
  };
  stays("a place of its own, across", [](Xform& x) { x.coefs.c = 0.3; });
  stays("a place of its own, down", [](Xform& x) { x.coefs.f = 0.3; });
  stays("smaller", [](Xform& x) { x.coefs = {0.5, 0, 0, 0.5, 0, 0}; });
  stays("sheared", [](Xform& x) { x.coefs = {1, 0, 0.6, 0.8, 0, 0}; });
  stays("another variation", [](Xform& x) { x.variations[1] = 0.1; });
  stays("a post affine", [](Xform& x) { x.post.c = 1; });
  stays("a color", [](Xform& x) { x.color_speed = 0.5; });
  Flame flame = small_conch();
  flame.xforms.push_back(turned);
  flame.xforms.back().coefs.c = 0.3;
  EXPECT_EQ(with_symmetry(flame, 1).xforms.size(), flame.xforms.size());
  // six digits, as flam3 writes them
  Xform rounded = turned;
  for (double* n : {&rounded.coefs.a, &rounded.coefs.b, &rounded.coefs.d, &rounded.coefs.e})
    *n = std::round(*n * 1e6) / 1e6;
  EXPECT_TRUE(is_of_symmetry(rounded));
}

TEST(Flock, symmetry_takes_the_place_of_another) {
  Flame flame = random_draft(small_conch(), 11);
  std::erase_if(flame.xforms, is_of_symmetry);
  const std::size_t count = flame.xforms.size();
  EXPECT_EQ(with_symmetry(flame, 5).xforms.size(), count + 4);
  EXPECT_EQ(with_symmetry(with_symmetry(flame, 5), -3).xforms.size(), count + 3);
  EXPECT_EQ(genome_xml(with_symmetry(with_symmetry(flame, 5), 1)), genome_xml(flame));
}

Look look_of_light(float light) {
  Look look;
  for (auto& patch : look.patches) patch = {light, light / 2, 0};
  return look;
}

TEST(Looks, alike_ones_are_found_whatever_their_order) {
  const std::vector<Look> looks = {look_of_light(0.5f), look_of_light(0.1f), look_of_light(0.51f),
                                   look_of_light(0.9f), look_of_light(0.1f)};
  EXPECT_EQ(first_like(looks, 0.05), (std::vector<std::size_t>{0, 1, 0, 3, 1}));
  const std::vector<std::size_t> order = by_likeness(looks);
  EXPECT_EQ(order, (std::vector<std::size_t>{1, 4, 0, 2, 3}));
}

/// Far away, tiny, huge, turned: the camera finds the light, and finds it again from anywhere.
TEST(Looks, the_light_is_fitted_wherever_it_lies) {
  PreviewRenderer renderer(first_device());
  for (const double size : {0.02, 1.0, 40.0}) {
    SCOPED_TRACE(size);
    Flame flame = small_conch();
    flame.final_xform = flame.xforms[0];  // lays it elsewhere
    Xform& final = *flame.final_xform;
    std::fill(final.variations.begin(), final.variations.end(), 0.0);
    final.variations[0] = 1;
    final.staged.clear();
    final.post = {};
    final.coefs = {size, 0, 0, size, 9 * size, -5 * size};
    flame.rotate_deg = 25;
    flame.zoom = 1;
    ASSERT_TRUE(fit_by_light(flame, renderer));
    EXPECT_EQ(flame.rotate_deg, 25);
    EXPECT_EQ(flame.zoom, 1);
    EXPECT_NEAR(flame.center_x, 9 * size, 3 * size);
    EXPECT_NEAR(flame.center_y, -5 * size, 3 * size);
    Flame again = flame;
    again.center_x += 7 * size;
    again.scale *= 30;
    ASSERT_TRUE(fit_by_light(again, renderer));
    EXPECT_NEAR(again.scale, flame.scale, 0.02 * flame.scale);
    EXPECT_NEAR(again.center_x, flame.center_x, 0.05 * size);
  }
  Flame dark = small_conch();
  for (Xform& xform : dark.xforms) xform.opacity = 0;
  EXPECT_FALSE(fit_by_light(dark, renderer));
}

TEST(Looks, dull_ones_are_told) {
  Look good;
  good.brightness = 0.2;
  good.used = 0.5;
  good.detail = 1;
  good.colors = 20;
  const Taste taste;
  EXPECT_EQ(dull(good, taste), "");
  const auto with = [&](auto change) {
    Look look = good;
    change(look);
    return dull(look, taste);
  };
  EXPECT_EQ(with([](Look& l) { l.bad = 0.2; }), "lost points");
  EXPECT_EQ(with([](Look& l) { l.used = 0.01; }), "empty");
  EXPECT_EQ(with([](Look& l) { l.brightness = 0.001; }), "dark");
  EXPECT_EQ(with([](Look& l) { l.white = 0.5; }), "white");
  EXPECT_EQ(with([](Look& l) { l.dust = 5; }), "dusty");
  EXPECT_EQ(with([](Look& l) { l.detail = 0; }), "flat");
  EXPECT_EQ(with([](Look& l) { l.colors = 1; }), "gray");
}

TEST(Flock, mutants_and_children_are_stills) {
  Flame film = random_draft(usual_flame(), 5, {});
  film.tracks.push_back({});
  film.easing.kind = EasingKind::hold;
  const Flame mutant = mutated(film, {}, 3), child = bred(film, film, Breeding::alternate, 4);
  EXPECT_TRUE(mutant.tracks.empty());
  EXPECT_TRUE(child.tracks.empty());
  EXPECT_EQ(child.easing.kind, EasingKind::linear);
  film.xforms.resize(2, film.xforms.front());
  EXPECT_TRUE(each_without(film).at(0).tracks.empty());
}

/// Looks in groups, some of them nearly the same.
std::vector<Look> many_looks(std::size_t count) {
  std::vector<Look> looks(count);
  for (std::size_t i = 0; i < count; ++i) {
    Chance group(i % 40 + 1), own(i + 1000);
    const double spread = i % 3 == 0 ? 0.004 : 0.3;
    for (auto& patch : looks[i].patches) {
      const double light = group.between(0, 0.6);
      for (float& value : patch)
        value = float(std::max(0.0, light + spread * own.between(-0.5, 0.5)));
    }
  }
  looks[5].patches = {};  // black ones
  looks[9].patches = {};
  return looks;
}

/// What is left out for being too far is too far.
TEST(Flock, likeness_is_what_all_distances_say) {
  const std::vector<Look> looks = many_looks(700);
  for (const double most : {0.01, 0.05, 0.2}) {
    std::vector<std::size_t> first(looks.size());
    std::size_t like_others = 0;
    for (std::size_t i = 0; i < looks.size(); ++i) {
      first[i] = i;
      for (std::size_t j = 0; j < i && first[i] == i; ++j)
        if (distance(looks[j], looks[i]) <= most) first[i] = j;
      like_others += first[i] != i;
    }
    EXPECT_EQ(first_like(looks, most), first) << most;
    EXPECT_GT(like_others, 5u) << most;
  }
  const std::vector<std::size_t> order = by_likeness(looks);
  std::vector<char> is_left(looks.size(), 1);
  is_left[order[0]] = 0;
  for (std::size_t k = 1; k < order.size(); ++k) {
    double nearest = 2;
    for (std::size_t i = 0; i < looks.size(); ++i)
      if (is_left[i]) nearest = std::min(nearest, distance(looks[order[k - 1]], looks[i]));
    EXPECT_EQ(distance(looks[order[k - 1]], looks[order[k]]), nearest) << k;
    is_left[order[k]] = 0;
  }
}

}  // namespace
}  // namespace kiln
