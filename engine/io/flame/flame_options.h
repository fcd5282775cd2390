// SPDX-License-Identifier: MIT
// What options and settings from outside say of a flame, read by the rules of its file: attributes,
// palette, effects. A wrong one is wrong usage, not bad input.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/io/flame/attribute_reader.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/flame_settings.h"

namespace kiln {

// --palette: another palette for all flames. A number or a name of flam3's library (or of the one
// that --palettes names), a number or name in another library (FILE#WHICH), which may be a file of
// gradients (.ugr, .gradient, .ggr) or a color map (.map, .gpl), the palette of a flame that is
// already there: a file of flames or a picture that carries its flame, or the colors of a picture
// (FILE.png, FILE.png#light or #way).

/// A place where a palette is looked for.
struct PaletteSource {
  std::string file;   // empty: the usual library
  std::string which;  // number or name in a library; empty: the palette of the file's first flame
};
PaletteSource palette_source(const std::string& wanted);
/// The palette's name in the names of pictures: its name or number, else the name of its file.
std::string palette_label(const std::string& wanted);

/// The palette that `wanted` stands for, its hues turned by `turns`. `library`: file of the
/// library, empty for the usual one; `most_bytes`: what a picture may take while it is decoded, 0: 256 MB. Throws Error: usage if there is no such palette, input if a file
/// cannot be read.
Palette chosen_palette(const std::string& wanted, double turns, const std::string& library,
                       std::uint64_t most_bytes = 0);

/// The order of a picture's colors in its palette.
enum class ColorOrder {
  light,  // from dark to light
  way,    // each beside those that are like it
};

/// The palette of a picture with 8 or 16 bits: sixteen colors, by how much of it they fill.
Palette palette_of_picture(const Image& image, ColorOrder order);

/// All palettes of the library that `asked` names, "flam3": of flam3's own. Throws Error (usage) where
/// there is none.
std::vector<Palette> palettes_of_library(const std::string& asked);

/// The palettes of the library that `asked` names (empty: the usual one) as JSON, for the page; none
/// where there is no library.
std::string palettes_json(const std::string& asked);

/// The flame with every hue of its palette turned by so many turns.
void turn_hues(double turns, Flame& flame);

/// The numbers of an option, "0.2,3%,1"; a per cent sign is allowed behind number `percent` (from
/// 0, -1: none). Throws Error (usage) with the option's name.
std::vector<double> option_numbers(const char* option, std::string_view text, int percent);

/// flam3-genome's `template`: what the first flame of a file says of how flames are rendered, for others
/// (flam3-format.md, section 9). What it does not say stays as it is.
struct FlameTemplate {
  std::vector<AttributeSetting> set;  // for the reader
  int width = 0, height = 0;          // 0: not said

  /// The size; what is seen stays as high in the flame's plane.
  void resize(Flame& flame) const;
};
/// Reads a file of flames or a picture that carries one; the flame needs neither xforms nor a
/// palette. Throws Error (input).
FlameTemplate template_of(const std::string& path);

/// Replaces the flame's effects by those of --bloom and --glare. Throws Error (usage).
void set_effects(const std::optional<std::string>& bloom, const std::optional<std::string>& glare,
                 Effects& effects);

/// Options together may leave what can be rendered; the file alone did not. Throws Error (usage).
void check_after_options(const Flame& flame);

}  // namespace kiln
