// Where a picture is noisy: the noise of noise.h square by square, for a map that is laid over it.
//
// A square of 8x8 pixels has 192 values, of which filter and estimator leave some dozens that know
// nothing of each other, so its number is right to 10 or 20 %: enough for a color. Levels are
// logarithms, since what is dark may be a hundred times cleaner than what shines.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/api/kiln/image.h"
#include "kernels/noise.h"

namespace kiln {

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

}  // namespace kiln
