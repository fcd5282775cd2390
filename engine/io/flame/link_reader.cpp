// SPDX-License-Identifier: MIT
#include "engine/io/flame/link_reader.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "engine/base/error.h"
#include "engine/io/file/link_text.h"

namespace kiln {
namespace {

constexpr std::size_t color_channels = 3;
constexpr std::string_view end_tag = "</flame>";

/// <palette> of `count` colors, whose differences these are.
std::string palette_element(std::string_view differences, std::size_t count) {
  std::string text = fmt::format("<palette count=\"{}\" format=\"RGB\">", count);
  std::array<unsigned char, color_channels> now{};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < color_channels; ++c) {
      now[c] = static_cast<unsigned char>(now[c] + differences[c * count + i]);
      text += fmt::format("{:02X}", now[c]);
    }
  return text + "</palette>";
}

}  // namespace

std::string xml_of_packed(std::string_view bytes) {
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

std::string xml_of_link(std::string_view link) {
  const std::string xml = xml_of_packed(unpacked_link(link));
  if (xml.empty())
    fail(ErrorKind::input, "{}: carries no flame; it may be of a newer kiln (this is {})",
         link_name(link), KILN_VERSION);
  return xml;
}

}  // namespace kiln
