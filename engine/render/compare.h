// How far two pictures of one size are apart. Values are fractions of full scale (0..1), so that 8
// and 16 bits compare. Where both pictures are opaque, alpha says nothing and is left out of the
// averages; else it counts as a fourth channel.
#pragma once

#include "engine/render/renderer.h"

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

/// `tolerance`: differences up to this fraction of full scale do not make a pixel a differing one.
Comparison compare(const Image& a, const Image& b, double tolerance = 0);

}  // namespace kiln
