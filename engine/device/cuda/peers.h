// SPDX-License-Identifier: MIT
// What GPUs read from each other's memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/device/cuda/driver.h"

namespace kiln {

/// sums [count] += others [count] on the GPU of `stream`, which reaches both; queued. Throws Error
/// (device).
void add_peer_sums(std::uint64_t* sums, const std::uint64_t* others, std::size_t count,
                   CudaStream stream);
/// Copies them from another GPU's memory, or its own; queued. Throws Error (device).
void copy_peer_sums(std::uint64_t* sums, int mine, const std::uint64_t* others, int other,
                    std::size_t count, CudaStream stream);

}  // namespace kiln
