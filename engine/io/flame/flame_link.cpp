// SPDX-License-Identifier: MIT
#include "engine/io/flame/flame_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.h"
#include "engine/io/file/link_text.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/link_reader.h"

namespace kiln {
namespace {

constexpr std::array palette_channels = {&Rgba::r, &Rgba::g, &Rgba::b};

/// The byte of a color; the reader divides it by 255.
unsigned char byte_of(double value) {
  return static_cast<unsigned char>(std::clamp(std::floor(value * 255 + 0.5), 0.0, 255.0));
}

std::string palette_bytes(const Palette& palette) {
  std::string bytes{palette_kind, char(palette.size() - 1)};
  for (const auto channel : palette_channels) {
    unsigned char before = 0;
    for (const Rgba& color : palette) {
      const unsigned char now = byte_of(color.*channel);
      bytes += char(now - before);
      before = now;
    }
  }
  return bytes;
}

/// Whether the text is read as a flame of which the same would be written.
bool reads_back(const std::string& bytes, const std::string& wanted) {
  try {
    return genome_xml(parse_flames(xml_of_packed(bytes), "link", {}).flames.at(0)) == wanted;
  } catch (const Error&) {
    return false;
  }
}

/// The shortest form that reads back as the flame.
std::string bytes_of(const Flame& flame) {
  const std::string wanted = genome_xml(flame);
  if (!flame.palette.empty() && flame.palette.size() <= 256) {
    const std::string bytes =
        palette_bytes(flame.palette) + brief_genome_xml(flame, BriefPalette::none);
    if (reads_back(bytes, wanted)) return bytes;
  }
  for (const BriefPalette palette : {BriefPalette::corners, BriefPalette::whole}) {
    const std::string brief = plain_kind + brief_genome_xml(flame, palette);
    if (reads_back(brief, wanted)) return brief;
  }
  return plain_kind + wanted;
}

}  // namespace

std::string flame_link(const Flame& flame, const std::string& base) {
  Flame bare = flame;
  bare.edits.clear();
  return base.substr(0, base.find('#')) + packed_link(flame.name, bytes_of(bare));
}

}  // namespace kiln
