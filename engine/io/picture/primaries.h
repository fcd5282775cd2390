// The colors that numbers of linear light stand for. Flames are drawn in the primaries of sRGB, which are
// Rec. 709's; files for others get the same light by a matrix: chromaticities to XYZ, Bradford's
// adaptation where the white differs (ACES), and back. In double and without libm, so the same bits
// everywhere. Costs nine products a pixel.
#pragma once

#include <array>

#include "engine/io/picture/picture_record.h"

namespace kiln {

/// CIE x and y of red, green, blue and white.
using Chromaticities = std::array<std::array<double, 2>, 4>;
const Chromaticities& chromaticities_of(Primaries primaries);

/// [row][column]; of light in `from` it makes the same light in `to`.
using ColorMatrix = std::array<std::array<double, 3>, 3>;
ColorMatrix color_matrix(const Chromaticities& from, const Chromaticities& to);

/// The light that ICC profiles are of has the white D50: XYZ of red, green and blue in it, a column
/// each, and the matrix that adapts XYZ to it.
ColorMatrix colorants_at_d50(const Chromaticities& c);
ColorMatrix adaptation_to_d50(const Chromaticities& c);

/// Luminance of white in a file of linear light, candelas a square meter: graphics white of BT.2408.
inline constexpr double white_luminance = 203;

}  // namespace kiln
