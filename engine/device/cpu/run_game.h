// SPDX-License-Identifier: MIT
// Plays units of the chaos game on the CPU. For the files that are compiled once per instruction
// set: only kernels and plain data in here.
#pragma once

#include "engine/device/cpu/kernels.h"
#include "engine/device/cpu/points_block.h"
#include "kernels/pool_block_cpu.h"

KILN_BEGIN

template <class Code, bool Recording>
void run_game(const void* arguments, int first, int last, void* scratch, Bins* bins) {
  ChaosGame game;
  __builtin_memcpy(static_cast<void*>(&game), arguments, sizeof game);
  CpuPoolShared& shared = *static_cast<CpuPoolShared*>(scratch);
  for (int index = first; index < last; ++index) {
    CpuPoolBlock block(index, shared, bins);
    if constexpr (Recording)
      iterate_batch(Code{}, game, nullptr, block, shared);
    else
      warm_up(Code{}, game, block, shared);
  }
}

template <class Code>
constexpr CpuGameKernels game_kernels{sizeof(CpuPoolShared), &run_game<Code, false>,
                                      &run_game<Code, true>, &run_points<Code>};

KILN_END
