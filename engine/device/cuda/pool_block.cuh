// The chaos game's Block on CUDA: one block of 512 threads is one pool, a run is one lane. What
// its methods promise stands in kernels/pool_block.h. Also read by NVRTC: includes nothing but
// kernels/.
#pragma once

#include "engine/device/cuda/step_clock.cuh"
#include "kernels/pool_block.h"

KILN_BEGIN

/// A block of the chaos game. Recording: the kernel records points at all (warm_up does not).
template <bool Recording>
struct CudaPoolBlock : CudaPoolLane {
  int index;
  CudaRecordWriter<Recording> records;
  CudaStepClock clock;
  Random random{};
  u32 missed = 0, bad = 0;
  u32 selected = ~u32(0);  // bit k: this lane's slot of row k may be recorded
  u32 recorded_at_end = 0;
  u32 entered = ~u32(0);  // the time sample whose numbers are in shared memory

  KILN_FN CudaPoolBlock(int i, CudaPoolShared& s, const RecordStore& r, CudaPoolCommon& common)
      : index(i), records(s, r), clock{{}, common} {}

  KILN_FN void load_walk(const ChaosGame& game, u32 unit, u32 samples, bool recording) {
    clock.load_walk(game, index, unit, samples, recording);
  }
  KILN_FN void assign_times(u32 step, u32 recorded) { clock.assign_times(step, recorded); }
  KILN_FN TimeSample time_sample() const { return clock.time_sample(); }
  KILN_FN void save_walk(const ChaosGame& game, u32 step, bool recording) {
    clock.save_walk(game, index, step, recording);
  }
  KILN_FN StepDraws step_draws(const ChaosGame& game, u32 unit, u32 step, bool moving) {
    return clock.step_draws(game, unit, step, moving);
  }
  KILN_FN void sort_by_xform(const Program& program, const u32* shares, CudaPoolShared& s,
                             const Permutation& exchange, u32 offset) {
    CudaSortTables::sort(clock.common.sort, program, shares, s, exchange, offset);
  }
  KILN_FN void seed_lanes(const ChaosGame& game, u32 unit) {
    random = lane_random(game.seed, game.pass, unit, u32(lane()), game.number);
  }
  template <class Body>
  KILN_FN void each_slot_in_lane_order(Body&& body) {
    for (int k = 0; k < slots_per_lane; ++k) body(k * pool_lanes + lane(), random);
    __syncthreads();
  }
  KILN_FN LaneRandoms random_of(const CudaRun&, bool) { return {random}; }
  KILN_FN void keep_random(const CudaRun&, const LaneRandoms& its) { random = its.state; }
  KILN_FN void count_bad(const CudaRun&) { ++bad; }
  KILN_FN void count_missed(const CudaRun&, const CudaRun::Lanes<u32>& accepted) {
    missed += !accepted[0];
  }

  KILN_FN void limit_records(u32 limit, const Permutation& order) {
    selected = ~u32(0);
    if (limit < u32(pool_slots)) {
      for (int k = 0; k < slots_per_lane; ++k) {
        if (u32(order(k * pool_lanes + lane())) >= limit) selected ^= 1u << k;
      }
    }
  }
  KILN_FN bool select(const CudaRun& run, CudaRun::Lanes<u32>& accepted) const {
    accepted.v &= run.selected;
    return true;
  }
  /// Each warp walks its rows of 32 slots. What they need to know, where their points are and which
  /// xform they run, is looked up for all rows at once. A row of a plain flame has one xform; a
  /// sorted row may hold several (xaos) and is run once for each.
  template <class Shared, class Source, class Body>
  KILN_FN void each_run(const Program&, const u32*, Shared& s, bool sorted, u32,
                        const Source& source, Body&& body) {
    static_assert(slots_per_lane == 4 && sizeof(Point) == 16);
    constexpr u32 place_mask = (pool_slots - 1) * sizeof(Point);
    u64 entries = 0, xforms = 0;  // 16 bits a row
    const u16* stored = sorted ? s.order : source.exchange.stored;
#pragma unroll
    for (int k = 0; k < slots_per_lane; ++k)
      entries |= u64(stored[k * pool_lanes + lane()]) << (16 * k);
    if (sorted) {
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k)
        xforms |= u64(s.key[k * pool_lanes + lane()]) << (16 * k);
    } else {
      xforms = *reinterpret_cast<const u64*>(clock.common.xform[clock.step_of_32][warp()]);
    }
    const u32 rotation = sorted ? 0 : u32(source.exchange.rotation) * u32(sizeof(Point)),
              flip = sorted ? 0 : u32(source.exchange.flip) * u32(sizeof(Point));
    u32 rows = selected;
    const auto first_tile = records.begin_rows();
#pragma unroll 1
    for (int slot = lane(); slot < pool_slots; slot += pool_lanes) {
      const u32 from = ((u32(entries) * u32(sizeof(Point)) - rotation) & place_mask) ^ flip;
      const int mine = int(u32(xforms) & 0xffffu);
      records.in_row(slot);
      int f = mine, last = mine;
      if (sorted) {
        f = __shfl_sync(all_lanes, mine, 0);
        last = __shfl_sync(all_lanes, mine, warp_lanes - 1);
      }
#pragma unroll 1
      do {  // the body stands once, whatever the flame: it is most of the kernel
        if (mine == f) body(f, CudaRun{{slot}, from, rows});
      } while (++f <= last);
      entries >>= 16;
      xforms >>= 16;
      rows >>= 1;
    }
    records.end_rows(first_tile);
  }

  template <class Shared>
  KILN_FN u32 end_step(Shared&, bool recorded) {
    u32 total = 0;
    if (__syncthreads_or(int(missed))) {
      for (int bit = 0; bit < 3; ++bit)
        total += u32(__syncthreads_count(int(missed >> bit & 1))) << bit;
    }
    missed = 0;
    if (recorded) records.end_recorded_step();
    return total;
  }
  KILN_FN static constexpr i32 outside_tile(const Program&) { return no_tile; }
  template <class Tiles, class Records>
  KILN_FN void plot(const CudaRun& run, const Tiles& tile, const Records& record) {
    records.plot(run, tile, record);
  }
  KILN_FN void plot_nothing(const CudaRun& run) { records.plot_nothing(run); }
  KILN_FN bool launch_is_full() const { return records.launch_is_full(); }
  KILN_FN void finish_records() { records.finish(); }
  KILN_FN void start_unit(const ChaosGame& game) {
    const PoolState& state = game.state;
    if (lane() == 0) {
      if (state.walk) state.walk[index] = start_of_walk;
      state.step[index] = game.first_step;
      state.recorded[index] = 0;
      state.bad[index] = 0;
    }
    __syncthreads();
  }
  KILN_FN void load_pool(const PoolState& state, PoolPoints& points) {
    for (int k = 0; k < slots_per_lane; ++k) {
      const int slot = k * pool_lanes + lane();
      points.at[slot] = state.points[i64(index) * pool_slots + slot];
    }
    load_random(state);
  }
  KILN_FN void load_random(const PoolState& state) {
    const i64 at = i64(index) * pool_lanes + lane();
    random = {state.random0[at], state.random1[at]};
    __syncthreads();
  }
  KILN_FN void save_pool(const PoolState& state, const PoolPoints& points, u32 step, u32 recorded) {
    for (int k = 0; k < slots_per_lane; ++k) {
      const int slot = k * pool_lanes + lane();
      state.points[i64(index) * pool_slots + slot] = points.at[slot];
    }
    save_rest(state, step, recorded);
  }
  /// What a unit keeps between launches beside its points.
  KILN_FN void save_rest(const PoolState& state, u32 step, u32 recorded) {
    const i64 at = i64(index) * pool_lanes + lane();
    state.random0[at] = random.s0;
    state.random1[at] = random.s1;
    __syncthreads();  // every lane has read the counters by now
    if (lane() == 0) {
      state.step[index] = step;
      state.recorded[index] = recorded;
    }
    if (bad) add_at_once(state.bad[index], bad);
    recorded_at_end = recorded;
  }
  KILN_FN void mark_unfinished(u32* unfinished, u32 target) {
    if (lane() == 0 && recorded_at_end < target) atomicAdd(unfinished, 1u);
  }
};

static_assert(PoolBlock<CudaPoolBlock<true>, CudaPoolShared, CudaRun> &&
              PoolBlock<CudaPoolBlock<false>, CudaPoolShared, CudaRun>);

/// What both kernels of a flame get beside its numbers.
struct PoolArguments {
  ChaosGame game;
  u32* unfinished;
  RecordStore store;
};

KILN_END
