// Variations that flam3 does not have. A new one is its struct here and its name in the list at the
// end; its formula in scripts/flame_formulas.py checks it (CONTRIBUTING.md).
#pragma once

#include "kernels/variations/variation.h"

KILN_BEGIN

/// In the order in which an xform's variations draw their random numbers: append.
using MoreVariations = VariationList<>;

KILN_END
