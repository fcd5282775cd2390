// SPDX-License-Identifier: MIT
#include "engine/device/cuda/check.h"

#include <fmt/format.h>

#include "engine/device/device.h"

namespace kiln {

void cuda_failed(int result, const std::string& what, const char* file, int line) {
  device_error(
      fmt::format("{}:{}: {}: {}", file, line, what, cuda_text(result)) +
      (result == Driver::out_of_memory
           ? "; the GPU's memory is full: lower --supersample or the size, or use --backend cpu"
           : "; --backend cpu renders the same picture"));
}

}  // namespace kiln
