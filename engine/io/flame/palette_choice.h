// --palette: another palette for all flames. A number or a name of flam3's library (or of the one
// that --palettes names), a number or name in another library (FILE#WHICH), which may be a file of
// gradients (.ugr, .gradient) or a colour map (.map), or the palette of a flame that is already
// there: a file of flames or a picture that carries its flame.
#pragma once

#include <string>

#include "engine/model/flame.h"

namespace kiln {

/// Where a palette is looked for.
struct PaletteSource {
  std::string file;   // empty: the usual library
  std::string which;  // number or name in a library; empty: the palette of the file's first flame
};
PaletteSource palette_source(const std::string& wanted);

/// The palette that `wanted` stands for, its hues turned by `turns`. `library`: file of the
/// library, empty for the usual one. Throws Error: usage if there is no such palette, input if a
/// file cannot be read.
Palette chosen_palette(const std::string& wanted, double turns, const std::string& library);

}  // namespace kiln
