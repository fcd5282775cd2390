// CUDA twins of the Block methods: one thread is one lane. See kernels/block.h and
// kernels/pool_block_cpu.h for what each promises.
#pragma once

#include "kernels/kernels.h"

KILN_BEGIN

/// A block of an ordinary kernel.
struct CudaBlock {
  int index;

  template <class Body>
  KILN_FN void each(Body&& body) {
    body(int(threadIdx.x));
    __syncthreads();
  }
  KILN_FN void add(u32& target, u32 n) { atomicAdd(&target, n); }
  KILN_FN void add(u64& target, u64 n) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&target), static_cast<unsigned long long>(n));
  }
};

constexpr int warp_lanes = 32;
constexpr int pool_warps = pool_lanes / warp_lanes;
constexpr int slots_per_lane = pool_slots / pool_lanes;
constexpr u32 all_lanes = 0xffffffffu;
constexpr u16 no_tile = 0xffff;
constexpr int max_stage_records = 8192;

/// Where the records of a launch wait for AccumulateTiles: chunks of `stage_records`, sorted by
/// tile, each with its table of offsets.
struct RecordStore {
  u32* records;  // [chunks][stage_records]
  u16* offsets;  // [tile_count + 1][chunks] where each tile begins in each chunk; chunk = round *
                 // units + unit
  u32* tile_totals;  // [tile_count] records of the launch
  i32 tile_count;
  i32 units, chunks;  // of the launch; chunks = units * chunk_quota
  i32 chunk_quota;    // chunks a unit may write in one launch
  i32 stage_records;  // a multiple of pool_slots, at most max_stage_records
  i32 tail_bytes;     // where the dynamic part of shared memory begins
};

struct CudaPoolShared {
  PoolPoints points;
  u16 order[pool_slots];  // xaos only: these two are left out for plain flames
                          // (RecordStore::tail_bytes)
  u16 key[pool_slots];
};

/// Small things the warps of a pool's block share.
struct CudaPoolCommon {
  u32 scan[pool_warps];
  StepDraws draws[32];       // of the steps around the current one
  u16 xform[32][pool_rows];  // plain flames: the xform of every row in those steps
};

struct CudaRun {
  int begin;  // this lane's slot
  int from;   // the place of its point, looked up a row ahead

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
  KILN_FN void take(const Source&, const Point* points, Lanes<i32>& place, Lanes<Real>& x,
                    Lanes<Real>& y, Lanes<Real>& color, Lanes<u32>& meta) const {
    const Point point = points[from];
    place.v = from;
    x.v = point.x;
    y.v = point.y;
    color.v = point.color;
    meta.v = point.meta;
  }
  KILN_FN void put_back(Point* points, const Lanes<i32>& place, const Lanes<Real>& x,
                        const Lanes<Real>& y, const Lanes<Real>& color,
                        const Lanes<u32>& meta) const {
    points[place.v] = {x.v, y.v, color.v, meta.v};
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

struct CudaPoolBlock {
  int index;
  CudaPoolShared& shared;
  RecordStore store;
  CudaPoolCommon& common;
  Random random{};
  bool draws_ready = false;
  u32 step_of_32 = 0;
  u32 missed = 0, bad = 0;
  int staged = 0, chunk = 0;
  u32 recorded_at_end = 0;
  u32* tile_counts;   // shared [tile_count] of the records being staged
  u32* other_counts;  // shared [tile_count] of the chunk before: its cursors, then zeroed
  u32* stage;         // shared [stage_records]
  u16* stage_tile;    // shared [stage_records]

  KILN_FN CudaPoolBlock(int i, CudaPoolShared& s, const RecordStore& r, CudaPoolCommon& c)
      : index(i), shared(s), store(r), common(c) {
    char* tail = reinterpret_cast<char*>(&s) + r.tail_bytes;
    tile_counts = reinterpret_cast<u32*>(tail);
    other_counts = tile_counts + r.tile_count;
    stage = other_counts + r.tile_count;
    stage_tile = reinterpret_cast<u16*>(stage + r.stage_records);
    for (int t = int(threadIdx.x); t < 2 * r.tile_count; t += pool_lanes) tile_counts[t] = 0;
    __syncthreads();
  }

  KILN_FN static int lane() { return int(threadIdx.x); }
  KILN_FN static int warp_lane() { return int(threadIdx.x) & (warp_lanes - 1); }
  KILN_FN static int warp() { return int(threadIdx.x) / warp_lanes; }

  /// The draws of 32 steps, and which xform each row runs in them, are made at once.
  KILN_FN StepDraws step_draws(const ChaosGame& game, u32 unit, u32 step) {
    const u32 base = step & ~31u;
    step_of_32 = step & 31u;
    if (step_of_32 == 0 || !draws_ready) {
      __syncthreads();
      if (warp() == 0) {
        common.draws[warp_lane()] =
            kiln::step_draws(game.seed, game.frame, unit, base + u32(warp_lane()));
      }
      __syncthreads();
      const Program& program = game.program;
      for (int i = lane(); i < 32 * pool_rows && !program.has_xaos; i += pool_lanes) {
        const u32 share =
            systematic_share(i % pool_rows, pool_rows, common.draws[i / pool_rows].offset);
        common.xform[i / pool_rows][i % pool_rows] =
            u16(find_xform(program.cumulative, program.xform_count, share));
      }
      __syncthreads();
      draws_ready = true;
    }
    return common.draws[step_of_32];
  }
  KILN_FN void seed_lanes(u64 seed, u32 frame, u32 unit) {
    random = lane_random(seed, frame, unit, u32(lane()));
  }
  template <class Body>
  KILN_FN void each_slot_in_lane_order(Body&& body) {
    for (int k = 0; k < slots_per_lane; ++k) body(k * pool_lanes + lane(), random);
    __syncthreads();
  }
  KILN_FN CudaRandoms random_of(const CudaRun&, const XformData&) { return {random}; }
  KILN_FN void count_bad(const CudaRun&) { ++bad; }
  KILN_FN void count_missed(const CudaRun&, const CudaRun::Lanes<u32>& accepted) {
    missed += !accepted[0];
  }

  template <class Tiles, class Records>
  KILN_FN void plot(const CudaRun& run, const Tiles& tile, const Records& record) {
    const bool inside = tile[0] < store.tile_count;
    stage[staged + run.begin] = record[0];
    stage_tile[staged + run.begin] = inside ? u16(tile[0]) : no_tile;
    if (inside) atomicAdd(&tile_counts[tile[0]], 1u);
  }
  KILN_FN void plot_nothing(const CudaRun& run) { stage_tile[staged + run.begin] = no_tile; }

  /// source.look_up(slot), but nothing waits for the value until it is used: the compiler would
  /// mask a 16-bit value at once.
  template <class Shared, class Source>
  KILN_FN u32 look_up(Shared& s, bool sorted, const Source& source, int slot) const {
    u32 entry;
    if (sorted) {
      entry = s.order[slot];
    } else {
      asm("ld.global.nc.u16 %0, [%1];" : "=r"(entry) : "l"(source.exchange.stored + slot));
    }
    return entry;
  }
  /// Each warp walks its rows of 32 slots. A row of a plain flame has one xform; a sorted row may
  /// hold several (xaos) and is run once for each.
  template <class Shared, class Source, class Body>
  KILN_FN void each_run(const Program&, Shared& s, bool sorted, u32, const Source& source,
                        Body&& body) {
    u32 next_entry = look_up(s, sorted, source, lane());
#pragma unroll 1
    for (int k = 0; k < slots_per_lane; ++k) {
      const int slot = k * pool_lanes + lane(), from = source.finish(next_entry);
      if (k + 1 < slots_per_lane)
        next_entry =
            look_up(s, sorted, source, slot + pool_lanes);  // under way while this row works
      int mine, last;
      if (sorted) {
        mine = s.key[slot];
        last = __shfl_sync(all_lanes, mine, warp_lanes - 1);
      } else {
        mine = last = common.xform[step_of_32][k * pool_warps + warp()];
      }
#pragma unroll 1
      for (int f = sorted ? __shfl_sync(all_lanes, mine, 0) : mine; f <= last; ++f) {
        if (mine == f) body(f, CudaRun{slot, from});
      }
    }
  }

  /// Sum over the block; `before` gets the sum of the lanes before this one. Another barrier must
  /// follow before the next scan.
  KILN_FN u32 scan_block(u32 mine, u32& before) {
    u32 sum = mine;
#pragma unroll
    for (int d = 1; d < warp_lanes; d *= 2) {
      const u32 other = __shfl_up_sync(all_lanes, sum, d);
      sum += warp_lane() >= d ? other : 0;
    }
    if (warp_lane() == warp_lanes - 1) common.scan[warp()] = sum;
    __syncthreads();
    u32 earlier = 0, total = 0;
    for (int w = 0; w < pool_warps; ++w) {
      const u32 n = common.scan[w];
      earlier += w < warp() ? n : 0;
      total += n;
    }
    before = earlier + sum - mine;
    return total;
  }

  /// Draws the next xform of every slot and sorts the slots by it, stably: radix passes of 5 bits,
  /// ranks by match and block scan.
  KILN_FN void sort_by_xform(const Program& program, CudaPoolShared& s, const Permutation& exchange,
                             u32 offset) {
    constexpr int rows = pool_slots / warp_lanes;
    u32 key[slots_per_lane], from[slots_per_lane], rank[slots_per_lane];
#pragma unroll
    for (int k = 0; k < slots_per_lane; ++k) {
      const int slot = k * pool_lanes + lane();
      from[k] = u32(exchange(slot));
      const u32 last = s.points.at[from[k]].meta & meta_last_mask;
      key[k] = u32(draw_xform(program.cumulative + u64(last) * u32(program.xform_count),
                              program.xform_count, slot, offset));
    }
    u16* counts = s.key;  // [32 digits][64 rows]: exactly the 2048 keys, which are in registers now
    for (int shift = 0; (program.xform_count - 1) >> shift > 0 || shift == 0; shift += 5) {
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) counts[k * pool_lanes + lane()] = 0;
      __syncthreads();
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        const u32 digit = (key[k] >> shift) & 31;
        const u32 peers = __match_any_sync(all_lanes, digit);
        const u32 below = peers & ((1u << warp_lane()) - 1);
        rank[k] = u32(__popc(below));
        if (below == 0) counts[digit * rows + u32(k * pool_warps + warp())] = u16(__popc(peers));
      }
      __syncthreads();
      u32 four[slots_per_lane], sum = 0, before = 0;
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        four[k] = counts[lane() * slots_per_lane + k];
        sum += four[k];
      }
      scan_block(sum, before);
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        counts[lane() * slots_per_lane + k] = u16(before);
        before += four[k];
      }
      __syncthreads();
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        const u32 digit = (key[k] >> shift) & 31;
        rank[k] += counts[digit * rows + u32(k * pool_warps + warp())];
      }
      __syncthreads();
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        s.order[rank[k]] = u16(from[k]);
        s.key[rank[k]] = u16(key[k]);
      }
      __syncthreads();
      if ((program.xform_count - 1) >> (shift + 5) == 0) break;
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        from[k] = s.order[k * pool_lanes + lane()];
        key[k] = s.key[k * pool_lanes + lane()];
      }
      __syncthreads();
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
      staged += pool_slots;
      if (staged == store.stage_records) flush();
    }
    return total;
  }
  KILN_FN bool launch_is_full() const { return chunk == store.chunk_quota; }
  KILN_FN void finish_records() {
    if (staged > 0) flush();
  }

  /// Sorts the staged records by tile and writes them as one chunk. Called by the whole block after
  /// a barrier. No barrier at the end: a lane reads and later overwrites only its own places of the
  /// stage, and the next records are counted in the other array.
  KILN_FN void flush() {
    const int tiles = store.tile_count;
    const i64 at =
        i64(chunk) * store.units + index;  // blocks that write at the same time write side by side
    u16* offsets = store.offsets + at;
    const int each = (tiles + pool_lanes - 1) / pool_lanes;
    const int first = lane() * each, last = first + each < tiles ? first + each : tiles;
    u32 sum = 0, before = 0;
    for (int t = first; t < last; ++t) sum += tile_counts[t];
    const u32 total = scan_block(sum, before);
    for (int t = first; t < last; ++t) {
      const u32 count = tile_counts[t];
      offsets[i64(t) * store.chunks] = u16(before);
      tile_counts[t] = before;  // now the place of the tile's next record
      other_counts[t] = 0;      // its chunk was written long ago
      if (count) atomicAdd(&store.tile_totals[t], count);
      before += count;
    }
    if (lane() == 0) offsets[i64(tiles) * store.chunks] = u16(total);
    __syncthreads();
    u32* out = store.records + at * store.stage_records;
    constexpr int at_once = pool_slots / pool_lanes;  // staged is a multiple of pool_slots
    for (int first = lane(); first < staged; first += pool_slots) {
      u32 tile[at_once], record[at_once], place[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        tile[k] = stage_tile[first + k * pool_lanes];
        record[k] = stage[first + k * pool_lanes];
      }
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        place[k] = tile[k] != no_tile ? atomicAdd(&tile_counts[tile[k]], 1u) : 0u;
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        if (tile[k] != no_tile)
          out[place[k]] =
              record[k];  // scattered, but the chunk stays in L2 until its lines are full
      }
    }
    u32* const written = tile_counts;
    tile_counts = other_counts;
    other_counts = written;
    staged = 0;
    ++chunk;
  }

  KILN_FN void start_unit(const PoolState& state) {
    if (lane() == 0) {
      state.step[index] = 0;
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

/// A block of EvaluateXforms.
struct CudaEvaluateBlock {
  using Run = CudaRun;
  int index;

  template <class Body>
  KILN_FN void each_run(int count, u32* random0, u32* random1, Body&& body) {
    const int i = int(threadIdx.x);
    if (i >= count) return;
    Random state{random0[i], random1[i]};
    CudaRandoms random{state};
    body(CudaRun{i, i}, random);
    random0[i] = state.s0;
    random1[i] = state.s1;
  }
};

/// A share of one tile's records: chunks [begin, end).
struct TileShare {
  i32 tile, begin, end;
};

struct CudaTileCommon {
  u32 scan[AccumulateTiles::lanes / 32];
  u32 bases[AccumulateTiles::lanes / 32][32];
};

struct CudaTileBlock {
  const TileShare* shares;
  const u32* share_count;
  RecordStore store;
  CudaTileCommon& common;
  TileShare share{};

  KILN_FN int tile() {
    if (blockIdx.x >= *share_count) return -1;
    share = shares[blockIdx.x];
    return share.tile;
  }
  template <class Body>
  KILN_FN void each_strided(int count, Body&& body) {
    for (int i = int(threadIdx.x); i < count; i += int(blockDim.x)) body(i);
  }
  KILN_FN void wait() { __syncthreads(); }
  KILN_FN static int sum_index(int pixel, int channel) {
    return channel * tile_pixels + pixel;
  }  // spreads over the banks
  KILN_FN void add_shared(u32& target, u32 n) { atomicAdd(&target, n); }
  KILN_FN void add(u64& target, u64 n) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&target), static_cast<unsigned long long>(n));
  }
  KILN_FN void add_increment(u32* sums, int pixel, const Increment& increment) {
    for (int c = 0; c < 4; ++c) add_shared(sums[sum_index(pixel, c)], increment.v[c]);
  }
  KILN_FN void add_between(u32* sums, int pixel, const PalettePlace& place, i32 fraction_bits) {
    const Increment low = *place.low, high = *place.high;
    for (int c = 0; c < 4; ++c)
      add_shared(sums[sum_index(pixel, c)], between<u32>(low.v[c], high.v[c], place, fraction_bits));
  }
  /// Moves the sums of a tile into the frame.
  KILN_FN void fold(u32* sums, u32* hits, const TileInFrame& place) {
    each_strided(tile_pixels, [&](int pixel) {
      if (pixel % tile_side >= place.columns || pixel / tile_side >= place.rows) return;
      u64* target = place.pixel(pixel);
      for (int c = 0; c < 4; ++c) {
        u32& sum = sums[sum_index(pixel, c)];
        if (sum) add(target[c], u64(sum));
        sum = 0;
      }
      if (place.channels == 5) {
        add(target[4], u64(hits[pixel]));
        hits[pixel] = 0;
      }
    });
  }

  KILN_FN u32 sum_block(u32 n) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) n += __shfl_xor_sync(all_lanes, n, d);
    if ((threadIdx.x & 31) == 0) common.scan[threadIdx.x / 32] = n;
    __syncthreads();
    u32 total = 0;
    for (int w = 0; w < int(blockDim.x) / 32; ++w) total += common.scan[w];
    __syncthreads();
    return total;
  }
  /// The records of the segments that the lanes of this warp hold, as one row. In a window of 32
  /// records each lane finds the segment of its own by counting the segments that begin at or
  /// before it.
  template <class Body>
  KILN_FN void each_of_warp(u32 segment, u32 count, Body&& body) {
    constexpr int at_once = 4;  // windows whose loads are under way together
    const u32 lane = threadIdx.x & 31, up_to_here = 0xffffffffu >> (31 - lane);
    u32 end = count;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      const u32 other = __shfl_up_sync(all_lanes, end, d);
      end += lane >= u32(d) ? other : 0;
    }
    const u32 total = __shfl_sync(all_lanes, end, 31);
    const u32 start = end - count;
    u32* bases = common.bases[threadIdx.x / 32];  // of the segments that are not empty
    __syncwarp();
    const u32 filled = __ballot_sync(all_lanes, count > 0);
    if (count) bases[__popc(filled & (up_to_here >> 1))] = segment - start;
    __syncwarp();
    u32 begun = 0;
    for (u32 first = 0; first < total; first += 32 * at_once) {
      u32 record[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        const u32 window = first + u32(k) * 32;
        const u32 heads = or_over_warp(count && start - window < 32 ? 1u << (start - window) : 0u);
        const u32 owner = begun + u32(__popc(heads & up_to_here)) - 1;
        begun += u32(__popc(heads));
        record[k] = window + lane < total ? store.records[bases[owner] + window + lane] : 0;
      }
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        if (first + u32(k) * 32 + lane < total) body(record[k]);
      }
    }
  }
  KILN_FN static u32 or_over_warp(u32 bits) {
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(all_lanes, bits);
#else
#pragma unroll
    for (int d = 16; d > 0; d /= 2) bits |= __shfl_xor_sync(all_lanes, bits, d);
    return bits;
#endif
  }
  template <class Body, class Fold>
  KILN_FN void each_record(u32 limit, Body&& body, Fold&& fold) {
    const u16* begins = store.offsets + i64(share.tile) * store.chunks;
    const u16* ends = begins + store.chunks;
    if (store.tile_totals[share.tile] <= limit) {  // cannot overflow: every warp goes its own way
      const int stride = int(blockDim.x);
      for (int base = share.begin + int(threadIdx.x & ~31u); base < share.end; base += stride) {
        const int chunk = base + int(threadIdx.x & 31);
        const bool mine = chunk < share.end;
        const u32 begin = mine ? begins[chunk] : 0, count = mine ? ends[chunk] - begin : 0;
        each_of_warp(u32(chunk) * u32(store.stage_records) + begin, count, body);
      }
      return;
    }
    constexpr int few = 65536 / max_stage_records;  // chunks that can never exceed the limit
    u64 done = 0;
    for (int base = share.begin; base < share.end; base += int(blockDim.x)) {
      const int chunk = base + int(threadIdx.x);
      const bool mine = chunk < share.end;
      const u32 begin = mine ? begins[chunk] : 0, count = mine ? ends[chunk] - begin : 0;
      const u32 segment =
          u32(chunk) * u32(store.stage_records) + begin;  // plan_game keeps it below 2^32
      const u32 total = sum_block(count);
      if (done + total > limit) {
        fold();
        done = 0;
      }
      if (total <= limit) {
        done += total;
        each_of_warp(segment, count, body);
      } else {
        for (int s = 0; s < int(blockDim.x); s += few) {
          const bool now = int(threadIdx.x) >= s && int(threadIdx.x) < s + few;
          each_of_warp(segment, now ? count : 0u, body);
          fold();
        }
      }
    }
  }
};

KILN_END
