// SPDX-License-Identifier: MIT
// The chaos game of flames that bring formulas along (kernels/formula.h), with all variations beside
// them; once per instruction set like extended_game.cpp.
#include "engine/device/cpu/extended_terms.h"
#include "kernels/formula.h"

KILN_BEGIN
extern KILN_TERMS_OF(ExtendedVariations, 0);
extern KILN_TERMS_OF(JWildfireVariations, ExtendedVariations::size);
KILN_END

namespace kiln {

const CpuGameKernels& KILN_OF_ISA(cpu_formula_game_)() {
  return game_kernels<JWildfireInterpreter<
      WithFormulas<ListsApart<ExtendedVariations, JWildfireVariations>, AllVariations::size>>>;
}

}  // namespace kiln
