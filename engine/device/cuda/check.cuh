// SPDX-License-Identifier: MIT
// A CUDA call that fails is an Error (device) with the remedy.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "engine/device/device.h"

namespace kiln {

[[noreturn]] inline void cuda_failed(cudaError_t error, const char* expression, const char* file,
                                     int line) {
  device_error(
      std::string(file) + ":" + std::to_string(line) + ": " + expression + ": " +
      cudaGetErrorString(error) +
      (error == cudaErrorMemoryAllocation
           ? "; the GPU's memory is full: lower --supersample or the size, or use --backend cpu"
           : "; --backend cpu renders the same picture"));
}

#define KILN_CUDA_CHECK(expression)                                                          \
  do {                                                                                       \
    const cudaError_t error_ = (expression);                                                 \
    if (error_ != cudaSuccess) ::kiln::cuda_failed(error_, #expression, __FILE__, __LINE__); \
  } while (0)

}  // namespace kiln
