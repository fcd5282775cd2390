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
// At a new moment the points still lie on the old attractor. Neighboring moments differ little
// when there are many of them, and a map forgets in a few steps: a lag of these steps. When there
// are few moments and long ones, `settle_steps` steps are not recorded. Where these would move what
// follows in their group to another moment (they are many, or moments are shorter than two groups
// or of uneven length), steps are laid out one by one, and hidden ones take no place (`in_turn`).
//
// A pass of less than a full unit has too few steps for this: moments of two steps are all trail,
// and of a thousand moments forty would be seen. There every step is laid out by itself, from what
// is recorded, and ends with its moment: the last one records as few of its slots as the moment
// still wants, so that it gets its share to the sample, and some 1024 steps are hidden between
// the moments. flam3's chains (--compat flam3), which begin at random points in every moment, are
// played like this in a frame of any size.
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
  u32 room;             // to the sample: how many the last step may record
  u32 age;              // the same: steps of the points before the last
  u32 share;            // and how many the unit records of the moments that these points play
};

/// Before any step: the base is where the unit begins, until a step is recorded; whatever the first
/// moment is, the points settle during the warm-up.
constexpr u32 nowhere = ~u32(0);
constexpr MomentWalk start_of_walk = {0, nowhere, nowhere, 0, 0, pool_slots, nowhere, 0};

/// The moments of one pass.
struct MomentRange {
  u32 first, count;
  u32 settle_steps;
  u64 samples;      // that the pass records
  const u64* ends;  // [count] samples up to the end of each, the last is `samples`; null: even
  i32 in_turn;      // steps that are not recorded take no place
  u32 laid_at_once = group_of_steps;  // 1: to the sample, and in turn
  u32 least_room = 0;  // to the sample: a step may reach beyond the end of its moment
  // flam3's chains: how long they are (0: points go on), steps that each hides, and how many
  // moments the same points play
  u32 chain = 0, fuse = 0, moments_a_chain = 1;
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

/// The sample before which a moment ends.
KILN_FN u64 end_of_moment(const MomentRange& range, u32 moment) {
  if (range.ends) return range.ends[moment];
  return ((moment + u64(1)) * range.samples + range.count - 1) / range.count;
}

/// The moment of one step, which is recorded if the points have settled.
struct Moment {
  u32 index;
  bool settled;
  u32 room, age, share;  // MomentWalk
};
constexpr Moment still_moment = {0, true, pool_slots, 0, 0};

/// How far a unit's steps look ahead of what they have recorded: 0 .. pool_slots - 1.
KILN_FN u32 moment_shift(const MomentRange& range, u64 seed, u32 pass, u32 unit, u32 number) {
  if (range.laid_at_once == 1) return 0;
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

/// To the sample: how many the step in moment `next` may record, and whose points it moves. All
/// that comes before the step is in `walk`.
KILN_FN void end_with_moment(const MomentRange& range, u32 unit, u32 target, u32 next,
                             MomentWalk& walk) {
  const u64 begin = u64(unit) * unit_samples, end = begin + target;
  const u32 at = next - range.first;
  const u64 left = end_of_moment(range, at) - begin - walk.base;
  walk.room = u32(left < pool_slots ? left : pool_slots);
  if (walk.room < range.least_room) walk.room = range.least_room;
  ++walk.age;
  if (!range.chain) return;
  const u32 chains = at / range.moments_a_chain;
  if (walk.moment != nowhere && chains == (walk.moment - range.first) / range.moments_a_chain)
    return;
  walk.age = 0;
  const u32 beyond = (chains + 1) * range.moments_a_chain;
  const u64 from = chains ? end_of_moment(range, chains * range.moments_a_chain - 1) : 0;
  const u64 to = end_of_moment(range, (beyond < range.count ? beyond : range.count) - 1);
  walk.share = u32((to < end ? to : end) - (from > begin ? from : begin));
}

/// One step on from `walk`, and where it leaves the walk. In turn a unit never goes back in time:
/// its points would have to settle again.
KILN_FN Moment next_moment(const MomentRange& range, u32 unit, u32 target, u32 shift,
                           MomentWalk& walk, u32 step) {
  u32 next;
  if (range.in_turn) {
    next = moment_after(range, unit, target, shift, walk, walk.laid_out);
    if (walk.moment != nowhere && next < walk.moment) next = walk.moment;
    if (range.laid_at_once == 1) end_with_moment(range, unit, target, next, walk);
  } else {
    next = moment_of_step(range, unit, target, shift, walk, step);
  }
  walk.since = next == walk.moment ? walk.since + 1 : 1;
  walk.moment = next;
  const bool settled = range.chain ? walk.age >= range.fuse : walk.since > range.settle_steps;
  if (range.in_turn && settled && walk.base_step != nowhere) ++walk.laid_out;
  return {next, settled, walk.room, walk.age, walk.share};
}

KILN_END
