// SPDX-License-Identifier: MIT
// The divergent reference on the CPU: one orbit after the other, one point at a time, without
// vectors. Slow, and independent of how runs of lanes are made.
#pragma once

#include "kernels/divergent.h"
#include "kernels/lane_run.h"
#include "kernels/pool_block_cpu.h"

KILN_BEGIN

/// One attempt of a step; `begin` is its number.
struct SerialRun : LaneRun {
  KILN_FN const SerialRun& without_copies() const { return *this; }
  KILN_FN void pin(Lanes<Real>&, Lanes<Real>&) const {}
};
static_assert(PoolRun<OrbitRun<SerialRun>>);

struct CpuOrbits {
  PoolPoints points;  // those of the orbits
  Random random[unit_orbits];
};

struct CpuDivergentBlock : CpuGameBlock {
  CpuOrbits& shared;

  CpuDivergentBlock(int i, CpuOrbits& s, Bins* b) : CpuGameBlock{i, b}, shared(s) {}

  KILN_FN void seed_lanes(const ChaosGame& game, u32 unit) {
    for (int lane = 0; lane < unit_orbits; ++lane)
      shared.random[lane] = lane_random(game.seed, game.pass, unit, u32(lane), game.number);
  }
  template <class Body>
  KILN_FN void each_orbit(Body&& body) {
    for (int lane = 0; lane < unit_orbits; ++lane)
      body(shared.points.at[lane], shared.random[lane]);
  }
  template <class Body>
  KILN_FN void each_move(Body&& body) {
    missed = 0;
    for (int lane = 0; lane < unit_orbits; ++lane) {
      for (int move = 0; move < orbit_moves; ++move)
        body(OrbitRun<SerialRun>{{{move * unit_orbits + lane}}, &shared.points.at[lane]});
    }
  }
  KILN_FN int draw_xform(const Program& program, u32 row, const SerialRun& run) {
    const u32 count = u32(program.xform_count);
    return xform_of_word(program.cumulative + u64(row) * count, int(count), random_at(run).next());
  }
  KILN_FN Random& random_at(const SerialRun& run) { return shared.random[run.begin % unit_orbits]; }
  KILN_FN LaneRandoms random_of(const SerialRun& run, bool) { return {random_at(run)}; }
  KILN_FN void keep_random(const SerialRun& run, const LaneRandoms& its) {
    random_at(run) = its.state;
  }
  KILN_FN void count_missed(const SerialRun&, const SerialRun::Lanes<u32>& accepted) {
    missed += !accepted[0];
  }
  /// Limits the records of a unit's last step to the first attempts: which ones does not depend on
  /// where the points are.
  KILN_FN void limit_records(u32 limit) { recorded_limit = limit; }
  KILN_FN bool select(const SerialRun& run, SerialRun::Lanes<u32>& accepted) const {
    accepted.v &= u32(u32(run.begin) < recorded_limit);
    return true;
  }
  template <class Tiles, class Records>
  KILN_FN void plot(const SerialRun&, const Tiles& tile, const Records& record) {
    bins->append(tile[0], record[0]);
  }

  KILN_FN void load_orbits(const PoolState& state) {
    for (int lane = 0; lane < unit_orbits; ++lane) {
      shared.points.at[lane] = state.points[i64(index) * pool_slots + lane];
      const i64 at = i64(index) * pool_lanes + lane;
      shared.random[lane] = {state.random0[at], state.random1[at]};
    }
  }
  KILN_FN void save_orbits(const PoolState& state, u32 step, u32 recorded) {
    for (int lane = 0; lane < unit_orbits; ++lane) {
      state.points[i64(index) * pool_slots + lane] = shared.points.at[lane];
      const i64 at = i64(index) * pool_lanes + lane;
      state.random0[at] = shared.random[lane].s0;
      state.random1[at] = shared.random[lane].s1;
    }
    save_counters(state, step, recorded);
  }
};

KILN_END
