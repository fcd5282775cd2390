// SPDX-License-Identifier: MIT
// Some points of a flame, as the chaos game leaves them for who writes them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kiln {

struct PointColumns {
  const float* places;          // [count][4] x y z, and the place in the palette
  const std::uint32_t* colors;  // [count] bytes: red green blue alpha, red first in memory
  const std::uint16_t* xforms;  // [count]
  std::size_t count;
};

}  // namespace kiln
