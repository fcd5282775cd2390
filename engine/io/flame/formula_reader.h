// SPDX-License-Identifier: MIT
// <variation>: a variation that a flame brings along as a formula (docs/use/formulas.md).
#pragma once

#include <string_view>
#include <vector>

#include "engine/io/flame/messages.h"

namespace tinyxml2 {
class XMLElement;
}

namespace kiln {

inline constexpr std::string_view formula_element = "variation";

/// The formulas of a <flame>, wherever in it they stand, as numbers of variations. Throws Error (input) with
/// file, line and column of what is none. `is_jwildfires`: JWildfire wrote the flame, whose rules know none.
std::vector<int> read_formulas(const tinyxml2::XMLElement& flame, bool is_jwildfires,
                               Messages& messages);

}  // namespace kiln
