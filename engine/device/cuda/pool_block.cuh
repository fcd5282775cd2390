// The chaos game's Block on CUDA: one block of 512 threads is one pool, a run is one lane. See
// kernels/pool_block_cpu.h for what each method promises. Also read by NVRTC: includes nothing but
// kernels/.
#pragma once

#include "kernels/iterate_batch.h"

KILN_BEGIN

constexpr int warp_lanes = 32;
constexpr int pool_warps = pool_lanes / warp_lanes;
constexpr int slots_per_lane = pool_slots / pool_lanes;
constexpr u32 all_lanes = 0xffffffffu;
constexpr int no_tile = 0xffff;
constexpr int group_steps = 2;     // steps whose records are written together
constexpr int record_page = 1024;  // 4 KB

/// Where the records of a launch wait for AccumulateTiles: every tile has its own extents of pages.
/// A block collects the records of a group of steps, counts them by tile and reserves a run in the
/// tile's open extent for each tile that has some. A run that does not fit closes the extent and
/// opens a new one; extents grow with the tile, so that tiles that get most of the records seldom
/// need one.
///
/// Room: a run that closes an extent leaves less than its own length unused, and open extents are
/// at most a quarter of their tile's pages (or one page): 2.25 records + tiles pages hold any
/// flame.
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
  __device__ __noinline__ u32 open_extent(int tile, u32 count, u64 old) const {
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
  KILN_FN u64 ask(int tile, u32 count) const {
    return atomicAdd(reinterpret_cast<unsigned long long*>(&cursors[tile]),
                     static_cast<unsigned long long>(count));
  }
  /// Index of the first record of a run of `count`, whose request gave `old`.
  KILN_FN u32 answer(int tile, u32 count, u64 old) const {
    while (used_of(old) + count > room_of(old)) {
      if (used_of(old) <= room_of(old)) return open_extent(tile, count, old);
      for (u64 now = old; used_of(now) > room_of(now); __nanosleep(50))
        now = *reinterpret_cast<volatile u64*>(&cursors[tile]);
      old = ask(tile, count);
    }
    return first_record_of(old) + used_of(old);
  }
};

struct CudaPoolShared {
  PoolPoints points;
  u16 order[pool_slots];  // xaos only: these two are left out for plain flames
                          // (RecordStore::tail_bytes)
  u16 key[pool_slots];
};

/// What sort_by_xform needs beside the pool (xaos).
struct CudaSortTables {
  static constexpr int most_words = 768;
  u16 counts[pool_warps][warp_lanes];  // of each digit among the slots of each warp
  u32 cumulative[most_words];          // Program::cumulative, up to 27 xforms
};

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

struct CudaRun {
  int begin;     // this lane's slot
  u32 from;      // the place of its point, in bytes
  u32 selected;  // bit 0: it may be recorded

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
  KILN_FN void take(const Source&, const Point* points, Lanes<i32>&, Lanes<Real>& x, Lanes<Real>& y,
                    Lanes<Real>& color, Lanes<u32>& meta) const {
    const Point point =
        *reinterpret_cast<const Point*>(reinterpret_cast<const char*>(points) + from);
    x.v = point.x;
    y.v = point.y;
    color.v = point.color;
    meta.v = point.meta;
  }
  KILN_FN void put_back(Point* points, const Lanes<i32>&, const Lanes<Real>& x,
                        const Lanes<Real>& y, const Lanes<Real>& color,
                        const Lanes<u32>& meta) const {
    *reinterpret_cast<Point*>(reinterpret_cast<char*>(points) + from) = {x.v, y.v, color.v, meta.v};
  }
  /// The compiler shall not compute parts of many variations ahead of the choice between them.
  KILN_FN void pin(Lanes<Real>& x, Lanes<Real>& y) const {
    asm volatile("" : "+f"(x.v), "+f"(y.v));
  }
  KILN_FN bool any_not(const Lanes<u32>& flags) const { return !flags[0]; }
};

struct CudaRandoms {
  Random& state;
  KILN_FN Random get(int) const { return state; }
  KILN_FN void set(int, const Random& r) { state = r; }
  KILN_FN void ensure() {}
  KILN_FN void commit(const CudaRun&) {}
};

/// The part of a block's shared memory where records wait, two groups of steps: one is filled, the
/// other written.
struct CudaRing {
  u32* records;  // [2][group_steps][pool_slots]
  u16* tiles;    // [2][group_steps][pool_slots]
  u32* places;   // [tile_count] where the next record of each tile goes in the store
  u32* counts;   // [2][tile_count] records of each tile in the two groups

  KILN_FN CudaRing(CudaPoolShared& shared, const RecordStore& store) {
    records = reinterpret_cast<u32*>(reinterpret_cast<char*>(&shared) + store.tail_bytes);
    tiles = reinterpret_cast<u16*>(records + 2 * group_steps * pool_slots);
    places = reinterpret_cast<u32*>(tiles + 2 * group_steps * pool_slots);
    counts = places + store.tile_count;
  }
  static constexpr int bytes(int tile_count) {
    return 3 * 4 * tile_count + 2 * group_steps * pool_slots * 6;
  }
};

/// The group before is written while the next is computed, without barriers of its own: in the
/// first step of a group lanes reserve the runs of the one before, in the second they write its
/// records. Recording: the kernel records points at all (warm_up does not).
template <bool Recording>
struct CudaPoolBlock {
  int index;
  CudaPoolShared& shared;
  const RecordStore& store;
  CudaPoolCommon& common;
  Random random{};
  bool draws_ready = false;
  u32 step_of_32 = 0;
  u32 missed = 0, bad = 0;
  u32 selected = ~u32(0);  // bit k: this lane's slot of row k may be recorded
  CudaRing ring;
  enum Task { nothing, reserving, writing } task = nothing;  // with the group before
  // of the ring, of the group being filled and the one before: the next step's records, the counts
  int fill_at = 0, full_at = group_steps * pool_slots;
  u32 *fill_counts, *full_counts;
  int group_step = 0, steps_recorded = 0;
  u32 recorded_at_end = 0;
  u32 target = 0, shift = 0;  // moving flames: the unit's samples and its look ahead
  u32 entered = ~u32(0);      // the moment whose numbers are in shared memory

  KILN_FN CudaPoolBlock(int i, CudaPoolShared& s, const RecordStore& r, CudaPoolCommon& c)
      : index(i), shared(s), store(r), common(c), ring(s, r) {
    fill_counts = ring.counts;
    full_counts = ring.counts + r.tile_count;
    if constexpr (Recording) {
      for (int t = int(threadIdx.x); t < 2 * r.tile_count; t += pool_lanes) ring.counts[t] = 0;
      __syncthreads();
    }
  }

  KILN_FN static int lane() { return int(threadIdx.x); }
  KILN_FN static int warp_lane() { return int(threadIdx.x) & (warp_lanes - 1); }
  KILN_FN static int warp() { return int(threadIdx.x) / warp_lanes; }

  static constexpr u32 settling = 0x80000000u;
  KILN_FN void load_walk(const ChaosGame& game, u32 unit, u32 samples, bool recording) {
    if (lane() == 0) {
      common.walk = game.state.walk[index];
      if (!recording) common.walk.base_step = nowhere;
    }
    target = samples;
    shift = moment_shift(game.seed, game.frame, unit, game.number);
  }
  KILN_FN void lay_out(u32 step, u32 recorded) {
    if (lane() != 0) return;
    common.walk.base = recorded;
    common.walk.base_step = step;
    common.walk.laid_out = 0;
  }
  KILN_FN Moment moment() const {
    const u32 m = common.moment[step_of_32];
    return {m & ~settling, (m & settling) == 0};
  }
  KILN_FN void save_walk(const ChaosGame& game, u32 step, bool recording) {
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
  /// The moments of the steps from `step` to the end of its group. All lanes of one warp.
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
#pragma unroll 1
    for (u32 at = step % group_of_steps; at < u32(group_of_steps); ++at) {
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
    if (step_of_32 == 0 || !draws_ready) {
      __syncthreads();
      if (warp() == 0) {
        common.draws[warp_lane()] =
            kiln::step_draws(game.seed, game.frame, unit, base + u32(warp_lane()), game.number);
        if (moving) find_moments(game, unit, step);
      }
      __syncthreads();
      const Program& program = game.program;
      for (int i = lane(); i < 32 * pool_rows && !program.has_xaos; i += pool_lanes) {
        const int row = i % pool_rows, at = i / pool_rows;
        const u32 share = systematic_share(row, pool_rows, common.draws[at].offset);
        common.xform[at][row % pool_warps][row / pool_warps] =
            u16(find_xform(program.shares(moving ? common.moment[at] & ~settling : 0),
                           program.xform_count, share));
      }
      if (program.has_xaos && sort_tables_hold(program)) {
        for (int i = lane(); i < cumulative_words(program); i += pool_lanes)
          common.sort.cumulative[i] = program.cumulative[i];
      }
      __syncthreads();
      draws_ready = true;
    }
    return common.draws[step_of_32];
  }
  KILN_FN void seed_lanes(const ChaosGame& game, u32 unit) {
    random = lane_random(game.seed, game.frame, unit, u32(lane()), game.number);
  }
  template <class Body>
  KILN_FN void each_slot_in_lane_order(Body&& body) {
    for (int k = 0; k < slots_per_lane; ++k) body(k * pool_lanes + lane(), random);
    __syncthreads();
  }
  KILN_FN CudaRandoms random_of(const CudaRun&, bool) { return {random}; }
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
  KILN_FN static constexpr i32 outside_tile(const Program&) { return no_tile; }
  template <class Tiles, class Records>
  KILN_FN void plot(const CudaRun& run, const Tiles& tile, const Records& record) {
    const int at = fill_at + run.begin;
    ring.records[at] = record[0];
    ring.tiles[at] = u16(tile[0]);
    if (tile[0] != no_tile) atomicAdd(&fill_counts[tile[0]], 1u);
  }
  KILN_FN void plot_nothing(const CudaRun& run) { ring.tiles[fill_at + run.begin] = u16(no_tile); }

  /// A request under way for a run of one tile.
  struct Request {
    u32 count = 0;
    u64 old = 0;
  };
  KILN_FN Request ask(int tile) const {
    Request r;
    if (tile < store.tile_count) r.count = full_counts[tile];
    if (r.count) r.old = store.ask(tile, r.count);
    return r;
  }
  /// Whoever is to open an extent holds up every block that asks for its tile until it settles it.
  /// So all blocks settle a lane's tiles in one order, upwards from pool_lanes and the lane's first
  /// last: who waits holds up only tiles that come later, and no circle of blocks can wait for each
  /// other. When they ask does not matter.
  KILN_FN void settle(int tile, const Request& r) const {
    if (r.count == 0) return;
    ring.places[tile] = store.answer(tile, r.count, r.old);
    full_counts[tile] = 0;
  }
  /// Reserves the runs of the tiles from `first` on, four of a lane at a time.
  KILN_FN void reserve_from(int first) const {
    constexpr int at_once = 4;
#pragma unroll 1
    for (; first < store.tile_count; first += at_once * pool_lanes) {
      Request r[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) r[k] = ask(first + k * pool_lanes + lane());
#pragma unroll
      for (int k = 0; k < at_once; ++k) settle(first + k * pool_lanes + lane(), r[k]);
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
      xforms = *reinterpret_cast<const u64*>(common.xform[step_of_32][warp()]);
    }
    const u32 rotation = sorted ? 0 : u32(source.exchange.rotation) * u32(sizeof(Point)),
              flip = sorted ? 0 : u32(source.exchange.flip) * u32(sizeof(Point));
    u32 rows = selected;
    Request first_tile;
    if (Recording && task == reserving) {
      first_tile = ask(lane());  // its answer comes while the rows are computed
      reserve_from(pool_lanes);
    }
#pragma unroll 1
    for (int slot = lane(); slot < pool_slots; slot += pool_lanes) {
      const u32 from = ((u32(entries) * u32(sizeof(Point)) - rotation) & place_mask) ^ flip;
      const int mine = int(u32(xforms) & 0xffffu);
      if (Recording && task == writing) write_row(slot);
      if (sorted) {
        const int last = __shfl_sync(all_lanes, mine, warp_lanes - 1);
#pragma unroll 1
        for (int f = __shfl_sync(all_lanes, mine, 0); f <= last; ++f) {
          if (mine == f) body(f, CudaRun{slot, from, rows});
        }
      } else {
        body(mine, CudaRun{slot, from, rows});
      }
      entries >>= 16;
      xforms >>= 16;
      rows >>= 1;
    }
    if (Recording && task == reserving) settle(lane(), first_tile);
  }

  /// The shares of a still are copied to shared memory, if they fit there.
  KILN_FN static bool sort_tables_hold(const Program& program) {
    return program.moment_count == 1 && cumulative_words(program) <= CudaSortTables::most_words;
  }
  KILN_FN static int cumulative_words(const Program& program) {
    return (program.xform_count + 1) * program.xform_count;
  }

  /// Draws the next xform of every slot and sorts the slots by it, stably: radix passes of 5 bits.
  /// A warp ranks 128 neighbouring slots by match; every warp adds up for itself where its digits
  /// begin, which takes two barriers a pass.
  KILN_FN void sort_by_xform(const Program& program, const u32* shares, CudaPoolShared& s,
                             const Permutation& exchange, u32 offset) {
    constexpr int digits = warp_lanes;
    const int first_slot = warp() * slots_per_lane * warp_lanes + warp_lane();
    u32 key[slots_per_lane], from[slots_per_lane], rank[slots_per_lane];
    const u32* const cumulative = sort_tables_hold(program) ? common.sort.cumulative : shares;
#pragma unroll
    for (int k = 0; k < slots_per_lane; ++k) {
      const int slot = first_slot + k * warp_lanes;
      from[k] = u32(exchange(slot));
      const u32 last = s.points.at[from[k]].meta & meta_last_mask;
      key[k] = u32(draw_xform(cumulative + last * u32(program.xform_count), program.xform_count,
                              slot, offset));
    }
    u16* const counts = common.sort.counts[warp()];
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
        const u32 n = common.sort.counts[w][warp_lane()];
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

  template <class Shared>
  KILN_FN u32 end_step(Shared&, bool recorded) {
    u32 total = 0;
    if (__syncthreads_or(int(missed))) {
      for (int bit = 0; bit < 3; ++bit)
        total += u32(__syncthreads_count(int(missed >> bit & 1))) << bit;
    }
    missed = 0;
    if (recorded) {
      ++steps_recorded;
      task = task == reserving ? writing : nothing;
      fill_at += pool_slots;
      if (++group_step == group_steps) swap_groups();
    }
    return total;
  }
  KILN_FN bool launch_is_full() const { return steps_recorded == store.step_quota; }
  /// Writes what is left, at once. After a barrier.
  KILN_FN void finish_records() {
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
    u32* const counts = fill_counts;
    fill_counts = full_counts;
    full_counts = counts;
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
        settle(tile, ask(tile));
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
    const i64 at = i64(index) * pool_lanes + lane();
    random = {state.random0[at], state.random1[at]};
    __syncthreads();
  }
  KILN_FN void save_pool(const PoolState& state, const PoolPoints& points, u32 step, u32 recorded) {
    for (int k = 0; k < slots_per_lane; ++k) {
      const int slot = k * pool_lanes + lane();
      state.points[i64(index) * pool_slots + slot] = points.at[slot];
    }
    const i64 at = i64(index) * pool_lanes + lane();
    state.random0[at] = random.s0;
    state.random1[at] = random.s1;
    __syncthreads();  // every lane has read the counters by now
    if (lane() == 0) {
      state.step[index] = step;
      state.recorded[index] = recorded;
    }
    if (bad)
      atomicAdd(reinterpret_cast<unsigned long long*>(&state.bad[index]),
                static_cast<unsigned long long>(bad));
    recorded_at_end = recorded;
  }
  KILN_FN void mark_unfinished(u32* unfinished, u32 target) {
    if (lane() == 0 && recorded_at_end < target) atomicAdd(unfinished, 1u);
  }
};

/// What both kernels of a flame get beside its numbers.
struct PoolArguments {
  ChaosGame game;
  u32* unfinished;
  RecordStore store;
};

KILN_END
