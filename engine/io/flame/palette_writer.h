// SPDX-License-Identifier: MIT
// Palettes for other programs: what palette_library.h reads, written, and Adobe's table of colors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

struct PaletteToWrite {
  std::string name;
  Palette colors;
};

/// Whether palettes are written under this ending: .gpl .ggr .ugr .map .act.
bool is_palette_ending(std::string_view ending);
/// ".gpl .ggr .ugr .map .act".
std::string palette_endings();
/// Whether a file of this kind holds several.
bool holds_several_palettes(std::string_view ending);

/// The file. An .act and the like have 256 colors of 8 bits, from the first to the last of the palette's.
std::string palette_file(std::string_view ending, const std::vector<PaletteToWrite>& palettes);

}  // namespace kiln
