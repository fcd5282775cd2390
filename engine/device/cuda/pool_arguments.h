// SPDX-License-Identifier: MIT
// What the host hands to the kernels of the chaos game, and how they divide a block's shared memory:
// read by nvcc, by NVRTC and by the compiler of the host. Includes nothing but kernels/.
#pragma once

#include "kernels/iterate_batch.h"

// Where records wait in a GPU's memory between the chaos game and their sums.

KILN_BEGIN

constexpr int warp_lanes = 32;
constexpr int pool_warps = pool_lanes / warp_lanes;
constexpr int slots_per_lane = pool_slots / pool_lanes;
constexpr u32 all_lanes = 0xffffffffu;
constexpr int no_tile = 0xffff;
constexpr int group_steps = 2;     // steps whose records are written together
constexpr int record_page = 1024;  // 4 KB

#if KILN_CUDA_CODE
/// An atomicAdd, which knows u64 by another name; returns the value that was there before.
KILN_FN u64 add_at_once(u64& target, u64 n) {
  return atomicAdd(reinterpret_cast<unsigned long long*>(&target), n);
}
#endif

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
#if KILN_CUDA_CODE
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
#endif
};

struct CudaPoolShared {
  PoolPoints points;
  u16 order[pool_slots];  // xaos only: these two are left out for plain flames
                          // (RecordStore::tail_bytes)
  u16 key[pool_slots];
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

/// The arguments of both kernels of a flame, beside its numbers.
struct PoolArguments {
  ChaosGame game;
  u32* unfinished;
  RecordStore store;
};

KILN_END
