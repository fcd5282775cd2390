// What the steps of a unit are on CUDA: their random draws, the xform of each row and, of a flame
// in motion, their time samples, 32 steps at once. Also read by NVRTC.
#pragma once

#include "engine/device/cuda/xform_sort.cuh"

KILN_BEGIN

/// Small things the warps of a pool's block share.
struct CudaPoolCommon {
  StepDraws draws[32];  // of the steps around the current one
  union {
    /// Plain flames: the xform of every row in those steps, the rows of a warp side by side.
    alignas(8) u16 xform[32][pool_warps][slots_per_lane];
    CudaSortTables sort;
  };
  // moving flames: where the unit is, after the last of those steps; the time samples of the steps, the
  // highest bit set during burn-in; how long each has been on
  TimeWalk walk;
  u32 time_sample[group_of_steps], since[group_of_steps];
  u32 assigned[group_of_steps];  // sequential: TimeWalk::assigned after the step
};

struct CudaStepClock : CudaPoolLane {
  CudaPoolCommon& common;
  bool draws_ready = false;
  u32 step_of_32 = 0;
  u32 target = 0, shift = 0;  // moving flames: the unit's samples and its look ahead

  static constexpr u32 in_burn_in = 0x80000000u;
  KILN_FN void load_walk(const ChaosGame& game, int index, u32 unit, u32 samples, bool recording) {
    if (lane() == 0) {
      common.walk = game.state.walk[index];
      if (!recording) common.walk.base_step = nowhere;
    }
    target = samples;
    shift = time_shift(game.time_samples, game.seed, game.pass, unit, game.number);
  }
  KILN_FN void assign_times(u32 step, u32 recorded) {
    if (lane() != 0) return;
    common.walk.base = recorded;
    common.walk.base_step = step;
    common.walk.assigned = 0;
  }
  KILN_FN TimeSample time_sample() const {
    const u32 m = common.time_sample[step_of_32];
    const TimeWalk& walk = common.walk;
    return {m & ~in_burn_in, (m & in_burn_in) == 0, walk.room, walk.age, walk.share};
  }
  KILN_FN void save_walk(const ChaosGame& game, int index, u32 step, bool recording) {
    __syncthreads();
    if (lane() != 0 || !draws_ready) return;
    TimeWalk walk = common.walk;
    const u32 last = (step - 1) % group_of_steps;
    walk.time_sample = common.time_sample[last] & ~in_burn_in;
    walk.since = common.since[last];
    if (game.time_samples.sequential) walk.assigned = common.assigned[last];
    if (!recording) {
      walk.base = 0;
      walk.base_step = step;
      walk.assigned = 0;
    }
    game.state.walk[index] = walk;
  }
  /// The time samples of the steps from `step` to the end of its group, or of this one alone where they
  /// are assigned one at a time. All lanes of one warp.
  KILN_FN void find_times(const ChaosGame& game, u32 unit, u32 step) {
    const u32 at = u32(warp_lane()), first = step % group_of_steps;
    if (game.time_samples.sequential) {
      if (at == 0) find_sequential_times(game, unit, step);
      __syncwarp();
      return;
    }
    const TimeWalk walk = common.walk;
    const u32 mine =
        time_sample_of_step(game.time_samples, unit, target, shift, walk, step - first + at);
    u32 before = __shfl_up_sync(all_lanes, mine, 1);
    if (at == first) before = walk.time_sample;
    const u32 changes = __ballot_sync(all_lanes, at >= first && mine != before) &
                        (all_lanes >> (warp_lanes - 1 - at));
    const u32 since =
        changes ? at + 1 - u32(31 - __clz(int(changes))) : walk.since + at + 1 - first;
    common.time_sample[at] = mine | (since > game.time_samples.burn_in_steps ? 0 : in_burn_in);
    common.since[at] = since;
    if (at == warp_lanes - 1) {
      common.walk.time_sample = mine;
      common.walk.since = since;
    }
  }
  KILN_FN void find_sequential_times(const ChaosGame& game, u32 unit, u32 step) {
    TimeWalk walk = common.walk;
    const u32 first = step % group_of_steps;
    const u32 end = game.time_samples.assigned_at_once == 1 ? first + 1 : u32(group_of_steps);
#pragma unroll 1
    for (u32 at = first; at < end; ++at) {
      const TimeSample now = next_time_sample(game.time_samples, unit, target, shift, walk, step++);
      common.time_sample[at] = now.index | (now.past_burn_in ? 0 : in_burn_in);
      common.since[at] = walk.since;
      common.assigned[at] = walk.assigned;
    }
    common.walk = walk;
  }
  /// The draws of 32 steps, and which xform each row runs in them, are made at once.
  KILN_FN StepDraws step_draws(const ChaosGame& game, u32 unit, u32 step, bool moving) {
    const u32 base = step & ~31u;
    step_of_32 = step & 31u;
    const bool one_by_one = moving && game.time_samples.assigned_at_once == 1;
    if (step_of_32 == 0 || !draws_ready || one_by_one) {
      __syncthreads();
      if (warp() == 0) {
        common.draws[warp_lane()] =
            kiln::step_draws(game.seed, game.pass, unit, base + u32(warp_lane()), game.number);
        if (moving) find_times(game, unit, step);
      }
      __syncthreads();
      const Program& program = game.program;
      const int first = int(step_of_32), end = one_by_one ? first + 1 : 32;
      for (int i = first * pool_rows + lane(); i < end * pool_rows && !program.has_xaos;
           i += pool_lanes) {
        const int row = i % pool_rows, at = i / pool_rows;
        const u32 share = systematic_share(row, pool_rows, common.draws[at].offset);
        common.xform[at][row % pool_warps][row / pool_warps] =
            u16(find_xform(program.shares(moving ? common.time_sample[at] & ~in_burn_in : 0),
                           program.xform_count, share));
      }
      if (program.has_xaos && CudaSortTables::hold(program)) {
        for (int i = lane(); i < CudaSortTables::cumulative_words(program); i += pool_lanes)
          common.sort.cumulative[i] = program.cumulative[i];
      }
      __syncthreads();
      draws_ready = true;
    }
    return common.draws[step_of_32];
  }
};

KILN_END
