// SPDX-License-Identifier: MIT
// A flame as a link, and back: the flame that is read from it has the same picture to the last bit. A link
// carries the flame's XML without what reads back by itself (genome_writer.h), in front of it the palette:
//
//   x XML                           of any flame
//   p COUNT-1 RED GREEN BLUE XML    of an opaque palette of whole bytes; each color as the difference
//                                   from the one before, modulo 256, COUNT bytes a channel
//
// Left out is the history, too (who was made of whom), and the shape of pixels, which no flame says.
#pragma once

#include <string>
#include <string_view>

#include "engine/model/flame.h"

namespace kiln {

/// `base` and #title=...&f1=... (link_text.h). Throws Error (usage) for a flame that is too large.
std::string flame_link(const Flame& flame, const std::string& base = "");

/// The XML of the flame that a link carries. Throws Error (input).
std::string xml_of_link(std::string_view link);

}  // namespace kiln
