// SPDX-License-Identifier: MIT
// Whether a trial of two games says which of them makes less noise: their plots are drawn here, so that it is known.
#include "engine/render/plan/steering_trial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace kiln::test {
namespace {

constexpr int width = 200, height = 150;

OutputPlan plan_of(double k2 = 1) {
  OutputPlan plan;
  plan.log_curve.k1 = 100;
  plan.log_curve.k2 = float(k2 / 255);
  plan.tone.exponent = 0.5f;
  return plan;
}

/// Each point is `copies` in its pixel, each of which has so much light.
struct Drawn {
  TrialPlot plot;
  double points = 0;
  Drawn(const TrialGrid& grid, const std::function<double(int x, int y)>& mean, double hits,
        std::uint32_t light, int copies, unsigned seed)
      : plot(grid) {
    std::mt19937 random(seed);
    for (std::size_t half = 0; half < 2; ++half) {
      for (std::size_t pixel = 0; pixel < grid.pixels(); ++pixel) {
        const double here = mean(int(pixel) % grid.columns, int(pixel) / grid.columns);
        const int count = std::poisson_distribution<int>(here / 2 * hits)(random);
        if (count == 0) continue;
        plot.add(half, pixel, std::uint32_t(count * copies) * light);
        points += count * copies;
      }
    }
  }
};

double even(int, int) { return 4; }
double slanted(int x, int) { return std::exp2(x / 20.0 - 6); }

const Increment white = {{255, 255, 255, 255}}, black = {{0, 0, 0, 255}};

GameTrial trial_of(const OutputPlan& plan, const TrialGrid& grid, const Drawn& plain) {
  GameTrial trial(BrightnessCurve(plan), grid, TrialSquares(grid, 4), plain.plot,
                  16 * plain.points);
  for (std::size_t pixel = 0; pixel < grid.pixels(); ++pixel) trial.see_color(pixel, &white);
  return trial;
}

TEST(GameTrials, HaveEachPixelInItsSquare) {
  const TrialSquares squares(TrialGrid(7, 5), 3);
  EXPECT_EQ(squares.count(), 6u);
  std::size_t next = 0;
  squares.each_pixel([&](std::size_t pixel, std::size_t square) {
    EXPECT_EQ(pixel, next++);
    EXPECT_EQ(square, pixel / 7 / 3 * 3 + pixel % 7 / 3);
  });
  EXPECT_EQ(next, 35u);
}

TEST(GameTrials, KnowThatTwoPlainGamesAreOne) {
  const OutputPlan plan = plan_of(0.01);
  const TrialGrid grid(width, height);
  for (const auto& mean : {even, slanted}) {
    const Drawn plain(grid, mean, 1, 1, 1, 1), other(grid, mean, 1, 32, 1, 2);
    EXPECT_NEAR(trial_of(plan, grid, plain).gain_of(other.plot, other.points), 1, 0.06);
  }
}

/// Copies of a point are no samples of their own.
TEST(GameTrials, SeeThatCopiesAreNoSamples) {
  const OutputPlan plan = plan_of(0.01);
  const TrialGrid grid(width, height);
  const Drawn plain(grid, even, 1, 1, 1, 1), copied(grid, even, 0.5, 32, 2, 2);
  EXPECT_NEAR(trial_of(plan, grid, plain).gain_of(copied.plot, copied.points), 0.5, 0.03);
}

/// Where it is dark four times as many points have a quarter of the light.
TEST(GameTrials, SeeWhatLightPointsGainWhereItIsDark) {
  const OutputPlan plan = plan_of(0.01);
  const TrialGrid grid(width, height);
  const auto dark = [](int x, int) { return x < 100 ? 0.25 : 16; };
  const Drawn plain(grid, dark, 1, 1, 1, 1);
  Drawn steered(
      grid, [&](int x, int y) { return x < 100 ? 4 * dark(x, y) : 0; }, 1, 8, 1, 2);
  const Drawn bright(
      grid, [&](int x, int y) { return x < 100 ? 0 : dark(x, y); }, 1, 32, 1, 3);
  for (std::size_t pixel = 0; pixel < grid.pixels(); ++pixel)
    for (std::size_t half = 0; half < 2; ++half)
      if (bright.plot.at(half, pixel) > 0)
        steered.plot.add(half, pixel, std::uint32_t(bright.plot.at(half, pixel)));
  steered.points += bright.points;
  const double gain = trial_of(plan, grid, plain).gain_of(steered.plot, steered.points);
  EXPECT_GT(gain, 2.4);
  EXPECT_LT(gain, 4.2);
}

/// Dark points are many and light ones, bright points what they are in a plain game; so many of all are drawn.
Drawn steered_where_dark(const TrialGrid& grid, const std::function<double(int x, int y)>& mean,
                         double part) {
  const auto is_dark = [&](int x, int y) { return mean(x, y) < 1; };
  Drawn steered(
      grid, [&](int x, int y) { return is_dark(x, y) ? 4 * mean(x, y) : 0; }, part, 8, 1, 2);
  const Drawn bright(
      grid, [&](int x, int y) { return is_dark(x, y) ? 0 : mean(x, y); }, part, 32, 1, 3);
  for (std::size_t pixel = 0; pixel < grid.pixels(); ++pixel)
    for (std::size_t half = 0; half < 2; ++half)
      steered.plot.add(half, pixel, std::uint32_t(bright.plot.at(half, pixel)));
  steered.points = part * (steered.points / (4 * part) + bright.points / part);
  return steered;
}
double dark_edge(int x, int) { return x < 20 ? 0.25 : 16; }

/// A trial has fewer points than the plain game's plot; how bright it is follows from the picture's samples alone.
TEST(GameTrials, KnowWhatIsWhiteFromAnyPartOfTheSamples) {
  const OutputPlan plan = plan_of(0.1);
  ASSERT_GT(BrightnessCurve(plan).at(16 * 16), 1.1);
  ASSERT_LT(BrightnessCurve(plan).at(4 * 16), 0.9);
  const TrialGrid grid(width, height);
  const Drawn plain(grid, dark_edge, 1, 1, 1, 1);
  const GameTrial trial = trial_of(plan, grid, plain);
  const Drawn all = steered_where_dark(grid, dark_edge, 1),
              quarter = steered_where_dark(grid, dark_edge, 0.25);
  const double gain = trial.gain_of(all.plot, all.points);
  EXPECT_GT(gain, 3) << "what is white has no noise";
  const double of_quarter = trial.gain_of(quarter.plot, quarter.points);
  EXPECT_GT(of_quarter, 0.85 * gain);
  EXPECT_LT(of_quarter, 1.3 * gain);
}

/// A pixel of 2 x 2 buckets has four times the samples of each.
TEST(GameTrials, CountSamplesOfBuckets) {
  const OutputPlan plan = plan_of(0.1);
  const TrialGrid grid(width, height);
  TrialGrid squares = grid;
  squares.side = 2;
  const Drawn plain(grid, dark_edge, 1, 1, 1, 1), steered = steered_where_dark(grid, dark_edge, 1);
  const auto gain_of = [&](const TrialGrid& some, double samples) {
    GameTrial trial(BrightnessCurve(plan), some, TrialSquares(some, 4), plain.plot, samples);
    for (std::size_t pixel = 0; pixel < some.pixels(); ++pixel) trial.see_color(pixel, &white);
    return trial.gain_of(steered.plot, steered.points);
  };
  const double gain = gain_of(grid, 16 * plain.points);
  EXPECT_NEAR(gain_of(squares, 64 * plain.points), gain, 1e-6);
  EXPECT_GT(std::fabs(gain_of(squares, 16 * plain.points) - gain), 0.1);
}

/// One half may have more light than the other: it is what lies where that counts.
TEST(GameTrials, CompareHalvesOfAnyLight) {
  const OutputPlan plan = plan_of(0.01);
  const TrialGrid grid(width, height);
  const Drawn plain(grid, slanted, 1, 1, 1, 1), even_halves(grid, slanted, 1, 32, 1, 2);
  Drawn odd(grid, slanted, 1, 32, 1, 2);
  for (std::size_t pixel = 0; pixel < grid.pixels(); ++pixel)
    odd.plot.add(1, pixel, std::uint32_t(odd.plot.at(1, pixel)));
  const GameTrial trial = trial_of(plan, grid, plain);
  EXPECT_NEAR(trial.gain_of(odd.plot, odd.points),
              trial.gain_of(even_halves.plot, even_halves.points), 1e-6);
}

/// What is dark gets as many samples, what is bright copies: noise of colors and of light are added in one unit.
TEST(GameTrials, AddNoiseOfColorsToThatOfLight) {
  const OutputPlan plan = plan_of(1);
  const BrightnessCurve curve(plan);
  const TrialGrid grid(width, height);
  const auto mean = [](int x, int) { return x < 180 ? 0.25 : 60.0; };
  const Drawn plain(grid, mean, 1, 1, 1, 1);
  GameTrial trial(BrightnessCurve(plan), grid, TrialSquares(grid, 4), plain.plot,
                  plain.points * 8 / 60);
  const Increment gray = {{60, 60, 60, 255}};
  std::mt19937 random(4);
  for (int k = 0; k < 8; ++k)
    for (std::size_t pixel = 0; pixel < grid.pixels(); ++pixel)
      trial.see_color(pixel, random() % 2 ? &gray : &black);
  Drawn other(
      grid, [&](int x, int y) { return x < 180 ? mean(x, y) : 0; }, 1, 1, 1, 2);
  const Drawn copied(
      grid, [&](int x, int y) { return x < 180 ? 0 : mean(x, y); }, 0.25, 1, 4, 3);
  for (std::size_t pixel = 0; pixel < grid.pixels(); ++pixel)
    for (std::size_t half = 0; half < 2; ++half)
      other.plot.add(half, pixel, std::uint32_t(copied.plot.at(half, pixel)));
  other.points += copied.points;
  const double value = 60 / 255.0, squared = value * value / 2, variance = value * value / 4;
  const auto noise = [&](double samples, double weight) {
    const double light = curve.at(samples);
    return curve.noise(samples, weight) * squared +
           light * light * std::min(1.0, weight / samples) * variance;
  };
  const double dark = 9 * noise(0.25 * 8 / 60, 1);
  const double expected = (dark + noise(8, 1)) / (dark + noise(8, 4));
  EXPECT_NEAR(trial.gain_of(other.plot, other.points) / expected, 1, 0.05);
}

/// A picture that is white all over has no noise but that of colors.
TEST(GameTrials, LookAtColorsWhereAllIsBright) {
  const OutputPlan plan = plan_of(30);
  const TrialGrid grid(width, height);
  const auto bright = [](int, int) { return 60.0; };
  const Drawn plain(grid, bright, 1, 1, 1, 1), fewer(grid, bright, 0.25, 32, 1, 2);
  ASSERT_GT(BrightnessCurve(plan).at(16 * 60), 1);
  GameTrial of_white = trial_of(plan, grid, plain);
  EXPECT_EQ(of_white.gain_of(fewer.plot, fewer.points), 0);  // nothing to gain
  GameTrial of_two(BrightnessCurve(plan), grid, TrialSquares(grid, 4), plain.plot,
                   16 * plain.points);
  const Increment half = {{60, 60, 60, 255}};
  for (int k = 0; k < 4; ++k)
    for (std::size_t pixel = 0; pixel < grid.pixels(); ++pixel)
      of_two.see_color(pixel, k % 2 ? &half : &black);
  const Drawn copied(grid, bright, 0.25, 32, 4, 2);
  EXPECT_NEAR(of_two.gain_of(copied.plot, copied.points), 0.25, 0.02);
}

TEST(GameTrials, TakeBucketsOfLargePicturesTogether) {
  const TrialGrid small(1920, 1080), large(16000, 9000);
  EXPECT_EQ(small.side, 1);
  EXPECT_EQ(small.pixels(), 1920u * 1080u);
  EXPECT_EQ(large.side, 9);
  EXPECT_EQ(large.columns, 1778);
  EXPECT_EQ(large.rows, 1000);
}

TEST(BrightnessCurves, HaveTheNoiseOfPoissonsSamples) {
  for (const double k2 : {0.01, 1.0, 30.0}) {
    const BrightnessCurve curve(plan_of(k2));
    for (const double mean : {0.01, 0.5, 7.0, 40.0}) {
      for (const double weight : {0.1, 1.0, 3.0}) {
        const double hits = mean / weight;
        double sum = 0;
        for (int n = 0; n < 1000; ++n) {
          const double off = curve.at(n * weight) - curve.at(mean);
          sum += std::exp(n * std::log(hits) - hits - std::lgamma(n + 1.0)) * off * off;
        }
        EXPECT_NEAR(curve.noise(mean, weight) / sum, 1, 0.1) << k2 << " " << mean << " " << weight;
      }
    }
    EXPECT_EQ(curve.slope(1e9), 0) << "of what is white";
    EXPECT_GT(curve.slope(0.01), 0);
  }
}

}  // namespace
}  // namespace kiln::test
