// SPDX-License-Identifier: MIT
// One flame and one seed are one picture: for any number of threads, with every instruction set, and on a GPU by
// the interpreter and by kernels of the flame's own.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "tests/devices.h"
#include "tests/kernels/game.h"

namespace kiln::test {

/// Which kernels a GPU uses in this scope. A CPU has the interpreter alone.
class ForcedKernels {
 public:
  explicit ForcedKernels(const char* name) { setenv("KILN_KERNELS", name, 1); }
  ~ForcedKernels() { unsetenv("KILN_KERNELS"); }
  ForcedKernels(const ForcedKernels&) = delete;
  ForcedKernels& operator=(const ForcedKernels&) = delete;
};

/// Expects the picture of one thread, which has to show something, and another one of another seed.
inline void expect_one_picture_everywhere(const Flame& flame) {
  constexpr std::uint64_t samples = 300'001, seed = 5;
  const Histogram expected = Player(*open_cpu(1), flame, samples).play(seed);
  EXPECT_GT(expected.all_hits(), 100'000);
  const auto expect_same = [&](Device& device, const char* kernels) {
    const ForcedKernels forced(kernels);
    const Histogram got = Player(device, flame, samples).play(seed);
    EXPECT_TRUE(got.sums == expected.sums) << device.describe() << ", kernels: " << kernels;
    EXPECT_EQ(got.totals.bad_values, expected.totals.bad_values) << device.describe();
  };
  expect_same(*open_cpu(7), "interpreter");
  for (const auto& device : open_every_arithmetic()) {
    expect_same(*device, "interpreter");
    expect_same(*device, "own");
  }
  const Histogram other = Player(*open_cpu(2), flame, samples).play(seed + 1);
  EXPECT_FALSE(other.sums == expected.sums);
}

}  // namespace kiln::test
