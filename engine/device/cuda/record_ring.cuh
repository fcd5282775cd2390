// SPDX-License-Identifier: MIT
// How a block of the chaos game brings its records to the store. Also read by NVRTC.
#pragma once

#include "engine/device/cuda/pool_arguments.h"
#include "kernels/lane_run.h"

KILN_BEGIN

/// The place of a thread in the block of its pool.
struct CudaPoolLane {
  KILN_FN static int lane() { return int(threadIdx.x); }
  KILN_FN static int warp_lane() { return int(threadIdx.x) & (warp_lanes - 1); }
  KILN_FN static int warp() { return int(threadIdx.x) / warp_lanes; }
};

/// A slot of the pool, whose point lies in shared memory.
struct CudaRun : LaneRun {
  u32 from;      // the place of its point, in bytes
  u32 selected;  // bit 0: it may be recorded

  template <class Source>
  KILN_FN void take(const Source&, const Point* points, Lanes<i32>&, Lanes<Real>& x, Lanes<Real>& y,
                    Lanes<Real>& color, Lanes<u32>& meta) const {
    const Point point =
        *reinterpret_cast<const Point*>(reinterpret_cast<const char*>(points) + from);
    take_fields(point, x, y, color, meta);
  }
  KILN_FN void put_back(Point* points, const Lanes<i32>&, const Lanes<Real>& x,
                        const Lanes<Real>& y, const Lanes<Real>& color,
                        const Lanes<u32>& meta) const {
    *reinterpret_cast<Point*>(reinterpret_cast<char*>(points) + from) = {x.v, y.v, color.v, meta.v};
  }
  KILN_FN int place_of(const Lanes<i32>&, int) const { return int(from / sizeof(Point)); }
  KILN_FN const CudaRun& without_copies() const { return *this; }
  /// The compiler shall not compute parts of many variations ahead of the choice between them.
  KILN_FN void pin(Lanes<Real>& x, Lanes<Real>& y) const {
    asm volatile("" : "+f"(x.v), "+f"(y.v));
  }
};

/// A block's way of the records to the store. The group of steps before is written while the next
/// is computed, without barriers of its own: in the first step of a group lanes reserve the runs of
/// the one before, in the second they write its records. Recording: the kernel records points at
/// all (warm_up does not).
template <bool Recording>
struct CudaRecordWriter : CudaPoolLane {
  const RecordStore& store;
  CudaRing ring;
  enum Task { nothing, reserving, writing } task = nothing;  // with the group before
  // of the ring, of the group being filled and the one before: the next step's records, the counts
  int fill_at = 0, full_at = group_steps * pool_slots;
  u32 fill_one = 1, full_shift = 16;
  int group_step = 0, steps_recorded = 0;

  KILN_FN CudaRecordWriter(CudaPoolShared& shared, const RecordStore& r)
      : store(r), ring(shared, r) {
    static_assert(group_steps * pool_slots < 1 << 16);
    if constexpr (Recording) {
      for (int t = lane(); t < r.tile_count; t += pool_lanes) ring.counts[t] = 0;
      __syncthreads();
    }
  }

  template <class Tiles, class Records>
  KILN_FN void plot(const CudaRun& run, const Tiles& tile, const Records& record) {
    const int at = fill_at + run.begin;
    ring.records[at] = record[0];
    ring.tiles[at] = u16(tile[0]);
    if (tile[0] != no_tile) atomicAdd(&ring.counts[tile[0]], fill_one);
  }
  KILN_FN void plot_nothing(const CudaRun& run) { ring.tiles[fill_at + run.begin] = u16(no_tile); }

  /// A request under way for a run of one tile.
  struct Request {
    u32 count = 0;
    u64 old = 0;
  };
  KILN_FN Request ask(int tile) const {
    Request r;
    if (tile < store.tile_count) r.count = ring.counts[tile] >> full_shift & 0xffffu;
    if (r.count) r.old = store.ask(tile, r.count);
    return r;
  }
  /// A lane that claimed a new extent has to open it: until then every block that asks for its tile
  /// waits. So all blocks claim a lane's tiles in one order, upwards from pool_lanes and the lane's
  /// first last: who waits holds up only tiles that come later, and no circle of blocks can wait
  /// for each other. When they ask does not matter.
  KILN_FN void claim(int tile, const Request& r) const {
    if (r.count == 0) return;
    ring.places[tile] = store.answer(tile, r.count, r.old);
    atomicSub(&ring.counts[tile], r.count << full_shift);
  }
  /// Reserves the runs of the tiles from `first` on, two of a lane at a time: more want registers.
  KILN_FN void reserve_from(int first) const {
    constexpr int at_once = 2;
#pragma unroll 1
    for (; first < store.tile_count; first += at_once * pool_lanes) {
      Request r[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) r[k] = ask(first + k * pool_lanes + lane());
#pragma unroll
      for (int k = 0; k < at_once; ++k) claim(first + k * pool_lanes + lane(), r[k]);
    }
  }
  /// Writes this lane's records of a row, one from each step of the group before.
  KILN_FN void write_row(int slot) const {
    const int at = full_at + slot;
    u32 tile[group_steps], record[group_steps], place[group_steps];
#pragma unroll
    for (int k = 0; k < group_steps; ++k) {
      tile[k] = ring.tiles[at + k * pool_slots];
      record[k] = ring.records[at + k * pool_slots];
    }
#pragma unroll
    for (int k = 0; k < group_steps; ++k)
      place[k] = tile[k] != u32(no_tile) ? atomicAdd(&ring.places[tile[k]], 1u) : 0;
#pragma unroll
    for (int k = 0; k < group_steps; ++k) {
      if (tile[k] != u32(no_tile)) store.records[place[k]] = record[k];
    }
  }

  /// Works on the group before while the rows of a step are computed: before them, in each of them
  /// and behind them. The answer to the first request comes meanwhile.
  KILN_FN Request begin_rows() const {
    Request first_tile;
    if (Recording && task == reserving) {
      first_tile = ask(lane());
      reserve_from(pool_lanes);
    }
    return first_tile;
  }
  KILN_FN void in_row(int slot) const {
    if (Recording && task == writing) write_row(slot);
  }
  KILN_FN void end_rows(const Request& first_tile) const {
    if (Recording && task == reserving) claim(lane(), first_tile);
  }

  /// Ends a step whose records are in the ring.
  KILN_FN void end_recorded_step() {
    ++steps_recorded;
    task = task == reserving ? writing : nothing;
    fill_at += pool_slots;
    if (++group_step == group_steps) swap_groups();
  }
  KILN_FN bool launch_is_full() const { return steps_recorded == store.step_quota; }
  /// Writes what is left, at once. After a barrier.
  KILN_FN void finish() {
    finish_task(group_steps);
    const int steps = group_step;
    swap_groups();
    finish_task(steps);
  }
  KILN_FN void swap_groups() {
    fill_at -= group_step * pool_slots;
    const int at = fill_at;
    fill_at = full_at;
    full_at = at;
    fill_one ^= 0x10001;
    full_shift ^= 16;
    group_step = 0;
    task = reserving;
  }
  KILN_FN void finish_task(int steps) {
    if (task == reserving) {
      // in each_run's order, which deadlock freedom needs; one tile at a time, for few registers
      const int rows = (store.tile_count + pool_lanes - 1) / pool_lanes;
#pragma unroll 1
      for (int row = 1; row <= rows; ++row) {
        const int tile = (row < rows ? row : 0) * pool_lanes + lane();
        claim(tile, ask(tile));
      }
      __syncthreads();
      task = writing;
    }
    if (task == writing) {
      for (int slot = lane(); slot < steps * pool_slots; slot += pool_lanes) {
        const int at = full_at + slot;
        const u32 tile = ring.tiles[at];
        if (tile != u32(no_tile))
          store.records[atomicAdd(&ring.places[tile], 1u)] = ring.records[at];
      }
      __syncthreads();
    }
    task = nothing;
  }
};

KILN_END
