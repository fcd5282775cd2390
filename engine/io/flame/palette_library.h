// SPDX-License-Identifier: MIT
// Palettes of flames: those of a library, and what the elements of a flame say.
//
// The numbered palettes that palette="N" means: an XML file of <palette number="N"
// data="00rrggbb..."/> elements, 256 colors each. Numbers mean something only together with
// flam3's own file, so kiln never falls back on another one. A file of gradients or a color map
// (gradients, below) is a library too: its palettes are numbered from 0.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/flame/messages.h"
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

class PaletteLibrary {
 public:
  using Colors = std::array<std::array<std::uint8_t, 3>, 256>;  // r g b of each entry

  /// Reads a library file. Throws Error of kind input when it cannot be read.
  static PaletteLibrary load(const std::string& path);
  /// Reads a library from the bytes of a file; `name` is for messages.
  static PaletteLibrary read(std::string_view bytes, const std::string& name);

  /// The palette's colors, nullptr if the library has no such number.
  const Colors* find(int number) const;

  /// Number of the palette that a random word picks; -1 if the library is empty.
  int pick(std::uint64_t random) const;

  std::size_t size() const { return palettes_.size(); }
  /// Numbers of all palettes, in ascending order.
  std::vector<int> numbers() const;

  /// Number of the first palette of this name; upper and lower case are the same, and so are
  /// blanks, `-` and `_`.
  std::optional<int> number_of(std::string_view name) const;
  /// The names as they stand in the file.
  std::vector<std::string> names() const;
  /// The name of this one; empty where it has none.
  std::string name_of(int number) const;
  /// All palettes as JSON, for pages: a list of {name, number, colors}; colors: RRGGBB... of 256.
  std::string json() const;

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

// Palettes in the files of other programs: gradients of UltraFractal, which Apophysis writes too
// (.ugr, .gradient: any number of named ones, points on a circle of 400), and color maps of
// Fractint (.map: red green blue a line, up to 256). Either becomes palettes of 256 colors.
//
// A gradient's colors go straight from point to point, also where it says smooth=yes (there
// UltraFractal bends the way a little); opacity is left out, as a flame's colors have none.

struct NamedPalette {
  std::string name;  // empty: it has none
  PaletteLibrary::Colors colors;
};

/// Whether a text is a gradient or a palette of GIMP, and what it is then. Throws Error (input) with the
/// line.
bool is_of_gimp(std::string_view text);
NamedPalette read_gimp_palette(std::string_view text, const Messages& messages);

/// The palettes of a text that is no XML, in the order of the file: what GIMP writes, a gradient file
/// where it has a section "gradient:", else a color map. Throws Error (input) with the line.
std::vector<NamedPalette> read_gradients(std::string_view text, const Messages& messages);

}  // namespace kiln

namespace tinyxml2 {

// The palette of a flame, from the elements <color>, <colors> and <palette> in the order of the
// document, or from the library. Legacy rules and quirks of flam3 are kept, since they decide the
// colors: flam3-format.md section 3. Other programs' palettes have any number of entries; a flam3
// file with more than 256 (which flam3 writes outside of its memory with) covers the same range of
// colors: each of the 256 becomes the mean of those in its share.

class XMLElement;
}  // namespace tinyxml2

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
  bool read(const tinyxml2::XMLElement& element);

  /// Replaces everything by palette `number` of the library with its hues turned.
  void use_library(int number, double hue_turns, int line);

  /// The palette, missing entries interpolated around the circle. An error if nothing was given.
  Palette finish(int flame_line) const;

 private:
  void read_color(const tinyxml2::XMLElement& element);
  void read_colors(const tinyxml2::XMLElement& element);
  void read_palette(const tinyxml2::XMLElement& element);
  void read_blend(const tinyxml2::XMLElement& element);
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
