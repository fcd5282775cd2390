// What the steps of a unit are on CUDA: their random draws, the xform of each row and, of a flame
// in motion, their moments, 32 steps at once. Also read by NVRTC.
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
  // moving flames: where the unit is, after the last of those steps; the moments of the steps, the
  // highest bit set while the points settle; how long each has been on
  MomentWalk walk;
  u32 moment[group_of_steps], since[group_of_steps];
  u32 laid_out[group_of_steps];  // in turn: MomentWalk::laid_out after the step
};

struct CudaStepClock : CudaPoolLane {
  CudaPoolCommon& common;
  bool draws_ready = false;
  u32 step_of_32 = 0;
  u32 target = 0, shift = 0;  // moving flames: the unit's samples and its look ahead

  static constexpr u32 settling = 0x80000000u;
  KILN_FN void load_walk(const ChaosGame& game, int index, u32 unit, u32 samples, bool recording) {
    if (lane() == 0) {
      common.walk = game.state.walk[index];
      if (!recording) common.walk.base_step = nowhere;
    }
    target = samples;
    shift = moment_shift(game.moments, game.seed, game.frame, unit, game.number);
  }
  KILN_FN void lay_out(u32 step, u32 recorded) {
    if (lane() != 0) return;
    common.walk.base = recorded;
    common.walk.base_step = step;
    common.walk.laid_out = 0;
  }
  KILN_FN Moment moment() const {
    const u32 m = common.moment[step_of_32];
    const MomentWalk& walk = common.walk;
    return {m & ~settling, (m & settling) == 0, walk.room, walk.age, walk.share};
  }
  KILN_FN void save_walk(const ChaosGame& game, int index, u32 step, bool recording) {
    __syncthreads();
    if (lane() != 0 || !draws_ready) return;
    MomentWalk walk = common.walk;
    const u32 last = (step - 1) % group_of_steps;
    walk.moment = common.moment[last] & ~settling;
    walk.since = common.since[last];
    if (game.moments.in_turn) walk.laid_out = common.laid_out[last];
    if (!recording) {
      walk.base = 0;
      walk.base_step = step;
      walk.laid_out = 0;
    }
    game.state.walk[index] = walk;
  }
  /// The moments of the steps from `step` to the end of its group, or of this one alone where they
  /// are laid out one at a time. All lanes of one warp.
  KILN_FN void find_moments(const ChaosGame& game, u32 unit, u32 step) {
    const u32 at = u32(warp_lane()), first = step % group_of_steps;
    if (game.moments.in_turn) {
      if (at == 0) find_moments_in_turn(game, unit, step);
      __syncwarp();
      return;
    }
    const MomentWalk walk = common.walk;
    const u32 mine = moment_of_step(game.moments, unit, target, shift, walk, step - first + at);
    u32 before = __shfl_up_sync(all_lanes, mine, 1);
    if (at == first) before = walk.moment;
    const u32 changes = __ballot_sync(all_lanes, at >= first && mine != before) &
                        (all_lanes >> (warp_lanes - 1 - at));
    const u32 since =
        changes ? at + 1 - u32(31 - __clz(int(changes))) : walk.since + at + 1 - first;
    common.moment[at] = mine | (since > game.moments.settle_steps ? 0 : settling);
    common.since[at] = since;
    if (at == warp_lanes - 1) {
      common.walk.moment = mine;
      common.walk.since = since;
    }
  }
  KILN_FN void find_moments_in_turn(const ChaosGame& game, u32 unit, u32 step) {
    MomentWalk walk = common.walk;
    const u32 first = step % group_of_steps;
    const u32 end = game.moments.laid_at_once == 1 ? first + 1 : u32(group_of_steps);
#pragma unroll 1
    for (u32 at = first; at < end; ++at) {
      const Moment now = next_moment(game.moments, unit, target, shift, walk, step++);
      common.moment[at] = now.index | (now.settled ? 0 : settling);
      common.since[at] = walk.since;
      common.laid_out[at] = walk.laid_out;
    }
    common.walk = walk;
  }
  /// The draws of 32 steps, and which xform each row runs in them, are made at once.
  KILN_FN StepDraws step_draws(const ChaosGame& game, u32 unit, u32 step, bool moving) {
    const u32 base = step & ~31u;
    step_of_32 = step & 31u;
    const bool one_by_one = moving && game.moments.laid_at_once == 1;
    if (step_of_32 == 0 || !draws_ready || one_by_one) {
      __syncthreads();
      if (warp() == 0) {
        common.draws[warp_lane()] =
            kiln::step_draws(game.seed, game.frame, unit, base + u32(warp_lane()), game.number);
        if (moving) find_moments(game, unit, step);
      }
      __syncthreads();
      const Program& program = game.program;
      const int first = int(step_of_32), end = one_by_one ? first + 1 : 32;
      for (int i = first * pool_rows + lane(); i < end * pool_rows && !program.has_xaos;
           i += pool_lanes) {
        const int row = i % pool_rows, at = i / pool_rows;
        const u32 share = systematic_share(row, pool_rows, common.draws[at].offset);
        common.xform[at][row % pool_warps][row / pool_warps] =
            u16(find_xform(program.shares(moving ? common.moment[at] & ~settling : 0),
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
