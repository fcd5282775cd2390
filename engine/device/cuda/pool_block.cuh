// SPDX-License-Identifier: MIT
// The chaos game's Block on CUDA: one block of 512 threads is one pool, a run is one lane. What
// its methods promise stands in kernels/pool_block.h. Also read by NVRTC: includes nothing but
// kernels/.
#pragma once

#include "engine/device/cuda/record_ring.cuh"
#include "kernels/pool_block.h"
#include "kernels/steered_deal.h"

// xaos on CUDA: the slots of a pool sorted by the xform that each draws.

KILN_BEGIN

/// The tables of a block, and the functions that use them.
struct CudaSortTables : CudaPoolLane {
  static constexpr int most_words = 768;
  u16 counts[pool_warps][warp_lanes];  // of each digit among the slots of each warp
  u32 cumulative[most_words];          // Program::cumulative, up to 27 xforms

  /// The shares of a still are copied to shared memory, if they fit there.
  KILN_FN static bool hold(const Program& program) {
    return program.time_sample_count == 1 &&
           cumulative_words(program) <= CudaSortTables::most_words;
  }
  KILN_FN static int cumulative_words(const Program& program) {
    return (program.xform_count + 1) * program.xform_count;
  }

  /// Draws the next xform of every slot and sorts the slots by it, stably: radix passes of 5 bits.
  /// A warp ranks 128 neighboring slots by match; every warp adds up for itself where its digits
  /// begin, which takes two barriers a pass.
  KILN_FN static void sort(CudaSortTables& tables, const Program& program, const u32* shares,
                           CudaPoolShared& s, const Permutation& exchange, u32 offset) {
    constexpr int digits = warp_lanes;
    const int first_slot = warp() * slots_per_lane * warp_lanes + warp_lane();
    u32 key[slots_per_lane], from[slots_per_lane], rank[slots_per_lane];
    const u32* const cumulative = hold(program) ? tables.cumulative : shares;
#pragma unroll
    for (int k = 0; k < slots_per_lane; ++k) {
      const int slot = first_slot + k * warp_lanes;
      from[k] = u32(exchange(slot));
      const u32 last = s.points.at[from[k]].meta & meta_last_mask;
      key[k] = u32(draw_xform(cumulative + last * u32(program.xform_count), program.xform_count,
                              slot, offset));
    }
    u16* const counts = tables.counts[warp()];
    for (int shift = 0;; shift += 5) {
      counts[warp_lane()] = 0;
      __syncwarp();
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        const u32 digit = (key[k] >> shift) & (digits - 1);
        const u32 peers = __match_any_sync(all_lanes, digit);
        const u32 below = peers & ((1u << warp_lane()) - 1);
        const u32 earlier = counts[digit];
        __syncwarp();
        if (below == 0) counts[digit] = u16(earlier + u32(__popc(peers)));
        __syncwarp();
        rank[k] = earlier + u32(__popc(below));
      }
      __syncthreads();
      u32 total = 0, begin = 0;  // of the digit that is this lane's number
#pragma unroll
      for (int w = 0; w < pool_warps; ++w) {
        const u32 n = tables.counts[w][warp_lane()];
        begin += w < warp() ? n : 0;
        total += n;
      }
      u32 up_to = total;
#pragma unroll
      for (int d = 1; d < warp_lanes; d *= 2) {
        const u32 other = __shfl_up_sync(all_lanes, up_to, d);
        up_to += warp_lane() >= d ? other : 0;
      }
      begin += up_to - total;
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        const u32 digit = (key[k] >> shift) & (digits - 1);
        rank[k] += __shfl_sync(all_lanes, begin, int(digit));
        s.order[rank[k]] = u16(from[k]);
        s.key[rank[k]] = u16(key[k]);
      }
      __syncthreads();
      if ((program.xform_count - 1) >> (shift + 5) == 0) break;
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        from[k] = s.order[first_slot + k * warp_lanes];
        key[k] = s.key[first_slot + k * warp_lanes];
      }
    }
  }
};

/// A step of a steered game (kernels/steering.h): the tables of a block, and what uses them. A lane has four slots that
/// lie side by side, so that one scan of a warp adds up in the order of the slots.
struct CudaSteering : CudaPoolLane {
  u32 sums[most_steered_xforms][pool_warps];  // parts of each warp's pairs, then of those before it
  u32 totals[most_steered_xforms];
  u32 light[2];  // of the steps of each parity

  KILN_FN static void deal(CudaSteering& tables, const Program& program, const u32* shares,
                           CudaPoolShared& s, float* more, u32 offset) {
    static_assert(most_steered_xforms <= pool_warps);
    const SteeringTable& steering = *program.steering;
    const SteeredPlane plane = steering.plane;
    const int count = program.xform_count, first = lane() * slots_per_lane;
    u32 low[slots_per_lane], high[slots_per_lane], up[slots_per_lane];
#pragma unroll
    for (int k = 0; k < slots_per_lane; ++k) {
      const Point point = s.points.at[first + k];
      const u32 cell = plane.cell_of(point.x, point.y);
      low[k] = steering.levels[0][cell];
      high[k] = count > levels_of_a_word ? steering.levels[1][cell] : 0;
      up[k] = u32(weight_levels - 1) - level_of_meta(point.meta);
    }
    const auto level_at = [&](int f, int k) {
      const u32 word = f < levels_of_a_word ? low[k] : high[k];
      return word >> (4 * (f % levels_of_a_word)) & u32(weight_levels - 1);
    };
    const auto parts_of = [&](int f) {
      u32 sum = 0;
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) sum += 1u << (level_at(f, k) + up[k]);
      return sum;
    };
    for (int f = 0; f < count; ++f) {
      const u32 sum = __reduce_add_sync(all_lanes, parts_of(f));
      if (warp_lane() == 0) tables.sums[f][warp()] = sum;
    }
    __syncthreads();
    if (warp() < count) {
      const u32 mine = warp_lane() < pool_warps ? tables.sums[warp()][warp_lane()] : 0;
      const u32 up_to = up_to_lane(mine);
      if (warp_lane() < pool_warps) tables.sums[warp()][warp_lane()] = up_to - mine;
      if (warp_lane() == warp_lanes - 1) tables.totals[warp()] = up_to;
    }
    __syncthreads();
    u64 total = 0;
    for (int f = 0; f < count; ++f) total += share_of(shares, count, f) * tables.totals[f];
    const SteeredDeal deal(total);
    u64 begin = begin_of_slots(offset), left = total;
    for (int f = 0; f < count; ++f) {
      const u64 share = share_of(shares, count, f), of_part = deal.of_part(share);
      if (share == 0) continue;
      left -= share * tables.totals[f];
      const u32 mine = parts_of(f);
      u64 at = begin + of_part * (tables.sums[f][warp()] + up_to_lane(mine) - mine);
      begin += of_part * tables.totals[f];
      u32 slot = u32(at >> slot_fraction_bits);
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        const u32 level = level_at(f, k);
        at += of_part << (level + up[k]);
        u32 end = u32(at >> slot_fraction_bits);
        if (left == 0 && first + k == pool_slots - 1) end = pool_slots;
        for (; slot < end; ++slot) {
          s.order[slot] = u16(first + k);
          s.key[slot] = u16(level << 8 | u32(f));
        }
      }
    }
    __syncthreads();
    move(s, program.more_numbers(), more);
  }
  /// The light of a step, of which each lane has some.
  KILN_FN static u32 sum_light(CudaSteering& tables, u32 parity, u32 mine) {
    const u32 sum = __reduce_add_sync(all_lanes, mine);
    if (warp_lane() == 0) atomicAdd(&tables.light[parity], sum);
    __syncthreads();
    if (lane() == 0) tables.light[parity ^ 1] = 0;
    return tables.light[parity];
  }

 private:
  KILN_FN static u32 up_to_lane(u32 mine) {
#pragma unroll
    for (int d = 1; d < warp_lanes; d *= 2) {
      const u32 other = __shfl_up_sync(all_lanes, mine, d);
      mine += warp_lane() >= d ? other : 0;
    }
    return mine;
  }
  /// Points move to the slots that have them, with the levels of their keys.
  KILN_FN static void move(CudaPoolShared& s, int numbers, float* more) {
    Point point[slots_per_lane];
    float depth[slots_per_lane];
#pragma unroll
    for (int k = 0; k < slots_per_lane; ++k) {
      const int slot = k * pool_lanes + lane(), from = s.order[slot];
      point[k] = s.points.at[from];
      point[k].meta = (point[k].meta & ~meta_level_mask) | u32(s.key[slot] >> 8)
                                                               << meta_level_shift;
      depth[k] = numbers > 0 ? more[from] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < slots_per_lane; ++k) {
      const int slot = k * pool_lanes + lane();
      s.points.at[slot] = point[k];
      if (numbers > 0) more[slot] = depth[k];
      s.key[slot] &= 0xff;
      s.order[slot] = u16(slot);
    }
    __syncthreads();
  }
};

// What the steps of a unit are on CUDA: their random draws, the xform of each row and, of a flame
// in motion, their time samples, 32 steps at once.

/// Small things the warps of a pool's block share.
struct CudaPoolCommon {
  StepDraws draws[32];  // of the steps around the current one
  union {
    /// Plain flames: the xform of every row in those steps, the rows of a warp side by side.
    alignas(8) u16 xform[32][pool_warps][slots_per_lane];
    CudaSortTables sort;
    CudaSteering steering;
  };
  // moving flames: where the unit is, after the last of those steps; the time samples of the steps,
  // the highest bit set during burn-in; how long each has been on
  TimeWalk walk;
  u32 time_sample[group_of_steps], since[group_of_steps];
  u32 assigned[group_of_steps];  // sequential: TimeWalk::assigned after the step
};

/// Whether the blocks of this code play steered games: those of a flame's own kernels, where it is steered.
#ifdef KILN_STEERED_GAME
constexpr bool steered_games = true;
#else
constexpr bool steered_games = false;
#endif

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
  /// The time samples of the steps from `step` to the end of its group, or of this one alone where
  /// they are assigned one at a time. All lanes of one warp.
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
      if (steered_games && !draws_ready && lane() < 2) common.steering.light[lane()] = 0;
      const int first = int(step_of_32), end = one_by_one ? first + 1 : 32;
      const bool in_rows = !program.has_xaos && !(steered_games && program.steering);
      for (int i = first * pool_rows + lane(); i < end * pool_rows && in_rows; i += pool_lanes) {
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

/// A block of the chaos game. Recording: the kernel records points at all (warm_up does not).
template <bool Recording>
struct CudaPoolBlock : CudaPoolLane {
  static constexpr bool steers = steered_games;
  int index;
  CudaRecordWriter<Recording> records;
  CudaStepClock clock;
  Random random{};
  u32 missed = 0, bad = 0, light = 0;
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
  KILN_FN void steer(const Program& program, const u32* shares, CudaPoolShared& s, float* more,
                     u32 offset) {
    CudaSteering::deal(clock.common.steering, program, shares, s, more, offset);
  }
  KILN_FN void count_light(const CudaRun&, const CudaRun::Lanes<u32>& meta,
                           const CudaRun::Lanes<u32>& accepted) {
    light += accepted[0] ? light_of_level(level_of_meta(meta[0])) : 0;
  }
  KILN_FN u32 take_light() {
    const u32 mine = light;
    light = 0;
    return CudaSteering::sum_light(clock.common.steering, clock.step_of_32 & 1, mine);
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
        // without this the numbers of all xforms are loaded before the loop, and spilled
        if (sorted) __syncwarp();
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
  /// Saves what a unit keeps between launches beside its points.
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

KILN_END
