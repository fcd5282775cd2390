#include "engine/io/flame/hex_colors.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/printable.h"

namespace kiln {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
}

}  // namespace

HexColors read_hex_colors(std::string_view text, HexLayout layout, int count) {
  const std::size_t channels = layout == HexLayout::rgb ? 3 : 4;
  HexColors result;
  for (int i = 0; i < count; ++i) {
    skip_blanks(text);
    if (text.empty()) {
      result.problem = fmt::format("count says {} colours, but there are only {}", count, i);
      return result;
    }
    std::array<std::uint8_t, 4> bytes = {0, 0, 0, 255};
    for (std::size_t c = 0; c < channels; ++c) {
      const int high = text.size() > 2 * c ? hex_digit(text[2 * c]) : -1;
      const int low = text.size() > 2 * c + 1 ? hex_digit(text[2 * c + 1]) : -1;
      const bool not_zero = layout == HexLayout::zero_rgb && c == 0 && (high != 0 || low != 0);
      if (high < 0 || low < 0 || not_zero) {
        result.problem = fmt::format("colour {} is \"{}\", but {} are needed", i,
                                     printable(text.substr(0, 2 * channels)),
                                     layout == HexLayout::zero_rgb ? "00 and 6 hex digits"
                                     : channels == 3               ? "6 hex digits"
                                                                   : "8 hex digits");
        return result;
      }
      bytes[c] = std::uint8_t(16 * high + low);
    }
    if (layout == HexLayout::zero_rgb) bytes = {bytes[1], bytes[2], bytes[3], 255};
    result.colors.push_back(bytes);
    text.remove_prefix(2 * channels);
  }
  skip_blanks(text);
  if (!text.empty())
    result.problem = fmt::format("more follows after the {} colours that count announces: \"{}\"",
                                 count, printable(text, 24));
  return result;
}

}  // namespace kiln
