// SPDX-License-Identifier: MIT
// How far pictures are apart: two of one size, and the frames of an animation from their neighbors.
//
// Of two pictures values are fractions of full scale (0..1), so that 8
// and 16 bits compare; those of linear light are as they are in the file, where 1 is what a sensor
// would call full and highlights are above. Where both pictures are opaque, alpha says nothing and
// is left out of the averages; else it counts as a fourth channel. Counts of samples are not looked
// at. What is no number differs from every number, without bound.
#pragma once

#include <vector>

#include "engine/api/kiln/image.h"

namespace kiln {

struct Comparison {
  bool same_size = false;  // all that follows is meaningless if false
  double rms = 0;          // root mean square difference, 0..1
  double mean = 0;         // mean absolute difference, 0..1
  double largest = 0;      // largest difference of any sample, 0..1
  double psnr_db = 0;      // peak signal to noise ratio; infinite for equal pictures
  double ssim = 1;         // mean structural similarity of the luminance, 1 for equal pictures
  double differing = 0;    // share of pixels with any sample further apart than the tolerance, 0..1
};

/// Whether their values mean the same: both linear light, or neither.
bool comparable(const Image& a, const Image& b);

/// `tolerance`: differences up to this fraction of full scale do not make a pixel a differing one.
Comparison compare(const Image& a, const Image& b, double tolerance = 0);

/// The power of two by which difference_picture() amplifies differences up to `largest`: it brings
/// them to above half of white, never beyond. 1 where there are none.
double difference_gain(double largest);

/// |a - b| of red, green and blue times `gain`, 8 bits; a difference of alpha shows in all three.
/// The difference of two pictures of one size, times `gain`.
Image difference_picture(const Image& a, const Image& b, double gain);

// Frames that are far from their neighbors: what a fault of memory or of a disk, or a wrong flame,
// makes of one frame of an animation. Frames are compared small, 16x16 means, so that grain does
// not count. A frame's distance is that to the nearer of its two neighbors: beside a bad frame
// there is a good one, and a cut is near to one side. It is an outlier if this distance
//   - is more than ten times the usual deviation above the median of all frames (the deviation by
//     the median too: bad frames do not raise it), and more than a hundredth of full scale, and
//   - is more than twice that between the neighbors themselves: what moves fast goes on.
// Two equal bad frames in a row vouch for each other.

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
