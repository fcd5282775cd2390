// SPDX-License-Identifier: MIT
#include "engine/device/cuda/device_code.h"

namespace kiln {

// The build says what it has compiled (device_code.cmake): KILN_DEVICE_CODE_ARCHS, a list of numbers, and
// KILN_LEAST_CUDA and KILN_PTX_CUDA, the versions of CUDA that drivers must know for the code and for its PTX.
const int least_cuda_version = KILN_LEAST_CUDA;
const int ptx_cuda_version = KILN_PTX_CUDA;
const std::vector<int>& device_code_archs() {
  static const std::vector<int> archs = {KILN_DEVICE_CODE_ARCHS};
  return archs;
}
bool has_device_code() { return !device_code_archs().empty(); }

}  // namespace kiln
