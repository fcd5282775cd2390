// SPDX-License-Identifier: MIT
// One linear pass over XML text before the real parser sees it. tinyxml2 compares every attribute
// with all earlier ones of its element (1e5 attributes took 24.5 s) and builds whatever it is
// given, so counts are bounded here; and what it misreads or words poorly is caught with a line and
// a remedy: UTF-16, NUL bytes, repeated attributes, unclosed parts.
#pragma once

#include <string>
#include <string_view>

#include "engine/io/flame/messages.h"

namespace tinyxml2 {
class XMLDocument;
}

namespace kiln {

/// Parses `bytes` into `document`; any number of top-level elements is fine. Throws Error of kind
/// input with the line.
void parse_xml(std::string_view bytes, Messages& messages, tinyxml2::XMLDocument& document);

}  // namespace kiln
