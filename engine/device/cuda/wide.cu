#include "engine/device/cuda/block.cuh"
#include "engine/device/cuda/wide.h"

namespace kiln {
namespace {

template <class Kernel, bool Recording>
__global__ void __launch_bounds__(pool_lanes, 2)
    run_wide(const __grid_constant__ Kernel kernel, const __grid_constant__ RecordStore store) {
  extern __shared__ __align__(16) char memory[];
  __shared__ CudaPoolCommon common;
  CudaPoolShared& shared = *reinterpret_cast<CudaPoolShared*>(memory);
  CudaPoolBlock<Recording> block(int(blockIdx.x), shared, store, common);
  kernel(block, shared);
}

template <class Kernel, bool Recording>
cudaError_t launch_pool(const void* arguments, int blocks, const RecordStore& store,
                        int shared_bytes, cudaStream_t stream) {
  const cudaError_t error = cudaFuncSetAttribute(
      run_wide<Kernel, Recording>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  if (error != cudaSuccess) return error;
  run_wide<Kernel, Recording><<<u32(blocks), pool_lanes, std::size_t(shared_bytes), stream>>>(
      *static_cast<const Kernel*>(arguments), store);
  return cudaGetLastError();
}

}  // namespace

cudaError_t launch_wide(int kernel, const void* arguments, int blocks, const RecordStore& store,
                        int shared_bytes, cudaStream_t stream) {
  if (blocks == 0) return cudaSuccess;
  if (kernel == kernel_id<WideWarmUp>)
    return launch_pool<WideWarmUp, false>(arguments, blocks, store, shared_bytes, stream);
  return launch_pool<WideIterateBatch, true>(arguments, blocks, store, shared_bytes, stream);
}

}  // namespace kiln
