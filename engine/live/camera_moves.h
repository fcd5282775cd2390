// SPDX-License-Identifier: MIT
// What a hand does to the picture, as a change of the flame's camera. docs/inside/live-inside.md, "What the
// flame of an edit is", has where a point of the plane stands in the picture.
#pragma once

#include "engine/model/flame.h"

namespace kiln {

/// Points and shifts as shares of the picture's width and height, from its left upper corner.
struct PictureShare {
  double x = 0, y = 0;
};

/// The plane goes along with the shift.
void pan(Flame& flame, PictureShare shift);
/// Scales the flame by `factor`; the point at `about` stays there.
void zoom(Flame& flame, double factor, PictureShare about);
/// The plane turns about the middle as a hand does that goes from one point to the other.
void rotate(Flame& flame, PictureShare from, PictureShare to);
void rotate(Flame& flame, double degrees);

}  // namespace kiln
