// SPDX-License-Identifier: MIT
#include "engine/device/cuda/launch_units.cuh"
#include "kernels/extended_xform.h"
#include "kernels/variations/all.h"

namespace kiln {

using Code = ExtendedInterpreter<ExtendedVariations>;

cudaError_t launch_extended(bool warm_up, const PoolArguments& arguments, int units,
                            int shared_bytes, cudaStream_t stream) {
  return launch_units(warm_up ? run_interpreter<Code, false> : run_interpreter<Code, true>,
                      arguments, units, shared_bytes, stream);
}

cudaError_t launch_many_extended(const Many<UnitsOfOne>& many, int shared_bytes,
                                 cudaStream_t stream) {
  return launch_many_units(play_many<Code>, many, shared_bytes, stream);
}

}  // namespace kiln
