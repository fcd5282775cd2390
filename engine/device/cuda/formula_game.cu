// SPDX-License-Identifier: MIT
// The chaos game of flames that bring formulas along (kernels/formula.h), with all variations beside
// them: the machine for formulas has its registers in local memory, which no other kernel pays for.
#define KILN_JWILDFIRE_VARIATIONS  // which flames' own kernels leave out, and NVRTC then here, too

#include "engine/device/cuda/interpreters.cuh"
#include "kernels/formula.h"
#include "kernels/variations/all.h"

namespace kiln {
static_assert(AllVariations::size > ExtendedVariations::size);
using Formulas = JWildfireInterpreter<WithFormulas<AllVariations, AllVariations::size>>;
}  // namespace kiln

KILN_MANY_UNITS_KERNEL(kiln_many_formula, kiln::Formulas)
