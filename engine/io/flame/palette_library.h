// The numbered palettes that palette="N" means: an XML file of <palette number="N"
// data="00rrggbb..."/> elements, 256 colours each. Numbers mean something only together with
// flam3's own file, so kiln never falls back on another one. A file of gradients or a colour map
// (gradient_reader.h) is a library too: its palettes are numbered from 0.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

class PaletteLibrary {
 public:
  using Colors = std::array<std::array<std::uint8_t, 3>, 256>;  // r g b of each entry

  /// Reads a library file. Throws Error of kind input when it cannot be read.
  static PaletteLibrary load(const std::string& path);

  /// The palette's colours, nullptr if the library has no such number.
  const Colors* find(int number) const;

  /// Number of the palette that a random word picks; -1 if the library is empty.
  int pick(std::uint64_t random) const;

  std::size_t size() const { return palettes_.size(); }

  /// Number of the first palette of this name; upper and lower case are the same, and so are
  /// blanks, `-` and `_`.
  std::optional<int> number_of(std::string_view name) const;
  /// The names as they stand in the file.
  std::vector<std::string> names() const;

 private:
  std::map<int, Colors> palettes_;
  std::map<int, std::string> names_;  // of those that have one
};

/// File of the library: `asked` if not empty, else $flam3_palettes, else where flam3's package puts
/// it; empty if there is none.
std::string find_palette_library(const std::string& asked);

/// Palette with its hues turned by `hue_turns`, opaque; nullptr gives white, as flam3 does for an
/// unknown number.
Palette turned_palette(const PaletteLibrary::Colors* colors, double hue_turns);

}  // namespace kiln
