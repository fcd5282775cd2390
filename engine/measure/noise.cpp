#include "engine/measure/noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr double wrong_alarms = 0.01;
/// Square of light / noise from which on a block counts: as much as this many samples.
constexpr double least_samples = 100;

/// Share of normal values beyond z, z >= 2: Laplace's continued fraction.
double normal_tail(double z) {
  double fraction = z;
  for (int k = 80; k > 0; --k) fraction = z + k / fraction;
  constexpr double root_two_pi = 2.5066282746310002;
  return exact::exp(-z * z / 2) / root_two_pi / fraction;
}

/// Sums of the blocks of one level.
struct Level {
  int width, height, side;
  std::vector<double> difference, light, variance;  // [H, W, 3]
};

double clumping_at(const NoisyLight& picture, std::size_t level) {
  const std::vector<double>& c = picture.clumping;
  return c.empty() ? 1 : c[std::min(level, c.size() - 1)];
}

/// What nobody knows the variance of is left out: no light, no difference.
Level pixels_of(const NoisyLight& a, const NoisyLight& b) {
  Level level{a.width, a.height, 1, {}, {}, {}};
  for (std::size_t i = 0; i < a.light.size(); ++i) {
    const double variance = a.variance[i] + b.variance[i];
    const bool known = std::isfinite(variance);
    level.difference.push_back(known ? a.light[i] - b.light[i] : 0);
    level.light.push_back(known ? a.light[i] + b.light[i] : 0);
    level.variance.push_back(known ? variance : 0);
  }
  return level;
}

/// Blocks twice as large; those at the right and lower edge may be cut.
Level coarser(const Level& fine) {
  Level level{(fine.width + 1) / 2, (fine.height + 1) / 2, fine.side * 2, {}, {}, {}};
  const std::size_t count = 3 * std::size_t(level.width) * std::size_t(level.height);
  level.difference.resize(count);
  level.light.resize(count);
  level.variance.resize(count);
  std::size_t from = 0;
  for (int y = 0; y < fine.height; ++y) {
    for (int x = 0; x < fine.width; ++x) {
      const std::size_t block = std::size_t(y / 2) * std::size_t(level.width) + std::size_t(x / 2);
      for (std::size_t c = 0; c < 3; ++c, ++from) {
        level.difference[3 * block + c] += fine.difference[from];
        level.light[3 * block + c] += fine.light[from];
        level.variance[3 * block + c] += fine.variance[from];
      }
    }
  }
  return level;
}

/// Notes the largest z of a level and counts its tests. `clumping` multiplies the variance.
void look_at(const Level& level, double clumping, NoiseComparison& result) {
  for (std::size_t i = 0; i < level.difference.size(); ++i) {
    const double variance = level.variance[i] * clumping;
    const double light = level.light[i], difference = std::fabs(level.difference[i]);
    if (variance > 0 ? !(light * light >= least_samples * variance) : difference == 0) continue;
    ++result.tests;
    const double z =
        variance > 0 ? difference / std::sqrt(variance) : std::numeric_limits<double>::infinity();
    if (!(z > result.largest_z)) continue;
    const int block = int(i / 3);
    result.largest_z = z;
    result.x = block % level.width * level.side;
    result.y = block / level.width * level.side;
    result.side = level.side;
  }
}

void check(const NoisyLight& picture) {
  const std::size_t samples = 3 * std::size_t(picture.width) * std::size_t(picture.height);
  KILN_CHECK(picture.light.size() == samples && picture.variance.size() == samples,
             "{} x {}: {} lights, {} variances", picture.width, picture.height,
             picture.light.size(), picture.variance.size());
}

}  // namespace

double sidak_bound(int tests) {
  // 1 - 0.99^(1/n), without the loss of a number near 1
  const double each = -(exact::exp(exact::log1p(-wrong_alarms) / tests) - 1);
  const double share = tests > 1000 ? -exact::log1p(-wrong_alarms) / tests : each;
  double low = 2, high = 40;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (2 * normal_tail(middle) > share ? low : high) = middle;
  }
  return low;
}

NoiseComparison compare_noise(const NoisyLight& a, const NoisyLight& b) {
  check(a);
  check(b);
  KILN_CHECK(a.width == b.width && a.height == b.height, "{} x {} and {} x {}", a.width, a.height,
             b.width, b.height);
  NoiseComparison result;
  Level level = pixels_of(a, b);
  for (std::size_t number = 0;; ++number) {
    look_at(level, std::max(clumping_at(a, number), clumping_at(b, number)), result);
    if (level.width == 1 && level.height == 1) break;
    level = coarser(level);
  }
  result.allowed_z = sidak_bound(std::max(result.tests, 1));
  result.same_distribution = !(result.largest_z > result.allowed_z);
  return result;
}

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
