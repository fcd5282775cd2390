// SPDX-License-Identifier: MIT
// Flames of forty different variations are one picture too: for any number of threads, with every
// instruction set, and on a GPU by the interpreter and by kernels of the flame's own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "engine/io/flame/flame_reader.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

/// Which kernels a GPU uses in this scope. A CPU has the interpreter alone.
class ForcedKernels {
 public:
  explicit ForcedKernels(const char* name) { setenv("KILN_KERNELS", name, 1); }
  ~ForcedKernels() { unsetenv("KILN_KERNELS"); }
};

/// The variations of a flame, whatever their forms.
std::set<int> variations_of(const Flame& flame) {
  std::set<int> used;
  const auto add = [&](const Xform& xform) {
    for (std::size_t v = 0; v < xform.variations.size(); ++v)
      if (xform.variations[v] != 0) used.insert(int(v));
    for (const StagedVariation& form : xform.staged) used.insert(form.variation);
  };
  for (const Xform& xform : flame.xforms) add(xform);
  if (flame.final_xform) add(*flame.final_xform);
  return used;
}

class FortyVariations : public testing::TestWithParam<const char*> {};

TEST_P(FortyVariations, AreOnePictureEverywhere) {
  const Flame flame = read_flames(std::string(source_dir()) + "/" + GetParam(), {}).flames.at(0);
  EXPECT_GE(variations_of(flame).size(), 40u);
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

INSTANTIATE_TEST_SUITE_P(Parity, FortyVariations,
                         testing::Values("tests/kernels/forty.flame",
                                         "tests/kernels/forty_deep.flame"));

}  // namespace
}  // namespace kiln::test
