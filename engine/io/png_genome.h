// The genome that flam3 and kiln leave in their pictures: text chunk `flam3_genome` (tEXt, zTXt or
// iTXt). The chunks are walked here, without libpng: pixels are never decoded, only their checksums
// are verified, so a picture of any size costs no memory and a damaged one is still refused. PNG
// specification, third edition, sections 5 and 11.3.3.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// The eight bytes that every PNG begins with.
inline constexpr std::string_view png_signature{"\x89PNG\r\n\x1a\n", 8};

/// Reads up to `count` bytes into `buffer`, returns how many there were.
using ReadBytes = std::function<std::size_t(char* buffer, std::size_t count)>;

/// Genome of the PNG whose bytes after the signature come from `read`; `name` is for messages.
/// Throws Error of kind input.
std::string read_png_genome(const ReadBytes& read, const std::string& name);

/// The text chunk `keyword` of such a PNG, if it has one. Throws Error of kind input unless the
/// file is whole, to its last checksum.
std::optional<std::string> read_png_text(const ReadBytes& read, const std::string& name,
                                         std::string_view keyword);

}  // namespace kiln
