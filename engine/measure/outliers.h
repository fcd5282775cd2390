// Frames that are far from their neighbors: what a fault of memory or of a disk, or a wrong flame,
// makes of one frame of an animation. Frames are compared small, 16x16 means, so that grain does
// not count. A frame's distance is that to the nearer of its two neighbors: beside a bad frame
// there is a good one, and a cut is near to one side. It is an outlier if this distance
//   - is more than ten times the usual deviation above the median of all frames (the deviation by
//     the median too: bad frames do not raise it), and more than a hundredth of full scale, and
//   - is more than twice that between the neighbors themselves: what moves fast goes on.
// Two equal bad frames in a row vouch for each other.
#pragma once

#include <vector>

#include "engine/api/kiln/image.h"

namespace kiln {

/// Means of 16x16 parts of a picture, as a screen shows it, 0..1.
struct Thumbnail {
  std::vector<float> rgb;  // [16, 16, 3]
  bool one_color = false;  // every pixel is equal
  bool black = false;      // and that is black
};

Thumbnail thumbnail(const Image& image);

/// Places of outliers in a list of frames in their order; nothing among fewer than five.
std::vector<std::size_t> outliers(const std::vector<Thumbnail>& frames);

}  // namespace kiln
