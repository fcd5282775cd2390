// Text from a file, made safe for a terminal: it could carry escape sequences, be endless, or not
// be UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// The text with control characters, direction overrides and broken UTF-8 replaced by `?`, cut to
/// about `max_bytes`.
std::string printable(std::string_view text, std::size_t max_bytes = 60);

}  // namespace kiln
