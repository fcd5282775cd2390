// SPDX-License-Identifier: MIT
// The points of a flame, for programs that want them instead of a picture: Blender, Houdini, numpy.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

namespace kiln {

struct PointOptions {
  std::uint64_t count = 1000000;  // at most 100 000 000 000
  std::uint64_t seed = 0;
  bool inside = false;        // only those that fall into the picture
  int threads = 0;            // 0: all cores
  std::stop_token stop = {};  // ends it with Error (stopped)
  int cells = 256;            // of a density volume (.nrrd, .npy) along its longest side, 2 to 1024
};

/// Points that are in memory, all of the same length but for their factors.
struct Points {
  std::vector<float> places;          // [count][3] x y z of the flame, behind its final xform
  std::vector<std::uint8_t> colors;   // [count][4] red green blue of the palette, and how opaque
  std::vector<std::uint16_t> xforms;  // [count] the xform that made it, from 0
};

}  // namespace kiln
