// SPDX-License-Identifier: MIT
// Compiled once per instruction set (KILN_ISA = v2, v3, v4), with the options of the CPU's kernels.
#include "tests/parity/depth_lanes.h"

#include "kernels/depth_view.h"
#include "kernels/pool_block_cpu.h"

KILN_BEGIN

static_assert(test::most_seen <= run_slots);

inline void see_points(const DepthView& view, const test::SeenRun& given) {
  const int count = given.count;
  const CpuRun run{0, count, (count + vector_lanes - 1) & ~(vector_lanes - 1)};
  u32 lane0[run_slots], lane1[run_slots];
  CpuRun::Lanes<Real> x, y, z;
  for (int i = 0; i < run_slots; ++i) {
    x[i] = i < count ? given.x[i] : 0;
    y[i] = i < count ? given.y[i] : 0;
    z[i] = i < count ? given.z[i] : 0;
    lane0[i] = i < count ? given.random0[i] : 1;
    lane1[i] = i < count ? given.random1[i] : 0;
  }
  CpuRandoms random(lane0, lane1, run, false);
  DepthLanes<CpuRun::Lanes<Real>> lanes;
  lanes.see(run, view, x, y, z, random);
  random.commit(run);
  for (int i = 0; i < count; ++i) {
    given.x[i] = x[i];
    given.y[i] = y[i];
    given.random0[i] = lane0[i];
    given.random1[i] = lane1[i];
  }
}

KILN_END

namespace kiln::test {

void KILN_OF_ISA(see_points_)(const SeenRun& given) {
  DepthView view;
  __builtin_memcpy(static_cast<void*>(&view), given.view, sizeof view);
  see_points(view, given);
}

}  // namespace kiln::test
