// SPDX-License-Identifier: MIT
// Whether two noisy pictures can be renders of the same flame with different seeds.
//
// Every sample is random, so no two seeds give the same pixels; what they share is the expectation
// of each pixel. Where the variance of a pixel's light is known, z = (a - b) / sqrt(va + vb) is
// normal if both have one expectation. All pixels are looked at, then all blocks of 2x2, 4x4 ...
// pixels up to the whole picture: a small difference everywhere (1 % darker) hides in the noise of
// each pixel and shows in large blocks; a pixel that is wrong shows alone.
//
// One z beyond the bound refuses. The bound is Sidak's, for n tests at 0.01 together: each at
// 1 - 0.99^(1/n). It holds for normal values whatever their correlations (Z. Sidak, "Rectangular
// confidence regions for the means of multivariate normal distributions", JASA 62, 1967), so
// blocks may contain each other. A block counts only where its light is more than ten times its
// noise: fewer samples are not normal. Cost: about 4/3 of a pass over the pixels.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/model/saved_sums.h"
#include "kernels/noise.h"

namespace kiln {

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
// Where the picture is cleaned, a bias is most of what is left, and it falls slower than the variance:
// so the square of the distance is taken apart, d^2 of (a - b)/2, which varies as w does, and m^2 of
// (a + b)/2 - w, by which the halves are off more than the whole. If a bias falls as the power f of the
// samples, it is m / (2^f - 1). Of curves f is 1, and d^2 + m^2 is the mean of both squares; for cleaning
// it was found to be 0.71, so that m^2 counts 2.5 times. Of 225 pictures of 35 flames at qualities 10 to
// 100 nine of ten were told to 15 % then (docs/measurements/cleaning.md), which is added to the error.
//
// The error is what chance does to the estimate itself: twice 1.96 standard deviations wide, so that
// 95 of 100 such intervals hold the value that is estimated. Squares of neighboring pixels are not
// independent where filter and estimator spread light, so each block of 4x4 pixels counts as one
// normal value, whose square varies by twice its own square. Most blocks hold several, which makes
// the error smaller than that: over ten seeds of two flames it was 0.7 of what is said.

/// Fractions of full scale. On what side of `rms` an interval of 95 % ends.
struct PictureNoise {
  double rms = 0;
  double error = 0;

  double psnr_db() const;
};

/// The noise of so many pixels from what their halves differ by.
PictureNoise noise_of(const NoiseSums& sums, std::uint64_t pixels, bool is_cleaned = false);

// Where a picture is noisy: that noise square by square, for a map that is laid over it.
//
// A square of 8x8 pixels has 192 values, of which filter and estimator leave some dozens that know
// nothing of each other, so its number is right to 10 or 20 %: enough for a color. Levels are
// logarithms, since what is dark may be a hundred times cleaner than what shines.

struct NoiseMap {
  static constexpr int side = 8;              // of a square, in pixels
  static constexpr double least = 0.001;      // noise of level 0: a 1000th of full scale or less
  static constexpr double most = least * 64;  // of level 255

  int width = 0, height = 0;         // in squares; those at the right and lower edge may be cut
  std::vector<std::uint8_t> levels;  // [height, width] 255 log(noise / least) / log(most / least)
  NoiseSums sums;  // of the difference, its patches being the squares; without `scale`
};

/// The noise of `whole` from a part of its samples that is as bright: opaque pictures of 16 bits and
/// one size. `scale`: what their difference is multiplied by, 1 for a half.
NoiseMap noise_map(const Image& part, const Image& whole, double scale);

/// A picture's light and how sure it is.
struct NoisyLight {
  int width = 0, height = 0;
  std::vector<double> light;     // [H, W, 3] in any unit, linear: expectations can be added
  std::vector<double> variance;  // [H, W, 3] of `light`, in its square; infinite: unknown, left out
  /// [level]: how often the variance of a block's sum (2^level pixels a side) is the sum of its
  /// pixels' variances; 1 where neighbors are independent, and beyond the end the last one.
  std::vector<double> clumping;
};

struct NoiseComparison {
  bool same_distribution = false;
  double largest_z = 0, allowed_z = 0;
  int tests = 0;
  int x = 0, y = 0, side = 0;  // where the largest z is: the block's corner and size in pixels
};

/// Both are of one size. Where nothing can be tested, nothing is refused: `tests` is 0.
NoiseComparison compare_noise(const NoisyLight& a, const NoisyLight& b);

/// The |z| that one of `tests` normal values exceeds in a share of 0.01 of all cases.
double sidak_bound(int tests);

// How sure a picture's light is, from two halves of its samples that know nothing of each other:
// the difference of the halves is noise alone. Light is what was counted, before any logarithm or
// gamma: a sum over samples, whose variance grows as it does.
//
// One difference says little of a pixel's variance, so the squares of all pixels nearby count, over
// their light, whose light is like its own (within a factor of 1.5, in a square of 33x33): neither
// do filaments lend their noise to the dark beside them, nor one color to another. Where there are
// fewer than 100 of them, the pixels of the whole picture that are nearest in light take their
// place. A pixel whose own halves are further apart than that is believed: where orbits stay, at
// the tip of a fern, one pixel varies as none beside it. Neighboring pixels are not independent
// where a filter spread light or an orbit stayed near: how much more the sums of blocks vary than
// independent pixels would is measured by the halves too (NoisyLight::clumping).

/// The mean of two halves [H, W, 3] and its variance.
NoisyLight light_of_halves(int width, int height, const std::vector<double>& first,
                           const std::vector<double>& second);

/// The noisy light of a still's sums in halves, as light a sample, so that pictures of any numbers
/// of samples compare. Both halves have a unit.
NoisyLight light_of_sums(const SavedSums& sums);

}  // namespace kiln
