// SPDX-License-Identifier: MIT
// How a block of the chaos game brings its records to the store. Also read by NVRTC.
#pragma once

#include "kernels/iterate_batch.h"
#include "kernels/lane_run.h"

// Where records wait in a GPU's memory between the chaos game and their sums.

KILN_BEGIN

constexpr int warp_lanes = 32;
constexpr int pool_warps = pool_lanes / warp_lanes;
constexpr int slots_per_lane = pool_slots / pool_lanes;
constexpr u32 all_lanes = 0xffffffffu;
constexpr int no_tile = 0xffff;
constexpr int group_steps = 2;     // steps whose records are written together
constexpr int record_page = 1024;  // 4 KB

/// The place of a thread in the block of its pool.
struct CudaPoolLane {
  KILN_FN static int lane() { return int(threadIdx.x); }
  KILN_FN static int warp_lane() { return int(threadIdx.x) & (warp_lanes - 1); }
  KILN_FN static int warp() { return int(threadIdx.x) / warp_lanes; }
};

/// An atomicAdd, which knows u64 by another name; returns the value that was there before.
KILN_FN u64 add_at_once(u64& target, u64 n) {
  return atomicAdd(reinterpret_cast<unsigned long long*>(&target), n);
}

/// The store of a launch's records for AccumulateTiles: every tile has its own extents of pages.
/// A block collects the records of a group of steps, counts them by tile and reserves a run in the
/// tile's open extent for each tile that has some. A run that does not fit closes the extent and
/// opens a new one; extents grow with the tile, so that tiles that get most of the records seldom
/// need one.
///
/// Room: a run that closes an extent leaves less than its own length unused, and open extents are
/// at most a quarter of their tile's pages (or one page): 2.25 records + tiles pages hold any
/// flame. Runs of up to an extent, as SplitRecords has them, take 2.5 at most.
struct RecordStore {
  u32* records;     // [pages][record_page]
  u64* cursors;     // [tile_count] extent << 32 | records in it; more than it holds while a new one
                    // is on its way
  u32* page_fill;   // [pages] records in it, once its extent is closed
  u32* page_tile;   // [pages]
  u32* page_rank;   // [pages] number of the page among those of its tile
  u32* tile_pages;  // [tile_count]
  u32* pages_taken;  // pages in use
  i32 tile_count;
  i32 step_quota;  // steps that a unit may record in one launch
  i32 tail_bytes;  // where the dynamic part of shared memory begins

  static constexpr u32 most_extent = 6;  // log2 of pages
  static constexpr u32 no_extent = 7;    // holds nothing
  static constexpr u64 fresh_cursor = u64(no_extent) << 32;

  /// An extent is first page << 3 | log2 of its pages.
  KILN_FN static u32 extent_of(u64 cursor) { return u32(cursor >> 32); }
  KILN_FN static u32 used_of(u64 cursor) { return u32(cursor); }
  KILN_FN static u32 room_of(u64 cursor) {
    const u32 size = extent_of(cursor) & 7;
    return size == no_extent ? 0 : u32(record_page) << size;
  }
  KILN_FN static u32 first_record_of(u64 cursor) { return (extent_of(cursor) >> 3) * record_page; }

  /// Notes how full the pages of an extent are that gets no more records.
  KILN_FN void close(u64 cursor) const {
    const u32 used = used_of(cursor), first = extent_of(cursor) >> 3;
    for (u32 p = used / record_page; p < room_of(cursor) / record_page; ++p)
      page_fill[first + p] = p == used / record_page ? used % record_page : 0;
  }
  /// Opens an extent for a run of `count` records after `old` turned out too full. One lane comes
  /// here for an extent: the one whose request passed its end first.
  KILN_FN u32 open_extent(int tile, u32 count, u64 old) const {
    const u32 rank = __ldcg(&tile_pages[tile]);
    u32 size = 0;
    while (size < most_extent && (record_page << size < count || (8u << size) <= rank)) ++size;
    const u32 pages = 1u << size, first = atomicAdd(pages_taken, pages);
    __stcg(&tile_pages[tile], rank + pages);
    __threadfence();
    atomicExch(reinterpret_cast<unsigned long long*>(&cursors[tile]),
               static_cast<unsigned long long>(u64(first << 3 | size) << 32 | count));
    close(old);
    for (u32 k = 0; k < pages; ++k) {
      page_tile[first + k] = u32(tile);
      page_rank[first + k] = rank + k;
    }
    return first * record_page;
  }
  KILN_FN u64 ask(int tile, u32 count) const { return add_at_once(cursors[tile], count); }
  /// Index of the first record of a run of `count`, whose request gave `old`.
  KILN_FN u32 answer(int tile, u32 count, u64 old) const {
    if (used_of(old) + count <= room_of(old)) return first_record_of(old) + used_of(old);
    return answer_elsewhere(tile, count, old);
  }
  /// The answer where the extent is full. A function of its own: it is seldom called, and code in
  /// the loop of the steps is dear.
  __device__ __noinline__ u32 answer_elsewhere(int tile, u32 count, u64 old) const {
    do {
      if (used_of(old) <= room_of(old)) return open_extent(tile, count, old);
      for (u64 now = old; used_of(now) > room_of(now); __nanosleep(50))
        now = *reinterpret_cast<volatile u64*>(&cursors[tile]);
      old = ask(tile, count);
    } while (used_of(old) + count > room_of(old));
    return first_record_of(old) + used_of(old);
  }
};

struct CudaPoolShared {
  PoolPoints points;
  u16 order[pool_slots];  // xaos only: these two are left out for plain flames
                          // (RecordStore::tail_bytes)
  u16 key[pool_slots];
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

/// The part of a block's shared memory where records wait, two groups of steps: one is filled, the
/// other written.
struct CudaRing {
  u32* records;  // [2][group_steps][pool_slots]
  u16* tiles;    // [2][group_steps][pool_slots]
  u32* places;   // [tile_count] where the next record of each tile goes in the store
  u32* counts;   // [tile_count] records of each tile in the two groups, 16 bits each

  KILN_FN CudaRing(CudaPoolShared& shared, const RecordStore& store) {
    records = reinterpret_cast<u32*>(reinterpret_cast<char*>(&shared) + store.tail_bytes);
    tiles = reinterpret_cast<u16*>(records + 2 * group_steps * pool_slots);
    places = reinterpret_cast<u32*>(tiles + 2 * group_steps * pool_slots);
    counts = places + store.tile_count;
  }
  static constexpr int tile_bytes = 2 * 4;
  static constexpr int bytes(int tile_count) {
    return tile_bytes * tile_count + 2 * group_steps * pool_slots * 6;
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
