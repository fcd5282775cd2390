// What GPUs read from each other's memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace kiln {

/// Lets GPU `mine`, the calling thread's, read the memory of GPU `other` (CUDA's numbers); false
/// where nothing but the host leads from one to the other.
bool reach_peer(int mine, int other);

/// sums [count] += others [count] on the GPU of `stream`, which reaches both; queued.
cudaError_t add_peer_sums(std::uint64_t* sums, const std::uint64_t* others, std::size_t count,
                          cudaStream_t stream);

}  // namespace kiln
