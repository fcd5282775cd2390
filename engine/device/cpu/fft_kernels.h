// The FFT of the CPU device, compiled once per instruction set.
#pragma once

#include <cstddef>

namespace kiln {

/// `job` points to an FftLines (kernels/fft.h).
struct CpuFft {
  std::size_t (*scratch_bytes)(const void* job);  // of one thread, 64-byte aligned
  int (*blocks)(const void* job);
  void (*run)(const void* job, int first, int last, void* scratch);
};

}  // namespace kiln
