// SPDX-License-Identifier: MIT
// `--rng mtgp32`: the permutation method's chaos game with all its random numbers, those of the
// lanes and those that a pool shares, from cuRAND's Mersenne Twister for GPU (curandStateMtgp32_t
// and its 200 parameter sets; M. Saito, M. Matsumoto, "Variants of Mersenne Twister Suitable for
// Graphic Processors", ACM TOMS 39, 2013). A check of the generators by one that has nothing in
// common with them; right before fast.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace kiln {

/// Device memory that the units of a launch need beside that of the product's game.
struct Mtgp32Memory {
  void* parameters = nullptr;          // mtgp32_parameter_bytes: cuRAND's tables
  void* states = nullptr;              // mtgp32_state_bytes a unit: four generators
  std::uint32_t* words = nullptr;      // mtgp32_word_bytes a unit: the lanes' rings
  std::uint32_t* exhausted = nullptr;  // set to 1 by a lane that drew more than its ring had
};

extern const std::size_t mtgp32_parameter_bytes, mtgp32_state_bytes, mtgp32_word_bytes;

/// Fills the tables; once.
cudaError_t load_mtgp32_parameters(const Mtgp32Memory& memory);

/// Seeds the generators of units [first, first + units): a function of (seed, pass, number of the
/// frame, unit).
cudaError_t seed_mtgp32(const Mtgp32Memory& memory, std::uint64_t seed, std::uint32_t pass,
                        std::uint32_t number, std::uint32_t first, int units, cudaStream_t stream);

/// Warms the units up or records their samples. `arguments`: the bytes of a PoolArguments, whose
/// type is another one in each namespace that kernels are compiled for.
cudaError_t launch_mtgp32(bool warm_up, const void* arguments, std::size_t argument_bytes,
                          const Mtgp32Memory& memory, int units, int shared_bytes,
                          cudaStream_t stream);

}  // namespace kiln
