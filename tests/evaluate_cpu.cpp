// SPDX-License-Identifier: MIT
// Compiled once per instruction set (KILN_ISA = v2, v3, v4), with the options of the CPU's kernels.
#include "engine/device/cpu/extended_terms.h"
#include "tests/evaluate_kernel.h"

KILN_BEGIN

extern KILN_TERMS_OF(ExtendedVariations, 0);
extern KILN_TERMS_OF(JWildfireVariations, ExtendedVariations::size);

static_assert(test::most_points <= run_slots);

/// The points of one xform as one run.
inline void apply_to_points_of(const Program& program, int f, const test::GivenPoints& given) {
  const int count = given.points_per_xform;
  const i64 at = i64(f) * count;
  u32 lane0[run_slots], lane1[run_slots];
  for (int i = 0; i < run_slots; ++i) {
    lane0[i] = i < count ? given.random0[at + i] : 1;
    lane1[i] = i < count ? given.random1[at + i] : 0;
  }
  const CpuRun run{0, count, (count + vector_lanes - 1) & ~(vector_lanes - 1)};
  CpuRandoms random(lane0, lane1, run, true);
  if (program.extended) {
    apply_wide_to_points<ListsApart<ExtendedVariations, JWildfireVariations>>(
        program, f, run, random, given.x + at, given.y + at, given.z + at, given.color + at);
  } else {
    apply_to_points(program, program.xforms[f], run, random, given.x + at, given.y + at);
  }
  random.commit(run);
  for (int i = 0; i < count; ++i) {
    given.random0[at + i] = lane0[i];
    given.random1[at + i] = lane1[i];
  }
}

KILN_END

namespace kiln::test {

void KILN_OF_ISA(evaluate_on_)(const GivenPoints& given) {
  Program program;
  __builtin_memcpy(static_cast<void*>(&program), given.program, sizeof program);
  for (int f = 0; f < given.xforms; ++f) apply_to_points_of(program, f, given);
}

}  // namespace kiln::test
