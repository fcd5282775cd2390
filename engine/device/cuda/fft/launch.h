// SPDX-License-Identifier: MIT
// The FFT of the CUDA device; the tables of tables.h have its kernels.
#pragma once

#include <span>

#include "engine/device/cuda/driver.h"
#include "kernels/fft.h"

KILN_BEGIN

/// Queues a job. Throws Error (device).
void launch_fft(const FftLines& job, CudaStream stream);
/// Two streams beside a device's own, made when first needed; their owner's to destroy.
struct FftStreams {
  CudaStream stream[2] = {};
  CudaEvent begin = nullptr, end[2] = {};
};
void destroy(FftStreams& streams);
/// Queues jobs in turn, whose lines fall into `units` parts (Device::transform).
void launch_fft(std::span<const FftLines> jobs, i32 units, FftStreams& streams, CudaStream stream);

KILN_END
