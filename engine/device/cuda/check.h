// SPDX-License-Identifier: MIT
// A call of the driver that fails is an Error (device) with the remedy.
#pragma once

#include <string>

#include "engine/device/cuda/driver.h"

namespace kiln {

/// `what` failed at a place of the source with this result of the driver.
[[noreturn]] void cuda_failed(int result, const std::string& what, const char* file, int line);

#define KILN_CUDA_CHECK(expression)                                  \
  do {                                                               \
    const int result_ = (expression);                                \
    if (result_ != ::kiln::Driver::success)                          \
      ::kiln::cuda_failed(result_, #expression, __FILE__, __LINE__); \
  } while (0)

}  // namespace kiln
