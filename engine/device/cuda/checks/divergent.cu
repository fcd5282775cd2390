// SPDX-License-Identifier: MIT
// The divergent reference with the interpreter's xforms; those compiled for a flame are made by
// jit/flame_code.h.
#include "engine/device/cuda/checks/divergent.cuh"
#include "kernels/variations/all.h"

namespace kiln {

template <bool WarmUp>
KILN_FN void run_orbits_interpreted(const PoolArguments& arguments, char* memory,
                                    CudaPoolCommon& common) {
  run_divergent<WarmUp>(Interpreter<Flam3Variations, any_features>{}, arguments, memory, common);
}

}  // namespace kiln

#define KILN_ORBITS_KERNEL(name, warms_up)                             \
  extern "C" __global__ void __launch_bounds__(kiln::pool_lanes, 2)    \
      name(const __grid_constant__ kiln::PoolArguments arguments) {    \
    extern __shared__ __align__(16) char memory[];                     \
    __shared__ kiln::CudaPoolCommon common;                            \
    kiln::run_orbits_interpreted<warms_up>(arguments, memory, common); \
  }
KILN_ORBITS_KERNEL(kiln_warm_divergent, true)
KILN_ORBITS_KERNEL(kiln_play_divergent, false)
