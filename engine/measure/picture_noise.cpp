#include "engine/measure/picture_noise.h"

#include <cmath>
#include <vector>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr int block_side = 4;

/// Sums of squares over the blocks of a picture.
std::vector<double> squares_of_blocks(const Image& first, const Image& second, const Image& whole) {
  const int across = (whole.width + block_side - 1) / block_side;
  const int down = (whole.height + block_side - 1) / block_side;
  std::vector<double> squares(std::size_t(across) * std::size_t(down));
  const Words &a = first.pixels16(), &b = second.pixels16(), &w = whole.pixels16();
  std::size_t i = 0;
  for (int y = 0; y < whole.height; ++y) {
    for (int x = 0; x < whole.width; ++x, i += 4) {
      double sum = 0;
      for (std::size_t c = i; c < i + 3; ++c) {
        const double from_a = double(a[c]) - w[c], from_b = double(b[c]) - w[c];
        sum += (from_a * from_a + from_b * from_b) / 2;
      }
      squares[std::size_t(y / block_side) * std::size_t(across) + std::size_t(x / block_side)] +=
          sum;
    }
  }
  return squares;
}

}  // namespace

double PictureNoise::psnr_db() const {
  constexpr double ln_10 = 2.302585092994045684;
  return -20 * exact::log(rms) / ln_10;
}

PictureNoise noise_of_halves(const Image& first, const Image& second, const Image& whole) {
  for (const Image* half : {&first, &second})
    KILN_CHECK(half->width == whole.width && half->height == whole.height, "{} x {} and {} x {}",
               half->width, half->height, whole.width, whole.height);
  constexpr double full_scale = 65535, deviations = 1.96;
  double sum = 0, sum_of_squares = 0;
  for (const double square : squares_of_blocks(first, second, whole)) {
    sum += square;
    sum_of_squares += square * square;
  }
  if (sum == 0) return {};
  PictureNoise noise;
  noise.rms = std::sqrt(sum / (3.0 * whole.width * whole.height)) / full_scale;
  // E of z^4 is 3, so a block's square varies by 2/3 of its own square; a root varies half as much
  noise.error = noise.rms * deviations * std::sqrt(sum_of_squares * 2 / 3) / sum / 2;
  return noise;
}

}  // namespace kiln
