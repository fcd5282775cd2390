// The text chunks of a PNG: the genome that flam3 and kiln leave in their pictures (`flam3_genome`)
// and kiln's record of how it was made (`kiln_record`), as tEXt, zTXt or iTXt. The chunks are
// walked here, without libpng: pixels are never decoded, only their checksums are verified, so a
// picture of any size costs no memory and a damaged one is still refused. PNG specification, third
// edition, sections 5 and 11.3.3.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace kiln {

/// The eight bytes that every PNG begins with.
inline constexpr std::string_view png_signature{"\x89PNG\r\n\x1a\n", 8};

/// The key under which pictures carry their flame: flam3's name for it.
inline constexpr std::string_view genome_key = "flam3_genome";

/// Reads up to `count` bytes into `buffer`, returns how many there were.
using ReadBytes = std::function<std::size_t(char* buffer, std::size_t count)>;

/// Texts by their keywords, of each the first that stands in the file.
using PictureTexts = std::map<std::string, std::string, std::less<>>;

struct PngTexts {
  PictureTexts texts;
  bool has_pixels = false;  // there is an IDAT chunk
  bool ends_there = false;  // no byte follows IEND
};

/// Those of the wanted texts that the PNG has whose bytes after the signature come from `read`;
/// `name` is for messages. Throws Error of kind input unless the file is whole, to its last
/// checksum.
PngTexts read_png_texts(const ReadBytes& read, const std::string& name,
                        std::initializer_list<std::string_view> wanted);

}  // namespace kiln
