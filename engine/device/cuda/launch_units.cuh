// Starting the chaos game: a block a unit.
#pragma once

#include "engine/device/cuda/pool_block.cuh"

namespace kiln {

/// Starts a kernel with the dynamic shared memory that its blocks need.
inline cudaError_t launch_units(void (*kernel)(PoolArguments), const PoolArguments& arguments,
                                int units, int shared_bytes, cudaStream_t stream) {
  if (units == 0) return cudaSuccess;
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  if (error != cudaSuccess) return error;
  kernel<<<unsigned(units), pool_lanes, std::size_t(shared_bytes), stream>>>(arguments);
  return cudaGetLastError();
}

/// The permutation method by an interpreter.
template <class Code, bool Recording>
__global__ void __launch_bounds__(pool_lanes, 2)
    run_interpreter(const __grid_constant__ PoolArguments arguments) {
  extern __shared__ __align__(16) char memory[];
  __shared__ CudaPoolCommon common;
  CudaPoolShared& shared = *reinterpret_cast<CudaPoolShared*>(memory);
  CudaPoolBlock<Recording> block(int(blockIdx.x), shared, arguments.store, common);
  if constexpr (Recording)
    iterate_batch(Code{}, arguments.game, arguments.unfinished, block, shared);
  else
    warm_up(Code{}, arguments.game, block, shared);
}

/// Each warms the units of `arguments` up, or records their samples. Extended flames
/// (kernels/extended_xform.h); the divergent reference. Compiled in files of their own.
cudaError_t launch_extended(bool warm_up, const PoolArguments& arguments, int units,
                            int shared_bytes, cudaStream_t stream);
cudaError_t launch_divergent(bool warm_up, const PoolArguments& arguments, int units,
                             int shared_bytes, cudaStream_t stream);

}  // namespace kiln
