// SPDX-License-Identifier: MIT
// The divergent reference with the interpreter's xforms; those compiled for a flame are made by
// jit/flame_code.h.
#include "engine/device/cuda/checks/divergent.cuh"
#include "engine/device/cuda/launch_units.cuh"
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

cudaError_t launch_divergent(bool warm_up, const PoolArguments& arguments, int units,
                             int shared_bytes, cudaStream_t stream) {
  return launch_units(warm_up ? run_orbits_interpreted<true> : run_orbits_interpreted<false>,
                      arguments, units, shared_bytes, stream);
}

}  // namespace kiln
