// SPDX-License-Identifier: MIT
// Links that carry what they lead to: ADDRESS#title=TITLE&f1=DATA. Browsers keep what follows the # to
// themselves, so nothing is sent to whoever serves the address. DATA is base64url (RFC 4648) of a CRC-32
// (4 bytes, the lowest first) and of the bytes that it is of, packed by deflate without a header.
// What stands in them is in engine/io/flame/flame_link.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// A link is at most so long; what it unpacks to is at most so many bytes.
inline constexpr std::size_t most_link_bytes = 64 << 10, most_unpacked_bytes = 1 << 20;

/// Whether the text, but for blanks around it, is a link or looks like one: it begins with https://, http://,
/// file:// or #, and carries something.
bool is_link(std::string_view text);

/// The title of a link as text, "flame" if it has none that a file could be called by.
std::string link_title(std::string_view link);

/// `link "title"`, for messages.
std::string link_name(std::string_view link);

/// #title=...&f1=... of these bytes. Throws Error (usage) where it would be longer than links may be.
std::string packed_link(const std::string& title, std::string_view bytes);

/// The bytes that a link carries. Throws Error (input) with the remedy for one that is cut, changed, of a newer
/// kind or too large.
std::string unpacked_link(std::string_view link);

}  // namespace kiln
