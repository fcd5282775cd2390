// SPDX-License-Identifier: MIT
// `--rng mtgp32`: the permutation method's chaos game with all its random numbers, those of the
// lanes and those that a pool shares, from cuRAND's Mersenne Twister for GPU (curandStateMtgp32_t
// and its 200 parameter sets; M. Saito, M. Matsumoto, "Variants of Mersenne Twister Suitable for
// Graphic Processors", ACM TOMS 39, 2013). A check of the generators by one that has nothing in
// common with them; right before fast.
#pragma once

#include <cstddef>
#include <cstdint>
#ifndef __CUDACC_RTC__
#include <vector>
#endif

namespace kiln {

/// Device memory that the units of a launch need beside that of the product's game.
struct Mtgp32Memory {
  void* parameters = nullptr;          // mtgp32_parameter_bytes: cuRAND's tables
  void* states = nullptr;              // mtgp32_state_bytes a unit: four generators
  std::uint32_t* words = nullptr;      // mtgp32_word_bytes a unit: the lanes' rings
  std::uint32_t* exhausted = nullptr;  // set to 1 by a lane that drew more than its ring had
};

// Sizes as cuRAND's headers, which the device code alone reads, have them: checks/mtgp32.cu asserts
// them.
constexpr int mtgp32_generators = 4;  // of a unit
constexpr int mtgp32_tables = 200;    // sets of parameters
constexpr std::size_t mtgp32_parameter_bytes = (mtgp32_tables * (3 + 3 * 16) + 1) * 4;
constexpr std::size_t mtgp32_state_bytes = (1024 * 4 + 4 + 4 + 8) * mtgp32_generators;
constexpr std::size_t mtgp32_word_bytes = std::size_t(512) * 512 * 4;

#ifndef __CUDACC_RTC__
/// The seeds of the generators of units [first, first + units): a function of (seed, pass, number of
/// the frame, unit).
std::vector<std::uint32_t> mtgp32_seeds(std::uint64_t seed, std::uint32_t pass,
                                        std::uint32_t number, std::uint32_t first, int units);
#endif

}  // namespace kiln
