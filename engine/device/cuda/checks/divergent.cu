#include "engine/device/cuda/checks/divergent.cuh"
#include "engine/device/cuda/checks/divergent.h"
#include "kernels/variations/all.h"

namespace kiln {
namespace {

template <bool WarmUp>
__global__ void __launch_bounds__(pool_lanes, 2)
    run_orbits_interpreted(const __grid_constant__ PoolArguments arguments) {
  extern __shared__ __align__(16) char memory[];
  __shared__ CudaPoolCommon common;
  run_divergent<WarmUp>(Interpreter<Flam3Variations, any_features>{}, arguments, memory, common);
}

}  // namespace

int divergent_tail_bytes(const Program& program) {
  return 4 * divergent_shares(program.xform_count, program.has_xaos);
}

cudaError_t launch_divergent(bool warm_up, const PoolArguments& arguments, int units,
                             int shared_bytes, cudaStream_t stream) {
  const auto kernel = warm_up ? run_orbits_interpreted<true> : run_orbits_interpreted<false>;
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  if (error != cudaSuccess) return error;
  kernel<<<unsigned(units), pool_lanes, std::size_t(shared_bytes), stream>>>(arguments);
  return cudaGetLastError();
}

}  // namespace kiln
