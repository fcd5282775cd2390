// Variations that flam3 does not have, family by family. A new one is its struct in the family that
// it resembles and its name in the list at the end of that file; its formula in
// scripts/plugin_formulas.py checks it (CONTRIBUTING.md).
#pragma once

#include "kernels/variations/plugin_blurs.h"
#include "kernels/variations/plugin_cells.h"
#include "kernels/variations/plugin_complex.h"
#include "kernels/variations/plugin_crops.h"
#include "kernels/variations/plugin_depth.h"
#include "kernels/variations/plugin_falloff.h"
#include "kernels/variations/plugin_maps.h"
#include "kernels/variations/plugin_meanings.h"
#include "kernels/variations/plugin_shapes.h"

KILN_BEGIN

/// In the order in which an xform's regular variations draw their random numbers.
using PluginVariations =
    Joined<Joined<Joined<PluginDepth, PluginBlurs>, Joined<PluginCells, PluginComplex>>,
           Joined<Joined<Joined<PluginCrops, PluginFalloff>, Joined<PluginShapes, PluginMeanings>>,
                  PluginMaps>>;

KILN_END
