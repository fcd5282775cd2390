// SPDX-License-Identifier: MIT
// Crop marks, for prints with a bleed: a margin of white paper around the picture, and in it eight thin
// black lines that go on where the edges of the finished sheet are. They begin beyond the bleed, so
// that a cut that is a little off shows none of them.
//
//     margin: 1 mm of paper, lines of 5 mm, 1 mm of paper; as wide as 0.25 pt, a pixel at least
#pragma once

#include "engine/api/kiln/image.h"

namespace kiln {

/// Pixels of paper on each side of a picture for so many pixels an inch.
int crop_mark_margin(double dpi);

/// Puts paper and marks around rows of a picture: `first_row` and those below, of `height` rows before the
/// marks, of which `bleed` pixels on each side are cut away. Those at the picture's top or bottom get
/// the margin there, too. Not for linear light.
void add_crop_marks(Image& rows, int first_row, int height, int bleed, double dpi);

}  // namespace kiln
