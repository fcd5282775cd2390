// SPDX-License-Identifier: MIT
// The chaos game of flames seen closer than floats reach (kernels/fine_xform.h), apart, so that the others cost
// neither their registers nor their time to compile; once per instruction set like cpu/kernels.cpp:
// nothing of the standard library may be instantiated here.
#include "engine/device/cpu/run_game.h"
#include "kernels/fine_xform.h"
#include "kernels/variations/all.h"

namespace kiln {

const CpuGameKernels& KILN_OF_ISA(cpu_fine_game_)() {
  return game_kernels<FineInterpreter<Flam3Variations>>;
}

}  // namespace kiln
