// SPDX-License-Identifier: MIT
// The FFT of the CUDA device; cuda/fft/launch.cu has the kernels.
#pragma once

#include <cuda_runtime.h>

#include <span>

#include "kernels/fft.h"

KILN_BEGIN

/// Queues a job. The error is CUDA's.
cudaError_t launch_fft(const FftLines& job, cudaStream_t stream);
/// Two streams beside a device's own, made when first needed; their owner's to destroy.
struct FftStreams {
  cudaStream_t stream[2] = {};
  cudaEvent_t begin = nullptr, end[2] = {};
};
void destroy(FftStreams& streams);
/// Queues jobs in turn, whose lines fall into `units` parts (Device::transform).
cudaError_t launch_fft(std::span<const FftLines> jobs, i32 units, FftStreams& streams,
                       cudaStream_t stream);

KILN_END
