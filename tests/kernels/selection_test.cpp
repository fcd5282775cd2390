// SPDX-License-Identifier: MIT
// Which xform a point meets next: exactly by weight, independent of its past, or by the matrix of a
// flame with xaos; and at no cost in noise. The flames write their history into the picture: xform
// f maps x to (x + f + 1) / base, so that the digits of x are the last xforms, newest first. Digits
// 0 and base - 1 never occur, so rounding moves no point to another pixel.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/statistics.h"

namespace kiln::test {
namespace {

/// One pixel for every sequence of `digits` xforms.
Flame digit_flame(const std::vector<double>& weights, int digits) {
  const int base = int(weights.size()) + 2;
  int width = 1;
  for (int d = 0; d < digits; ++d) width *= base;
  Flame flame = flame_over(width, 1, 0, 0, width);
  for (std::size_t f = 0; f < weights.size(); ++f) {
    flame.xforms.push_back(
        linear_xform(weights[f], {1.0 / base, 0, 0, 0, (double(f) + 1) / base, 0.5 / width}));
  }
  return flame;
}

/// Shares that the pixels of a digit flame must have: stationary[oldest] * matrix[oldest][next] *
/// ...
std::vector<double> digit_shares(const std::vector<double>& stationary,
                                 const std::vector<std::vector<double>>& matrix, int digits) {
  const int count = int(stationary.size()), base = count + 2;
  int width = 1;
  for (int d = 0; d < digits; ++d) width *= base;
  std::vector<double> shares(std::size_t(width), 0.0);
  for (int pixel = 0; pixel < width; ++pixel) {
    double share = 1;
    for (int rest = pixel, d = 0, later = -1; d < digits;
         ++d, rest /= base) {  // the last digit is the oldest xform
      const int f = rest % base - 1;
      if (f < 0 || f >= count) {
        share = 0;
        break;
      }
      share *= later < 0 ? stationary[std::size_t(f)] : matrix[std::size_t(later)][std::size_t(f)];
      later = f;
    }
    shares[std::size_t(pixel)] = share;
  }
  return shares;
}

Measured measure_shares(Device& device, const Flame& flame, std::uint64_t samples, int plays) {
  Player player(device, flame, samples);
  Measured shares(std::size_t(flame.width));
  for (int seed = 0; seed < plays; ++seed) {
    const Histogram histogram = player.play(std::uint64_t(seed));
    for (std::size_t i = 0; i < shares.cells(); ++i)
      shares.now(i) = histogram.hits(i) / double(samples);
    shares.end();
  }
  return shares;
}

std::vector<double> normalized(std::vector<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights) w /= sum;
  return weights;
}

/// Sums of cells by one digit: 0 is the newest xform.
Measured measure_digit(Device& device, const Flame& flame, int base, std::uint64_t samples,
                       int plays) {
  Player player(device, flame, samples);
  Measured shares{std::size_t(base)};
  for (int seed = 0; seed < plays; ++seed) {
    const Histogram histogram = player.play(std::uint64_t(seed));
    for (int i = 0; i < flame.width; ++i)
      shares.now(std::size_t(i / (flame.width / base))) +=
          histogram.hits(std::size_t(i)) / double(samples);
    shares.end();
  }
  return shares;
}

/// Twenty xforms from 20 % down to 1e-4 of the weight.
std::vector<double> twenty_weights() {
  return normalized({0.2,  0.15, 0.1,    0.1,    0.08, 0.07,  0.06,  0.05,   0.05,   0.04,
                     0.03, 0.02, 0.0199, 0.0101, 0.01, 0.005, 0.003, 0.0018, 0.0001, 0.0001});
}

// ---- rounding of the quotas, by all offsets ----

TEST(Selection, RowsOfAStepAreExactOnAverageAndAtMostOneOff) {
  const std::vector<double> weights = twenty_weights();
  std::vector<u32> cumulative;
  double before = 0;
  for (double w : weights) {
    cumulative.push_back(u32(std::floor(before * 4294967296.0 + 0.5)));
    before += w;
  }
  constexpr u32 offsets = 1 << 18;
  std::vector<double> sums(weights.size());
  for (u32 i = 0; i < offsets; ++i) {
    const u32 offset = i << 14 | 0x2000;
    for (std::size_t f = 0; f < weights.size(); ++f) {
      const int begin = first_row(cumulative[f], offset);
      const int end = f + 1 < weights.size() ? first_row(cumulative[f + 1], offset) : pool_rows;
      ASSERT_GE(end - begin, std::floor(weights[f] * pool_rows - 1e-6)) << f;
      ASSERT_LE(end - begin, std::ceil(weights[f] * pool_rows + 1e-6)) << f;
      sums[f] += end - begin;
    }
  }
  for (std::size_t f = 0; f < weights.size(); ++f)
    EXPECT_NEAR(sums[f] / offsets / pool_rows, weights[f], 1e-7) << f;
}

TEST(Selection, RowsAndSlotsDrawTheSameXforms) {
  // the first and the last have no weight
  const u32 cumulative[] = {0, 0, 0x10000000u, 0x10000001u, 0xffffffffu};
  for (u32 offset : {0u, 1u, 0x7fffffffu, 0xfffffffeu, 0xffffffffu}) {
    for (int slot = 0; slot < pool_slots; ++slot) {
      const int f = draw_xform(cumulative, 5, slot, offset);
      ASSERT_TRUE(f == 1 || f == 2 || f == 3) << slot << " " << offset;
      const u32 share = systematic_share(slot, pool_slots, offset);
      ASSERT_TRUE(cumulative[f] <= share && share < cumulative[f + 1]);
    }
    EXPECT_EQ(first_row(cumulative[1], offset), 0);
    EXPECT_EQ(first_row(cumulative[4], offset), pool_rows);
  }
}

// ---- frequencies ----

/// Pairs: f at one step, g at the next. Compared after taking away what both xforms' own counts
/// explain (a step's counts share one rounding, so they move together), which leaves 0 on average
/// if and only if the two are independent.
TEST_ON_EVERY_DEVICE(Selection, XformsHaveTheirWeightsAndPairsTheProduct) {
  const std::vector<double> weights = twenty_weights();
  constexpr std::size_t count = 20, base = count + 2;
  constexpr std::uint64_t samples = 100 * pool_slots;
  constexpr int plays = 250;
  Player player(device, digit_flame(weights, 2), samples);
  Measured newest(count), older(count), pairs(count * count);
  for (int seed = 1000; seed < 1000 + plays; ++seed) {
    const Histogram histogram = player.play(std::uint64_t(seed));
    const auto share = [&](std::size_t f, std::size_t g) {
      return histogram.hits((f + 1) * base + g + 1) / double(samples);
    };
    EXPECT_EQ(histogram.all_hits(), double(samples));
    for (std::size_t f = 0; f < count; ++f) {
      for (std::size_t g = 0; g < count; ++g) {
        newest.now(f) += share(f, g);
        older.now(g) += share(f, g);
      }
    }
    for (std::size_t f = 0; f < count; ++f) {
      for (std::size_t g = 0; g < count; ++g) {
        pairs.now(f * count + g) = share(f, g) - newest.now(f) * weights[g] -
                                   older.now(g) * weights[f] + weights[f] * weights[g];
      }
    }
    newest.end();
    older.end();
    pairs.end();
  }
  EXPECT_LT(deviations(newest, weights).largest, 4.5);
  EXPECT_LT(deviations(older, weights).largest, 4.5);
  Deviations found;
  for (std::size_t f = 0; f < count; ++f) {
    for (std::size_t g = 0; g < count; ++g) {
      if (weights[f] * weights[g] < 1e-5) continue;  // too few for the normal distribution
      found.add(pairs.mean(f * count + g), pairs.error2(f * count + g), f * count + g);
    }
  }
  EXPECT_GT(found.cells, 250u);
  EXPECT_LT(found.largest, 4.5) << "xform " << found.at / count << " after " << found.at % count;
  EXPECT_NEAR(found.mean_square(), 1, 0.35);
}

TEST_ON_EVERY_DEVICE(Selection, AWeightOfOneInTenThousandIsKept) {
  const std::vector<double> weights = {0.0001, 0.9998, 0.0001};
  const Measured shares = measure_digit(device, digit_flame(weights, 1), 5, 512 * pool_slots, 60);
  for (std::size_t f = 0; f < weights.size(); ++f) {
    EXPECT_NEAR(shares.mean(f + 1), weights[f], 4 * std::sqrt(shares.error2(f + 1))) << f;
    EXPECT_LT(std::sqrt(shares.error2(f + 1)), 0.1e-4) << f;  // a tenth of the weight
  }
}

TEST_ON_EVERY_DEVICE(Selection, ThreeXformsInARowAreIndependent) {
  const std::vector<double> weights = normalized({0.4, 0.25, 0.2, 0.1, 0.05});
  const Flame flame = digit_flame(weights, 3);
  const std::vector<double> expected =
      digit_shares(weights, std::vector<std::vector<double>>(5, weights), 3);
  const Deviations found =
      deviations(measure_shares(device, flame, 100 * pool_slots, 250), expected);
  EXPECT_EQ(found.cells, 125u);
  EXPECT_LT(found.largest, 4.5) << "pixel " << found.at;
  EXPECT_LT(found.mean_square(), 1.4);
}

TEST_ON_EVERY_DEVICE(Selection, XaosFollowsItsMatrix) {
  const std::vector<double> weights = {1, 0.5, 2, 0.3, 1};
  const std::vector<std::vector<double>> chaos = {{0, 1, 0, 2, 1},
                                                  {1, 0, 0.5, 0, 0},
                                                  {0.25, 1, 1, 0.001, 0},
                                                  {0, 0, 1, 0, 3},
                                                  {1, 0, 0, 1, 0.5}};
  Flame flame = digit_flame(weights, 3);
  std::vector<std::vector<double>> matrix;
  for (std::size_t from = 0; from < weights.size(); ++from) {
    flame.xforms[from].chaos = chaos[from];
    std::vector<double> row = weights;
    for (std::size_t to = 0; to < weights.size(); ++to) row[to] *= chaos[from][to];
    matrix.push_back(normalized(row));
  }
  std::vector<double> stationary(5, 0.2);
  for (int i = 0; i < 10'000; ++i) {
    std::vector<double> next(5, 0.0);
    for (std::size_t from = 0; from < 5; ++from) {
      for (std::size_t to = 0; to < 5; ++to) next[to] += stationary[from] * matrix[from][to];
    }
    stationary = next;
  }
  const std::vector<double> expected = digit_shares(stationary, matrix, 3);
  const Measured shares = measure_shares(device, flame, 100 * pool_slots, 250);
  Deviations found;
  for (std::size_t i = 0; i < shares.cells(); ++i) {
    if (expected[i] == 0) {
      ASSERT_EQ(shares.mean(i), 0) << i;  // no transition that the file forbids, ever
    } else if (expected[i] * 100 * pool_slots * 250 > 300) {
      found.add(shares.mean(i) - expected[i], shares.error2(i), i);
    }
  }
  EXPECT_GT(found.cells, 25u);
  EXPECT_LT(found.largest, 4.5) << "pixel " << found.at;
  EXPECT_LT(found.mean_square(), 1.7);
}

// ---- noise ----

/// Affine xforms at random places, as in bench/selection_variance.cpp.
Flame affine_flame(int count, bool skewed) {
  Flame flame = flame_over(256, 256, -1.28, -1.28, 100);
  std::mt19937 twister(unsigned(count) * 77);
  const auto u = [&] { return double(twister()) / 4294967296.0; };
  for (int f = 0; f < count; ++f) {
    const double angle = 6.2831853 * u(), s = 0.3 + 0.35 * u(), c = 1.2 * u() - 0.6,
                 d = 1.2 * u() - 0.6;
    flame.xforms.push_back(linear_xform(skewed ? std::pow(0.45, f) + 0.002 : 1,
                                        {s * std::cos(angle), s * std::sin(angle),
                                         -s * std::sin(angle), s * std::cos(angle), c, d}));
  }
  return flame;
}

/// Bins of one play: 256 x 256 and 16 x 16.
void count_bins(const std::vector<double>& hits, Measured& fine, Measured& coarse) {
  for (std::size_t i = 0; i < hits.size(); ++i) {
    fine.now(i) = hits[i];
    coarse.now(i / 4096 * 16 + i % 256 / 16) += hits[i];
  }
  fine.end();
  coarse.end();
}

/// The chaos game with a draw of its own for every point: 2048 chains as long as the pool's.
std::vector<double> independent_hits(const CompiledFlame& flame, int steps, std::uint64_t seed) {
  const int count = int(flame.xforms.size());
  const Affine raster = flame.program.raster_from_flame;
  std::vector<double> hits(65536);
  for (u32 chain = 0; chain < u32(pool_slots); ++chain) {
    Random random = lane_random(seed, 1'000'000, 0, chain);
    float x = random.signed_uniform(), y = random.signed_uniform();
    for (int step = 0; step < warm_up_steps + steps; ++step) {
      const u32 share = random.next();
      int f = 0;
      while (f + 1 < count && flame.cumulative[std::size_t(f) + 1] <= share) ++f;
      const Affine& m = flame.xforms[std::size_t(f)].coefs;
      const float px = m.a * x + m.b * y + m.c;
      y = m.d * x + m.e * y + m.f;
      x = px;
      if (step < warm_up_steps) continue;
      const float rx = raster.a * x + raster.b * y + raster.c,
                  ry = raster.d * x + raster.e * y + raster.f;
      if (rx >= 0 && rx < 256 && ry >= 0 && ry < 256)
        ++hits[std::size_t(ry) * 256 + std::size_t(rx)];
    }
  }
  return hits;
}

/// Variances of many groups of plays, so that their ratio comes with an error.
TEST_ON_EVERY_DEVICE(Selection, SharedXformsMakeNoMoreNoiseThanIndependentDraws) {
  constexpr int groups = 12, plays = 40, steps = 64;
  struct Case {
    const char* name;
    int xforms;
    bool skewed;
  };
  for (const Case& c :
       {Case{"3 equal", 3, false}, Case{"8 skewed", 8, true}, Case{"20 equal", 20, false}}) {
    Player player(device, affine_flame(c.xforms, c.skewed), u64(steps) * pool_slots);
    double ratio[2] = {}, square[2] = {};
    for (int group = 0; group < groups; ++group) {
      Measured fine[2] = {Measured(65536), Measured(65536)},
               coarse[2] = {Measured(256), Measured(256)};
      for (int play = 0; play < plays; ++play) {
        const std::uint64_t seed = std::uint64_t(group * plays + play);
        const Histogram histogram = player.play(seed);
        std::vector<double> hits(65536);
        for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = histogram.hits(i);
        count_bins(hits, fine[0], coarse[0]);
        count_bins(independent_hits(player.flame(), steps, seed), fine[1], coarse[1]);
      }
      const double ratios[2] = {fine[0].total_variance() / fine[1].total_variance(),
                                coarse[0].total_variance() / coarse[1].total_variance()};
      for (int k = 0; k < 2; ++k) {
        ratio[k] += ratios[k] / groups;
        square[k] += ratios[k] * ratios[k] / groups;
      }
    }
    for (int k = 0; k < 2; ++k) {
      const double error = std::sqrt((square[k] - ratio[k] * ratio[k]) / (groups - 1));
      std::printf("%-9s variance over independent draws at %-7s %.3f +- %.3f\n", c.name,
                  k == 0 ? "256x256" : "16x16", ratio[k], error);
      EXPECT_LE(ratio[k], 1.1) << c.name << (k == 0 ? " fine" : " coarse");
      EXPECT_GE(ratio[k], 0.5) << c.name << (k == 0 ? " fine" : " coarse");
      EXPECT_LT(error, 0.04) << c.name;
    }
  }
}

/// Fixed permutations in a cycle could visit no more than table size times pool size points.
TEST_ON_EVERY_DEVICE(Selection, DistinctPointsAreNotBoundedByTheTable) {
  constexpr int steps = 512;
  Pools pools(device, affine_flame(8, false), 1, 4);
  pools.warm_up();
  std::vector<std::uint64_t> points;
  for (int step = 1; step <= steps; ++step) {
    pools.iterate(u64(step) * pool_slots);
    const Pools::State state = pools.look();
    for (int i = 0; i < pool_slots; ++i) {
      const std::size_t at = std::size_t(i);
      points.push_back(u64(bits_of(state.x[at])) << 32 | bits_of(state.y[at]));
    }
  }
  std::sort(points.begin(), points.end());
  const auto distinct = std::unique(points.begin(), points.end()) - points.begin();
  EXPECT_EQ(points.size(), std::size_t(steps) * pool_slots);
  EXPECT_GT(distinct, std::ptrdiff_t(0.999 * steps * pool_slots));
}

}  // namespace
}  // namespace kiln::test
