// SPDX-License-Identifier: MIT
// Stands in for the CUDA device in builds without nvcc.
#include "engine/base/error.h"
#include "engine/device/cuda/jit/warm_kernels.h"
#include "engine/device/device.h"
#include "engine/device/device_picture.h"
#include "engine/device/shared_launches.h"

namespace kiln {

std::unique_ptr<Device> open_cuda(int, bool required) {
  if (required) {
    fail(ErrorKind::device,
         "this kiln was built without CUDA; take --backend cpu, or a kiln that is built with it "
         "(docs/use/gpu.md)");
  }
  return nullptr;
}

std::unique_ptr<SharedLaunches> share_cuda(int, std::uint64_t) { return nullptr; }
std::vector<DeviceInfo> list_cuda_devices() { return {}; }
std::string cuda_problem() { return "this kiln was built without CUDA (docs/use/gpu.md)"; }
void see_cuda_devices(const std::vector<int>&) {}
bool draws_windows(int) { return false; }
std::unique_ptr<WindowBuffer> open_window_buffer(int index, unsigned) {
  open_cuda(index, true);
  return nullptr;
}

std::optional<WarmedKernel> warm_kernel(const CompiledFlame&, bool, int) {
  fail(ErrorKind::device, "this kiln was built without CUDA: it has no kernels to compile");
}

}  // namespace kiln
