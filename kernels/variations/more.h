// Variations that flam3 does not have, family by family. A new one is its struct in the family that
// it resembles and its name in the list at the end of that file; its formula in
// scripts/wild_formulas.py checks it (CONTRIBUTING.md).
#pragma once

#include "kernels/variations/wild_blurs.h"
#include "kernels/variations/wild_cells.h"
#include "kernels/variations/wild_complex.h"
#include "kernels/variations/wild_crops.h"
#include "kernels/variations/wild_depth.h"
#include "kernels/variations/wild_falloff.h"
#include "kernels/variations/wild_maps.h"
#include "kernels/variations/wild_meanings.h"
#include "kernels/variations/wild_shapes.h"

KILN_BEGIN

/// In the order in which an xform's regular variations draw their random numbers.
using MoreVariations = Joined<
    Joined<Joined<WildDepth, WildBlurs>, Joined<WildCells, WildComplex>>,
    Joined<Joined<Joined<WildCrops, WildFalloff>, Joined<WildShapes, WildMeanings>>, WildMaps>>;

KILN_END
