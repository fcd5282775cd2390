// The palette of a flame, from the elements <color>, <colors> and <palette> in the order of the
// document, or from the library. Legacy rules and quirks of flam3 are kept, since they decide the
// colors: flam3-format.md section 3. Other programs' palettes have any number of entries; a flam3
// file with more than 256 (which flam3 writes outside of its memory with) covers the same range of
// colors: each of the 256 becomes the mean of those in its share.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/flame/messages.h"
#include "engine/io/flame/palette_library.h"
#include "engine/model/flame.h"

namespace kiln {

// Colors written as hex digits, as in <palette>, <colors data=...> and the palette library.

enum class HexLayout { rgb, rgba, zero_rgb };  // zero_rgb: "00" before each color, as in `00rrggbb`

struct HexColors {
  std::vector<std::array<std::uint8_t, 4>> colors;  // r g b a; a is 255 where the layout has none
  std::string problem;                              // what is wrong, empty if nothing
};

/// Exactly `count` colors; blanks may stand between colors, not inside one.
HexColors read_hex_colors(std::string_view text, HexLayout layout, int count);

}  // namespace kiln

namespace tinyxml2 {
class XMLElement;
}

namespace kiln {

/// Gives the palette library, loading it when first asked; `line` is where it was needed.
using LibrarySource = std::function<const PaletteLibrary&(int line)>;

class PaletteReader {
 public:
  PaletteReader(Messages& messages, const LibrarySource& library, std::uint64_t seed,
                Dialect dialect)
      : messages_(messages), library_(library), seed_(seed), dialect_(dialect) {}

  /// Takes what a child element of <flame> says about the palette; false if it is none of the three
  /// elements.
  bool take(const tinyxml2::XMLElement& element);

  /// Replaces everything by palette `number` of the library with its hues turned.
  void use_library(int number, double hue_turns, int line);

  /// The palette, missing entries interpolated around the circle. An error if nothing was given.
  Palette finish(int flame_line) const;

 private:
  void take_color(const tinyxml2::XMLElement& element);
  void take_colors(const tinyxml2::XMLElement& element);
  void take_palette(const tinyxml2::XMLElement& element);
  void take_blend(const tinyxml2::XMLElement& element);
  const PaletteLibrary::Colors* find(int number, int line);

  Messages& messages_;
  const LibrarySource& library_;
  std::uint64_t seed_;
  Dialect dialect_;
  void put(std::size_t index, const Rgba& color);
  void put_all(const std::vector<std::array<std::uint8_t, 4>>& colors);
  void put_all(const Palette& palette);

  Palette palette_;  // 256 entries, or as many as were given
  std::vector<bool> present_ = std::vector<bool>(256);
};

/// Two palettes blended in HSV, hues the short way round: (1 - blend) first + blend second.
Palette blend_palettes(const Palette& first, const Palette& second, double blend);

/// A palette of any number of entries as one of 256 over the same range: means, rounded to whole
/// levels of 255 if all entries are.
Palette resampled(const Palette& palette);

}  // namespace kiln
