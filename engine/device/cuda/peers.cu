// Histograms of several GPUs become one. A GPU reads its neighbors' sums where they lie: NVLink
// brings 330 GB/s into each of four H100, 393 where they are copied (docs/devices.md), so that no
// library and no second buffer is needed.
#include <algorithm>

#include "engine/device/cuda/peers.h"

namespace kiln {
namespace {

__global__ void __launch_bounds__(512)
    add_sums(ulonglong2* sums, const ulonglong2* others, std::size_t pairs, bool odd) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  const std::size_t first = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (std::size_t i = first; i < pairs; i += stride) {
    const ulonglong2 theirs = others[i];
    ulonglong2 mine = sums[i];
    mine.x += theirs.x;
    mine.y += theirs.y;
    sums[i] = mine;
  }
  if (odd && first == 0) sums[pairs].x += others[pairs].x;
}

}  // namespace

bool reach_peer(int mine, int other) {
  if (mine == other) return true;
  int can = 0;
  if (cudaDeviceCanAccessPeer(&can, mine, other) != cudaSuccess || !can) {
    cudaGetLastError();
    return false;
  }
  const cudaError_t error = cudaDeviceEnablePeerAccess(other, 0);
  cudaGetLastError();  // what is on already is an error as well
  return error == cudaSuccess || error == cudaErrorPeerAccessAlreadyEnabled;
}

cudaError_t add_peer_sums(std::uint64_t* sums, const std::uint64_t* others, std::size_t count,
                          cudaStream_t stream) {
  constexpr std::size_t lanes = 512, most_blocks = 132 * 16;  // a few waves of a large GPU
  const std::size_t pairs = count / 2;
  const std::size_t blocks = std::clamp<std::size_t>((pairs + lanes - 1) / lanes, 1, most_blocks);
  add_sums<<<unsigned(blocks), unsigned(lanes), 0, stream>>>(
      reinterpret_cast<ulonglong2*>(sums), reinterpret_cast<const ulonglong2*>(others), pairs,
      count % 2 != 0);
  return cudaGetLastError();
}

}  // namespace kiln
