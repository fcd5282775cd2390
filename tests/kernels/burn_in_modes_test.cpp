// SPDX-License-Identifier: MIT
// What is left of a memory is extrapolated: chains whose memories are known.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "engine/render/plan/burn_in.h"

namespace kiln::test {
namespace {

constexpr std::size_t points = 8192;
using Dice = std::mt19937;
double draw(Dice& dice) { return dice() / 4294967296.0; }

/// 8192 points, each `begin(dice)` at first and then moved by `step(dice, value)`, seen at irregular
/// steps as `show(dice, value)`.
template <class Value, class Begin, class Step, class Show>
Watched<Value> watch(const Begin& begin, const Step& step, const Show& show,
                     std::uint32_t scale = 1) {
  Dice dice(7);
  std::vector<double> at(points);
  for (double& value : at) value = begin(dice);
  Watched<Value> seen;
  for (const std::uint32_t instant :
       {0,   14,  19,  28,  41,  52,  67,  75,  81,  95,  108, 120, 130,
        143, 146, 163, 167, 182, 190, 200, 214, 222, 236, 243, 256}) {
    const std::uint32_t next = scale * instant;
    const std::uint32_t now = seen.steps.empty() ? 0 : seen.steps.back();
    for (double& value : at)
      for (std::uint32_t i = now; i < next; ++i) value = step(dice, value);
    seen.steps.push_back(next);
    std::vector<Value>& look = seen.points.emplace_back();
    for (const double value : at) look.push_back(Value(show(dice, value)));
  }
  return seen;
}
const auto shown = [](Dice&, double value) { return value; };

/// Of the square of a correlation that falls to 1/e in `time` steps.
double left_of(const Fade& fade, double time) { return std::exp(-2 * fade.steps / time); }

/// Which of two lobes a point is in is only guessed right in 17 of 20 looks.
TEST(BurnInModes, cells_that_two_lobes_share_hide_no_memory) {
  for (const double leave : {0.002, 0.0005, 0.0}) {
    SCOPED_TRACE(leave);
    const Fade fade = fade_of_classes(
        watch<std::uint16_t>(
            [](Dice& dice) { return draw(dice) < 0.5; },
            [&](Dice& dice, double lobe) { return draw(dice) < leave ? 1 - lobe : lobe; },
            [](Dice& dice, double lobe) { return draw(dice) < 0.15 ? 1 - lobe : lobe; }),
        2);
    ASSERT_EQ(fade.modes.size(), 1u);
    EXPECT_NEAR(fade.modes[0].amount,
                std::pow(0.7, 4) * left_of(fade, 1 / leave / 2) *
                    (leave > 0 ? std::exp(-4 * leave * (fade.lag - fade.steps)) : 1),
                0.04);
    EXPECT_NEAR(fade.modes[0].left, left_of(fade, 1 / leave / 2), 0.05);
    EXPECT_EQ(fade.all_last(), leave == 0);
  }
}

/// A weak part that is slow behind strong ones that are not.
TEST(BurnInModes, slow_parts_decide) {
  constexpr double slow = 2000, fast = 150;
  const Fade fade = fade_of_classes(
      watch<std::uint16_t>([](Dice& dice) { return std::floor(8 * draw(dice)); },
                           [](Dice& dice, double value) {
                             double lobe = std::floor(value / 4), place = value - 4 * lobe;
                             if (draw(dice) < 1 / slow) lobe = draw(dice) < 0.5;
                             if (draw(dice) < 1 / fast) place = std::floor(4 * draw(dice));
                             return 4 * lobe + place;
                           },
                           // the lobe is guessed
                           [](Dice& dice, double value) {
                             return draw(dice) < 0.2 ? std::fmod(value + 4, 8) : value;
                           }),
      8);
  const double amount = std::pow(0.6, 4), enough = 0.005;
  EXPECT_NEAR(fade.steps_to(enough, 20000), slow / 2 * std::log(amount / enough), 700);
  EXPECT_FALSE(fade.all_last());
}

/// A sixteenth of a circle each, turned by `angle` a step, and set anywhere with probability `lost`.
Fade circle(double angle, double lost) {
  constexpr double pi = 3.14159265358979324;
  return fade_of_classes(
      watch<std::uint16_t>([](Dice& dice) { return draw(dice); },
                           [&](Dice& dice, double turns) {
                             if (draw(dice) < lost) return draw(dice);
                             return std::fmod(turns + angle / (2 * pi), 1.0);
                           },
                           [](Dice&, double turns) { return std::floor(16 * turns); }, 4),
      16);
}

TEST(BurnInModes, rotations_forget_nothing) {
  EXPECT_TRUE(circle(1, 0).all_last());
  for (const double angle : {0.11, 1.0, 2.0}) {
    const double steps = circle(angle, 0.002).steps_to(0.01, 20000);
    EXPECT_GT(steps, 1000) << angle;  // 250 ln(15 / 0.01) = 1830
    EXPECT_LT(steps, 3000) << angle;
  }
}

/// They begin 30 times as far apart as they will be.
TEST(BurnInModes, colors_come_home) {
  constexpr double pull = 0.002;
  const Fade fade = fade_of_colors(watch<float>(
      draw, [](Dice& dice, double color) { return color + pull * ((draw(dice) < 0.5) - color); },
      shown));
  ASSERT_EQ(fade.modes.size(), 1u);
  EXPECT_NEAR(fade.modes[0].left, left_of(fade, 1 / pull), 0.02);
  EXPECT_TRUE(fade_of_colors(watch<float>(draw, shown, shown)).all_last());
}

/// One point in a hundred is in a class that it shares with as many others.
TEST(BurnInModes, a_few_that_stay_are_seen) {
  constexpr double leave = 0.002, mine = 64;
  const Watched<std::uint16_t> seen = watch<std::uint16_t>(
      [](Dice& dice) { return draw(dice) < 0.01 ? mine : 0; },
      [](Dice& dice, double where) { return draw(dice) < leave ? 0 : where; },
      [](Dice& dice, double where) { return where == mine ? 0 : std::floor(64 * draw(dice)); });
  const Fade fade = fade_of_staying(seen, 64, 12);
  ASSERT_EQ(fade.modes.size(), 1u);
  EXPECT_NEAR(fade.modes[0].left, left_of(fade, 1 / leave), 0.15);
  EXPECT_TRUE(fade_of_staying(seen, 64, 1000).modes.empty());
}

}  // namespace
}  // namespace kiln::test
