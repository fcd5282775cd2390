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
// are few moments and long ones, `settle_steps` steps are not recorded. Where these would move what
// follows in their group to another moment (they are many, or moments are shorter than two groups
// or of uneven length), steps are laid out one by one, and hidden ones take no place (`in_turn`).
#pragma once

#include "kernels/pool.h"

KILN_BEGIN

constexpr int group_of_steps = 32;  // laid out at once: a lane of a warp each

/// Where a unit is in the frame's time.
struct alignas(16) MomentWalk {
  u32 base, base_step;  // samples recorded before step `base_step`, where the group's layout begins
  u32 moment;           // of the last step
  u32 since;            // steps since it began, the last one included
  u32 laid_out;         // in turn: steps since the base that are recorded
};

/// Before any step: the base is where the unit begins, until a step is recorded; whatever the first
/// moment is, the points settle during the warm-up.
constexpr u32 nowhere = ~u32(0);
constexpr MomentWalk start_of_walk = {0, nowhere, nowhere, 0, 0};

/// The moments of one pass.
struct MomentRange {
  u32 first, count;
  u32 settle_steps;
  u64 samples;      // that the pass records
  const u64* ends;  // [count] samples up to the end of each, the last is `samples`; null: even
  i32 in_turn;      // steps that are not recorded take no place
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

/// The moment `steps` recorded steps after the base, in a unit that records `target` samples.
KILN_FN u32 moment_after(const MomentRange& range, u32 unit, u32 target, u32 shift,
                         const MomentWalk& walk, u32 steps) {
  const u64 place = walk.base + u64(steps) * pool_slots + shift, last = target ? target - 1 : 0;
  const u64 sample = u64(unit) * unit_samples + (place < last ? place : last);
  return range.first + moment_of_sample(range, sample);
}

/// The moment of step `step` of a unit that records `target` samples.
KILN_FN u32 moment_of_step(const MomentRange& range, u32 unit, u32 target, u32 shift,
                           const MomentWalk& walk, u32 step) {
  const u32 steps = step > walk.base_step ? step - walk.base_step : 0;
  return moment_after(range, unit, target, shift, walk, steps);
}

/// One step on from `walk`, and where it leaves the walk. In turn a unit never goes back in time:
/// its points would have to settle again.
KILN_FN Moment next_moment(const MomentRange& range, u32 unit, u32 target, u32 shift,
                           MomentWalk& walk, u32 step) {
  u32 next;
  if (range.in_turn) {
    next = moment_after(range, unit, target, shift, walk, walk.laid_out);
    if (walk.moment != nowhere && next < walk.moment) next = walk.moment;
  } else {
    next = moment_of_step(range, unit, target, shift, walk, step);
  }
  walk.since = next == walk.moment ? walk.since + 1 : 1;
  walk.moment = next;
  const bool settled = walk.since > range.settle_steps;
  if (range.in_turn && settled && walk.base_step != nowhere) ++walk.laid_out;
  return {next, settled};
}

KILN_END
