// The divergent reference on the CPU: one orbit after the other, one point at a time, without
// vectors. Slow, and independent of how runs of lanes are made.
#pragma once

#include "kernels/divergent.h"
#include "kernels/pool_block_cpu.h"

KILN_BEGIN

/// One move of one orbit.
struct SerialRun {
  int begin;  // number of the attempt in the step
  int lane;
  Point* point;

  template <class T>
  struct Lanes {
    T v;
    KILN_FN T& operator[](int) { return v; }
    KILN_FN const T& operator[](int) const { return v; }
  };
  template <class Body>
  KILN_FN void each(Body&& body) const {
    body(0);
  }
  template <class Body>
  KILN_FN void each_exact(Body&& body) const {
    body(0);
  }
  template <class Source>
  KILN_FN void take(const Source&, const Point*, Lanes<i32>&, Lanes<Real>& x, Lanes<Real>& y,
                    Lanes<Real>& color, Lanes<u32>& meta) const {
    x.v = point->x;
    y.v = point->y;
    color.v = point->color;
    meta.v = point->meta;
  }
  KILN_FN void put_back(Point*, const Lanes<i32>&, const Lanes<Real>& x, const Lanes<Real>& y,
                        const Lanes<Real>& color, const Lanes<u32>& meta) const {
    *point = {x.v, y.v, color.v, meta.v};
  }
  KILN_FN static constexpr bool has_images() { return false; }
  KILN_FN const SerialRun& without_images() const { return *this; }
  KILN_FN static constexpr int image_of(int) { return 0; }
  template <class Body>
  KILN_FN void each_image(const XformData*, Body&&) const {}
  template <class Reals>
  KILN_FN void pin(Reals&, Reals&) const {}
  KILN_FN bool any_not(const Lanes<u32>& flags) const { return !flags[0]; }
};

struct SerialRandoms {
  Random& state;
  KILN_FN Random get(int) const { return state; }
  KILN_FN void set(int, const Random& r) { state = r; }
  KILN_FN void ensure() {}
  KILN_FN void commit(const SerialRun&) {}
};

struct CpuOrbits {
  PoolPoints points;  // those of the orbits
  Random random[unit_orbits];
};

struct CpuDivergentBlock {
  int index;
  CpuOrbits& shared;
  Bins* bins;
  u64 bad = 0;
  u32 missed = 0, recorded_limit = 0;

  CpuDivergentBlock(int i, CpuOrbits& s, Bins* b) : index(i), shared(s), bins(b) {}

  KILN_FN void seed_lanes(const ChaosGame& game, u32 unit) {
    for (int lane = 0; lane < unit_orbits; ++lane)
      shared.random[lane] = lane_random(game.seed, game.frame, unit, u32(lane), game.number);
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
        body(SerialRun{move * unit_orbits + lane, lane, &shared.points.at[lane]});
    }
  }
  KILN_FN int draw_xform(const Program& program, u32 row, const SerialRun& run) {
    const u32 count = u32(program.xform_count);
    return xform_of_word(program.cumulative + u64(row) * count, int(count),
                         shared.random[run.lane].next());
  }
  KILN_FN SerialRandoms random_of(const SerialRun& run, bool) { return {shared.random[run.lane]}; }
  KILN_FN void count_bad(const SerialRun&) { ++bad; }
  KILN_FN void count_missed(const SerialRun&, const SerialRun::Lanes<u32>& accepted) {
    missed += !accepted[0];
  }
  /// In a unit's last step only the first attempts are recorded: which ones does not depend on
  /// where the points are.
  KILN_FN void limit_records(u32 limit) { recorded_limit = limit; }
  KILN_FN bool select(const SerialRun& run, SerialRun::Lanes<u32>& accepted) const {
    accepted.v &= u32(u32(run.begin) < recorded_limit);
    return true;
  }
  KILN_FN i32 outside_tile(const Program& program) const { return program.tiling.tile_count; }
  template <class Tiles, class Records>
  KILN_FN void plot(const SerialRun&, const Tiles& tile, const Records& record) {
    bins->append(tile[0], record[0]);
  }
  KILN_FN void plot_nothing(const SerialRun&) {}
  template <class Shared>
  KILN_FN u32 end_step(Shared&, bool) {
    return missed;
  }
  KILN_FN bool launch_is_full() const { return false; }
  KILN_FN void finish_records() {}
  KILN_FN void mark_unfinished(u32*, u32) {}

  KILN_FN void start_unit(const ChaosGame& game) {
    const PoolState& state = game.state;
    state.step[index] = game.first_step;
    state.recorded[index] = 0;
    state.bad[index] = 0;
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
    state.step[index] = step;
    state.recorded[index] = recorded;
    state.bad[index] += bad;
  }
};

KILN_END
