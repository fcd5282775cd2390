// SPDX-License-Identifier: MIT
#include "engine/device/cuda/checks/mtgp32.h"

#include <array>
#include <random>

namespace kiln {

std::vector<std::uint32_t> mtgp32_seeds(std::uint64_t seed, std::uint32_t pass,
                                        std::uint32_t number, std::uint32_t first, int units) {
  std::vector<std::uint32_t> seeds(std::size_t(units) * mtgp32_generators);
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const std::uint64_t generator = std::uint64_t(first) * mtgp32_generators + i;
    std::seed_seq mixed{std::uint32_t(seed),      std::uint32_t(seed >> 32),     pass, number,
                        std::uint32_t(generator), std::uint32_t(generator >> 32)};
    std::array<std::uint32_t, 1> word;
    mixed.generate(word.begin(), word.end());
    seeds[i] = word[0];
  }
  return seeds;
}

}  // namespace kiln
