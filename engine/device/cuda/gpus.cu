// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "engine/device/cuda/gpus.h"
#include "engine/device/device.h"

namespace kiln {
namespace {

/// The numbers of the GPUs that see_cuda_devices() left; empty: all are seen.
std::vector<int> seen_devices;

/// The process that has used CUDA; 0: none yet.
std::atomic<pid_t> cuda_process{0};

}  // namespace

void check_cuda_process() {
  if (cuda_process == 0 || cuda_process == getpid()) return;
  device_error(
      "CUDA does not work in a child of fork() when the parent has used it; start processes by "
      "spawn (Python: multiprocessing.get_context(\"spawn\")), or render on the CPU "
      "(--backend cpu)");
}

cudaError_t count_gpus(int& count) {
  check_cuda_process();
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess) cuda_process = getpid();
  return error;
}

int gpu_ordinal(int index) {
  if (seen_devices.empty()) return index;
  const auto at = std::find(seen_devices.begin(), seen_devices.end(), index);
  return at == seen_devices.end() ? -1 : int(at - seen_devices.begin());
}

void see_cuda_devices(const std::vector<int>& indices) {
  if (std::getenv("CUDA_VISIBLE_DEVICES")) return;
  std::string list;
  for (const int index : indices) {
    if (std::find(seen_devices.begin(), seen_devices.end(), index) != seen_devices.end()) continue;
    list += (list.empty() ? "" : ",") + std::to_string(index);
    seen_devices.push_back(index);
  }
  setenv("CUDA_VISIBLE_DEVICES", list.c_str(), 1);
}

std::vector<DeviceInfo> list_cuda_devices() {
  int count = 0;
  std::vector<DeviceInfo> devices;
  if (count_gpus(count) != cudaSuccess) return devices;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    const int index = seen_devices.empty() ? i : seen_devices[std::size_t(i)];
    devices.push_back({"cuda", index, properties.name, properties.totalGlobalMem,
                       "compute capability " + std::to_string(properties.major) + "." +
                           std::to_string(properties.minor),
                       properties.major * 10 + properties.minor});
  }
  return devices;
}

namespace {

// Histograms of several GPUs become one. A GPU reads its neighbors' sums where they lie: NVLink
// brings 330 GB/s into each of four H100, 393 where they are copied (docs/devices.md), so that no
// library and no second buffer is needed.

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
