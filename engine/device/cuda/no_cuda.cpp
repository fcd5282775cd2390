// Stands in for the CUDA device in builds without nvcc.
#include "engine/base/error.h"
#include "engine/device/device.h"

namespace kiln {

std::unique_ptr<Device> open_cuda(int, bool required) {
  if (required) {
    fail(ErrorKind::device,
         "this kiln was built without CUDA; use --backend cpu, or build with nvcc and "
         "-DKILN_CUDA=ON");
  }
  return nullptr;
}

std::vector<DeviceInfo> list_cuda_devices() { return {}; }

}  // namespace kiln
