// SPDX-License-Identifier: MIT
// The list of the stages: which of them a picture has, and that what is asked of all is asked of those alone.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/base/error.h"
#include "engine/render/memory_need.h"
#include "engine/render/renderer.h"
#include "engine/render/stages/stages.h"
#include "tests/sample_flame.h"

namespace kiln {
namespace {

Flame flame_of(double radius, double clean) {
  Flame flame = test::sample_flame("conch", 64, 5);
  flame.estimator_radius = radius;
  flame.clean = clean;
  return flame;
}

PreparedFrame prepared(const Flame& flame) { return prepare({flame, {}, {}, 0}, {}); }

TEST(picture_stages, one_of_them_makes_the_light) {
  const auto name = [](double radius, double clean) {
    const Flame flame = flame_of(radius, clean);
    EXPECT_EQ(&light_stage(flame), &light_stage(prepared(flame).plan));
    return std::string(light_stage(flame).name);
  };
  EXPECT_EQ(name(0, 0), "log scale");
  EXPECT_EQ(name(9, 0), "density estimation");
  EXPECT_EQ(name(0, 0.5), "clean");
  EXPECT_EQ(name(9, 0.5), "clean");
}

TEST(picture_stages, a_radius_at_its_minimum_is_none) {
  Flame flame = flame_of(9, 0);
  flame.estimator_minimum = 9;
  EXPECT_EQ(&light_stage(prepared(flame).plan), &stages::log_scale);
}

TEST(picture_stages, only_the_one_that_makes_the_light_is_in) {
  const OutputPlan cleaned = prepared(flame_of(9, 0.5)).plan;
  EXPECT_TRUE(is_in(stages::clean, cleaned));
  EXPECT_FALSE(is_in(stages::density, cleaned));
  EXPECT_FALSE(is_in(stages::log_scale, cleaned));
  EXPECT_TRUE(is_in(stages::filter, cleaned));
  EXPECT_FALSE(is_in(stages::effects, cleaned));
}

TEST(picture_stages, a_flame_without_them_has_plain_light) {
  for (const double clean : {0.0, 1.0}) {
    Flame flame = flame_of(9, clean);
    leave_out_light(flame);
    EXPECT_EQ(&light_stage(flame), &stages::log_scale);
  }
}

TEST(picture_stages, memory_is_the_sum_of_theirs) {
  for (const double clean : {0.0, 1.0}) {
    Flame flame = flame_of(9, clean);
    flame.effects.bloom.strength = 0.2;
    const PreparedFrame frame = prepared(flame);
    std::uint64_t all = 0;
    for (const PictureStage* stage :
         {clean > 0 ? &stages::clean : &stages::density, &stages::effects})
      all += stage->bytes(frame.picture()).all;
    flame.clean = flame.estimator_radius = 0;
    flame.effects = {};
    Frame still{flame, {}, {}, 0};
    still.gutter = frame.plan.geometry.gutter;
    const PreparedFrame plain = prepare(still, {});
    EXPECT_EQ(memory_need(frame, {}).picture, memory_need(plain, {}).picture + all);
  }
}

TEST(picture_stages, have_names_of_their_own) {
  std::set<std::string> names;
  for (const PictureStage* stage : all_stages) EXPECT_TRUE(names.insert(stage->name).second);
}

// Both would do; that of the later stage holds whatever the flame's estimator does.
TEST(picture_stages, of_two_reasons_against_stripes_the_last_is_told) {
  Flame flame = test::sample_flame("conch", 600, 1);
  flame.estimator_radius = 30;
  flame.effects.bloom.strength = 0.2;
  RenderOptions options;
  options.backend = Backend::cpu;
  options.max_memory_bytes = 20'000'000;
  try {
    render(flame, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("bloom, glare and --psf"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace kiln
