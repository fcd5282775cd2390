// SPDX-License-Identifier: MIT
#include "engine/device/cuda/peers.h"

#include <algorithm>

#include "engine/device/cuda/check.h"
#include "engine/device/cuda/gpus.h"
#include "engine/device/cuda/kernel.h"

KILN_DEVICE_CODE(peers)

namespace kiln {
namespace {

// Histograms of several GPUs become one. A GPU reads its neighbors' sums where they lie: NVLink
// brings 330 GB/s into each of four H100, 393 where they are copied (docs/reference/devices.md), so that no
// library and no second buffer is needed.

constexpr u32 peer_lanes = 512;
Kernel<u64*, const u64*, u64, bool> add_sums_kernel(code_peers, "kiln_add_sums", peer_lanes);

}  // namespace

void add_peer_sums(std::uint64_t* sums, const std::uint64_t* others, std::size_t count,
                   CudaStream stream) {
  constexpr std::size_t most_blocks = 132 * 16;  // a few waves of a large GPU
  const std::size_t pairs = count / 2;
  const std::size_t blocks =
      std::clamp<std::size_t>((pairs + peer_lanes - 1) / peer_lanes, 1, most_blocks);
  add_sums_kernel(u32(blocks), 0, stream, sums, others, pairs, count % 2 != 0);
}

void copy_peer_sums(std::uint64_t* sums, int mine, const std::uint64_t* others, int other,
                    std::size_t count, CudaStream stream) {
  CudaContext to = nullptr, from = nullptr;
  KILN_CUDA_CHECK(context_of_gpu(mine, to));
  KILN_CUDA_CHECK(context_of_gpu(other, from));
  const std::size_t bytes = count * sizeof(std::uint64_t);
  if (mine == other)
    KILN_CUDA_CHECK(cuda().copy(sums, others, bytes, stream));
  else
    KILN_CUDA_CHECK(cuda().copy_peer(sums, to, others, from, bytes, stream));
}

}  // namespace kiln
