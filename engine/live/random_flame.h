// Flames by chance: new ones, and relatives of one that is there. The same number gives the same
// flame.
#pragma once

#include <cstdint>

#include "engine/live/preview.h"
#include "engine/model/flame.h"

namespace kiln {

/// A new flame with the size, quality and look of `like`. `renderer` finds a camera for it.
Flame random_flame(const Flame& like, std::uint64_t seed, PreviewRenderer& renderer);

/// The flame a little changed, by `strength` from 0 (not at all) to 1.
Flame mutated(const Flame& flame, double strength, std::uint64_t seed);

/// Puts all of the flame that shines into the picture; whether there was something to see.
bool frame_by_light(Flame& flame, PreviewRenderer& renderer);

}  // namespace kiln
