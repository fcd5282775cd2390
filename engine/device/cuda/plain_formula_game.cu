// SPDX-License-Identifier: MIT
// The chaos game of plain formula flames (kernels/formula_list.h) by the interpreter.
#define KILN_JWILDFIRE_VARIATIONS  // formulas have the numbers behind theirs

#include "engine/device/cuda/plain_formula.cuh"
#include "kernels/variations/all.h"

namespace kiln {
static_assert(AllVariations::size > ExtendedVariations::size);
using PlainFormulas = PlainFormulaInterpreter<Flam3Variations, AllVariations::size>;
}  // namespace kiln

KILN_UNITS_KERNEL(kiln_warm_plain_formula, kiln::PlainFormulas, false)
KILN_UNITS_KERNEL(kiln_play_plain_formula, kiln::PlainFormulas, true)
