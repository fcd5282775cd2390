// The chaos game of wide flames (kernels/wide_xform.h): the kernels of kernels/iterate_batch.h with
// every variation, compiled apart, so that the others cost neither their registers nor their time
// to compile.
#pragma once

#include "kernels/iterate_batch.h"
#include "kernels/wide_xform.h"

KILN_BEGIN

template <class List>
struct WideWarmUpOf {
  static constexpr int lanes = pool_lanes;
  static constexpr bool plays_chaos_game = true;
  ChaosGame game;

  template <class Block, class Shared>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    warm_up(WideInterpreter<List>{}, game, block, shared);
  }
};

template <class List>
struct WideIterateBatchOf {
  static constexpr int lanes = pool_lanes;
  static constexpr bool plays_chaos_game = true;
  ChaosGame game;
  u32* unfinished;

  template <class Block, class Shared>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    iterate_batch(WideInterpreter<List>{}, game, unfinished, block, shared);
  }
};

KILN_END
