// Applies xforms to given points: the arithmetic of the chaos game without the game, so that tests
// can compare every variation on every device with known values. Block b applies xform b to its own
// `points_per_xform` points.
#pragma once

#include "kernels/xform.h"

KILN_BEGIN

template <class List>
struct EvaluateXformsOf {
  static constexpr int lanes = 256;
  static constexpr bool evaluates_xforms = true;
  struct Shared {};

  Program program;
  i32 points_per_xform;  // at most lanes
  float* x;              // [xforms][points_per_xform] points, replaced by the result
  float* y;
  u32* random0;  // [xforms][points_per_xform] generators, advanced
  u32* random1;

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    const i64 at = i64(block.index) * points_per_xform;
    float *px = x + at, *py = y + at;
    const XformData& xform = program.xforms[block.index];
    block.each_run(points_per_xform, random0 + at, random1 + at,
                   [&](const auto& run, auto& random) KILN_INLINE {
                     using Run = typename Block::Run;
                     typename Run::template Lanes<Real> lane_x, lane_y;
                     run.each([&](int i) KILN_INLINE { lane_x[i] = lane_y[i] = 0; });
                     run.each_exact([&](int i) KILN_INLINE {
                       lane_x[i] = px[run.begin + i];
                       lane_y[i] = py[run.begin + i];
                     });
                     apply_xform<List>(program, xform, xform, run, lane_x, lane_y, random);
                     run.each_exact([&](int i) KILN_INLINE {
                       px[run.begin + i] = lane_x[i];
                       py[run.begin + i] = lane_y[i];
                     });
                   });
  }
};

KILN_END
