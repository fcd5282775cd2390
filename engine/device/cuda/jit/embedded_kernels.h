// SPDX-License-Identifier: MIT
// The kernel headers as text inside the program, so that kernels can be compiled at run time where
// no source tree is. The build writes the table (engine/device/cuda/jit/embed_kernels.cmake)
// whenever a header changes.
#pragma once

#include <string>
#include <vector>

namespace kiln {

struct EmbeddedHeader {
  std::string name;                 // as kernels include it: "kernels/math.h"
  std::vector<const char*> pieces;  // its text, in literals short enough for every compiler

  std::string text() const {
    std::string whole;
    for (const char* piece : pieces) whole += piece;
    return whole;
  }
};

const std::vector<EmbeddedHeader>& embedded_kernels();

}  // namespace kiln
