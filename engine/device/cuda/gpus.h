// Which GPUs this process sees (see_cuda_devices() in engine/device/device.h).
#pragma once

namespace kiln {

/// What CUDA calls GPU `index` in this process; -1 if it does not see it.
int gpu_ordinal(int index);

}  // namespace kiln
