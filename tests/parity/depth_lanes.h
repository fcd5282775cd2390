// SPDX-License-Identifier: MIT
// The camera of pictures with depth as a run of lanes sees many points: compiled once per
// instruction set, with the options of the CPU's kernels. Plain data only: nothing of the standard
// library may be instantiated in code for one instruction set.
#pragma once

#include <cstdint>

namespace kiln::test {

constexpr int most_seen = 256;  // points of a run

/// Points of one run and their generators.
struct SeenRun {
  const void* view;  // the bytes of a DepthView, whose type is another one in each namespace
  int count;
  const float* z;
  float *x, *y;                      // replaced by the places where the points are seen
  std::uint32_t *random0, *random1;  // advanced
};

}  // namespace kiln::test
