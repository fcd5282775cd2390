// Kernels of wide flames (kernels/wide_xform.h) on CUDA, compiled in a file of their own.
#pragma once

#include <cuda_runtime.h>

#include "engine/device/cuda/record_store.cuh"

namespace kiln {

/// Starts a kernel of WideKernels by its number in AllKernels. `shared_bytes`: of a block of the
/// chaos game, which records into `store`.
cudaError_t launch_wide(int kernel, const void* arguments, int blocks, const RecordStore& store,
                        int shared_bytes, cudaStream_t stream);

}  // namespace kiln
