// SPDX-License-Identifier: MIT
// The GPUs of this process (see_cuda_devices() in engine/device/device.h), by CUDA's numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/device/cuda/driver.h"

namespace kiln {

constexpr int most_gpus = 32;  // of a process

/// Counts the GPUs that CUDA sees; -1, and why, where it sees none. Throws Error (device) where
/// check_cuda_process() does.
int count_gpus(std::string& reason);
/// Throws Error (device) in a child of fork() whose parent has used CUDA: its calls fail there.
void check_cuda_process();

/// CUDA's number of GPU `index` in this process; -1 if it does not see it.
int gpu_ordinal(int index);

/// Makes a GPU that of the calling thread: its primary context, which all of the process share (so
/// does CUDA's runtime in other parts of a program). The result is the driver's.
int use_gpu(int ordinal);
/// The primary context of a GPU, which stays; the result is the driver's.
int context_of_gpu(int ordinal, CudaContext& context);
/// The GPU of the calling thread; -1 before its first use_gpu().
int gpu_in_use();

/// A GPU, as far as kiln asks.
struct GpuProperties {
  std::string name;
  std::uint64_t memory_bytes = 0;
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  int l2_bytes = 0;
  // of shared memory: a block's at most, a multiprocessor's, what each block takes for CUDA
  std::size_t shared_block = 0, shared_multiprocessor = 0, reserved_shared_block = 0;

  int capability() const { return major * 10 + minor; }
};
/// Whether there is code for GPUs of this compute capability (90), or the driver compiles it; and
/// what is said where not.
bool fits_device_code(int capability);
std::string too_old_gpu(const GpuProperties& properties);
/// Reads them; the result is the driver's.
int read_properties(int ordinal, GpuProperties& properties);

/// Lets GPU `mine`, the calling thread's, read the memory of GPU `other`; false where nothing but
/// the host leads from one to the other.
bool reach_peer(int mine, int other);

}  // namespace kiln
