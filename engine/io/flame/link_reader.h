// SPDX-License-Identifier: MIT
// The flame that a link carries, as XML, out of the bytes that link_text.h unpacks:
//
//   x XML                           of any flame
//   p COUNT-1 RED GREEN BLUE XML    of an opaque palette of whole bytes; each color as the difference
//                                   from the one before, modulo 256, COUNT bytes a channel; the XML
//                                   without its palette
//
// flame_link.h makes links.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

inline constexpr char plain_kind = 'x', palette_kind = 'p';  // of the bytes, the first one

/// The XML of what a link unpacks to; empty if it is nothing of the kind.
std::string xml_of_packed(std::string_view bytes);

/// The XML of the flame that a link carries. Throws Error (input).
std::string xml_of_link(std::string_view link);

}  // namespace kiln
