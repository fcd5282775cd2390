// SPDX-License-Identifier: MIT
// The divergent reference (kernels/divergent.h), compiled once per instruction set like
// cpu/kernels.cpp: nothing of the standard library may be instantiated here.
#include "engine/device/cpu/kernels.h"
#include "kernels/divergent_block_cpu.h"
#include "kernels/variations/all.h"

KILN_BEGIN

template <bool Recording>
void run_divergent(const void* arguments, int first, int last, void* scratch, Bins* bins) {
  ChaosGame game;
  __builtin_memcpy(static_cast<void*>(&game), arguments, sizeof game);
  CpuOrbits& shared = *static_cast<CpuOrbits*>(scratch);
  const Interpreter<Flam3Variations, any_features> code{};
  for (int index = first; index < last; ++index) {
    CpuDivergentBlock block(index, shared, bins);
    if constexpr (Recording) {
      iterate_orbits(code, game, nullptr, block, shared);
    } else {
      warm_up_orbits(code, game, block, shared);
    }
  }
}

KILN_END

namespace kiln {

const CpuGameKernels& KILN_OF_ISA(cpu_divergent_game_)() {
  static constexpr CpuGameKernels kernels{sizeof(CpuOrbits), &run_divergent<false>,
                                          &run_divergent<true>};
  return kernels;
}

}  // namespace kiln
