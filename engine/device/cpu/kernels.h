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

}  // namespace kiln
