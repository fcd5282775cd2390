// SPDX-License-Identifier: MIT
// Attempts that leave the range of numbers: the pool against flam3's own loop (flam3-pipeline.md
// section 3), written here as one chain in double.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/statistics.h"

namespace kiln::test {
namespace {

/// flam3's iteration loop: one chain, retries, the fifth bad result in a row accepted.
class PlainGame {
 public:
  /// Makes the point's image from the point, in double.
  using Map = std::function<void(double& x, double& y)>;

  PlainGame(const Flame& flame, std::vector<Map> maps, unsigned seed)
      : flame_(flame), maps_(std::move(maps)), twister_(seed) {}

  /// One sub-batch; record(x, y, color) for each of `count` points.
  void play(int fuse, int count, const std::function<void(double, double, double)>& record) {
    double x = signed_uniform(), y = signed_uniform(), color = uniform();
    int last = -1, in_a_row = 0;
    for (int step = -fuse; step < count;) {
      const int f = draw_xform(last);
      const Xform& xform = flame_.xforms[std::size_t(f)];
      color = xform.color_speed * xform.color + (1 - xform.color_speed) * color;
      maps_[std::size_t(f)](x, y);
      ++attempts;
      if (!(std::fabs(x) <= 1e10 && std::fabs(y) <= 1e10)) {
        x = signed_uniform();
        y = signed_uniform();
        ++bad;
        if (++in_a_row < 5) continue;
      }
      in_a_row = 0;
      ++accepted;
      last = f;
      if (step >= 0) record(x, y, color);
      ++step;
    }
  }

  double attempts = 0, accepted = 0, bad = 0;  // fuse included

 private:
  double uniform() { return double(twister_()) / 4294967296.0; }
  double signed_uniform() { return 2 * uniform() - 1; }
  int draw_xform(int last) {
    double sum = 0;
    for (int f = 0; f < int(maps_.size()); ++f) sum += odds(last, f);
    double left = uniform() * sum;
    for (int f = 0; f < int(maps_.size()); ++f) {
      left -= odds(last, f);
      if (left < 0) return f;
    }
    return int(maps_.size()) - 1;
  }
  double odds(int from, int to) const {
    const double weight = flame_.xforms[std::size_t(to)].weight;
    if (from < 0) return weight;
    const auto& chaos = flame_.xforms[std::size_t(from)].chaos;
    return std::size_t(to) < chaos.size() ? weight * chaos[std::size_t(to)] : weight;
  }

  const Flame& flame_;
  std::vector<Map> maps_;
  std::mt19937 twister_;
};

struct Scene {
  Flame flame;
  std::vector<PlainGame::Map> maps;
};

PlainGame::Map affine_map(const AffineD& m) {
  return [m](double& x, double& y) {
    const double px = m.a * x + m.b * y + m.c;
    y = m.d * x + m.e * y + m.f;
    x = px;
  };
}

/// Two contractions, one xform that is bad right of x = 0.04, one that is always bad: half of all
/// attempts.
Scene half_bad_scene() {
  Scene scene{flame_over(32, 32, -1.22, -1.22, 12.8), {}};
  number_palette(scene.flame);
  const AffineD left{0.3, 0.1, -0.1, 0.3, -0.5, -0.3}, right{0.35, 0, 0, -0.35, 0.45, 0.4};
  const AffineD steep{600, 0, 0, 0.6, 1, 0.1};
  scene.flame.xforms = {linear_xform(1, left), linear_xform(0.8, right),
                        xform_of("exponential", 0.9, steep), bad_xform(1.9)};
  const double colors[] = {0, 1, 0.35, 0.7};
  for (std::size_t f = 0; f < 4; ++f) scene.flame.xforms[f].color = colors[f];
  const auto steep_map = affine_map(steep);
  const auto exponential = [steep_map](double& x, double& y) {
    steep_map(x, y);
    const double r = std::exp(x - 1), angle = M_PI * y;
    x = r * std::cos(angle);
    y = r * std::sin(angle);
  };
  const auto bad = [](double& x, double&) { x = 1e20; };
  scene.maps = {affine_map(left), affine_map(right), exponential, bad};
  return scene;
}

/// Hits and colors of many plays, from the device and from the plain game, agree bin by bin.
void expect_same_distribution(Device& device, const Scene& scene, bool is_half_bad) {
  constexpr int plays = 60;
  constexpr std::uint64_t samples = 100 * pool_slots;
  const std::size_t bins = std::size_t(scene.flame.width) * std::size_t(scene.flame.height);
  Measured got(bins), got_color(bins), expected(bins), expected_color(bins);

  Player player(device, scene.flame, samples);
  double recorded = 0, got_bad = 0;
  for (int play = 0; play < plays; ++play) {
    const Histogram histogram = player.play(std::uint64_t(play));
    recorded += double(histogram.totals.samples);
    got_bad += double(histogram.totals.bad_values);
    for (std::size_t i = 0; i < bins; ++i) {
      got.now(i) = histogram.hits(i) / double(samples);
      got_color.now(i) = histogram.value(i, 0) / double(samples);
    }
    got.end();
    got_color.end();
  }
  EXPECT_EQ(recorded, double(samples) * plays);

  double attempts = 0, accepted = 0, bad = 0;
  const double scale = scene.flame.scale, x0 = scene.flame.center_x - scene.flame.width / scale / 2,
               y0 = scene.flame.center_y - scene.flame.height / scale / 2;
  constexpr int batches = 20;
  for (int play = 0; play < plays; ++play) {
    PlainGame game(scene.flame, scene.maps, unsigned(play) + 1);
    for (int batch = 0; batch < batches; ++batch) {
      game.play(warm_up_steps, 10'000, [&](double x, double y, double color) {
        const double column = std::floor((x - x0) * scale), row = std::floor((y - y0) * scale);
        if (!(column >= 0 && column < scene.flame.width && row >= 0 && row < scene.flame.height)) {
          return;
        }
        const std::size_t i =
            std::size_t(row) * std::size_t(scene.flame.width) + std::size_t(column);
        expected.now(i) += 1.0 / (batches * 10'000);
        expected_color.now(i) += std::min(255.0, std::floor(color * 256)) / (batches * 10'000);
      });
    }
    attempts += game.attempts;
    accepted += game.accepted;
    bad += game.bad;
    expected.end();
    expected_color.end();
  }
  if (is_half_bad) {
    EXPECT_NEAR(bad / attempts, 0.5, 0.05);
  }
  const double unseen_attempts = double(plays) * pool_slots * warm_up_steps;
  const double expected_bad = bad / attempts * unseen_attempts + bad / accepted * recorded;
  EXPECT_GT(got_bad / expected_bad, 0.995);
  // the last steps of a unit record few slots, but all count
  EXPECT_LT(got_bad / expected_bad, 1.06);

  for (const auto& [a, b] : {std::pair(&got, &expected), std::pair(&got_color, &expected_color)}) {
    Deviations found;
    for (std::size_t i = 0; i < bins; ++i) {
      if (b->mean(i) * double(samples) * plays > 200) {
        found.add(a->mean(i) - b->mean(i), a->error2(i) + b->error2(i), i);
      }
    }
    EXPECT_GT(found.cells, 100u);
    EXPECT_LT(found.largest, 4.7) << "bin " << found.at % 32 << " " << found.at / 32;
    EXPECT_NEAR(found.mean_square(), 1, 0.25);
  }
}

TEST_ON_EVERY_DEVICE(BadValues, HalfBadFlameHasFlam3sDistribution) {
  expect_same_distribution(device, half_bad_scene(), true);
}

TEST_ON_EVERY_DEVICE(BadValues, RetriesUnderXaosKeepTheLastXform) {
  Scene scene = half_bad_scene();
  scene.flame.xforms[0].chaos = {0.2, 1, 1, 2};
  scene.flame.xforms[1].chaos = {1, 0, 1, 1};
  scene.flame.xforms[2].chaos = {1, 1, 0.1, 0};
  scene.flame.xforms[3].chaos = {0, 1, 0.5, 1};
  expect_same_distribution(device, scene, false);
}

/// Where nothing is good, every fifth attempt is recorded: a uniform point.
TEST_ON_EVERY_DEVICE(BadValues, TheFifthInARowIsRecorded) {
  Flame flame = flame_over(16, 16, -1, -1, 8);
  flame.xforms = {bad_xform(1)};
  constexpr std::uint64_t recorded_steps = 200;
  const Histogram histogram = play(device, flame, recorded_steps * pool_slots);
  EXPECT_EQ(histogram.totals.samples, recorded_steps * pool_slots);
  // 64 unseen attempts are four bad ones after twelve accepted; then the 65th is recorded, the 70th
  // ...
  EXPECT_EQ(histogram.totals.bad_values,
            pool_slots * (warm_up_steps + 1 + 5 * (recorded_steps - 1)));
  EXPECT_EQ(histogram.all_hits(), double(recorded_steps * pool_slots));
  std::vector<double> hits;
  for (std::size_t i = 0; i < histogram.pixels(); ++i) hits.push_back(histogram.hits(i));
  EXPECT_LT(std::fabs(uniformity(hits)), 4.5);
}

/// Half good, half bad: a 32nd of the samples are fifth bad ones, in random places.
TEST_ON_EVERY_DEVICE(BadValues, OneSampleIn32IsAFifthBadOneWhenHalfAreBad) {
  // pixels [-1.5, -0.5) [-0.5, 0.5) [0.5, 1.5), high enough for all
  Flame flame = flame_over(3, 1, -1.5, -1.5, 1);
  flame.height = 3;
  flame.center_y = 0;
  flame.xforms = {linear_xform(1, {0, 0, 0, 0, -1.25, -1.25}), bad_xform(1)};
  constexpr int plays = 100;
  constexpr std::uint64_t samples = 100 * pool_slots;
  Player player(device, flame, samples);
  Measured shares(9);
  for (int seed = 0; seed < plays; ++seed) {
    const Histogram histogram = player.play(std::uint64_t(seed));
    EXPECT_EQ(histogram.all_hits(), double(samples));
    for (std::size_t i = 0; i < 9; ++i) shares.now(i) = histogram.hits(i) / double(samples);
    shares.end();
  }
  const double fifth = 1.0 / 32, sides[] = {0.25, 0.5, 0.25};
  std::vector<double> expected;
  for (int i = 0; i < 9; ++i)
    expected.push_back(fifth * sides[i % 3] * sides[i / 3] + (i == 0 ? 1 - fifth : 0));
  const Deviations found = deviations(shares, expected);
  EXPECT_EQ(found.cells, 9u);
  EXPECT_LT(found.largest, 4);
}

/// The final xform's bad results are recorded as random points, neither retried nor counted.
TEST_ON_EVERY_DEVICE(BadValues, OfTheFinalXformBecomeRandomPoints) {
  Flame flame = flame_over(16, 16, -1, -1, 8);
  flame.xforms = {contraction(1, 0.5, 0.1, 0.1)};
  flame.final_xform = bad_xform(0);
  const Histogram histogram = play(device, flame, 200 * pool_slots);
  EXPECT_EQ(histogram.totals.bad_values, 0u);
  EXPECT_EQ(histogram.all_hits(), 200.0 * pool_slots);
  std::vector<double> hits;
  for (std::size_t i = 0; i < histogram.pixels(); ++i) hits.push_back(histogram.hits(i));
  EXPECT_LT(std::fabs(uniformity(hits)), 4.5);
}

}  // namespace
}  // namespace kiln::test
