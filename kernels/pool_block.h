// SPDX-License-Identifier: MIT
// What the chaos game asks of the block that plays a unit. The loop (kernels/iterate_batch.h) is
// written once, against these two concepts; kernels/pool_block_cpu.h and
// engine/device/cuda/pool_block.cuh are the blocks. On the CPU one thread is the whole block, on
// CUDA 512 threads are, and all of them call every method together.
#pragma once

#include "kernels/iterate_batch.h"

KILN_BEGIN

/// A body that a method may be given.
struct AnyBody {
  template <class... Arguments>
  KILN_FN void operator()(Arguments&&...) const {}
};

/// Slots that run one xform in one step, and the lanes that compute them: on the CPU up to 256
/// neighbors as arrays, on CUDA one slot a thread, in a register. `Lanes<T>` has one T a lane.
template <class Run>
concept PoolRun = requires(const Run& run, typename Run::template Lanes<Real>& real,
                           typename Run::template Lanes<u32>& word,
                           typename Run::template Lanes<i32>& place, const PointSource& source,
                           Point* points, const XformData* xform) {
  // body(lane) for all lanes, also those that only fill a vector up
  run.each(AnyBody{});
  // the same without those: for what other lanes or the memory see
  run.each_exact(AnyBody{});
  // the points that `source` names for the slots, field by field, and where each of them was
  run.take(source, points, place, real, real, real, word);
  // and back to where they were
  run.put_back(points, place, real, real, real, word);
  // where in the pool the point of a lane is
  run.place_of(place, 0);
  // whether a flag is 0 in any lane, on CUDA in any of the warp
  run.any_not(word);
  // symmetry: whether slots of the run may have other copies of the xform than the first
  run.has_copies();
  // the same slots, to which none of them is applied
  run.without_copies();
  // the copy of a lane
  run.copy_of(0);
  // body(copy, part) for the lanes of each copy, `xform` being the first
  run.each_copy(xform, AnyBody{});
  // keeps two numbers where they are, so that no compiler moves the sum in front of them
  run.pin(real, real);
};

/// `Shared` is the block's shared memory, `Run` what each_run gives.
template <class Block, class Shared, class Run>
concept PoolBlock = PoolRun<Run> &&
    requires(Block block, Shared& shared, const Run& run, const ChaosGame& game,
             const PoolState& state, const Program& program, const u32* shares,
             const Permutation& permutation, const PointSource& source,
             typename Run::template Lanes<u32>& word, typename Run::template Lanes<i32>& tile,
             u32 number, u32* counter) {
  // ---- the pool ----
  // which block of the launch this is
  block.index;
  // gives every lane's generator the state that it has at the begin of a unit
  block.seed_lanes(game, number);
  // body(slot, generator) for all slots, each generator's in ascending order
  block.each_slot_in_lane_order(AnyBody{});
  // notes that the unit has done no step
  block.start_unit(game);
  // takes the points and generators of the last launch up
  block.load_pool(state, shared.points);
  // puts them back, with the steps that are done and the samples recorded
  block.save_pool(state, shared.points, number, number);

  // ---- a step ----
  // what all slots share in it, from the unit's number and the step's; of a moving flame its time
  // sample
  {block.step_draws(game, number, number, true)};
  // draws the next xform of every slot and sorts the slots by it into shared.order (xaos)
  block.sort_by_xform(program, shares, shared, permutation, number);
  // body(xform, run) for runs that cover the pool; `true`: sorted
  block.each_run(program, shares, shared, true, number, source, AnyBody{});
  // ends it for all lanes: how many slots were not recorded
  {block.end_step(shared, true)};

  // ---- where a moving flame is in time ----
  // takes up where the unit was; it stands still while nothing is recorded
  block.load_walk(game, number, number, true);
  // begins a group of steps behind the samples recorded so far
  block.assign_times(number, number);
  // of this step
  {block.time_sample()};
  block.save_walk(game, number, true);

  // ---- a run ----
  // the generators of its lanes; false: none may be needed
  block.random_of(run, true);
  // and back, as they are behind it
  block.keep_random(run, block.random_of(run, true));
  // counts a bad result; called by the lane that has it
  block.count_bad(run);
  // counts the slots that are not accepted
  block.count_missed(run, word);

  // ---- records ----
  // only the slots that the permutation ranks below the number are recorded in this step
  block.limit_records(number, permutation);
  // takes the others out of the accepted ones; whether there may be any
  {block.select(run, word)};
  // the number of tiles: where what is not recorded goes
  {block.outside_tile(program)};
  // hands one record a lane over to its tile
  block.plot(run, tile, word);
  // the same where a run is invisible: CUDA's warps keep step
  block.plot_nothing(run);
  // whether this launch has no room for another step
  {block.launch_is_full()};
  // writes what is still on its way
  block.finish_records();
  // counts a unit that goes on in the next launch; its samples are the number
  block.mark_unfinished(counter, number);
};

KILN_END
