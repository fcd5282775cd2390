// The chaos game of wide flames (kernels/wide_xform.h), apart, so that the others cost neither their
// registers nor their time to compile; once per instruction set like cpu/kernels.cpp: nothing of
// the standard library may be instantiated here.
#include "engine/device/cpu/run_game.h"
#include "kernels/variations/all.h"
#include "kernels/wide_xform.h"

namespace kiln {

const CpuGameKernels& KILN_OF_ISA(cpu_wide_game_)() {
  return game_kernels<WideInterpreter<AllVariations>>;
}

}  // namespace kiln
