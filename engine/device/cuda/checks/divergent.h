// The divergent reference with the interpreter's xforms; those compiled for a flame are made by
// flame_code.h.
#pragma once

#include <cuda_runtime.h>

#include "engine/device/cuda/pool_block.cuh"

namespace kiln {

/// Words of dynamic shared memory in front of the records.
int divergent_tail_bytes(const Program& program);

/// Warms the units of `arguments` up, or records their samples.
cudaError_t launch_divergent(bool warm_up, const PoolArguments& arguments, int units,
                             int shared_bytes, cudaStream_t stream);

}  // namespace kiln
