// SPDX-License-Identifier: MIT
// Random permutations of the pool's slots, drawn with the Mersenne Twister (its raw words are the
// same in every standard library; the library's distributions and std::shuffle are not, so
// Fisher-Yates is spelled out).
#include <random>

#include "engine/program/compile.h"

namespace kiln {

std::vector<std::uint16_t> make_permutations() {
  constexpr int columns = 32, rows = pool_slots / columns;
  std::mt19937 twister(5489);
  const auto below =
      [&](std::uint32_t n) {  // unbiased: words beyond the last multiple of n are drawn again
        const std::uint32_t limit = 0xffffffffu - (0xffffffffu % n + 1) % n;
        std::uint32_t word;
        do word = std::uint32_t(twister());
        while (word > limit);
        return word % n;
      };
  std::vector<std::uint16_t> table(std::size_t(permutation_count) * permutation_stride);
  for (int p = 0; p < permutation_count; ++p) {
    std::uint16_t* stored = table.data() + std::size_t(p) * permutation_stride;
    for (int column = 0; column < columns; ++column) {
      int order[rows];
      for (int row = 0; row < rows; ++row) order[row] = row;
      for (int row = rows - 1; row > 0; --row)
        std::swap(order[row], order[below(std::uint32_t(row) + 1)]);
      for (int row = 0; row < rows; ++row)
        stored[row * columns + column] = std::uint16_t(order[row] * columns + column);
    }
    for (int i = pool_slots; i < permutation_stride; ++i) stored[i] = stored[i - pool_slots];
  }
  return table;
}

const std::vector<std::uint16_t>& pool_permutations() {
  static const std::vector<std::uint16_t> table = make_permutations();
  return table;
}

}  // namespace kiln
