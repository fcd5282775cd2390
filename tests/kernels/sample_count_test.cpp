// SPDX-License-Identifier: MIT
// How many samples a frame has, to the last one, and which: all after the warm-up, or with --compat
// flam3 also the transients that flam3 shows.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/statistics.h"

namespace kiln::test {
namespace {

constexpr std::uint64_t odd_totals[] = {1,
                                        2,
                                        31,
                                        2047,
                                        2048,
                                        2049,
                                        6000,
                                        40'961,
                                        unit_samples - 1,
                                        unit_samples,
                                        unit_samples + 1,
                                        unit_samples + 2049};

/// Two contractions inside [-1, 1)^2.
Flame small_flame() {
  Flame flame = flame_over(64, 64, -1, -1, 32);
  flame.xforms = {contraction(1, 0.4, 0.3, 0.3), contraction(2, 0.5, -0.3, 0.1)};
  return flame;
}

TEST_ON_EVERY_DEVICE(SampleCount, IsExactForOddTotals) {
  for (const std::uint64_t total : odd_totals) {
    const Histogram histogram = play(device, small_flame(), total);
    EXPECT_EQ(histogram.totals.samples, total);
    EXPECT_EQ(histogram.all_hits(), double(total));
    EXPECT_EQ(histogram.totals.bad_values, 0u);
  }
}

TEST_ON_EVERY_DEVICE(SampleCount, IsExactWithXaos) {
  Flame flame = small_flame();
  flame.xforms[0].chaos = {0, 1};
  for (const std::uint64_t total : odd_totals) {
    const Histogram histogram = play(device, flame, total);
    EXPECT_EQ(histogram.totals.samples, total);
    EXPECT_EQ(histogram.all_hits(), double(total));
  }
}

TEST_ON_EVERY_DEVICE(SampleCount, IsExactWithBadValues) {
  Flame flame = small_flame();
  flame.xforms.push_back(bad_xform(3));
  for (const std::uint64_t total : odd_totals) {
    const Histogram histogram = play(device, flame, total);
    EXPECT_EQ(histogram.totals.samples, total);
    EXPECT_EQ(histogram.all_hits(), double(total));
    EXPECT_GT(histogram.totals.bad_values, total);
  }
}

TEST_ON_EVERY_DEVICE(SampleCount, CountsSamplesOutsideThePicture) {
  Flame flame = small_flame();
  flame.center_x += 100;
  for (const std::uint64_t total : odd_totals) {
    const Histogram histogram = play(device, flame, total);
    EXPECT_EQ(histogram.totals.samples, total);
    EXPECT_EQ(histogram.all_hits(), 0);
  }
}

TEST_ON_EVERY_DEVICE(SampleCount, CountsSamplesOfInvisibleXforms) {
  Flame flame = small_flame();
  flame.xforms[1].opacity = 0;
  const std::uint64_t total = 500 * pool_slots + 1;
  const Histogram histogram = play(device, flame, total);
  EXPECT_EQ(histogram.totals.samples, total);
  // a third of the weight is visible
  EXPECT_NEAR(histogram.all_hits() / double(total), 1.0 / 3, 0.005);
  flame.xforms[0].opacity = 0;
  const Histogram nothing = play(device, flame, total);
  EXPECT_EQ(nothing.totals.samples, total);
  EXPECT_EQ(nothing.all_hits(), 0);
}

TEST_ON_EVERY_DEVICE(SampleCount, IsExactWithTransients) {
  for (const std::uint64_t total : odd_totals) {
    const Histogram histogram = play(device, small_flame(), total, 0, true);
    EXPECT_EQ(histogram.totals.samples, total);
  }
}

/// Every unit and every pass has samples of its own: what a unit adds is what it would add alone.
TEST_ON_EVERY_DEVICE(SampleCount, UnitsAndPassesAreDifferentSamples) {
  Player one(device, small_flame(), unit_samples), two(device, small_flame(), 2 * unit_samples);
  const Histogram first = one.play(3), both = two.play(3), other_pass = one.play(3, 1),
                  other_seed = one.play(4);
  EXPECT_EQ(first.sums, one.play(3).sums);
  EXPECT_NE(first.sums, other_pass.sums);
  EXPECT_NE(first.sums, other_seed.sums);
  std::vector<std::uint64_t> second(first.sums.size());
  for (std::size_t i = 0; i < second.size(); ++i) {
    ASSERT_GE(both.sums[i], first.sums[i]);
    second[i] = both.sums[i] - first.sums[i];
  }
  EXPECT_NE(second, first.sums);
}

/// Of a step that is recorded in part, the recorded slots are a fair choice.
TEST_ON_EVERY_DEVICE(SampleCount, PartOfAStepIsAFairChoice) {
  constexpr int plays = 600;
  constexpr std::uint64_t samples = 37;
  Flame flame = flame_over(4, 1, 0, 0, 1);
  const double weights[] = {0.5, 0.3, 0.15, 0.05};
  for (int f = 0; f < 4; ++f)
    flame.xforms.push_back(linear_xform(weights[f], {0, 0, 0, 0, f + 0.5, 0.5}));
  Player player(device, flame, samples);
  Measured shares(4);
  for (int seed = 0; seed < plays; ++seed) {
    const Histogram histogram = player.play(std::uint64_t(seed));
    EXPECT_EQ(histogram.all_hits(), double(samples));
    for (std::size_t f = 0; f < 4; ++f) shares.now(f) = histogram.hits(f) / double(samples);
    shares.end();
  }
  for (std::size_t f = 0; f < 4; ++f) {
    EXPECT_NEAR(shares.mean(f), weights[f],
                4 * std::sqrt(weights[f] * (1 - weights[f]) / samples / plays))
        << f;
  }
}

// ---- transients ----

/// A contraction towards (10, 10) from the starting square [-1, 1)^2. After n steps the points are
/// between 9 * 0.7^n and 11 * 0.7^n away, so that the distance tells the number of steps. Pixel 0:
/// at most `steps` of them.
Flame far_flame(int steps) {
  const double threshold = 8.3 * std::pow(0.7, steps);
  Flame flame = flame_over(2, 1, 10 - threshold - 1, 9.5, 1);
  flame.xforms = {contraction(1, 0.7, 3, 3)};
  return flame;
}

TEST_ON_EVERY_DEVICE(Transients, AreGoneByDefault) {
  const Histogram histogram = play(device, far_flame(28), 2 * unit_samples);
  EXPECT_EQ(histogram.hits(0), 0);
  EXPECT_EQ(histogram.hits(1), 2.0 * unit_samples);
}

/// flam3 shows the steps after the 15th once in every 10 000 samples.
TEST_ON_EVERY_DEVICE(Transients, HaveFlam3sShareInFullUnits) {
  constexpr int units = 3, first = 16, last = 28;
  const Histogram histogram = play(device, far_flame(last), units * unit_samples, 0, true);
  const double expected = units * unit_samples / 10'000.0 * (last - first + 1);
  // each step is rounded to whole slots
  const double error = std::sqrt(0.25 * units * (last - first + 1));
  EXPECT_NEAR(histogram.hits(0), expected, 4 * error);
  EXPECT_EQ(histogram.hits(0) + histogram.hits(1), double(units * unit_samples));
  const Histogram none = play(device, far_flame(first - 1), units * unit_samples, 0, true);
  EXPECT_EQ(none.hits(0), 0);  // its first 15 steps are unseen
}

/// The same share when the frame's last unit, or its only one, is short.
TEST_ON_EVERY_DEVICE(Transients, HaveFlam3sShareInShortUnits) {
  constexpr int first = 16, last = 28;
  for (const std::uint64_t total :
       {std::uint64_t(100'000), std::uint64_t(700'001), unit_samples + 300'000}) {
    const Histogram histogram = play(device, far_flame(last), total, 0, true);
    const double expected = double(total) / 10'000 * (last - first + 1);
    EXPECT_NEAR(histogram.hits(0), expected, 4 * std::sqrt(0.5 * (last - first + 1))) << total;
  }
}

}  // namespace
}  // namespace kiln::test
