// SPDX-License-Identifier: MIT
// Applies xforms to given points: the arithmetic of the chaos game without the game, so that tests
// can compare every variation on every device with known values. Compiled once per instruction set
// and once for CUDA, with the options of the kernels. Plain data only: nothing of the standard
// library may be instantiated in code for one instruction set.
#pragma once

#include "kernels/extended_xform.h"
#include "kernels/variations/all.h"
#include "kernels/xform.h"

namespace kiln::test {

constexpr int most_points = 256;  // of an xform

/// Points and generators in the device's memory, those of one xform after those of another.
struct GivenPoints {
  const void* program;  // the bytes of a Program, whose type is another one in each namespace
  int xforms, points_per_xform;
  float *x, *y, *z, *color;          // replaced by the results; the last two of extended flames
  std::uint32_t *random0, *random1;  // advanced
};

/// On the first GPU.
void evaluate_on_cuda(const GivenPoints& given);

}  // namespace kiln::test

KILN_BEGIN

/// The points of a run's lanes, `x` and `y` being those of slot 0.
template <class Run, class Randoms>
KILN_FN void apply_to_points(const Program& program, const XformData& xform, const Run& run,
                             Randoms& random, float* x, float* y) {
  typename Run::template Lanes<Real> lane_x, lane_y;
  run.each([&](int i) KILN_INLINE { lane_x[i] = lane_y[i] = 0; });
  run.each_exact([&](int i) KILN_INLINE {
    lane_x[i] = x[run.begin + i];
    lane_y[i] = y[run.begin + i];
  });
  apply_xform<Flam3Variations>(program, xform, xform, run, lane_x, lane_y, random);
  run.each_exact([&](int i) KILN_INLINE {
    x[run.begin + i] = lane_x[i];
    y[run.begin + i] = lane_y[i];
  });
}

/// The same of an xform of an extended flame, with depth and color.
template <class List, class Run, class Randoms>
KILN_FN void apply_wide_to_points(const Program& program, int f, const Run& run, Randoms& random,
                                  float* x, float* y, float* z, float* color) {
  typename Run::template Lanes<Real> lanes[4];
  float* const given[] = {x, y, z, color};
  for (int k = 0; k < 4; ++k) {
    run.each([&](int i) KILN_INLINE { lanes[k][i] = 0; });
    run.each_exact([&](int i) KILN_INLINE { lanes[k][i] = given[k][run.begin + i]; });
  }
  ExtendedInterpreter<List>{}
      .xform(program, f)
      .apply(run, lanes[0], lanes[1], lanes[2], lanes[3], random);
  for (int k = 0; k < 4; ++k)
    run.each_exact([&](int i) KILN_INLINE { given[k][run.begin + i] = lanes[k][i]; });
}

KILN_END
