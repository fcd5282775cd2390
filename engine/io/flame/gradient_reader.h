// Palettes in the files of other programs: gradients of UltraFractal, which Apophysis writes too
// (.ugr, .gradient: any number of named ones, points on a circle of 400), and colour maps of
// Fractint (.map: red green blue a line, up to 256). Either becomes palettes of 256 colours.
//
// A gradient's colours go straight from point to point, also where it says smooth=yes (there
// UltraFractal bends the way a little); opacity is left out, as a flame's colours have none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/io/flame/messages.h"
#include "engine/io/flame/palette_library.h"

namespace kiln {

struct NamedPalette {
  std::string name;  // empty: it has none
  PaletteLibrary::Colors colors;
};

/// The palettes of a text that is no XML, in the order of the file: a gradient file where it has a
/// section "gradient:", else a colour map. Throws Error (input) with the line.
std::vector<NamedPalette> read_gradients(std::string_view text, const Messages& messages);

}  // namespace kiln
