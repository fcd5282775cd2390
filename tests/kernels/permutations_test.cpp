// SPDX-License-Identifier: MIT
// The permutations that move the points of a pool: whether they are some, whether they are random,
// and whether the pools follow them.
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>

#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/statistics.h"

namespace kiln::test {
namespace {

constexpr int columns = 32, rows = pool_slots / columns;

bool is_permutation_of_slots(const std::vector<int>& images) {
  std::vector<char> seen(pool_slots);
  for (int image : images) {
    if (image < 0 || image >= pool_slots || seen[std::size_t(image)]) return false;
    seen[std::size_t(image)] = 1;
  }
  return images.size() == std::size_t(pool_slots);
}

std::vector<int> images_of(const Permutation& permutation) {
  std::vector<int> images;
  for (int slot = 0; slot < pool_slots; ++slot) images.push_back(permutation(slot));
  return images;
}

TEST(Permutations, StoredTablesPermuteTheRowsOfEveryColumn) {
  const auto table = make_permutations();
  ASSERT_EQ(table.size(), std::size_t(permutation_count) * permutation_stride);
  std::set<std::vector<int>> distinct;
  for (int p = 0; p < permutation_count; ++p) {
    const std::uint16_t* stored = table.data() + p * permutation_stride;
    const std::vector<int> images(stored, stored + pool_slots);
    EXPECT_TRUE(is_permutation_of_slots(images)) << p;
    for (int slot = 0; slot < pool_slots; ++slot)
      ASSERT_EQ(images[std::size_t(slot)] % columns, slot % columns) << p;
    for (int slot = pool_slots; slot < permutation_stride; ++slot) {
      ASSERT_EQ(stored[slot], stored[slot - pool_slots]) << p;  // so that a rotation is an offset
    }
    distinct.insert(images);
  }
  EXPECT_EQ(distinct.size(), std::size_t(permutation_count));
}

TEST(Permutations, StoredTablesAreUnbiased) {
  const auto table = make_permutations();
  std::vector<double> images(rows * rows), neighbors(rows * rows), fixed(rows + 1);
  for (int p = 0; p < permutation_count; ++p) {
    const std::uint16_t* stored = table.data() + p * permutation_stride;
    for (int column = 0; column < columns; ++column) {
      for (int row = 0; row < rows; ++row) {
        const int image = stored[row * columns + column] / columns;
        const int next = stored[(row + 1) % rows * columns + column] / columns;
        ++images[std::size_t(row * rows + image)];
        ++neighbors[std::size_t(image * rows + next)];
        fixed[0] += image == row;
      }
    }
  }
  EXPECT_LT(std::fabs(uniformity(images)), 4.5);
  for (int row = rows - 1; row >= 0; --row)
    neighbors.erase(neighbors.begin() + row * rows + row);  // a row follows another
  EXPECT_LT(std::fabs(uniformity(neighbors)), 4.5);
  EXPECT_NEAR(fixed[0], 1024, 4.5 * 32);  // one of 64 rows of each of 1024 columns, by chance
}

TEST(Permutations, RotationsAndFlipsArePermutationsWithoutBankConflicts) {
  const auto table = make_permutations();
  std::mt19937 twister(3);
  for (int trial = 0; trial < 500; ++trial) {
    const u32 bits = trial == 0 ? 0u : trial == 1 ? 0xffffffffu : u32(twister());
    const Permutation permutation = pick_permutation(table.data(), bits);
    const std::vector<int> images = images_of(permutation);
    ASSERT_TRUE(is_permutation_of_slots(images)) << bits;
    for (int row = 0; row < rows; ++row) {
      u32 banks = 0;
      for (int column = 0; column < columns; ++column)
        banks |= 1u << (images[std::size_t(row * columns + column)] % columns);
      ASSERT_EQ(banks, 0xffffffffu) << bits << " row " << row;
    }
  }
}

TEST(Permutations, RotationFlipAndTableAllCount) {
  const auto table = make_permutations();
  const std::vector<int> from = images_of(pick_permutation(table.data(), 0x12345678u));
  for (int bit = 0; bit < 32; ++bit) {
    if (bit >= 22 && bit < 27) continue;  // between the flip and the number of the table
    EXPECT_NE(images_of(pick_permutation(table.data(), 0x12345678u ^ (1u << bit))), from) << bit;
  }
}

/// Over the draws, a slot's source is every slot equally often: whatever the stored tables are.
TEST(Permutations, SourcesAreUniformAndFreshEveryStep) {
  const auto table = make_permutations();
  constexpr int steps = 1 << 17;
  std::vector<int> watched = {0, 1, 31, 32, 1000, 2047};
  std::vector<std::vector<double>> sources(watched.size(), std::vector<double>(pool_slots));
  std::vector<std::vector<double>> chains(watched.size(), std::vector<double>(rows * rows));
  std::vector<int> before(watched.size());
  for (int step = 0; step < steps; ++step) {
    const Permutation exchange =
        pick_permutation(table.data(), step_draws(1, 0, 0, u32(step)).exchange);
    for (std::size_t w = 0; w < watched.size(); ++w) {
      const int source = exchange(watched[w]);
      ++sources[w][std::size_t(source)];
      ++chains[w][std::size_t(before[w] / columns * rows + source / columns)];
      before[w] = source;
    }
  }
  for (std::size_t w = 0; w < watched.size(); ++w) {
    EXPECT_LT(std::fabs(uniformity(sources[w])), 4.5) << "slot " << watched[w];
    EXPECT_LT(std::fabs(uniformity(chains[w])), 4.5) << "slot " << watched[w];
  }
}

/// The pool of every device moves its points as step_draws and pick_permutation say: followed step
/// by step.
TEST_ON_EVERY_DEVICE(Permutations, SayWhichPointASlotTakesUp) {
  constexpr std::uint64_t seed = 77;
  Flame flame = flame_over(64, 64, -1, -1, 32);
  flame.xforms.push_back(xform_of("square", 1, {}));  // the slot's own draws, wherever its point is
  Pools pools(device, flame, 1, seed);
  pools.warm_up();
  const auto table = make_permutations();
  Pools::State before = pools.look();
  for (u32 step = 0; step < 40; ++step) {
    pools.iterate((step + 1) * u64(pool_slots));
    Pools::State after = pools.look();
    ASSERT_EQ(after.step[0], warm_up_steps + step + 1);
    const Permutation exchange =
        pick_permutation(table.data(), step_draws(seed, 0, 0, warm_up_steps + step).exchange);
    for (int lane = 0; lane < pool_lanes; ++lane) {
      Random random{before.random0[std::size_t(lane)], before.random1[std::size_t(lane)]};
      for (int slot = lane; slot < pool_slots; slot += pool_lanes) {
        const float x = random.uniform() - 0.5f, y = random.uniform() - 0.5f;
        const std::size_t place = std::size_t(exchange(slot));
        ASSERT_EQ(after.x[place], x) << "step " << step << " slot " << slot;
        ASSERT_EQ(after.y[place], y) << "step " << step << " slot " << slot;
      }
    }
    before = std::move(after);
  }
}

}  // namespace
}  // namespace kiln::test
