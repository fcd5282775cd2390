// SPDX-License-Identifier: MIT
// The chaos game with flam3's variations, compiled once per instruction set like cpu/kernels.cpp:
// nothing of the standard library may be instantiated here.
#include "engine/device/cpu/run_game.h"
#include "kernels/variations/all.h"

namespace kiln {

const CpuGameKernels& KILN_OF_ISA(cpu_plain_game_)() {
  return game_kernels<Interpreter<Flam3Variations, any_features>>;
}

}  // namespace kiln
