// SPDX-License-Identifier: MIT
// Palettes: of different lengths, and their colors as hue, saturation and value.
#pragma once

#include "engine/model/flame.h"

namespace kiln {

// Color as hue, saturation and value, in flam3's convention: hue in sixths of a turn, red first.
// Only + - * / and floor, so every machine gives the same bits. Source: flam3-format.md section 3.

struct Hsv {
  double h = 0;  // [0, 6): 0 red, 2 green, 4 blue
  double s = 0;  // 0..1
  double v = 0;  // 0..1
};

/// Hue, saturation and value of a color; gray has hue 0. Alpha is not looked at.
Hsv hsv_from_rgb(const Rgba& color);

/// The color of a hue (any real, taken modulo 6), saturation and value; alpha is 1.
Rgba rgb_from_hsv(const Hsv& color);

// Oklab (B. Ottosson, 2020): equal steps look about equal, and no way between two colors is gray that
// need not be.

struct Lab {
  double l = 0;         // 0 black, 1 white
  double a = 0, b = 0;  // green to red, blue to yellow
};
/// The color of an sRGB color in Lab; alpha is not looked at.
Lab lab_from_rgb(const Rgba& color);
/// sRGB in whole bytes, opaque; what is outside of it is cut off.
Rgba bytes_from_lab(const Lab& lab);

/// The palette with every hue turned by so many turns; alpha stays.
Palette turned(Palette palette, double turns);

/// The palette with another number of entries over the same range: the colors between its own by
/// straight lines, the first and the last kept. The same palette where the number is its own.
Palette stretched(const Palette& palette, std::size_t entries);

/// Stretches all of them to the length of the longest.
void make_equally_long(std::vector<Palette>& palettes);

}  // namespace kiln
