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

#include <vector>

namespace kiln {

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

}  // namespace kiln
