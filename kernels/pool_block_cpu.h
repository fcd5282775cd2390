// The chaos game's Block on the CPU: one thread is the whole block, a run is a stretch of at most
// 256 neighbouring slots, lanes are arrays. Heavy loops run over the run rounded up to whole
// vectors; only what leaves the lanes (each_exact) stops at the last slot.
#pragma once

#include "kernels/accumulate.h"
#include "kernels/bins.h"
#include "kernels/block.h"
#include "kernels/iterate_batch.h"

KILN_BEGIN

constexpr int run_slots = 256;
constexpr int vector_lanes = 16;
constexpr int slot_padding = 64;
// counted beside each other: a count need not wait for the one before
constexpr int sort_parts = 4;

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
  const u16* images = nullptr;  // [pool_rows] which image of the xform a row runs; null: all the
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
  KILN_FN bool has_images() const { return images; }
  KILN_FN CpuRun without_images() const { return {begin, count, padded}; }
  KILN_FN int image_of(int i) const { return images ? images[(begin + i) / row_slots] : 0; }
  /// Calls body(image, part) for stretches of the run that have one image of `first`. Runs with
  /// images are whole rows.
  template <class Body>
  KILN_FN void each_image(const XformData* first, Body&& body) const {
    for (int from = 0, to = 0; from < count; from = to) {
      const int image = image_of(from);
      for (to = from + row_slots; to < count && image_of(to) == image;) to += row_slots;
      body(first[image], CpuRunPart{from, to});
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
  KILN_FN void commit(const CpuRun& run) {
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

/// On its own, so that the appending loop has all the registers.
inline KILN_OUTLINE void append_run(const Bins& bins, const i32* tile, const u32* record,
                                    int count) {
  Bins b = bins;  // a copy: the compiler need not fear that a record changes it
  int i = 0;
  for (; i + 4 <= count; i += 4) b.append4(tile + i, record + i);
  for (; i < count; ++i) b.append(tile[i], record[i]);
}

struct CpuPoolShared {
  PoolPoints points;
  u16 order[pool_slots + slot_padding];  // xaos: where the point of each slot comes from
  u16 next[pool_slots];                  // xaos: the xform drawn by each slot, before sorting
  u16 image[pool_rows];                  // of flames with images: which one each row runs
  i32 begin[max_xforms];                 // xaos: first slot of each xform after sorting
  i32 place[sort_parts][max_xforms];     // xaos: slots of each part and xform, then where they go
  u32 lane0[pool_lanes + slot_padding], lane1[pool_lanes + slot_padding];
};

struct CpuPoolBlock {
  int index;
  CpuPoolShared& shared;
  Bins* bins;
  u64 bad = 0;
  u32 missed = 0, recorded_limit = 0;
  Permutation ranks{};
  bool complete = true;
  MomentWalk walk{};  // of moving flames
  u32 target = 0, shift = 0;
  Moment now{0, true};

  CpuPoolBlock(int i, CpuPoolShared& s, Bins* b) : index(i), shared(s), bins(b) {}

  /// What the unit's pool shares in this step; of a moving flame also the step's moment.
  KILN_FN StepDraws step_draws(const ChaosGame& game, u32 unit, u32 step, bool moving) {
    missed = 0;
    if (moving) now = next_moment(game.moments, unit, target, shift, walk, step);
    return kiln::step_draws(game.seed, game.frame, unit, step, game.number);
  }
  /// Where the unit is in the frame's time, in which it stands still until it records; lay_out
  /// begins a group of steps.
  KILN_FN void load_walk(const ChaosGame& game, u32 unit, u32 samples, bool recording) {
    walk = game.state.walk[index];
    if (!recording) walk.base_step = nowhere;
    target = samples;
    shift = moment_shift(game.seed, game.frame, unit, game.number);
  }
  KILN_FN void lay_out(u32 step, u32 recorded) {
    walk.base = recorded;
    walk.base_step = step;
    walk.laid_out = 0;
  }
  KILN_FN Moment moment() const { return now; }
  KILN_FN void save_walk(const ChaosGame& game, u32 step, bool recording) {
    if (!recording) lay_out(step, 0);
    game.state.walk[index] = walk;
  }
  KILN_FN void seed_lanes(const ChaosGame& game, u32 unit) {
    for (int lane = 0; lane < pool_lanes; ++lane) {
      const Random r = lane_random(game.seed, game.frame, unit, u32(lane), game.number);
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
  KILN_FN void count_bad(const CpuRun&) { ++bad; }
  KILN_FN void count_missed(const CpuRun& run, const CpuRun::Lanes<u32>& accepted) {
    u32 sum = 0;
    for (int i = 0; i < run.count; ++i) sum += accepted[i];
    missed += u32(run.count) - sum;
  }
  template <class Tiles, class Records>
  KILN_FN void plot(const CpuRun& run, const Tiles& tile, const Records& record) {
    append_run(*bins, &tile[0], &record[0], run.count);
  }
  /// Only the slots that `order` ranks below `limit` are recorded in this step.
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
  KILN_FN i32 outside_tile(const Program& program) const { return program.tiling.tile_count; }
  KILN_FN void plot_nothing(const CpuRun&) {}

  /// Calls body(f, run) for stretches of [begin, end) of at most run_slots.
  template <class Body>
  KILN_FN void each_stretch(int f, int begin, int end, const u16* images, Body&& body) {
    while (begin < end) {
      const int count = end - begin < run_slots ? end - begin : run_slots;
      body(f, CpuRun{begin, count, (count + vector_lanes - 1) & ~(vector_lanes - 1), images});
      begin += count;
    }
  }
  /// The images of an xform are one stretch, but for their post affines: a row alone would cost a
  /// fifth more.
  KILN_FN void find_images(const Program& program, const u32* shares, u32 offset, u16* image) {
    int row = 0, mine = 0;
    for (int f = 0; f < program.xform_count; ++f) {
      const int end = f + 1 == program.xform_count ? pool_rows : first_row(shares[f + 1], offset);
      for (; row < end; ++row) image[row] = u16(mine);
      mine = mine + 1 == program.image_count ? 0 : mine + 1;
    }
  }
  template <class Shared, class Source, class Body>
  KILN_FN void each_run(const Program& program, const u32* shares, Shared& s, bool sorted,
                        u32 offset, const Source&, Body&& body) {
    const int together = sorted ? 1 : program.image_count;
    if (together > 1) find_images(program, shares, offset, s.image);
    const u16* const images = together > 1 ? s.image : nullptr;
    int begin = 0, end = 0;
    for (int f = 0; f < program.xform_count; f += together, begin = end) {
      const int next = f + together;
      end = next == program.xform_count ? pool_slots
            : sorted                    ? s.begin[next]
                                        : first_row(shares[next], offset) * row_slots;
      each_stretch(f, begin, end, images, body);
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
    if (state.walk) state.walk[index] = start_of_walk;
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
    state.step[index] = step;
    state.recorded[index] = recorded;
    state.bad[index] += bad;
  }
};

/// A block of EvaluateXforms.
struct CpuEvaluateBlock {
  using Run = CpuRun;
  int index;

  template <class Body>
  KILN_FN void each_run(int count, u32* random0, u32* random1, Body&& body) {
    u32 lane0[run_slots], lane1[run_slots];
    for (int i = 0; i < run_slots; ++i) {
      lane0[i] = i < count ? random0[i] : 1;
      lane1[i] = i < count ? random1[i] : 0;
    }
    const CpuRun run{0, count, (count + vector_lanes - 1) & ~(vector_lanes - 1)};
    CpuRandoms random(lane0, lane1, run, true);
    body(run, random);
    random.commit(run);
    for (int i = 0; i < count; ++i) {
      random0[i] = lane0[i];
      random1[i] = lane1[i];
    }
  }
};

/// One tile: its records wait in the bins of every worker.
struct CpuTileBlock {
  int index;
  Bins* bins;
  int bin_count;

  KILN_FN int tile() const { return index; }
  template <class Body>
  KILN_FN void each_strided(int count, Body&& body) {
    for (int i = 0; i < count; ++i) body(i);
  }
  KILN_FN void wait() {}
  KILN_FN void add_shared(u32& target, u32 n) { target += n; }
  KILN_FN void add(u64& target, u64 n) { target += n; }  // a tile belongs to one thread

  /// sums: r g b last of each pixel in a row, so that a record is one vector addition.
  KILN_FN void add_increment(u32* sums, int pixel, const Increment& increment) {
    sum_at(sums, pixel) += vector_of(increment);
  }
  KILN_FN void add_between(u32* sums, int pixel, const PalettePlace& place, i32 fraction_bits) {
    sum_at(sums, pixel) +=
        between(vector_of(*place.low), vector_of(*place.high), place, fraction_bits);
  }
  /// Moves the sums of a tile into the frame.
  KILN_FN void fold(u32* sums, u32* hits, const TileInFrame& place) {
    for (int y = 0; y < place.rows; ++y) {
      u64* to = place.first + y * place.stride;
      const int row = place.tiling.columns();
      u32 *from = sums + y * row * 4, *from_hits = hits + y * row;
      if (place.channels == 4) {
        for (int i = 0; i < place.columns * 4; ++i) to[i] += from[i];
      } else {
        for (int x = 0; x < place.columns; ++x) {
          for (int c = 0; c < 4; ++c) to[x * 5 + c] += from[x * 4 + c];
          to[x * 5 + 4] += from_hits[x];
        }
        for (int i = 0; i < row; ++i) from_hits[i] = 0;
      }
      for (int i = 0; i < row * 4; ++i) from[i] = 0;
    }
  }

  using Vector = u32 __attribute__((vector_size(16), may_alias));
  KILN_FN static Vector& sum_at(u32* sums, int pixel) {
    return *reinterpret_cast<Vector*>(sums + pixel * 4);
  }
  KILN_FN static Vector vector_of(const Increment& increment) {
    return *reinterpret_cast<const Vector*>(increment.v);
  }

  template <class Body, class Fold>
  KILN_FN void each_record(u32 limit, Body&& body, Fold&& fold) {
    u32 done = 0;
    const auto some = [&](const u32* records, int count) KILN_INLINE {
      if (done + u32(count) > limit) {
        fold();
        done = 0;
      }
      done += u32(count);
      for (int i = 0; i < count; ++i) body(records[i]);
    };
    for (int b = 0; b < bin_count; ++b) {
      const BinPage* page = bins[b].last_page(index);
      const u32* end = bins[b].cursor[index];
      for (; page; page = page->previous, end = page ? page->records + page_records : nullptr)
        some(page->records, int(end - page->records));
      bins[b].cursor[index] = nullptr;
    }
  }
};

KILN_END
