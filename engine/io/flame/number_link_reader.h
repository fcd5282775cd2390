// SPDX-License-Identifier: MIT
// <kiln_link>, a child of <flame> that flam3 and the programs after it pass over: a number that follows others
// (engine/model/number_link.h):
//
//   <kiln_link number="xform2.turn" is="xform1.turn + 72"/>
//
// The number's own value is in the file as usual, so that other programs show the same picture.
#pragma once

#include <string_view>

#include "engine/io/flame/messages.h"
#include "engine/model/flame.h"

namespace tinyxml2 {
class XMLElement;
}  // namespace tinyxml2

namespace kiln {

inline constexpr std::string_view number_link_element = "kiln_link";

/// Throws Error with line and remedy for what is no link; whether its names are of the flame is seen later.
NumberLink read_number_link(const tinyxml2::XMLElement& element, Messages& messages);

/// Follows the links of a flame that is read whole, and gives them the names that kiln writes. Throws Error for links
/// that cannot be followed; where the flame may be unfinished those stay that it has no xforms for. Where the file has
/// another value the link counts, which is said unless the text is an edit.
void follow_links_of_file(const ReaderOptions& options, Flame& flame, Messages& messages);

}  // namespace kiln
