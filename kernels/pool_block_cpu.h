// SPDX-License-Identifier: MIT
// The chaos game's Block on the CPU: one thread is the whole block (kernels/pool_block.h).
#pragma once

#include "kernels/bins.h"
#include "kernels/iterate_batch.h"
#include "kernels/pool.h"
#include "kernels/pool_block.h"
#include "kernels/program.h"
#include "kernels/steered_deal.h"

// Runs on the CPU: a stretch of at most 256 neighboring slots, lanes are arrays. Heavy loops run over
// the run rounded up to whole vectors; only what leaves the lanes (each_exact) stops at the last
// slot.

KILN_BEGIN

constexpr int run_slots = 256;
constexpr int vector_lanes = 16;
constexpr int slot_padding = 64;

/// Words that a vector register holds; only moved, never computed with.
using Four = u32 __attribute__((vector_size(16)));
using Eight = u32 __attribute__((vector_size(32)));

/// Four points beside four points, to four fields of eight and back.
KILN_FN void transpose(Eight (&row)[4]) {
  const Eight xy01 = __builtin_shufflevector(row[0], row[1], 0, 8, 1, 9, 4, 12, 5, 13);
  const Eight xy23 = __builtin_shufflevector(row[2], row[3], 0, 8, 1, 9, 4, 12, 5, 13);
  const Eight cm01 = __builtin_shufflevector(row[0], row[1], 2, 10, 3, 11, 6, 14, 7, 15);
  const Eight cm23 = __builtin_shufflevector(row[2], row[3], 2, 10, 3, 11, 6, 14, 7, 15);
  row[0] = __builtin_shufflevector(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13);
  row[1] = __builtin_shufflevector(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15);
  row[2] = __builtin_shufflevector(cm01, cm23, 0, 1, 8, 9, 4, 5, 12, 13);
  row[3] = __builtin_shufflevector(cm01, cm23, 2, 3, 10, 11, 6, 7, 14, 15);
}

/// Some of the lanes of a run, whole rows.
struct CpuRunPart {
  int from, to;
  template <class Body>
  KILN_FN void each(Body&& body) const {
    const int end = from + ((to - from) & ~(vector_lanes - 1));
    for (int i = from; i < end; ++i) body(i);
  }
};

struct CpuRun {
  int begin, count, padded;
  const u16* copies = nullptr;  // [pool_rows] which copy of the xform a row runs; null: all the
                                // first

  template <class T>
  struct alignas(64) Lanes {
    T v[run_slots + vector_lanes];
    KILN_FN T& operator[](int i) { return v[i]; }
    KILN_FN const T& operator[](int i) const { return v[i]; }
  };

  template <class Body>
  KILN_FN void each(Body&& body) const {
    const int n = padded & ~(vector_lanes - 1);
    for (int i = 0; i < n; ++i) body(i);
  }
  template <class Body>
  KILN_FN void each_exact(Body&& body) const {
    const int n = count;
    for (int i = 0; i < n; ++i) body(i);
  }
  /// Points of the run's slots into lanes. Padding lanes get some points of the pool.
  template <class Source>
  KILN_FN void take(const Source& source, const Point* points, Lanes<i32>& place, Lanes<Real>& x,
                    Lanes<Real>& y, Lanes<Real>& color, Lanes<u32>& meta) const {
    each([&](int i) KILN_INLINE { place[i] = source(begin + i); });
    const int n = padded & ~(vector_lanes - 1);
    for (int i = 0; i < n; i += 8) {
      Eight row[4];
      for (int k = 0; k < 4; ++k) {
        Four low, high;
        __builtin_memcpy(&low, &points[place[i + k]], sizeof(Point));
        __builtin_memcpy(&high, &points[place[i + k + 4]], sizeof(Point));
        row[k] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
      }
      transpose(row);
      __builtin_memcpy(&x[i], &row[0], sizeof(Eight));
      __builtin_memcpy(&y[i], &row[1], sizeof(Eight));
      __builtin_memcpy(&color[i], &row[2], sizeof(Eight));
      __builtin_memcpy(&meta[i], &row[3], sizeof(Eight));
    }
  }
  KILN_FN void put_back(Point* points, const Lanes<i32>& place, const Lanes<Real>& x,
                        const Lanes<Real>& y, const Lanes<Real>& color,
                        const Lanes<u32>& meta) const {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
      Eight row[4];
      __builtin_memcpy(&row[0], &x[i], sizeof(Eight));
      __builtin_memcpy(&row[1], &y[i], sizeof(Eight));
      __builtin_memcpy(&row[2], &color[i], sizeof(Eight));
      __builtin_memcpy(&row[3], &meta[i], sizeof(Eight));
      transpose(row);
      for (int k = 0; k < 4; ++k) {
        const Four low = __builtin_shufflevector(row[k], row[k], 0, 1, 2, 3);
        const Four high = __builtin_shufflevector(row[k], row[k], 4, 5, 6, 7);
        __builtin_memcpy(&points[place[i + k]], &low, sizeof(Point));
        __builtin_memcpy(&points[place[i + k + 4]], &high, sizeof(Point));
      }
    }
    for (; i < count; ++i) points[place[i]] = {x[i], y[i], color[i], meta[i]};
  }
  /// The index in the pool of a lane's point.
  KILN_FN int place_of(const Lanes<i32>& place, int i) const { return place[i]; }
  KILN_FN bool has_copies() const { return copies; }
  KILN_FN CpuRun without_copies() const { return {begin, count, padded}; }
  KILN_FN int copy_of(int i) const { return copies ? copies[(begin + i) / row_slots] : 0; }
  /// Calls body(copy, part) for stretches of the run that have one copy of `first`. Runs with
  /// copies are whole rows.
  template <class Body>
  KILN_FN void each_copy(const XformData* first, Body&& body) const {
    for (int from = 0, to = 0; from < count; from = to) {
      const int copy = copy_of(from);
      for (to = from + row_slots; to < count && copy_of(to) == copy;) to += row_slots;
      body(first[copy], CpuRunPart{from, to});
    }
  }
  template <class Reals>
  KILN_FN void pin(Reals&, Reals&) const {}
  KILN_FN bool any_not(const Lanes<u32>& flags) const {
    u32 all = 1;
    for (int i = 0; i < count; ++i) all &= flags[i];
    return all == 0;
  }
};

/// The generators of a run's lanes, copied in when something draws, back when the run is done.
struct CpuRandoms {
  u32 *lanes0, *lanes1;  // [pool_lanes] the block's generators
  int first;             // the generator of the run's first slot
  int padded, straight;  // lanes to load; how many of them lie before the wrap to generator 0
  bool loaded = false;
  CpuRun::Lanes<u32> s0, s1;

  KILN_FN CpuRandoms(u32* a, u32* b, const CpuRun& run, bool load)
      : lanes0(a), lanes1(b), first(run.begin & (pool_lanes - 1)), padded(run.padded) {
    straight = padded < pool_lanes - first ? padded : pool_lanes - first;
    if (load) ensure();
  }
  KILN_FN void ensure() {
    if (loaded) return;
    loaded = true;
    for (int i = 0; i < straight; ++i) {
      s0[i] = lanes0[first + i];
      s1[i] = lanes1[first + i];
    }
    for (int i = straight; i < padded; ++i) {
      s0[i] = lanes0[i - straight];
      s1[i] = lanes1[i - straight];
    }
  }
  KILN_FN Random get(int i) const { return {s0[i], s1[i]}; }
  KILN_FN void set(int i, const Random& r) {
    s0[i] = r.s0;
    s1[i] = r.s1;
  }
  KILN_FN void commit(const CpuRun& run) const {
    if (!loaded) return;
    const int before_wrap = run.count < straight ? run.count : straight;
    for (int i = 0; i < before_wrap; ++i) {
      lanes0[first + i] = s0[i];
      lanes1[first + i] = s1[i];
    }
    for (int i = before_wrap; i < run.count; ++i) {
      lanes0[i - before_wrap] = s0[i];
      lanes1[i - before_wrap] = s1[i];
    }
  }
};

// counted beside each other: a count need not wait for the one before
constexpr int sort_parts = 4;

/// Appends the records of a run. A function of its own, so that the loop has all the registers.
inline KILN_OUTLINE void append_run(const Bins& bins, const i32* tile, const u32* record,
                                    int count) {
  Bins b = bins;  // a copy: the compiler need not fear that a record changes it
  int i = 0;
  for (; i + 4 <= count; i += 4) b.append4(tile + i, record + i);
  for (; i < count; ++i) b.append(tile[i], record[i]);
}

/// Pairs of a slot's point and an xform in a step of a steered game.
struct CpuSteeredPairs {
  u32 words[most_steered_xforms / levels_of_a_word][pool_slots];  // levels of each point's cell
  u16 copies[most_steered_xforms][pool_slots];  // how many, in parts that all pairs share
  PoolPoints next;
  float more[pool_slots];
};

struct CpuPoolShared {
  PoolPoints points;
  CpuSteeredPairs pairs;
  u16 order[pool_slots + slot_padding];  // xaos: where the point of each slot comes from
  u16 next[pool_slots];                  // xaos: the xform drawn by each slot, before sorting
  u16 copy[pool_rows];                   // of flames with copies: which one each row runs
  i32 begin[max_xforms];                 // xaos: first slot of each xform after sorting
  i32 place[sort_parts][max_xforms];     // xaos: slots of each part and xform, then where they go
  u32 lane0[pool_lanes + slot_padding], lane1[pool_lanes + slot_padding];
};

/// The base of the CPU's blocks of the chaos game. Records go straight into bins that grow, so no
/// launch is ever too short for a unit; it ends early only for who asks it to stop.
struct CpuGameBlock {
  int index;
  Bins* bins;
  u64 bad = 0;
  u32 missed = 0, recorded_limit = 0;
  u32 light = 0;  // of a steered game's step

  KILN_FN void start_unit(const ChaosGame& game) {
    const PoolState& state = game.state;
    state.step[index] = game.first_step;
    state.recorded[index] = 0;
    state.bad[index] = 0;
    if (state.walk) state.walk[index] = start_of_walk;
  }
  KILN_FN void save_counters(const PoolState& state, u32 step, u32 recorded) {
    state.step[index] = step;
    state.recorded[index] = recorded;
    state.bad[index] += bad;
  }
  template <class Run>
  KILN_FN void count_bad(const Run&) {
    ++bad;
  }
  KILN_FN i32 outside_tile(const Program& program) const { return program.tiling.tile_count; }
  template <class Run>
  KILN_FN void plot_nothing(const Run&) {}
  template <class Shared>
  KILN_FN u32 end_step(Shared&, bool) {
    return missed;
  }
  KILN_FN bool launch_is_full() const {
    return __atomic_load_n(bins->stop_asked, __ATOMIC_RELAXED) != 0;
  }
  KILN_FN void finish_records() {}
  KILN_FN void mark_unfinished(u32*, u32) {}
};

/// Writes the numbers of the slots' points to the slots that their pairs with an xform get, which begin at `at`. Returns
/// their end.
inline KILN_OUTLINE u64 deal_slots(const u16* parts, u64 of_part, u64 at, u16* order) {
  u64 four = 0;  // most pairs get fewer; what is too much the next ones write over
  for (int i = 0; i < pool_slots; ++i, four += 0x0001000100010001ull) {
    const u64 first = at >> slot_fraction_bits;
    __builtin_memcpy(order + first, &four, sizeof four);
    at += of_part * parts[i];
    if (KILN_UNLIKELY(at >> slot_fraction_bits > first + 4)) {
      for (u64 slot = first + 4; slot < at >> slot_fraction_bits; ++slot) order[slot] = u16(i);
    }
  }
  return at;
}

struct CpuPoolBlock : CpuGameBlock {
  static constexpr bool steers = true;
  CpuPoolShared& shared;
  Permutation ranks{};
  TimeWalk walk{};  // of moving flames
  u32 target = 0, shift = 0;
  TimeSample now = still_time_sample;

  CpuPoolBlock(int i, CpuPoolShared& s, Bins* b) : CpuGameBlock{i, b}, shared(s) {}

  /// The draws of the unit's pool in this step; a moving flame also gets the step's time sample.
  KILN_FN StepDraws step_draws(const ChaosGame& game, u32 unit, u32 step, bool moving) {
    missed = 0;
    if (moving) now = next_time_sample(game.time_samples, unit, target, shift, walk, step);
    return kiln::step_draws(game.seed, game.pass, unit, step, game.number);
  }
  /// Loads the unit's place in the frame's time, in which it stands still until it records;
  /// assign_times begins a group of steps.
  KILN_FN void load_walk(const ChaosGame& game, u32 unit, u32 samples, bool recording) {
    walk = game.state.walk[index];
    if (!recording) walk.base_step = nowhere;
    target = samples;
    shift = time_shift(game.time_samples, game.seed, game.pass, unit, game.number);
  }
  KILN_FN void assign_times(u32 step, u32 recorded) {
    walk.base = recorded;
    walk.base_step = step;
    walk.assigned = 0;
  }
  KILN_FN TimeSample time_sample() const { return now; }
  KILN_FN void save_walk(const ChaosGame& game, u32 step, bool recording) {
    if (!recording) assign_times(step, 0);
    game.state.walk[index] = walk;
  }
  KILN_FN void seed_lanes(const ChaosGame& game, u32 unit) {
    for (int lane = 0; lane < pool_lanes; ++lane) {
      const Random r = lane_random(game.seed, game.pass, unit, u32(lane), game.number);
      shared.lane0[lane] = r.s0;
      shared.lane1[lane] = r.s1;
    }
  }
  template <class Body>
  KILN_FN void each_slot_in_lane_order(Body&& body) {
    for (int slot = 0; slot < pool_slots; ++slot) {
      const int lane = slot & (pool_lanes - 1);
      Random r{shared.lane0[lane], shared.lane1[lane]};
      body(slot, r);
      shared.lane0[lane] = r.s0;
      shared.lane1[lane] = r.s1;
    }
  }
  KILN_FN CpuRandoms random_of(const CpuRun& run, bool draws) {
    return CpuRandoms(shared.lane0, shared.lane1, run, draws);
  }
  KILN_FN void keep_random(const CpuRun& run, const CpuRandoms& randoms) { randoms.commit(run); }
  KILN_FN void count_missed(const CpuRun& run, const CpuRun::Lanes<u32>& accepted) {
    u32 sum = 0;
    for (int i = 0; i < run.count; ++i) sum += accepted[i];
    missed += u32(run.count) - sum;
  }
  template <class Tiles, class Records>
  KILN_FN void plot(const CpuRun& run, const Tiles& tile, const Records& record) {
    append_run(*bins, &tile[0], &record[0], run.count);
  }
  /// Limits the records of this step to the slots that `order` ranks below `limit`.
  KILN_FN void limit_records(u32 limit, const Permutation& order) {
    recorded_limit = limit;
    ranks = order;
  }
  KILN_FN bool select(const CpuRun& run, CpuRun::Lanes<u32>& accepted) const {
    if (recorded_limit >= u32(pool_slots)) return false;
    run.each_exact([&](int i) KILN_INLINE {
      accepted[i] = accepted[i] & u32(u32(ranks(run.begin + i)) < recorded_limit);
    });
    return true;
  }

  /// Calls body(f, run) for stretches of [begin, end) of at most run_slots.
  template <class Body>
  KILN_FN void each_stretch(int f, int begin, int end, const u16* copies, Body&& body) {
    while (begin < end) {
      const int count = end - begin < run_slots ? end - begin : run_slots;
      body(f, CpuRun{begin, count, (count + vector_lanes - 1) & ~(vector_lanes - 1), copies});
      begin += count;
    }
  }
  /// The copies of an xform are one stretch, but for their post affines: a row alone would cost a
  /// fifth more.
  KILN_FN void find_copies(const Program& program, const u32* shares, u32 offset, u16* copy) {
    int row = 0, mine = 0;
    for (int f = 0; f < program.xform_count; ++f) {
      const int end = f + 1 == program.xform_count ? pool_rows : first_row(shares[f + 1], offset);
      for (; row < end; ++row) copy[row] = u16(mine);
      mine = mine + 1 == program.copy_count ? 0 : mine + 1;
    }
  }
  template <class Shared, class Source, class Body>
  KILN_FN void each_run(const Program& program, const u32* shares, Shared& s, bool sorted,
                        u32 offset, const Source&, Body&& body) {
    const int together = sorted ? 1 : program.copy_count;
    if (together > 1) find_copies(program, shares, offset, s.copy);
    const u16* const copies = together > 1 ? s.copy : nullptr;
    int begin = 0, end = 0;
    for (int f = 0; f < program.xform_count; f += together, begin = end) {
      const int next = f + together;
      end = next == program.xform_count ? pool_slots
            : sorted                    ? s.begin[next]
                                        : first_row(shares[next], offset) * row_slots;
      each_stretch(f, begin, end, copies, body);
    }
  }
  /// Draws the next xform of every slot and sorts the slots by it, stably (CPU twin of the
  /// block-wide radix sort).
  KILN_FN void sort_by_xform(const Program& program, const u32* shares, CpuPoolShared& s,
                             const Permutation& exchange, u32 offset) {
    const int count = program.xform_count;
    for (int part = 0; part < sort_parts; ++part) {
      for (int f = 0; f < count; ++f) s.place[part][f] = 0;
    }
    constexpr int part_slots = pool_slots / sort_parts;
    for (int i = 0; i < part_slots; ++i) {
      for (int part = 0; part < sort_parts; ++part) {
        const int slot = part * part_slots + i;
        const u32 last = s.points.at[exchange(slot)].meta & meta_last_mask;
        const int f = draw_xform(shares + u64(last) * u32(count), count, slot, offset);
        s.next[slot] = u16(f);
        ++s.place[part][f];
      }
    }
    i32 begin = 0;
    for (int f = 0; f < count; ++f) {
      s.begin[f] = begin;
      for (int part = 0; part < sort_parts; ++part) {
        const i32 slots = s.place[part][f];
        s.place[part][f] = begin;
        begin += slots;
      }
    }
    // the last run's padding lanes take up points too: the sums of tiles were in this memory
    for (int i = 0; i < slot_padding; ++i) s.order[pool_slots + i] = 0;
    for (int i = 0; i < part_slots; ++i) {
      for (int part = 0; part < sort_parts; ++part) {
        const int slot = part * part_slots + i;
        s.order[s.place[part][s.next[slot]]++] = u16(exchange(slot));
      }
    }
  }
  KILN_FN void count_light(const CpuRun& run, const CpuRun::Lanes<u32>& meta,
                           const CpuRun::Lanes<u32>& accepted) {
    u32 sum = 0;
    for (int i = 0; i < run.count; ++i)
      sum += accepted[i] ? light_of_level(level_of_meta(meta[i])) : 0;
    light += sum;
  }
  KILN_FN u32 take_light() {
    const u32 sum = light;
    light = 0;
    return sum;
  }
  /// Looks up the levels of every pair; adds what they are to be taken to the sum of each xform.
  KILN_FN void weigh_pairs(const SteeringTable& steering, int count, CpuPoolShared& s, u32* sums) {
    struct InPlace {
      KILN_FN int operator()(int slot) const { return slot; }
    };
    CpuSteeredPairs& pairs = s.pairs;
    const SteeredPlane plane = steering.plane;
    for (int begin = 0; begin < pool_slots; begin += run_slots) {
      const CpuRun run{begin, run_slots, run_slots};
      CpuRun::Lanes<i32> place;
      CpuRun::Lanes<Real> x, y, color;
      CpuRun::Lanes<u32> meta, cell;
      run.take(InPlace{}, s.points.at, place, x, y, color, meta);
      run.each([&](int i) KILN_INLINE {
        cell[i] = plane.cell_of(x[i], y[i]);
        meta[i] = u32(weight_levels - 1) - level_of_meta(meta[i]);
      });
      for (int first = 0; first < count; first += levels_of_a_word) {
        const int word = first / levels_of_a_word;
        const u32* const levels = steering.levels[word];
        u32* const words = pairs.words[word] + begin;
        run.each([&](int i) KILN_INLINE { words[i] = levels[cell[i]]; });
        const int end = count - first < levels_of_a_word ? count - first : levels_of_a_word;
        for (int k = 0; k < end; ++k) {
          u16* const copies = pairs.copies[first + k] + begin;
          const int at = 4 * k;
          u32 sum = 0;
          run.each([&](int i) KILN_INLINE {
            const u32 parts = 1u << ((words[i] >> at & u32(weight_levels - 1)) + meta[i]);
            copies[i] = u16(parts);
            sum += parts;
          });
          sums[first + k] += sum;
        }
      }
    }
  }
  /// Deals the slots out to the pairs of points and xforms (kernels/steering.h). Behind it the points lie in their slots.
  KILN_FN void steer(const Program& program, const u32* shares, CpuPoolShared& s, float* more,
                     u32 offset) {
    const int count = program.xform_count;
    CpuSteeredPairs& pairs = s.pairs;
    u32 sums[most_steered_xforms] = {};
    weigh_pairs(*program.steering, count, s, sums);
    u64 total = 0;
    for (int f = 0; f < count; ++f) total += share_of(shares, count, f) * sums[f];
    const SteeredDeal deal(total);
    u64 at = begin_of_slots(offset);
    int last = 0;
    for (int f = 0; f < count; ++f) {
      s.begin[f] = int(at >> slot_fraction_bits);
      const u64 share = share_of(shares, count, f);
      if (share == 0) continue;
      at = deal_slots(pairs.copies[f], deal.of_part(share), at, s.order);
      last = f;
    }
    for (int f = last + 1; f < count; ++f) s.begin[f] = pool_slots;
    for (int f = 0; f < count; ++f) {
      const int end = f + 1 == count ? pool_slots : s.begin[f + 1];
      const u32* const words = pairs.words[f / levels_of_a_word];
      const int bits = 4 * (f % levels_of_a_word);
      for (int i = s.begin[f]; i < end; ++i) {
        const int from = s.order[i];
        Point point = s.points.at[from];
        point.meta = (point.meta & ~meta_level_mask) |
                     (words[from] >> bits & u32(weight_levels - 1)) << meta_level_shift;
        pairs.next.at[i] = point;
      }
    }
    __builtin_memcpy(&s.points, &pairs.next, sizeof s.points);
    for (int k = 0; more && k < program.more_numbers(); ++k, more += pool_slots) {
      for (int i = 0; i < pool_slots; ++i) pairs.more[i] = more[s.order[i]];
      __builtin_memcpy(more, pairs.more, sizeof pairs.more);
    }
    for (int i = 0; i < pool_slots; ++i) s.order[i] = u16(i);
    for (int i = 0; i < slot_padding; ++i) s.order[pool_slots + i] = 0;
  }
  KILN_FN void load_pool(const PoolState& state, PoolPoints& points) {
    __builtin_memcpy(&points, state.points + i64(index) * pool_slots, sizeof points);
    for (int i = 0; i < pool_lanes; ++i) {
      shared.lane0[i] = state.random0[i64(index) * pool_lanes + i];
      shared.lane1[i] = state.random1[i64(index) * pool_lanes + i];
    }
  }
  KILN_FN void save_pool(const PoolState& state, const PoolPoints& points, u32 step, u32 recorded) {
    __builtin_memcpy(state.points + i64(index) * pool_slots, &points, sizeof points);
    for (int i = 0; i < pool_lanes; ++i) {
      state.random0[i64(index) * pool_lanes + i] = shared.lane0[i];
      state.random1[i64(index) * pool_lanes + i] = shared.lane1[i];
    }
    save_counters(state, step, recorded);
  }
};

static_assert(PoolBlock<CpuPoolBlock, CpuPoolShared, CpuRun>);

KILN_END
