// SPDX-License-Identifier: MIT
// kiln's Philox words are cuRAND's: the generator that seeds everything is checked by somebody
// else's. The mapping is in kernels/random.h and docs/inside/algorithm.md.
#include <gtest/gtest.h>

#include <cstdio>

#include "kernels/pool.h"
#include "tests/parity/curand_words.h"

namespace kiln::test {
namespace {

constexpr int words_a_place = 12;

std::vector<PhiloxPlace> places() {
  std::vector<PhiloxPlace> all;
  for (const u64 seed : {u64(0), u64(1), u64(0x9e3779b97f4a7c15u), ~u64(0)}) {
    for (const u64 subsequence : {u64(0), u64(3), u64(1) << 32, (u64(1) << 32) + 7, ~u64(0)}) {
      for (const u64 offset : {u64(0), u64(4), u64(4096), (u64(1) << 34) - 4, (u64(77) << 34) + 40})
        all.push_back({seed, subsequence, offset});
    }
  }
  return all;
}

/// kiln's words from a place of cuRAND's.
std::vector<u32> our_words(const PhiloxPlace& place, int count) {
  std::vector<u32> words;
  for (int k = 0; k < count; k += 4) {
    const u64 counter = (place.offset + u64(k)) / 4;
    const Words4 four = philox(u32(counter), u32(counter >> 32), u32(place.subsequence),
                               u32(place.subsequence >> 32), place.seed);
    words.insert(words.end(), four.w, four.w + 4);
  }
  return words;
}

std::vector<u32> our_words(const std::vector<PhiloxPlace>& all, int count) {
  std::vector<u32> words;
  for (const PhiloxPlace& place : all) {
    const std::vector<u32> some = our_words(place, count);
    words.insert(words.end(), some.begin(), some.end());
  }
  return words;
}

TEST(Curand, DeviceGeneratorHasOurWords) {
  const std::vector<PhiloxPlace> all = places();
  const std::vector<u32> ours = our_words(all, words_a_place);
  EXPECT_EQ(curand_words(all, words_a_place), ours);  // the device API's code, on the host
  std::vector<u32> theirs_on_gpu, ours_on_gpu;
  if (!words_on_gpu(all, words_a_place, theirs_on_gpu, ours_on_gpu)) {
    std::puts("skipped: no CUDA device");
    return;
  }
  EXPECT_EQ(theirs_on_gpu, ours);
  EXPECT_EQ(ours_on_gpu, ours);
}

/// The draws of a step and the seeds of the lanes are places of cuRAND's generator: subsequence
/// pass, or 2^32 + pass for lanes, and 2^33 more for each frame; offset 4 (step or lane + 2^32
/// unit).
TEST(Curand, DrawsOfTheGameAreSubsequencesOfCurand) {
  const u64 seed = 0xfedcba9876543210u;
  for (const u32 pass : {0u, 5u}) {
    for (const u32 unit : {0u, 1u, 100000u}) {
      for (const u32 number : {0u, 1u, 511u}) {
        const u64 offset = 4 * (number + (u64(unit) << 32));
        const u32 frame = pass + unit % 3;
        const u64 subsequence = pass + (u64(frame) << 33);
        const std::vector<u32> theirs = curand_words(
            {{seed, subsequence, offset}, {seed, (u64(1) << 32) + subsequence, offset}}, 4);
        const StepDraws draws = step_draws(seed, pass, unit, number, frame);
        EXPECT_EQ((std::vector<u32>{draws.exchange, draws.selection, draws.fraction}),
                  (std::vector<u32>{theirs[0], theirs[2], theirs[3]}));
        EXPECT_EQ(draws.offset % (1u << 25), theirs[1] >> 7);  // its place in one of 128 strata
        const Random lane = lane_random(seed, pass, unit, number, frame);
        EXPECT_EQ((std::vector<u32>{lane.s0, lane.s1}),
                  (std::vector<u32>{theirs[4] | 1u, theirs[5]}));
      }
    }
  }
}

/// libcurand deals four words at a time from 65536 subsequences in turn.
TEST(Curand, HostGeneratorHasOurWords) {
  constexpr u64 sequences = 65536;
  for (const u64 seed : {u64(0), u64(12345), u64(0xfedcba9876543210u)}) {
    for (const u64 first : {u64(0), 4 * sequences - 16, 12 * sequences}) {
      constexpr int count = 64;
      std::string reason;
      const std::vector<u32> theirs = curand_host_words(seed, first, count, reason);
      if (theirs.empty()) {
        std::printf("skipped: %s\n", reason.c_str());
        return;
      }
      std::vector<PhiloxPlace> all;
      for (u64 at = first / 4; at < (first + count) / 4; ++at)
        all.push_back({seed, at % sequences, at / sequences * 4});
      EXPECT_EQ(theirs, our_words(all, 4)) << "seed " << seed << ", from word " << first;
    }
  }
}

}  // namespace
}  // namespace kiln::test
