// SPDX-License-Identifier: MIT
// The chaos game as one reads it in a textbook: one point at a time, in double, in the order of
// docs/reference/variations.md. It stands beside kiln's for flames that flam3 does not know. Variations are
// kiln's own structs, which have their own tests; the order of the forms, depth, direct color, xaos,
// the final xform, opacity, palette and camera are written here anew, from the model of the flame.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/model/flame.h"

namespace kiln::test {

/// [height][width] sums of red, green, blue and hits, 1 each for a white point that is fully seen.
using ReferencePicture = std::vector<std::array<double, 4>>;

/// What `samples` steps leave on the flame's pixels. Opacity is a share, as outside of flam3.
ReferencePicture play_reference(const Flame& flame, std::uint64_t samples, std::uint64_t seed);

}  // namespace kiln::test
