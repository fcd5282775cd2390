// SPDX-License-Identifier: MIT
// cuRAND's Philox as the oracle of ours: its device generator, compiled for the GPU and for the
// host from the toolkit's headers, and the host generator of libcurand, which is loaded if it is
// there and linked nowhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::test {

/// Where cuRAND's device generator stands after curand_init(seed, subsequence, offset).
struct PhiloxPlace {
  std::uint64_t seed, subsequence, offset;
};

/// `count` words of curand() from each place, one place after the other, computed on the host.
std::vector<std::uint32_t> curand_words(const std::vector<PhiloxPlace>& places, int count);

/// The same on a GPU, and there too the words of kiln's philox at the counters that each place
/// stands for (multiples of 4 as offsets and `count`). False without a GPU.
bool words_on_gpu(const std::vector<PhiloxPlace>& places, int count,
                  std::vector<std::uint32_t>& curand, std::vector<std::uint32_t>& kiln);

/// Words [offset, offset + count) of libcurand's host generator CURAND_RNG_PSEUDO_PHILOX4_32_10.
/// Empty, with the reason, where there is no libcurand.
std::vector<std::uint32_t> curand_host_words(std::uint64_t seed, std::uint64_t offset, int count,
                                             std::string& reason);

}  // namespace kiln::test
