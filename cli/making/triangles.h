// SPDX-License-Identifier: MIT
// The triangles of a flame as a drawing over its picture (SVG): what editors show of each xform, for papers, cutters and
// pages.
#pragma once

#include <string>

#include "engine/model/flame.h"

namespace kiln::cli {

/// A drawing of the picture's size: for each xform the triangle that its coefs make of (0,0), (1,0), (0,1), in the color
/// that it draws towards, with its number; dashed where there is a post transform, which has one, too; that of the
/// identity below them all. What lies outside of the picture is cut off. Throws Error (usage) where the flame is seen by
/// a camera that is no plane's.
std::string triangles_svg(const Flame& flame);

}  // namespace kiln::cli
