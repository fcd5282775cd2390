#include "engine/device/cuda/launch_units.cuh"
#include "kernels/extended_xform.h"
#include "kernels/variations/all.h"

namespace kiln {

cudaError_t launch_extended(bool warm_up, const PoolArguments& arguments, int units,
                            int shared_bytes, cudaStream_t stream) {
  using Code = ExtendedInterpreter<AllVariations>;
  return launch_units(warm_up ? run_interpreter<Code, false> : run_interpreter<Code, true>,
                      arguments, units, shared_bytes, stream);
}

}  // namespace kiln
