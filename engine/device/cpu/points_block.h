// SPDX-License-Identifier: MIT
// The chaos game for who wants its points themselves: a block as CpuPoolBlock is, whose runs end in a list of
// points and not in records of pixels. The loop is that of kernels/iterate_batch.h, which finds the step_run()
// below because it is the closer match for this block. Once per instruction set.
#pragma once

#include "engine/device/cpu/kernels.h"
#include "kernels/pool_block_cpu.h"

KILN_BEGIN

struct CpuPointsBlock : CpuPoolBlock {
  static constexpr u32 most_steps = 4096;  // of a launch that finds nothing to keep

  PointList& list;
  u32 steps = 0;

  CpuPointsBlock(int i, CpuPoolShared& s, PointList& to) : CpuPoolBlock(i, s, nullptr), list(to) {}
  KILN_FN bool launch_is_full() const {
    return list.room - list.count < u32(pool_slots) || steps >= most_steps;
  }
  template <class Shared>
  KILN_FN u32 end_step(Shared&, bool) {
    ++steps;
    return missed;
  }
  /// The ways of those points that keep() is going to add.
  KILN_FN void keep_ways(const CpuRun& run, const CpuRun::Lanes<Real>& from_x,
                         const CpuRun::Lanes<Real>& from_y, const CpuRun::Lanes<Real>& to_x,
                         const CpuRun::Lanes<Real>& to_y, const CpuRun::Lanes<u32>& accepted) {
    float* at = list.ways + u64(list.count) * 4;
    for (int i = 0; i < run.count; ++i) {
      at[0] = from_x[i];
      at[1] = from_y[i];
      at[2] = to_x[i];
      at[3] = to_y[i];
      at += accepted[i] ? 4 : 0;
    }
  }
  /// Adds the accepted points of a run.
  template <class Depth>
  KILN_FN void keep(const CpuRun& run, int f, const CpuRun::Lanes<Real>& x,
                    const CpuRun::Lanes<Real>& y, const Depth& depth,
                    const CpuRun::Lanes<Real>& color, const CpuRun::Lanes<u32>& accepted) {
    PointList to = list;  // a copy: the compiler need not fear that a point changes it
    u32 count = to.count;
    if (!run.any_not(accepted)) {
      float* at = to.points + u64(count) * 4;
      for (int i = 0; i < run.count; ++i, at += 4) {
        at[0] = x[i];
        at[1] = y[i];
        at[2] = depth(i);
        at[3] = color[i];
      }
      for (int i = 0; i < run.count; ++i) to.xforms[count + u32(i)] = u16(f);
      count += u32(run.count);
    } else {
      for (int i = 0; i < run.count;
           ++i) {  // one too many is written, over which the next one goes
        float* const at = to.points + u64(count) * 4;
        at[0] = x[i];
        at[1] = y[i];
        at[2] = depth(i);
        at[3] = color[i];
        to.xforms[count] = u16(f);
        count += accepted[i];
      }
    }
    missed += u32(run.count) - (count - to.count);
    list.count = count;
  }
};

/// The depth of a run's points: none, or z.
template <class Code, class Run>
KILN_FN auto depth_of([[maybe_unused]] const MoreOf<Code, Run>& more) {
  if constexpr (is_extended<Code>)
    return [&more](int i) KILN_INLINE { return more.z[i]; };
  else
    return [](int) KILN_INLINE { return Real(0); };
}

/// A step as kernels/iterate_batch.h has it, up to where points meet the camera. Those of invisible xforms, and
/// those without a place, are missed, so that the game goes on until it has as many as are wanted.
template <class Code, class Run>
KILN_FN void step_run(const Code& code, const ChaosGame& game, CpuPointsBlock& block,
                      const Run& run, int f, const PointSource& source, PoolPoints& points, bool,
                      u32 time_sample) {
  const Program& program = game.program;
  const auto xform = code.xform(program, f, time_sample);
  LanesOf<Run, Real> x, y, color;
  MoreOf<Code, Run> more;
  LanesOf<Run, u32> meta, accepted;
  LanesOf<Run, i32> place;
  float* const kept = more_of(code, game, block);
  auto random = block.random_of(run, xform.draws_random());

  run.take(source, points.at, place, x, y, color, meta);
  auto from_x = x;
  const auto from_y = y;
  more.take(run, kept, place, x, y);
  [[maybe_unused]] LanesOf<Run, u32> hidden;
  if constexpr (may_hide_points<Code>) take_hidden(run, meta, hidden);
  more.apply(xform, run, x, y, color, random);
  if constexpr (may_hide_points<Code>) take_marks(run, color, hidden);

  run.each([&](int i) KILN_INLINE { accepted[i] = !(is_bad(x[i]) | is_bad(y[i])); });
  if (KILN_UNLIKELY(run.any_not(accepted)))
    replace_bad(code, program, block, run, f, time_sample, random, x, y, more, meta, accepted);
  const u32 last = u32(f) + 1;
  run.each([&](int i) KILN_INLINE {
    meta[i] = accepted[i] ? last | (meta[i] & kept_meta<CpuPointsBlock>) : meta[i];
  });
  if constexpr (may_hide_points<Code>)
    run.each([&](int i) KILN_INLINE { meta[i] |= accepted[i] ? hidden[i] : 0u; });
  run.put_back(points.at, place, x, y, color, meta);
  more.put_back(run, kept, place);
  const auto to_x = x, to_y = y;

  block.select(run, accepted);
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
  block.keep_random(run, random);
  if (xform.palette_row() < 0 && !block.list.ways) {
    block.missed += u32(run.count);
    return;
  }
  const auto depth = depth_of<Code, Run>(more);
  if constexpr (is_extended<Code>)
    run.each([&](int i) KILN_INLINE { accepted[i] &= u32(!is_bad(depth(i))); });
  if (program.steering)
    run.each([&](int i) KILN_INLINE { from_x[i] = Real(light_of_level(level_of_meta(meta[i]))); });
  if (block.list.ways) block.keep_ways(run, from_x, from_y, to_x, to_y, accepted);
  block.keep(run, f, x, y, depth, color, accepted);
}

template <class Code>
void run_points(const void* arguments, int index, PointList* list, void* scratch) {
  ChaosGame game;
  __builtin_memcpy(static_cast<void*>(&game), arguments, sizeof game);
  CpuPoolShared& shared = *static_cast<CpuPoolShared*>(scratch);
  CpuPointsBlock block(index, shared, *list);
  iterate_batch(Code{}, game, nullptr, block, shared);
}

KILN_END
