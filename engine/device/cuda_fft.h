// The FFT of the CUDA device; cuda_fft.cu has the kernels.
#pragma once

#include <cuda_runtime.h>

#include "kernels/fft.h"

namespace kiln {

/// Queues a job. The error is CUDA's.
cudaError_t launch_fft(const FftLines& job, cudaStream_t stream);

}  // namespace kiln
