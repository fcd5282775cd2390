// SPDX-License-Identifier: MIT
// Starting the chaos game: a block a unit.
#pragma once

#include "engine/device/cuda/many.cuh"
#include "engine/device/cuda/pool_block.cuh"

namespace kiln {

/// Starts a kernel with the dynamic shared memory that its blocks need.
inline cudaError_t launch_units(void (*kernel)(PoolArguments), const PoolArguments& arguments,
                                int units, int shared_bytes, cudaStream_t stream) {
  if (units == 0) return cudaSuccess;
  const cudaError_t error = allow_shared(reinterpret_cast<const void*>(kernel), shared_bytes);
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

/// Some units of one of many flames.
struct UnitsOfOne {
  PoolArguments arguments;
  i32 warms_up;  // the steps that nobody sees come first; units that are not counted stay there
};

/// The units of many flames.
template <class Code>
__global__ void __launch_bounds__(pool_lanes, 2)
    play_many(const __grid_constant__ Many<UnitsOfOne> many) {
  extern __shared__ __align__(16) char memory[];
  __shared__ CudaPoolCommon common;
  const int item = item_of(many, blockIdx.x);
  const PoolArguments& arguments = many.item[item].arguments;
  CudaPoolShared& shared = *reinterpret_cast<CudaPoolShared*>(memory);
  const int end = arguments.unfinished ? 2 : 1;
#pragma unroll 1  // the steps stand once
  for (int recording = many.item[item].warms_up ? 0 : 1; recording < end; ++recording) {
    CudaPoolBlock<true> block(int(blockIdx.x - many.first[item]), shared, arguments.store, common);
    play(Code{}, arguments.game, recording != 0, arguments.unfinished, block, shared);
    __syncthreads();  // all of the pool is where the next steps look for it
  }
}

/// Starts that kernel.
inline cudaError_t launch_many_units(void (*kernel)(Many<UnitsOfOne>), const Many<UnitsOfOne>& many,
                                     int shared_bytes, cudaStream_t stream) {
  const cudaError_t error = allow_shared(reinterpret_cast<const void*>(kernel), shared_bytes);
  if (error != cudaSuccess) return error;
  kernel<<<many.blocks(), pool_lanes, std::size_t(shared_bytes), stream>>>(many);
  return cudaGetLastError();
}
cudaError_t launch_many_extended(const Many<UnitsOfOne>& many, int shared_bytes,
                                 cudaStream_t stream);
cudaError_t launch_many_jwildfire(const Many<UnitsOfOne>& many, int shared_bytes,
                                  cudaStream_t stream);
cudaError_t launch_many_fine(const Many<UnitsOfOne>& many, int shared_bytes, cudaStream_t stream);

/// Each warms the units of `arguments` up, or records their samples. Extended flames
/// (kernels/extended_xform.h), without and with JWildfire's variations; fine ones (kernels/fine_xform.h); the divergent reference. Compiled in files of their own.
cudaError_t launch_extended(bool warm_up, const PoolArguments& arguments, int units,
                            int shared_bytes, cudaStream_t stream);
cudaError_t launch_jwildfire(bool warm_up, const PoolArguments& arguments, int units,
                             int shared_bytes, cudaStream_t stream);
cudaError_t launch_fine(bool warm_up, const PoolArguments& arguments, int units, int shared_bytes,
                        cudaStream_t stream);
cudaError_t launch_divergent(bool warm_up, const PoolArguments& arguments, int units,
                             int shared_bytes, cudaStream_t stream);

}  // namespace kiln
