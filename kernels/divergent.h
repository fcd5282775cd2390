// SPDX-License-Identifier: MIT
// The divergent reference, `--strategy divergent`: every lane follows one orbit and draws the
// orbit's next xform from its own generator, so that neighboring lanes run different functions.
// This is how a chaos game is usually written for a GPU, and what the permutation method
// (kernels/iterate_batch.h) is measured against and cross-checked with: it shares neither pools nor
// permutations nor quotas, but the xforms, the treatment of bad values and the records (step_run).
//
// A unit has 512 orbits. A step is four moves of each, 2048 attempts, so that records are collected
// like those of a pool. The point stays with its lane: nothing is exchanged. Exempt from "same bits
// on every device", and for flames at one time sample only; the samples of a unit are those of
// (seed, frame, unit) nevertheless. Not in the list of kernels/kernels.h: compiled apart
// (engine/device/cpu/divergent_game.cpp, engine/device/cuda/checks/divergent.cu), so that the
// product's kernels stay what they are.
#pragma once

#include "kernels/iterate_batch.h"

KILN_BEGIN

constexpr int unit_orbits = pool_lanes;
constexpr int orbit_moves = pool_slots / unit_orbits;  // of each orbit in a step

/// One move of an orbit, whose point stays with its lane.
template <class Run>
struct OrbitRun : Run {
  Point* point;

  template <class Source>
  KILN_FN void take(const Source&, const Point*, LanesOf<Run, i32>&, LanesOf<Run, Real>& x,
                    LanesOf<Run, Real>& y, LanesOf<Run, Real>& color,
                    LanesOf<Run, u32>& meta) const {
    Run::take_fields(*point, x, y, color, meta);
  }
  KILN_FN void put_back(Point*, const LanesOf<Run, i32>&, const LanesOf<Run, Real>& x,
                        const LanesOf<Run, Real>& y, const LanesOf<Run, Real>& color,
                        const LanesOf<Run, u32>& meta) const {
    *point = {x.v, y.v, color.v, meta.v};
  }
  KILN_FN int place_of(const LanesOf<Run, i32>&, int) const { return 0; }  // there is no pool
};

/// The xform that a random word draws from a row of cumulative shares. Never the share 2^32 - 1, at
/// which xforms without weight begin.
KILN_FN int xform_of_word(const u32* cumulative, int count, u32 word) {
  return find_xform(cumulative, count, word - u32(word == ~u32(0)));
}

/// Steps of one unit until `done(step, recorded, target)`; the orbits live in the block.
template <class Code, class Block, class Shared, class Done>
KILN_FN void run_orbits(const Code& code, const ChaosGame& game, Block& block, Shared& shared,
                        bool record, Done&& done) {
  const Program& program = game.program;
  const bool xaos = code.has_xaos(program);
  const u32 target = samples_of_unit(game, unit_of_block(game, block.index));
  u32 step = game.state.step[block.index], recorded = game.state.recorded[block.index];
  while (!done(step, recorded, target)) {
    if (record) block.limit_records(target - recorded);
    block.each_move([&](const auto& run) KILN_INLINE {
      const u32 row = xaos ? run.point->meta & meta_last_mask : 0;
      const int f = block.draw_xform(program, row, run);
      step_run(code, game, block, run, f, PointSource{}, shared.points, record);
    });
    const u32 missed = block.end_step(shared, record);
    if (record) recorded += u32(pool_slots) - missed;
    ++step;
  }
  block.save_orbits(game.state, step, recorded);
}

template <class Code, class Block, class Shared>
KILN_FN void warm_up_orbits(const Code& code, const ChaosGame& game, Block& block, Shared& shared) {
  if (game.goes_on) {
    block.load_orbits(game.state);
  } else {
    block.seed_lanes(game, unit_of_block(game, block.index));
    block.each_orbit([&](Point& point, auto& random) KILN_INLINE {
      const float x = random.signed_uniform(), y = random.signed_uniform();
      point = {x, y, random.uniform(), 0};
    });
    block.start_unit(game);
  }
  const u32 end = game.first_step + (game.hidden_until - game.first_step) / orbit_moves;
  run_orbits(code, game, block, shared, false,
             [=](u32 step, u32, u32) KILN_INLINE { return step >= end; });
}

/// Goes on with the orbits of the block's unit until the unit is complete or the launch's share is
/// done.
template <class Code, class Block, class Shared>
KILN_FN void iterate_orbits(const Code& code, const ChaosGame& game, u32* unfinished, Block& block,
                            Shared& shared) {
  block.load_orbits(game.state);
  run_orbits(code, game, block, shared, true, [&](u32, u32 recorded, u32 target) KILN_INLINE {
    return recorded >= target || block.launch_is_full();
  });
  block.finish_records();
  block.mark_unfinished(unfinished, samples_of_unit(game, unit_of_block(game, block.index)));
}

KILN_END
