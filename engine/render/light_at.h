// SPDX-License-Identifier: MIT
// Whose light lies in a place of the picture. Two games of one seed are played side by side (point_game.h): the flame's
// own, which says where a point falls and what its color is, and one whose colors are addresses: an xform pulls
// the color to a number of its own so strongly that the digits of a point's color are the xforms that made it, the
// last one first. So the second game says by which ways each point of the first one came, and the game itself knows
// nothing of it. Where variations make places of colors, the two games part, and ways are not known.
#pragma once

#include <string>

#include "engine/api/kiln/light.h"
#include "engine/model/flame.h"

namespace kiln {

/// Throws Error: usage for a place outside of the picture, for numbers that cannot be and for projections; stopped.
LightAt light_at(const Flame& flame, const LightOptions& options);

/// All of it as a line of JSON; of maps a hexadecimal digit a cell, row by row.
std::string light_json(const LightAt& light);

}  // namespace kiln
