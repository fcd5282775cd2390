// SPDX-License-Identifier: MIT
// The chaos game of flames that use JWildfire's variations. Its list is the longest, so its code
// stands once, in the kernel that plays many flames, of which one is enough.
#include "engine/device/cuda/launch_units.cuh"
#include "kernels/extended_xform.h"
#include "kernels/variations/all.h"

namespace kiln {

cudaError_t launch_many_jwildfire(const Many<UnitsOfOne>& many, int shared_bytes,
                                  cudaStream_t stream) {
  return launch_many_units(play_many<JWildfireInterpreter<AllVariations>>, many, shared_bytes,
                           stream);
}

cudaError_t launch_jwildfire(bool warm_up, const PoolArguments& arguments, int units,
                             int shared_bytes, cudaStream_t stream) {
  if (units == 0) return cudaSuccess;
  Many<UnitsOfOne> one;
  one.add({arguments, warm_up}, units);
  return launch_many_jwildfire(one, shared_bytes, stream);
}

}  // namespace kiln
