// SPDX-License-Identifier: MIT
// The colors that numbers of linear light stand for. Flames are drawn in the primaries of sRGB, which are
// Rec. 709's; files for others get the same light by a matrix: chromaticities to XYZ, Bradford's
// adaptation where the white differs (ACES), and back. In double and without libm, so the same bits
// everywhere. Costs nine products a pixel.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/api/kiln/image.h"

namespace kiln {

/// The packing of colors in a file. OpenEXR's packings are numbered as files do it.
enum class ExrCompression { none, rle, zips, zip, piz, pxr24, b44, b44a, dwaa, dwab };
enum class Primaries { rec709, rec2020, p3, acescg };

inline constexpr double usual_hdr_peak = 1000, most_hdr_peak = 10000;  // cd/m2

struct ExrForm {
  ExrPrecision precision = ExrPrecision::half_float;
  ExrCompression compression = ExrCompression::zip;
  Primaries primaries = Primaries::rec709;
  double hdr_peak = 0;  // cd/m2; not 0: a PNG of linear light as PQ

  /// Floats that were not changed: the samples that were hashed.
  bool holds_pixels() const {
    return precision == ExrPrecision::single_float && !has_other_colors() &&
           compression <= ExrCompression::piz;
  }
  /// The numbers of the file are not those of the picture.
  bool has_other_colors() const { return hdr_peak > 0 || primaries != Primaries::rec709; }
  /// "float, dwaa, acescg": the precision, and what else is unusual.
  std::string text() const;
};

/// The names of both, as options and messages have them, in the order of their numbers.
extern const std::vector<std::string> exr_compressions, primaries_names;

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
