// Which GPUs this process sees (see_cuda_devices() in engine/device/device.h).
#pragma once

#include <cuda_runtime.h>

namespace kiln {

/// What CUDA calls GPU `index` in this process; -1 if it does not see it.
int gpu_ordinal(int index);

/// How many there are. Throws Error (device) where check_cuda_process() does.
cudaError_t count_gpus(int& count);
/// Throws Error (device) in a child of fork() whose parent has used CUDA: its calls fail there.
void check_cuda_process();

}  // namespace kiln
