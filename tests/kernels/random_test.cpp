// SPDX-License-Identifier: MIT
// The generators: Philox against the known answers of its authors, xoroshiro64* against a plain
// transcription, and the pools' lanes on every device against both.
#include "kernels/random.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/statistics.h"

namespace kiln::test {
namespace {

std::vector<u32> words_of(const Words4& words) {
  return {words.w[0], words.w[1], words.w[2], words.w[3]};
}

// Salmon et al., Random123, known-answer vectors of philox4x32-10.
TEST(Random, PhiloxGivesTheKnownAnswers) {
  EXPECT_EQ(words_of(philox(0, 0, 0, 0, 0)),
            (std::vector<u32>{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  const u32 ones = 0xffffffffu;
  EXPECT_EQ(words_of(philox(ones, ones, ones, ones, ~u64(0))),
            (std::vector<u32>{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
  EXPECT_EQ(
      words_of(philox(0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u, 0x299f31d0a4093822u)),
      (std::vector<u32>{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

TEST(Random, PhiloxWordsAreDifferentForEveryCounterAndKey) {
  std::set<u64> seen;
  constexpr u32 each = 32;
  for (u32 word = 0; word < 4; ++word) {
    for (u32 n = 1; n <= each; ++n) {
      const Words4 out =
          philox(word == 0 ? n : 0, word == 1 ? n : 0, word == 2 ? n : 0, word == 3 ? n : 0, 5);
      seen.insert(u64(out.w[0]) << 32 | out.w[1]);
      seen.insert(u64(out.w[2]) << 32 | out.w[3]);
    }
  }
  for (int bit = 0; bit < 64; ++bit) {
    const Words4 out = philox(0, 0, 0, 0, u64(1) << bit);
    seen.insert(u64(out.w[0]) << 32 | out.w[1]);
  }
  EXPECT_EQ(seen.size(), 4 * each * 2 + 64);
}

/// One flipped bit of counter or key flips each bit of the result half of the time.
TEST(Random, PhiloxMixesEveryBit) {
  constexpr int bases = 64;
  double flipped = 0;
  for (u32 base = 0; base < bases; ++base) {
    const Words4 from = philox(base, 7, 0, 1, 9);
    for (int bit = 0; bit < 192; ++bit) {
      const auto counter = [&](int word) { return bit / 32 == word ? u32(1) << (bit % 32) : 0u; };
      const u64 key = bit >= 128 ? u64(1) << (bit - 128) : 0;
      const Words4 to =
          philox(base ^ counter(0), 7 ^ counter(1), counter(2), 1 ^ counter(3), 9 ^ key);
      for (int w = 0; w < 4; ++w) flipped += std::popcount(from.w[w] ^ to.w[w]);
    }
  }
  constexpr double bits = bases * 192 * 128;
  EXPECT_NEAR(flipped / bits, 0.5, 4 * 0.5 / std::sqrt(bits));
}

/// xoroshiro64* as its authors describe it: a, b = 26, 9; c = 13; the first word times 0x9E3779BB.
struct PlainXoroshiro {
  u32 s0, s1;
  u32 next() {
    const u32 result = s0 * 0x9E3779BBu;
    const u32 mixed = s1 ^ s0;
    s0 = std::rotl(s0, 26) ^ mixed ^ (mixed << 9);
    s1 = std::rotl(mixed, 13);
    return result;
  }
};

TEST(Random, XoroshiroGivesTheKnownAnswers) {
  Random random{1, 2};
  for (const u32 expected : {2654435771u, 327208753u, 4063491769u, 4259754937u, 261922412u,
                             168123673u, 552743735u, 1672597395u, 1031040050u, 2755315674u}) {
    EXPECT_EQ(random.next(), expected);
  }
}

TEST(Random, NumbersAreInTheirRanges) {
  Random random = lane_random(1, 2, 3, 4);
  PlainXoroshiro plain{random.s0, random.s1};
  for (int i = 0; i < 100'000; ++i) {
    const double word = plain.next();
    const float u = random.uniform();
    ASSERT_EQ(u, std::floor(word / 256) / 16777216);
    ASSERT_TRUE(u >= 0 && u < 1);
    const double second = plain.next();
    const float s = random.signed_uniform();
    ASSERT_EQ(s, std::floor(second / 256) / 8388608 - 1);
    ASSERT_TRUE(s >= -1 && s < 1);
    ASSERT_EQ(random.bit(), u32(plain.next() >= 0x80000000u));
  }
  const auto uniform_from = [](u32 word) {  // a state whose first result is `word`
    u32 inverse = 1;
    for (int i = 0; i < 5; ++i) inverse *= 2 - 0x9E3779BBu * inverse;
    return Random{word * inverse, 0};
  };
  EXPECT_EQ(uniform_from(0xffffffffu).uniform(), 1 - 0x1p-24f);
  EXPECT_EQ(uniform_from(0).uniform(), 0);
  EXPECT_EQ(uniform_from(0xffffffffu).signed_uniform(), 1 - 0x1p-23f);
  EXPECT_EQ(uniform_from(0).signed_uniform(), -1);
}

/// Bits, moments and the neighbors of one generator, and of the same draw of neighboring lanes,
/// units, frames and seeds.
void expect_uniform(const std::vector<double>& values) {
  const double n = double(values.size());
  double mean = 0, square = 0, product = 0;
  std::vector<double> bins(256), pairs(1024), high(24);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double u = values[i] - 0.5, v = values[(i + 1) % values.size()] - 0.5;
    mean += u;
    square += u * u;
    product += u * v;
    ++bins[std::size_t(values[i] * 256)];
    if (i % 2 == 0)
      ++pairs[std::size_t(values[i] * 32) * 32 + std::size_t(values[(i + 1) % values.size()] * 32)];
    for (int b = 0; b < 24; ++b) high[std::size_t(b)] += int(values[i] * (1 << (b + 1))) & 1;
  }
  EXPECT_NEAR(mean / n, 0, 4.5 * std::sqrt(1 / 12.0 / n));
  EXPECT_NEAR(square / n, 1 / 12.0, 4.5 * std::sqrt(1 / 180.0 / n));
  EXPECT_NEAR(product / n, 0, 4.5 / 12 / std::sqrt(n));
  EXPECT_LT(std::fabs(uniformity(bins)), 4.5);
  EXPECT_LT(std::fabs(uniformity(pairs)), 4.5);
  for (double count : high) EXPECT_NEAR(count / n, 0.5, 4.5 * 0.5 / std::sqrt(n));
}

TEST(Random, DrawsOfOneLaneAreUniformAndUncorrelated) {
  for (u32 lane : {0u, 1u, 511u}) {
    Random random = lane_random(0, 0, 0, lane);
    std::vector<double> values(1 << 18);
    for (double& v : values) v = double(random.uniform());
    SCOPED_TRACE(lane);
    expect_uniform(values);
  }
}

TEST(Random, LanesUnitsFramesAndSeedsAreIndependent) {
  constexpr int count = 1 << 16;
  for (const int draw : {0, 1, 7}) {
    for (const char* along : {"lane", "unit", "frame", "seed"}) {
      SCOPED_TRACE(along);
      std::vector<double> values;
      for (u32 i = 0; i < count; ++i) {
        Random random = along[0] == 'l'   ? lane_random(0, 0, i / pool_lanes, i % pool_lanes)
                        : along[0] == 'u' ? lane_random(0, 0, i, 0)
                        : along[0] == 'f' ? lane_random(0, i, 0, 0)
                                          : lane_random(i, 0, 0, 0);
        for (int d = 0; d < draw; ++d) random.next();
        values.push_back(double(random.uniform()));
      }
      expect_uniform(values);
    }
  }
}

TEST(Random, WordsOfAStepAreUniformAndUnlikeThoseOfTheLanes) {
  std::vector<std::vector<double>> words(4);
  std::set<u32> of_steps;
  for (u32 unit = 0; unit < 64; ++unit) {
    for (u32 step = 0; step < 1024; ++step) {
      const StepDraws draws = step_draws(3, 1, unit, step);
      const u32 all[] = {draws.exchange, draws.offset, draws.selection, draws.fraction};
      for (std::size_t w = 0; w < 4; ++w) words[w].push_back(all[w] / 4294967296.0);
      of_steps.insert(draws.exchange);
    }
  }
  for (const auto& values : words) expect_uniform(values);
  int shared = 0;
  for (u32 unit = 0; unit < 64; ++unit) {
    for (u32 lane = 0; lane < 512; ++lane)
      shared += int(of_steps.count(lane_random(3, 1, unit, lane).s1));
  }
  // 65536 * 32768 / 2^32 = 0.5 by chance; all of them if counters were shared
  EXPECT_LE(shared, 4);
}

/// Every series of a unit's recorded steps meets each stratum once; the warm-up's steps come
/// before.
TEST(Random, OffsetsOfASeriesMeetEachStratumOnce) {
  for (const u32 unit : {0u, 7u}) {
    for (const u32 block : {0u, 1u}) {
      for (u32 series = 0; series < offset_series; ++series) {
        std::set<u32> met;
        for (u32 i = 0; i < offset_strata; ++i) {
          const u32 step = warm_up_steps + block * unit_steps + i * offset_series + series;
          met.insert(u32(u64(step_draws(3, 1, unit, step).offset) * offset_strata >> 32));
        }
        EXPECT_EQ(met.size(), std::size_t(offset_strata));
      }
    }
  }
}

/// Any two strata of a series are as likely as any other two at any distance in it, and those of
/// neighboring steps are independent: chi squared over all pairs, which has a deviation of
/// sqrt(2 / pairs).
TEST(Random, OrderOfTheStrataIsRandom) {
  constexpr u32 n = offset_strata, units = 10000;
  for (const u32 distance : {1u, u32(offset_series), 64u * offset_series}) {
    const bool same_series = distance % offset_series == 0;
    std::vector<u32> found(n * n);
    u32 count = 0;
    for (u32 unit = 0; unit < units; ++unit) {
      for (u32 at = unit % 8; at + distance < unit_steps; at += 61, ++count) {
        const auto stratum = [&](u32 t) {
          return offset_stratum(3, 1, unit, warm_up_steps + t, 0);
        };
        ++found[stratum(at) * n + stratum(at + distance)];
      }
    }
    const double pairs = n * (n - double(same_series)), expected = count / pairs;
    double chi = 0;
    for (u32 i = 0; i < n * n; ++i) {
      if (same_series && i / n == i % n)
        EXPECT_EQ(found[i], 0u);
      else
        chi += (found[i] - expected) * (found[i] - expected) / expected;
    }
    EXPECT_NEAR(chi / pairs, 1, 5 * std::sqrt(2 / pairs)) << "distance " << distance;
  }
}

TEST_ON_EVERY_DEVICE(Random, PoolsBeginWithTheirOwnGenerators) {
  constexpr int units = 3, first = 5;
  constexpr std::uint64_t seed = 0x123456789abcdef0u;
  Flame flame = flame_over(64, 64, -1, -1, 32);
  flame.xforms.push_back(contraction(1, 1, 0, 0));  // stays where it started
  Pools pools(device, flame, units, seed);
  pools.warm_up(first);
  const Pools::State state = pools.look();
  for (int unit = 0; unit < units; ++unit) {
    std::multiset<std::pair<float, float>> begun, found;
    for (int lane = 0; lane < pool_lanes; ++lane) {
      Random random = lane_random(seed, 0, u32(first + unit), u32(lane));
      ASSERT_TRUE(random.s0 | random.s1);
      for (int slot = lane; slot < pool_slots; slot += pool_lanes) {
        const float x = random.signed_uniform(), y = random.signed_uniform();
        begun.insert({x, y});
        random.uniform();  // its color
      }
      const std::size_t at = std::size_t(unit * pool_lanes + lane);
      ASSERT_EQ(state.random0[at], random.s0) << "lane " << lane;
      ASSERT_EQ(state.random1[at], random.s1) << "lane " << lane;
    }
    for (int slot = 0; slot < pool_slots; ++slot) {
      const std::size_t at = std::size_t(unit * pool_slots + slot);
      found.insert({state.x[at], state.y[at]});
    }
    EXPECT_TRUE(begun == found) << "unit " << unit;
  }
}

/// A variation draws from its lane's generator, one after the other, in every unit of every device.
TEST_ON_EVERY_DEVICE(Random, VariationsDrawUniformNumbersInEveryLane) {
  constexpr int units = 2, steps = 200;
  Flame flame = flame_over(64, 64, -1, -1, 32);
  flame.xforms.push_back(xform_of("square", 1, {}));  // two uniform draws in [-0.5, 0.5)
  Pools pools(device, flame, units, 11);
  pools.warm_up();
  std::vector<double> values;
  std::set<std::pair<float, float>> distinct;
  for (int step = 1; step <= steps; ++step) {
    pools.iterate((units - 1) * unit_samples + u64(step) * pool_slots);
    const Pools::State state = pools.look();
    for (std::size_t i = std::size_t(units - 1) * pool_slots; i < state.x.size(); ++i) {
      values.push_back(double(state.x[i]) + 0.5);
      values.push_back(double(state.y[i]) + 0.5);
      distinct.insert({state.x[i], state.y[i]});
    }
  }
  expect_uniform(values);
  EXPECT_GT(distinct.size(), std::size_t(steps * pool_slots - 20));
}

}  // namespace
}  // namespace kiln::test
