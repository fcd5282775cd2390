// SPDX-License-Identifier: MIT
#include "engine/device/cuda/fft/any.cuh"

extern "C" __global__ void __launch_bounds__(kiln::any_threads)
    kiln_any_fft(const __grid_constant__ kiln::FftLines job) {
  extern __shared__ __align__(16) char memory[];
  kiln::run_any_line(job, reinterpret_cast<kiln::Complex*>(memory));
}
