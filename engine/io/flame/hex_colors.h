// Colours written as hex digits, as in <palette>, <colors data=...> and the palette library.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

enum class HexLayout {
  rgb,
  rgba,
  zero_rgb
};  // zero_rgb: "00" before each colour, as in `00rrggbb`

struct HexColors {
  std::vector<std::array<std::uint8_t, 4>> colors;  // r g b a; a is 255 where the layout has none
  std::string problem;                              // what is wrong, empty if nothing
};

/// Exactly `count` colours; blanks may stand between colours, not inside one.
HexColors read_hex_colors(std::string_view text, HexLayout layout, int count);

}  // namespace kiln
