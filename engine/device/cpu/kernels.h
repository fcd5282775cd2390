// The CPU device's side of the kernels: the same functions compiled for several instruction sets,
// chosen at start.
#pragma once

#include <cstddef>

#include "kernels/bins.h"

namespace kiln {

/// What one worker thread brings to a launch.
struct CpuWorker {
  void* scratch;   // at least CpuKernels::scratch_bytes, 64-byte aligned
  Bins* bins;      // this worker's bins
  Bins* all_bins;  // [worker_count] every worker's, for summing
  int worker_count;
};

struct CpuKernels {
  const char* name;  // "x86-64-v3"
  std::size_t scratch_bytes;
  /// Runs blocks [first, last) of kernel number `kernel` (kernels/kernels.h), whose bytes are at
  /// `arguments`.
  void (*run)(int kernel, const void* arguments, int first, int last, const CpuWorker& worker);
};

/// The divergent reference (kernels/divergent.h).
struct CpuDivergent {
  std::size_t scratch_bytes;  // of a worker
  /// Runs units [first, last) of the ChaosGame at `game`: warms them up or records their samples.
  void (*warm_up)(const void* game, int first, int last, const CpuWorker& worker);
  void (*iterate)(const void* game, int first, int last, const CpuWorker& worker);
};

/// The FFT. `job` points to an FftLines (kernels/fft.h).
struct CpuFft {
  std::size_t (*scratch_bytes)(const void* job);  // of one thread, 64-byte aligned
  int (*blocks)(const void* job);
  void (*run)(const void* job, int first, int last, void* scratch);
};

}  // namespace kiln
