// Palettes between palettes: one rule for each palette_interpolation (flam3-pipeline.md 13.1).
#pragma once

#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// The palette between those of `flames`, by the rule of the first; weights sum to 1, one a flame.
/// Entries are within 0..1, whatever the weights.
Palette blend_palettes(const std::vector<const Flame*>& flames, const std::vector<double>& weights);

}  // namespace kiln
