// How far a picture is from the one that it would become with samples without end and the kernels of
// the estimator as wide as now, from pictures of two halves of its samples, each as bright as the
// whole.
//
// A half is the whole and as much noise again: where w is what all samples show and a and b what
// the halves do, a - w and b - w vary as w does around its limit, whatever curves light went
// through (logarithm, estimator, gamma), since all three went through them. So the estimate is the
// root mean square of a - w and b - w, over all pixels. It has the part that noise takes out of or
// puts into curves on average as well, which the difference of the halves alone would not show.
//
// The error is what chance does to the estimate itself: twice 1.96 standard deviations wide, so that
// 95 of 100 such intervals hold the value that is estimated. Squares of neighboring pixels are not
// independent where filter and estimator spread light, so each block of 4x4 pixels counts as one
// normal value, whose square varies by twice its own square. Most blocks hold several, which makes
// the error smaller than that: over ten seeds of two flames it was 0.7 of what is said.
#pragma once

#include "engine/api/kiln/image.h"

namespace kiln {

/// Fractions of full scale. On what side of `rms` an interval of 95 % ends.
struct PictureNoise {
  double rms = 0;
  double error = 0;

  double psnr_db() const;
};

/// Measures the noise from two halves and the whole: opaque pictures of 16 bits and one size. Alpha
/// does not count.
PictureNoise noise_of_halves(const Image& first, const Image& second, const Image& whole);

}  // namespace kiln
