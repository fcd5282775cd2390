// Motion blur: a frame is played at many moments (flam3's temporal samples), and a unit walks over
// a fixed part of them while its pool goes on. Sample p of the n that a pass records belongs to
// moment floor(p * moments / n), or to that between whose ends it lies where quality or zoom move
// and with them what a moment gets; so every moment gets its share to the sample. A unit's samples
// lie side by side, so its moments do too, and one launch plays a frame of any number of moments.
//
// A step has one moment: that of its first sample plus a shift, drawn once a unit, of up to a
// step's samples; so every moment has exactly its share in expectation, also where it gets less
// than a step. Steps are laid out in groups of 32, from the number of samples recorded when the
// group begins; bad values make a group record less than it was laid out for, and the next one
// starts where it ended.
//
// At a new moment the points still lie on the old attractor. Neighbouring moments differ little
// when there are many of them, and a map forgets in a few steps: a lag of these steps. When there
// are few moments and long ones, `settle_steps` steps are not recorded.
#pragma once

#include "kernels/pool.h"

KILN_BEGIN

constexpr int group_of_steps = 32;  // laid out at once: a lane of a warp each

/// Where a unit is in the frame's time.
struct alignas(16) MomentWalk {
  u32 base, base_step;  // samples recorded before step `base_step`, where the group's layout begins
  u32 moment;           // of the last step
  u32 since;            // steps since it began, the last one included
};

/// Before any step: the base is where the unit begins, until a step is recorded; whatever the first
/// moment is, the points settle during the warm-up.
constexpr MomentWalk start_of_walk = {0, ~u32(0), ~u32(0), 0};

/// The moments of one pass.
struct MomentRange {
  u32 first, count;
  u32 settle_steps;
  u64 samples;      // that the pass records
  const u64* ends;  // [count] samples up to the end of each, the last is `samples`; null: even
};

/// The moment in which a sample lies, from 0.
KILN_FN u32 moment_of_sample(const MomentRange& range, u64 sample) {
  if (!range.ends) {
    const u64 moment = sample * range.count / range.samples;
    return u32(moment < range.count ? moment : range.count - 1);
  }
  u32 first = 0, last = range.count - 1;
  while (first < last) {
    const u32 middle = (first + last) / 2;
    if (sample < range.ends[middle])
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

/// The moment of one step, which is recorded if the points have settled.
struct Moment {
  u32 index;
  bool settled;
};

/// How far a unit's steps look ahead of what they have recorded: 0 .. pool_slots - 1.
KILN_FN u32 moment_shift(u64 seed, u32 pass, u32 unit, u32 number) {
  return step_draws(seed, pass, unit, 0, number).fraction / (0x80000000u / (pool_slots / 2));
}

/// The moment of step `step` of a unit that records `target` samples.
KILN_FN u32 moment_of_step(const MomentRange& range, u32 unit, u32 target, u32 shift,
                           const MomentWalk& walk, u32 step) {
  const u64 laid_out = step > walk.base_step ? u64(step - walk.base_step) * pool_slots : 0;
  const u64 place = walk.base + laid_out + shift, last = target ? target - 1 : 0;
  const u64 sample = u64(unit) * unit_samples + (place < last ? place : last);
  return range.first + moment_of_sample(range, sample);
}

KILN_END
