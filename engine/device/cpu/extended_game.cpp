// SPDX-License-Identifier: MIT
// The chaos game of extended flames (kernels/extended_xform.h), apart, so that the others cost
// neither their registers nor their time to compile; once per instruction set like cpu/kernels.cpp:
// nothing of the standard library may be instantiated here.
#include "engine/device/cpu/extended_terms.h"

KILN_BEGIN
KILN_TERMS_OF(ExtendedVariations, 0);
KILN_END

namespace kiln {

const CpuGameKernels& KILN_OF_ISA(cpu_extended_game_)() {
  return game_kernels<ExtendedInterpreter<ExtendedVariations>>;
}

}  // namespace kiln
