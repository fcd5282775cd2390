// A flame that shows one variation: for the pictures of `kiln variations NAME -o` and of
// docs/variations/. Two templates:
//
//   grid     warm and cold lines of a square grid from -1 to 1, moved by the variation as the final
//            xform: what becomes of the plane
//   copies   the variation draws a shape, six maps put small copies around it: for those that do not
//            look at the point
//
// A scene is a line of the text about the variation (engine/model/variation_notes.h), words and then
// attributes of the variation's xform: "grid zoom=0.8 size=1.5 at=0.1,0.2 | julian_power=3".
#pragma once

#include <string>

#include "engine/model/variation_notes.h"

namespace kiln {

/// The flame as XML, 256 x 256. Throws Error (input) with the place of the text for a scene that
/// cannot be read.
std::string variation_scene(const VariationNote& note);

}  // namespace kiln
