// SPDX-License-Identifier: MIT
// Motion blur: a frame is played at many time samples (flam3's temporal samples), and a unit walks
// over a fixed part of them while its pool goes on. Sample p of the n that a pass records belongs
// to time sample floor(p * count / n), or to that between whose ends it lies where quality or zoom
// move and with them what a time sample gets; so every time sample gets its share to the sample. A
// unit's samples lie side by side, so its time samples do too, and one launch plays a frame of any
// number of them.
//
// A step has one time sample: that of its first sample plus a shift, drawn once a unit, of up to a
// step's samples; so every time sample has exactly its share in expectation, also where it gets
// less than a step. Steps are assigned their times in groups of 32, from the number of samples
// recorded when the group begins; bad values make a group record less than it was planned for, and
// the next one starts where it ended.
//
// At a new time the points still lie on the old attractor. Neighboring times differ little when
// there are many of them, and a map forgets in a few steps: a lag of these steps. When there are
// few and long ones, `burn_in_steps` steps are not recorded. Where these would move what follows in
// their group to another time sample (they are many, or time samples are shorter than two groups or
// of uneven length), times are assigned step by step, and hidden steps take no place
// (`sequential`).
//
// A pass of less than a full unit has too few steps for this: time samples of two steps are all
// trail, and of a thousand forty would be seen. There every step gets its time by itself, from what
// is recorded, and ends with its time sample: the last one records as few of its slots as the time
// sample still wants, so that it gets its share to the sample, and some 1024 steps are hidden
// between them. flam3's chains (--compat flam3), which begin at random points in every time sample,
// are played like this in a frame of any size.
#pragma once

#include "kernels/pool.h"

KILN_BEGIN

constexpr int group_of_steps = 32;  // assigned at once: a lane of a warp each

/// The place of a unit in the frame's time.
struct alignas(16) TimeWalk {
  u32 base, base_step;  // samples recorded before step `base_step`, where the group begins
  u32 time_sample;      // of the last step
  u32 since;            // steps since it began, the last one included
  u32 assigned;         // sequential: steps since the base that are recorded
  u32 room;             // to the sample: how many the last step may record
  u32 age;              // the same: steps of the points before the last
  u32 share;            // and how many the unit records of the time samples that these points play
};

/// The time sample before any step: the base is where the unit begins, until a step is recorded;
/// whatever the first time sample is, the points burn in during the warm-up.
constexpr u32 nowhere = ~u32(0);
constexpr TimeWalk start_of_walk = {0, nowhere, nowhere, 0, 0, pool_slots, nowhere, 0};

/// The time samples of one pass.
struct TimeRange {
  u32 first, count;
  u32 burn_in_steps;
  u64 samples;      // that the pass records
  const u64* ends;  // [count] samples up to the end of each, the last is `samples`; null: even
  i32 sequential;   // steps that are not recorded take no place
  u32 assigned_at_once = group_of_steps;  // 1: to the sample, and sequential
  u32 least_room = 0;  // to the sample: a step may reach beyond the end of its time sample
  // flam3's chains: how long they are (0: points go on), steps that each hides, and how many
  // time samples the same points play
  u32 chain = 0, fuse = 0, time_samples_a_chain = 1;
};

/// The time sample in which a sample lies, from 0.
KILN_FN u32 time_sample_of(const TimeRange& range, u64 sample) {
  if (!range.ends) {
    const u64 time_sample = sample * range.count / range.samples;
    return u32(time_sample < range.count ? time_sample : range.count - 1);
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

/// The sample before which a time sample ends.
KILN_FN u64 end_of_time_sample(const TimeRange& range, u32 time_sample) {
  if (range.ends) return range.ends[time_sample];
  return ((time_sample + u64(1)) * range.samples + range.count - 1) / range.count;
}

/// The time sample of one step, which is recorded if it is past burn-in.
struct TimeSample {
  u32 index;
  bool past_burn_in;
  u32 room, age, share;  // TimeWalk
};
constexpr TimeSample still_time_sample = {0, true, pool_slots, 0, 0};

/// The samples that a unit's steps look ahead of those they have recorded: 0 .. pool_slots - 1.
KILN_FN u32 time_shift(const TimeRange& range, u64 seed, u32 pass, u32 unit, u32 number) {
  if (range.assigned_at_once == 1) return 0;
  return step_draws(seed, pass, unit, 0, number).fraction / (0x80000000u / (pool_slots / 2));
}

/// The time sample `steps` recorded steps after the base, in a unit that records `target` samples.
KILN_FN u32 time_sample_after(const TimeRange& range, u32 unit, u32 target, u32 shift,
                              const TimeWalk& walk, u32 steps) {
  const u64 place = walk.base + u64(steps) * pool_slots + shift, last = target ? target - 1 : 0;
  const u64 sample = u64(unit) * unit_samples + (place < last ? place : last);
  return range.first + time_sample_of(range, sample);
}

/// The time sample of step `step` of a unit that records `target` samples.
KILN_FN u32 time_sample_of_step(const TimeRange& range, u32 unit, u32 target, u32 shift,
                                const TimeWalk& walk, u32 step) {
  const u32 steps = step > walk.base_step ? step - walk.base_step : 0;
  return time_sample_after(range, unit, target, shift, walk, steps);
}

/// Finds, to the sample, how many the step in time sample `next` may record, and whose points it
/// moves. All that comes before the step is in `walk`.
KILN_FN void end_with_time_sample(const TimeRange& range, u32 unit, u32 target, u32 next,
                                  TimeWalk& walk) {
  const u64 begin = u64(unit) * unit_samples, end = begin + target;
  const u32 at = next - range.first;
  const u64 left = end_of_time_sample(range, at) - begin - walk.base;
  walk.room = u32(left < pool_slots ? left : pool_slots);
  if (walk.room < range.least_room) walk.room = range.least_room;
  ++walk.age;
  if (!range.chain) return;
  const u32 chains = at / range.time_samples_a_chain;
  if (walk.time_sample != nowhere &&
      chains == (walk.time_sample - range.first) / range.time_samples_a_chain)
    return;
  walk.age = 0;
  const u32 beyond = (chains + 1) * range.time_samples_a_chain;
  const u64 from = chains ? end_of_time_sample(range, chains * range.time_samples_a_chain - 1) : 0;
  const u64 to = end_of_time_sample(range, (beyond < range.count ? beyond : range.count) - 1);
  walk.share = u32((to < end ? to : end) - (from > begin ? from : begin));
}

/// One step on from `walk`, and where it leaves the walk. Sequentially a unit never goes back in
/// time: its points would have to burn in again.
KILN_FN TimeSample next_time_sample(const TimeRange& range, u32 unit, u32 target, u32 shift,
                                    TimeWalk& walk, u32 step) {
  u32 next;
  if (range.sequential) {
    next = time_sample_after(range, unit, target, shift, walk, walk.assigned);
    if (walk.time_sample != nowhere && next < walk.time_sample) next = walk.time_sample;
    if (range.assigned_at_once == 1) end_with_time_sample(range, unit, target, next, walk);
  } else {
    next = time_sample_of_step(range, unit, target, shift, walk, step);
  }
  walk.since = next == walk.time_sample ? walk.since + 1 : 1;
  walk.time_sample = next;
  const bool past_burn_in = range.chain ? walk.age >= range.fuse : walk.since > range.burn_in_steps;
  if (range.sequential && past_burn_in && walk.base_step != nowhere) ++walk.assigned;
  return {next, past_burn_in, walk.room, walk.age, walk.share};
}

KILN_END
