// Palettes of different lengths.
#pragma once

#include "engine/model/flame.h"

namespace kiln {

/// The palette with another number of entries over the same range: the colours between its own by
/// straight lines, the first and the last kept. The same palette where the number is its own.
Palette stretched(const Palette& palette, std::size_t entries);

/// Stretches all of them to the length of the longest.
void make_equally_long(std::vector<Palette>& palettes);

}  // namespace kiln
