// The palette table that kernels add up: whole numbers, in units that hold the dimmest row.
#pragma once

#include "engine/program/compile.h"

namespace kiln {

/// Makes the palette, the hits and all that depends on them, and sets the xforms' palette_row.
/// Throws Error (input) where a sample would weigh more than the histogram holds, or where there
/// are more opacities than a record can name.
void compile_palette(const Flame& flame, const CompiledMoments& moments, CompiledFlame& out);

}  // namespace kiln
