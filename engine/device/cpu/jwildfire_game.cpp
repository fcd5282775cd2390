// SPDX-License-Identifier: MIT
// The chaos game of flames that use one of JWildfire's own variations, apart from that of other
// extended flames for the same reasons (extended_game.cpp); once per instruction set.
#include "engine/device/cpu/extended_terms.h"

KILN_BEGIN
extern KILN_TERMS_OF(ExtendedVariations, 0);
KILN_TERMS_OF(JWildfireVariations, ExtendedVariations::size);
KILN_END

namespace kiln {

const CpuGameKernels& KILN_OF_ISA(cpu_jwildfire_game_)() {
  return game_kernels<JWildfireInterpreter<ListsApart<ExtendedVariations, JWildfireVariations>>>;
}

}  // namespace kiln
