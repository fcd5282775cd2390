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

namespace kiln {
namespace {

constexpr char plain_kind = 'x', palette_kind = 'p';
constexpr std::array channels = {&Rgba::r, &Rgba::g, &Rgba::b};
constexpr std::string_view end_tag = "</flame>";

/// The byte of a color; the reader divides it by 255.
unsigned char byte_of(double value) {
  return static_cast<unsigned char>(std::clamp(std::floor(value * 255 + 0.5), 0.0, 255.0));
}

std::string palette_bytes(const Palette& palette) {
  std::string bytes{palette_kind, char(palette.size() - 1)};
  for (const auto channel : channels) {
    unsigned char before = 0;
    for (const Rgba& color : palette) {
      const unsigned char now = byte_of(color.*channel);
      bytes += char(now - before);
      before = now;
    }
  }
  return bytes;
}

/// <palette> of `count` colors, whose differences these are.
std::string palette_element(std::string_view differences, std::size_t count) {
  std::string text = fmt::format("<palette count=\"{}\" format=\"RGB\">", count);
  std::array<unsigned char, channels.size()> now{};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < channels.size(); ++c) {
      now[c] = static_cast<unsigned char>(now[c] + differences[c * count + i]);
      text += fmt::format("{:02X}", now[c]);
    }
  return text + "</palette>";
}

/// The XML of what a link unpacks to; empty where it is nothing of the kind.
std::string xml_of(std::string_view bytes) {
  if (bytes.starts_with(plain_kind)) return std::string(bytes.substr(1));
  if (!bytes.starts_with(palette_kind) || bytes.size() < 2) return "";
  const std::size_t count = std::size_t(static_cast<unsigned char>(bytes[1])) + 1;
  const std::string_view rest = bytes.substr(2);
  if (rest.size() < 3 * count) return "";
  std::string xml(rest.substr(3 * count));
  const std::size_t end = xml.rfind(end_tag);
  if (end == std::string::npos) return "";
  return xml.insert(end, palette_element(rest, count));
}

/// Whether the text is read as a flame of which the same would be written.
bool reads_back(const std::string& bytes, const std::string& wanted) {
  try {
    return genome_xml(parse_flames(xml_of(bytes), "link", {}).flames.at(0)) == wanted;
  } catch (const Error&) {
    return false;
  }
}

/// The shortest form that reads back as the flame.
std::string bytes_of(const Flame& flame) {
  const std::string wanted = genome_xml(flame);
  if (!flame.palette.empty() && flame.palette.size() <= 256) {
    const std::string bytes = palette_bytes(flame.palette) + brief_genome_xml(flame, false);
    if (reads_back(bytes, wanted)) return bytes;
  }
  const std::string brief = plain_kind + brief_genome_xml(flame, true);
  return reads_back(brief, wanted) ? brief : plain_kind + wanted;
}

}  // namespace

std::string flame_link(const Flame& flame, const std::string& base) {
  Flame bare = flame;
  bare.edits.clear();
  return base.substr(0, base.find('#')) + packed_link(flame.name, bytes_of(bare));
}

std::string xml_of_link(std::string_view link) {
  const std::string xml = xml_of(unpacked_link(link));
  if (xml.empty())
    fail(ErrorKind::input, "{}: carries no flame; it may be of a newer kiln (this is {})",
         link_name(link), KILN_VERSION);
  return xml;
}

}  // namespace kiln
