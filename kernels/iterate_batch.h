// SPDX-License-Identifier: MIT
// The chaos game. WarmUp makes the pools of a batch of units and burns them in; IterateBatch
// goes on from where a pool stands and records points. Both are `run_steps`: say which point
// each slot takes up, run every xform over its slots, plot. `Code` is how an xform's code is found:
// the Interpreter of kernels/xform.h, or code compiled for the flame's structure
// (engine/device/cuda/jit/flame_kernel.cuh).
//
// Exactness (docs/inside/algorithm.md, "Why the permutation method is exact"): the slots' xforms are
// rounded systematically with one fresh offset a step, the permutation is fresh every step and
// independent of it, so a point's next xform has exactly the weights' distribution and is
// independent of its past. With xaos each slot draws from the row of its point's last xform,
// stratified over the slots, and a stable counting sort brings equal xforms together.
#pragma once

#include "kernels/hidden_points.h"
#include "kernels/math.h"
#include "kernels/pool.h"
#include "kernels/program.h"
#include "kernels/time_samples.h"
#include "kernels/xform.h"

// More of a point than x, y and color: the third coordinate of extended flames
// (kernels/extended_xform.h), or double coordinates (kernels/fine_xform.h); for all others these are
// empty structs and calls that are not there, so that the loop of the chaos game stands once. Points
// in a pool keep their 16 bytes. What must go on from step to step beside them
// (Program::more_numbers()) lies in an array of its own in device memory: a point is in one slot in
// a step, so each word has one reader and writer.

KILN_BEGIN

/// A run's lanes of one number each.
template <class Run, class T>
using LanesOf = typename Run::template Lanes<T>;

template <class Code>
constexpr bool is_extended = requires {
  requires Code::extended;
};

/// Whether its points are doubles.
template <class Code>
constexpr bool is_fine = requires {
  requires Code::fine;
};

/// Whether its flames may have several final xforms, one after the other.
template <class Code>
constexpr bool may_have_more_finals = requires {
  requires Code::more_finals;
};

/// The numbers beyond x and y of a run's points: none.
template <class Run, bool Extended, bool Fine>
struct MoreLanes {
  KILN_FN void take(const Run&, const float*, const LanesOf<Run, i32>&, const LanesOf<Run, Real>&,
                    const LanesOf<Run, Real>&) {}
  KILN_FN void put_back(const Run&, float*, const LanesOf<Run, i32>&) const {}
  KILN_FN void begin_at(int, Real, Real) {}
  KILN_FN void choose(int, bool, const MoreLanes&) {}
  template <class Randoms>
  KILN_FN void project(const Run&, const Program&, u32, LanesOf<Run, Real>&, LanesOf<Run, Real>&,
                       Randoms&) const {}
  template <class Xform, class Applying, class Reals, class Randoms>
  KILN_FN void apply(const Xform& xform, const Applying& run, Reals& x, Reals& y, Reals& color,
                     Randoms& random) {
    xform.apply(run, x, y, color, random);
  }
};
/// The third coordinate.
template <class Run>
struct MoreLanes<Run, true, false> {
  LanesOf<Run, Real> z;

  /// `depths` [pool_slots]; null where they are not kept: then all points begin a step at 0.
  KILN_FN void take(const Run& run, const float* depths, const LanesOf<Run, i32>& place,
                    const LanesOf<Run, Real>&, const LanesOf<Run, Real>&) {
    if (depths) {
      run.each([&](int i) KILN_INLINE { z[i] = depths[run.place_of(place, i)]; });
    } else {
      run.each([&](int i) KILN_INLINE { z[i] = 0; });
    }
  }
  KILN_FN void put_back(const Run& run, float* depths, const LanesOf<Run, i32>& place) const {
    if (!depths) return;
    run.each_exact([&](int i) KILN_INLINE { depths[run.place_of(place, i)] = z[i]; });
  }
  /// The point of a lane is another one, of this x and y.
  KILN_FN void begin_at(int i, Real, Real) { z[i] = 0; }
  KILN_FN void choose(int i, bool other, const MoreLanes& others) {
    z[i] = other ? others.z[i] : z[i];
  }
  /// Maps points of the flame to the plane of the picture.
  template <class Randoms>
  KILN_FN void project(const Run& run, const Program& program, u32 time_sample,
                       LanesOf<Run, Real>& x, LanesOf<Run, Real>& y, Randoms& random) const {
    if (!program.views) return;
    const DepthView seen = program.views[time_sample];
    DepthLanes<LanesOf<Run, Real>> lanes;
    lanes.see(run, seen, x, y, z, random);
  }
  template <class Xform, class Applying, class Reals, class Randoms>
  KILN_FN void apply(const Xform& xform, const Applying& run, Reals& x, Reals& y, Reals& color,
                     Randoms& random) {
    xform.apply(run, x, y, z, color, random);
  }
};
template <class Code, class Run>
using MoreOf = MoreLanes<Run, is_extended<Code>, is_fine<Code>>;

// Where a point falls: its pixel and its place in the palette. The one rounding, by what is fastest
// on each device: a GPU's conversions clamp, a CPU's are vectorized after a select.

/// A pixel of the raster, lines counted from `top`; column and line mean something only inside.
struct RasterPixel {
  i32 column, line;
  u32 inside;  // 0 or 1; a bool in here keeps g++ from vectorizing
};

// raster_pixel: the pixel of a point. palette_index: where a color coordinate lands in the palette.
#if KILN_CUDA_CODE
KILN_FN RasterPixel raster_pixel(Real x, Real y, i32 width, i32 top, i32 height) {
  const i32 column = __float2int_rd(x), line = __float2int_rd(y);  // clamps what is beyond an int
  const u32 below_top = u32(line) - u32(top);
  return {column, i32(below_top), u32(column) < u32(width) && below_top < u32(height)};
}
KILN_FN u32 palette_index(Real color, const ColorIndex& index) {
  return u32(__float2int_rz(fminf(fmaxf(fma(color, index.scale, index.offset), 0.0f), index.max)));
}
#else
KILN_FN RasterPixel raster_pixel(Real x, Real y, i32 width, i32 top, i32 height) {
  const Real right = Real(width), first = Real(top), bottom = Real(top + height);
  const bool inside = (x >= 0) & (x < right) & (y >= first) & (y < bottom);
  const Real inner_x = inside ? x : Real(0), inner_y = inside ? y : first;
  return {i32(inner_x), i32(inner_y) - top, inside ? 1u : 0u};
}
KILN_FN u32 palette_index(Real color, const ColorIndex& index) {
  const Real entry = fma(color, index.scale, index.offset);
  const Real positive = entry > 0 ? entry : Real(0);
  const Real last = Real(index.max);
  return u32(i32(positive < last ? positive : last));
}
#endif

/// Points of a pool while a block works on it. A point stays in its place; the step's permutation
/// says which slot takes it up and puts its image back, so one copy is enough.
struct PoolPoints {
  Point at[pool_slots];
};

/// The data that WarmUp and IterateBatch share: the flame, the pools, the randomness.
struct ChaosGame {
  Program program;
  PoolState state;
  const u16* permutations;  // [permutation_count][permutation_stride]
  u64 seed;
  u32 pass;           // pass of the frame: other samples of the same flame
  u32 number;         // of the frame in its animation, 0 for a still
  u32 first_unit;     // block b works on unit first_unit + b unit_stride
  u64 total_samples;  // of the frame; unit u records min(unit_most, total - u unit_most) of them
  TimeRange time_samples;  // of this pass
  i32 flam3_transients;    // --compat flam3: steps before `recorded_from` that are not hidden are
                           // recorded for a share of the slots
  u32 first_step = 0;      // number of a pool's first step
  u32 hidden_until = warm_up_steps;   // where WarmUp leaves a pool
  u32 recorded_from = warm_up_steps;  // from here on a pool is past burn-in
  i32 goes_on = 0;                    // WarmUp finds pools under way
  u32 unit_most = u32(unit_samples);  // less: short units for a quick look, of stills alone
  u32 unit_stride = 1;                // 2: every other unit, for sums in two halves
};

KILN_FN u32 unit_of_block(const ChaosGame& game, int block) {
  return game.first_unit + u32(block) * game.unit_stride;
}

/// Whether a block can play a steered game (kernels/steering.h).
template <class Block>
constexpr bool may_steer = requires {
  requires Block::steers;
};
/// Bits of Point::meta that a step leaves as they are.
template <class Block>
constexpr u32 kept_meta = may_steer<Block> ? meta_level_mask : 0;

KILN_FN u32 samples_of_unit(const ChaosGame& game, u32 unit) {
  const u64 begin = u64(unit) * game.unit_most;
  if (begin >= game.total_samples) return 0;
  const u64 left = game.total_samples - begin;
  return u32(left < game.unit_most ? left : game.unit_most);
}

/// The source of a slot's next point: the step's permutation, or the order that sort_by_xform made
/// of it (xaos).
struct PointSource {
  Permutation exchange;
  const u16* order;
  i32 sorted;

  KILN_FN int operator()(int slot) const { return sorted ? order[slot] : exchange(slot); }
};

/// The symmetry that follows xform f moves a random point. Whether it is recorded.
KILN_FN bool apply_symmetry(const Program& program, int f, u32 time_sample, Real& x, Real& y,
                            Random& random) {
  const SymmetryElement t =
      program.symmetry[i64(time_sample) * program.copy_count + f % program.copy_count];
  const Real before = x;
  x = fma(t.a, before, t.b * y);
  y = fma(t.d, before, t.e * y);
  return random.uniform() < t.recorded;
}

/// The numbers beyond x and y of a block's points; null where they have none.
template <class Code, class Block>
KILN_FN float* more_of(const Code& code, const ChaosGame& game, const Block& block) {
  if constexpr (is_fine<Code>) return game.state.more + i64(block.index) * (2 * pool_slots);
  if constexpr (is_extended<Code>) {
    if (code.has_z(game.program)) return game.state.more + i64(block.index) * pool_slots;
  }
  return nullptr;
}

/// flam3: a bad result becomes a random point, keeps its new color and its last xform, and is not
/// recorded; the fifth in a row is.
template <class Code, class Block, class Run, class Randoms>
KILN_FN void replace_bad(const Code& code, const Program& program, Block& block, const Run& run,
                         int f, u32 time_sample, Randoms& random, LanesOf<Run, Real>& x,
                         LanesOf<Run, Real>& y, MoreOf<Code, Run>& more, LanesOf<Run, u32>& meta,
                         LanesOf<Run, u32>& accepted) {
  random.ensure();
  run.each_exact([&](int i) KILN_INLINE {
    if (!accepted[i]) {
      Random lane_random = random.get(i);
      x[i] = lane_random.signed_uniform();
      y[i] = lane_random.signed_uniform();
      const bool recorded =
          code.has_copies(program) &&
          apply_symmetry(program, f + run.copy_of(i), time_sample, x[i], y[i], lane_random);
      more.begin_at(i, x[i], y[i]);
      random.set(i, lane_random);
      block.count_bad(run);
      const u32 kept = meta[i] & kept_meta<Block>;
      const u32 in_a_row = ((meta[i] ^ kept) >> meta_bad_shift) + 1;
      accepted[i] = recorded | (in_a_row == bad_limit);
      meta[i] = (meta[i] & meta_last_mask) | in_a_row << meta_bad_shift | kept;
    }
  });
}

/// The code of a flame's only final xform, or of one of several.
template <class Code>
KILN_FN auto final_of(const Code& code, const Program& program, u32 time_sample, int number) {
  if constexpr (may_have_more_finals<Code>)
    return code.final_xform(program, time_sample, number);
  else
    return code.final_xform(program, time_sample);
}

/// Applies a final xform to what is seen of a point; the point itself goes on without. A bad
/// result is recorded as a random point, not retried, not counted.
template <class Code, class Run, class Randoms>
KILN_FN void apply_final(const Code& code, const Program& program, const Run& run, u32 time_sample,
                         Randoms& random, LanesOf<Run, Real>& x, LanesOf<Run, Real>& y,
                         MoreOf<Code, Run>& more, LanesOf<Run, Real>& color, int number = 0) {
  const auto last_xform = final_of(code, program, time_sample, number);
  LanesOf<Run, Real> final_x, final_y, final_color, applies;
  if (last_xform.draws_random()) random.ensure();
  const Real opacity = last_xform.opacity();
  const bool always = opacity == Real(1);
  run.each([&](int i) KILN_INLINE {
    final_x[i] = x[i];
    final_y[i] = y[i];
    final_color[i] = color[i];
    applies[i] = 0;
  });
  if (!always) {
    run.each([&](int i) KILN_INLINE {
      Random lane_random = random.get(i);
      applies[i] = lane_random.uniform();
      random.set(i, lane_random);
    });
  }
  MoreOf<Code, Run> final_more = more;
  final_more.apply(last_xform, run.without_copies(), final_x, final_y, final_color, random);
  LanesOf<Run, u32> good;
  run.each([&](int i) KILN_INLINE { good[i] = !(is_bad(final_x[i]) | is_bad(final_y[i])); });
  if (run.any_not(good)) {
    random.ensure();
    run.each_exact([&](int i) KILN_INLINE {
      if (!good[i]) {
        Random lane_random = random.get(i);
        final_x[i] = lane_random.signed_uniform();
        final_y[i] = lane_random.signed_uniform();
        final_more.begin_at(i, final_x[i], final_y[i]);
        random.set(i, lane_random);
      }
    });
  }
  run.each([&](int i) KILN_INLINE {
    const bool applied = always | (applies[i] < opacity);
    x[i] = applied ? final_x[i] : x[i];
    y[i] = applied ? final_y[i] : y[i];
    color[i] = applied ? final_color[i] : color[i];
    more.choose(i, applied, final_more);
  });
}

/// Hands the accepted points to the block, with their tiles and what a record says of each.
template <class Code, class Block, class Run>
KILN_FN void record_run(const Code& code, const Program& program, Block& block, const Run& run,
                        i32 palette_row, u32 time_sample, const LanesOf<Run, Real>& x,
                        const LanesOf<Run, Real>& y, const LanesOf<Run, Real>& color,
                        const LanesOf<Run, u32>& meta, const LanesOf<Run, u32>& accepted) {
  const Affine raster = code.camera(program, time_sample);
  const ColorIndex index = program.color;
  const Tiling tiling = code.tiling(program);
  const i32 width = program.width, top = program.top, height = program.height;
  const i32 outside_tile = block.outside_tile(program);
  const u32 row = u32(palette_row) << index.bits;
  LanesOf<Run, u32> record;
  LanesOf<Run, i32> tile;
  run.each([&](int i) KILN_INLINE {
    const Real px = fma(raster.a, x[i], fma(raster.b, y[i], raster.c));
    const Real py = fma(raster.d, x[i], fma(raster.e, y[i], raster.f));
    const RasterPixel at = raster_pixel(px, py, width, top, height);
    const u32 inside = at.inside & accepted[i];
    tile[i] = inside ? tiling.tile_of(at.column, at.line) : outside_tile;
    record[i] =
        tiling.record(tiling.pixel_of(at.column, at.line), row | palette_index(color[i], index));
  });
  if constexpr (may_steer<Block>) {
    if (program.steering) {
      const i32 shift = index.bits + tiling.pixel_bits();
      const u32 rows = u32(program.steering->plane.rows);
      run.each([&](int i) KILN_INLINE { record[i] += (level_of_meta(meta[i]) * rows) << shift; });
    }
  }
  block.plot(run, tile, record);
}

/// One step of one run: take the points up, apply xform f, handle bad values, put the points back,
/// record them.
template <class Code, class Block, class Run>
KILN_FN void step_run(const Code& code, const ChaosGame& game, Block& block, const Run& run, int f,
                      const PointSource& source, PoolPoints& points, bool recording,
                      u32 time_sample = 0) {
  const Program& program = game.program;
  const auto xform = code.xform(program, f, time_sample);
  LanesOf<Run, Real> x, y, color;
  MoreOf<Code, Run> more;
  LanesOf<Run, u32> meta;
  LanesOf<Run, i32> place;
  float* const kept = more_of(code, game, block);
  auto random = block.random_of(run, xform.draws_random());

  run.take(source, points.at, place, x, y, color, meta);
  more.take(run, kept, place, x, y);
  [[maybe_unused]] LanesOf<Run, u32> hidden;
  if constexpr (may_hide_points<Code>) take_hidden(run, meta, hidden);
  more.apply(xform, run, x, y, color, random);
  if constexpr (may_hide_points<Code>) take_marks(run, color, hidden);

  LanesOf<Run, u32> accepted;
  run.each([&](int i) KILN_INLINE { accepted[i] = !(is_bad(x[i]) | is_bad(y[i])); });
  const bool some_bad = run.any_not(accepted);
  if (KILN_UNLIKELY(some_bad))
    replace_bad(code, program, block, run, f, time_sample, random, x, y, more, meta, accepted);
  const u32 last = u32(f) + 1;
  run.each([&](int i) KILN_INLINE {
    meta[i] = accepted[i] ? last | (meta[i] & kept_meta<Block>) : meta[i];
  });
  if constexpr (may_hide_points<Code>)
    run.each([&](int i) KILN_INLINE { meta[i] |= accepted[i] ? hidden[i] : 0u; });
  run.put_back(points.at, place, x, y, color, meta);
  more.put_back(run, kept, place);
  if (!recording) {
    block.keep_random(run, random);
    return;
  }

  const bool some_unselected = block.select(run, accepted);
  if (some_bad | some_unselected) block.count_missed(run, accepted);
  if constexpr (may_steer<Block>) {
    if (program.steering) block.count_light(run, meta, accepted);
  }
  if (code.has_final(program))
    apply_final(code, program, run, time_sample, random, x, y, more, color);
  if constexpr (may_have_more_finals<Code>) {
    for (int k = 1; k <= program.more_finals; ++k) {
      if constexpr (may_hide_points<Code>) take_marks(run, color, hidden);
      apply_final(code, program, run, time_sample, random, x, y, more, color, k);
    }
  }
  if constexpr (may_hide_points<Code>) {
    take_marks(run, color, hidden);
    run.each([&](int i) KILN_INLINE { accepted[i] &= hidden[i] == 0; });
  }
  more.project(run, program, time_sample, x, y, random);
  block.keep_random(run, random);
  const i32 palette_row = xform.palette_row();
  if (palette_row < 0)  // invisible: counted as a sample, adds nothing
    block.plot_nothing(run);
  else
    record_run(code, program, block, run, palette_row, time_sample, x, y, color, meta, accepted);
}

/// Every slot gets a random point; `more` as more_of gives it, `numbers` of each.
template <class Block, class Shared>
KILN_FN void make_points(Block& block, Shared& shared, float* more, int numbers) {
  block.each_slot_in_lane_order([&](int slot, auto& random) KILN_INLINE {
    const float x = random.signed_uniform(), y = random.signed_uniform();
    shared.points.at[slot] = {x, y, random.uniform(), 0};
    for (int k = 0; more && k < numbers; ++k) more[k * pool_slots + slot] = 0;
  });
}

/// The sum that the samples of a unit have when it is complete: their number, of a steered game their light.
template <class Block>
KILN_FN u32 target_of_unit(const ChaosGame& game, u32 unit) {
  const u32 samples = samples_of_unit(game, unit);
  return may_steer<Block> && game.program.steering ? samples << light_bits : samples;
}

/// The number of slots that a step of a steered game records: all, or about as many as have the light that is left.
KILN_FN u32 slots_of_light(u32 left) {
  const u32 slots = (left + (1u << light_bits) - 1) >> light_bits;
  return slots < u32(pool_slots) ? slots : u32(pool_slots);
}

/// The number of slots that a step records. In motion flam3's chains begin with their time samples,
/// else with the unit.
KILN_FN u32 slots_of_step(const ChaosGame& game, bool transients, bool moving,
                          const TimeSample& now, u32 step, u32 target, u32 recorded,
                          const StepDraws& draws) {
  const u32 left = target - recorded;
  if (!moving) {
    const bool transient = transients && step < game.recorded_from;
    return recorded_slots(transient, target, flam3_chain, left, draws);
  }
  const TimeRange& range = game.time_samples;
  const bool transient = transients && now.age < game.recorded_from - game.first_step &&
                         now.age < range.fuse + range.chain;
  return recorded_slots(transient, now.share, range.chain, left < now.room ? left : now.room,
                        draws);
}

/// Steps of one unit until `done(step, recorded)`; the points live in shared.points between them.
template <class Code, class Block, class Shared, class Done>
KILN_FN void run_steps(const Code& code, const ChaosGame& game, Block& block, Shared& shared,
                       bool record, Done&& done) {
  const Program& program = game.program;
  const u32 unit = unit_of_block(game, block.index);
  const u32 target = target_of_unit<Block>(game, unit);
  u32 step = game.state.step[block.index];
  u32 recorded = game.state.recorded[block.index];
  const bool moving = code.moving(program);
  if (moving) block.load_walk(game, unit, target, record);
  while (!done(step, recorded, target)) {
    if (moving && record && step % game.time_samples.assigned_at_once == 0)
      block.assign_times(step, recorded);
    const StepDraws draws = block.step_draws(game, unit, step, moving);
    const TimeSample now = moving ? block.time_sample() : still_time_sample;
    if (moving) code.enter(block, now.index);
    const Permutation exchange = pick_permutation(game.permutations, draws.exchange);
    const bool transients = code.transients(game.flam3_transients);
    if (transients && moving && record && now.age == 0)
      make_points(block, shared, more_of(code, game, block), program.more_numbers());
    u32 limit = record & now.past_burn_in
                    ? slots_of_step(game, transients, moving, now, step, target, recorded, draws)
                    : 0;
    if constexpr (may_steer<Block>) {
      if (program.steering) limit = slots_of_light(target - recorded);
    }
    if (record) block.limit_records(limit, pick_permutation(game.permutations, draws.selection));
    const u32* const shares = program.shares(now.index);
    bool sorted = code.has_xaos(program);
    if (sorted) block.sort_by_xform(program, shares, shared, exchange, draws.offset);
    if constexpr (may_steer<Block>) {
      if (program.steering) {
        block.steer(program, shares, shared, more_of(code, game, block), draws.offset);
        sorted = true;
      }
    }
    const PointSource source{exchange, shared.order, sorted};
    block.each_run(program, shares, shared, sorted, draws.offset, source,
                   [&](int f, const auto& run) KILN_INLINE {
                     step_run(code, game, block, run, f, source, shared.points, record, now.index);
                   });
    const u32 missed = block.end_step(shared, record);
    u32 light = u32(pool_slots) - missed;
    if constexpr (may_steer<Block>) {
      if (program.steering) light = block.take_light();
    }
    if (record) recorded += light;
    ++step;
  }
  if (moving) block.save_walk(game, step, record);
  block.save_pool(game.state, shared.points, step, recorded);
}

/// Makes the pool of the block's unit; `more` as more_of gives it.
template <class Block, class Shared>
KILN_FN void make_pool(const ChaosGame& game, Block& block, Shared& shared, float* more) {
  block.seed_lanes(game, unit_of_block(game, block.index));
  make_points(block, shared, more, game.program.more_numbers());
  block.start_unit(game);
}

/// The body of both kernels. A function of its own, so that a kernel compiled while somebody waits
/// can be both and holds the steps once.
template <class Code, class Block, class Shared>
KILN_FN void play(const Code& code, const ChaosGame& game, bool recording, u32* unfinished,
                  Block& block, Shared& shared) {
  if (recording | (game.goes_on != 0))
    block.load_pool(game.state, shared.points);
  else
    make_pool(game, block, shared, more_of(code, game, block));
  run_steps(code, game, block, shared, recording,
            [&](u32 step, u32 recorded, u32 target) KILN_INLINE {
              if (!recording) return step >= game.hidden_until;
              return recorded >= target || block.launch_is_full();
            });
  if (!recording) return;
  block.finish_records();
  const u32 unit = unit_of_block(game, block.index);
  block.mark_unfinished(unfinished, target_of_unit<Block>(game, unit));
}

/// Makes the pool of the block's unit, or takes it up, and runs the steps that nobody sees.
template <class Code, class Block, class Shared>
KILN_FN void warm_up(const Code& code, const ChaosGame& game, Block& block, Shared& shared) {
  play(code, game, false, nullptr, block, shared);
}

/// Goes on with the pool of the block's unit and records its points, until the unit is complete or
/// the launch's share is done.
template <class Code, class Block, class Shared>
KILN_FN void iterate_batch(const Code& code, const ChaosGame& game, u32* unfinished, Block& block,
                           Shared& shared) {
  play(code, game, true, unfinished, block, shared);
}

KILN_END
