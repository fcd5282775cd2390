// SPDX-License-Identifier: MIT
// Which GPUs this process sees (see_cuda_devices() in engine/device/device.h).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace kiln {

// What GPUs read from each other's memory.

/// Lets GPU `mine`, the calling thread's, read the memory of GPU `other` (CUDA's numbers); false
/// where nothing but the host leads from one to the other.
bool reach_peer(int mine, int other);

/// sums [count] += others [count] on the GPU of `stream`, which reaches both; queued.
cudaError_t add_peer_sums(std::uint64_t* sums, const std::uint64_t* others, std::size_t count,
                          cudaStream_t stream);

/// CUDA's number of GPU `index` in this process; -1 if it does not see it.
int gpu_ordinal(int index);

/// Counts the GPUs that CUDA sees. Throws Error (device) where check_cuda_process() does.
cudaError_t count_gpus(int& count);
/// Throws Error (device) in a child of fork() whose parent has used CUDA: its calls fail there.
void check_cuda_process();

}  // namespace kiln
