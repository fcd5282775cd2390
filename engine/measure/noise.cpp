// SPDX-License-Identifier: MIT
#include "engine/measure/noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
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

/// The pixels' differences; a pixel of unknown variance is left out: no light, no difference.
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

constexpr int reach = 16;  // pixels to each side
constexpr int least_neighbors = 100;
constexpr double likeness = 1.5;
constexpr std::size_t least_blocks = 64;  // from which a level's clumping is measured

/// Squared errors beside the light they are of: as both grow with the samples, their ratio is what
/// pixels alike have in common.
struct Noise {
  double squares = 0, light = 0;
  double of(double own) const { return light > 0 ? own * squares / light : 0; }
};

/// All pixels of one channel in the order of their light.
class ByLight {
 public:
  ByLight(const std::vector<double>& light, const std::vector<double>& squares, std::size_t channel)
      : sums_(1) {
    std::vector<std::pair<double, double>> pixels;
    for (std::size_t i = channel; i < light.size(); i += 3)
      pixels.emplace_back(light[i], squares[i]);
    std::sort(pixels.begin(), pixels.end());
    for (const auto& [value, square] : pixels) {
      light_.push_back(value);
      sums_.push_back({sums_.back().squares + square, sums_.back().light + value});
    }
  }
  /// The noise of the pixels that are nearest in rank.
  Noise nearest(double light) const {
    const auto rank = static_cast<std::size_t>(
        std::lower_bound(light_.begin(), light_.end(), light) - light_.begin());
    const std::size_t count = std::min<std::size_t>(least_neighbors, light_.size());
    const std::size_t first =
        std::min(rank > count / 2 ? rank - count / 2 : 0, light_.size() - count);
    return {sums_[first + count].squares - sums_[first].squares,
            sums_[first + count].light - sums_[first].light};
  }

 private:
  std::vector<double> light_;
  std::vector<Noise> sums_;
};

/// One channel of a picture, its error squared at every pixel.
struct Channel {
  int width, height;
  std::size_t number;
  const std::vector<double>&light, &squares;  // [H, W, 3]
  const ByLight& by_light;

  std::size_t at(int x, int y) const {
    return 3 * (std::size_t(y) * std::size_t(width) + std::size_t(x)) + number;
  }
  double variance(int x, int y) const {
    const double own = light[at(x, y)], low = own / likeness, high = own * likeness;
    Noise noise;
    int count = 0;
    for (int v = std::max(y - reach, 0); v <= std::min(y + reach, height - 1); ++v) {
      for (int u = std::max(x - reach, 0); u <= std::min(x + reach, width - 1); ++u) {
        const std::size_t i = at(u, v);
        if (light[i] < low || light[i] > high) continue;
        noise.squares += squares[i];
        noise.light += light[i];
        ++count;
      }
    }
    const Noise& alike = count >= least_neighbors ? noise : by_light.nearest(own);
    return std::max(alike.of(own), squares[at(x, y)]);
  }
};

/// Sums of 2x2 blocks, [H, W, 3].
std::vector<double> summed(const std::vector<double>& values, int width, int height) {
  const int half = (width + 1) / 2;
  std::vector<double> sums(3 * std::size_t(half) * std::size_t((height + 1) / 2));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (std::size_t c = 0; c < 3; ++c)
        sums[3 * (std::size_t(y / 2) * std::size_t(half) + std::size_t(x / 2)) + c] +=
            values[3 * (std::size_t(y) * std::size_t(width) + std::size_t(x)) + c];
    }
  }
  return sums;
}

/// The clumping of every level: the square of the blocks' errors over what independent pixels would
/// give, never below the level before.
std::vector<double> measure_clumping(std::vector<double> errors, std::vector<double> squares,
                                     int width, int height) {
  std::vector<double> clumping;
  while (errors.size() / 3 >= least_blocks) {
    double together = 0, apart = 0;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      together += errors[i] * errors[i];
      apart += squares[i];
    }
    const double before = clumping.empty() ? 1 : clumping.back();
    clumping.push_back(apart > 0 ? std::max(before, together / apart) : before);
    errors = summed(errors, width, height);
    squares = summed(squares, width, height);
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  return clumping;
}

/// Red, green and blue of a half over its samples, [H, W, 3] of the picture without its gutter.
std::vector<double> light_a_sample(const SumsShape& shape, const std::vector<std::uint64_t>& sums,
                                   std::uint64_t units) {
  const std::size_t side = shape.supersample, gutter = shape.gutter;
  const std::size_t width = (shape.width - 2 * gutter) / side;
  const std::size_t height = (shape.height - 2 * gutter) / side;
  const double one = 1 / (double(units) * double(shape.unit_samples));
  std::vector<double> light(3 * width * height);
  for (std::size_t y = 0; y < height * side; ++y) {
    for (std::size_t x = 0; x < width * side; ++x) {
      const std::size_t bucket = ((gutter + y) * shape.width + gutter + x) * shape.channels;
      for (std::size_t c = 0; c < 3; ++c)
        light[3 * (y / side * width + x / side) + c] += double(sums[bucket + c]) * one;
    }
  }
  return light;
}

std::uint64_t even_units(const UnitSet& units) {
  std::uint64_t count = 0;
  for (const UnitRange& range : units.ranges())
    count += (range.end + 1) / 2 - (range.first + 1) / 2;
  return count;
}

std::uint8_t level_of(double noise) {
  const double logarithm = exact::log(std::max(noise, 1e-9) / NoiseMap::least) /
                           exact::log(NoiseMap::most / NoiseMap::least);
  return std::uint8_t(std::clamp(255 * logarithm, 0.0, 255.0));
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

double PictureNoise::psnr_db() const {
  constexpr double ln_10 = 2.302585092994045684;
  return -20 * exact::log(rms) / ln_10;
}

PictureNoise noise_of(const NoiseSums& sums, std::uint64_t pixels, bool is_cleaned) {
  constexpr double full_scale = 65535, deviations = 1.96, unsure_of_cleaning = 0.15;
  if (sums.squares == 0) return {};
  PictureNoise noise;
  noise.rms = std::sqrt(sums.squares / (3.0 * double(pixels))) / full_scale;
  // E of z^4 is 3, so a patch's square varies by 2/3 of its own square; a root varies half as much
  noise.error =
      noise.rms * deviations * std::sqrt(sums.squares_of_patches * 2 / 3) / sums.squares / 2;
  if (is_cleaned) noise.error += unsure_of_cleaning * noise.rms;
  return noise;
}

NoisyLight light_of_sums(const SavedSums& sums) {
  const SumsShape& shape = sums.shape;
  const std::uint64_t even = even_units(sums.done), odd = sums.done.count() - even;
  KILN_CHECK(shape.halves && even > 0 && odd > 0, "{} and {} units", even, odd);
  const int width = int((shape.width - 2 * shape.gutter) / shape.supersample);
  const int height = int((shape.height - 2 * shape.gutter) / shape.supersample);
  return light_of_halves(width, height, light_a_sample(shape, sums.histograms[0], even),
                         light_a_sample(shape, sums.histograms[1], odd));
}

NoisyLight light_of_halves(int width, int height, const std::vector<double>& first,
                           const std::vector<double>& second) {
  const std::size_t samples = 3 * std::size_t(width) * std::size_t(height);
  KILN_CHECK(first.size() == samples && second.size() == samples, "{} x {}: {} and {} samples",
             width, height, first.size(), second.size());
  NoisyLight result{width, height, {}, {}, {}};
  std::vector<double> errors, squares;
  for (std::size_t i = 0; i < samples; ++i) {
    const double error = (first[i] - second[i]) / 2;  // varies as the mean of both does
    result.light.push_back((first[i] + second[i]) / 2);
    errors.push_back(error);
    squares.push_back(error * error);
  }
  result.variance.resize(samples);
  for (std::size_t c = 0; c < 3; ++c) {
    const ByLight by_light(result.light, squares, c);
    const Channel channel{width, height, c, result.light, squares, by_light};
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) result.variance[channel.at(x, y)] = channel.variance(x, y);
    }
  }
  result.clumping = measure_clumping(std::move(errors), std::move(squares), width, height);
  return result;
}

// ---- where it is ----

NoiseMap noise_map(const Image& part, const Image& whole, double scale) {
  KILN_CHECK(part.width == whole.width && part.height == whole.height, "{} x {} and {} x {}",
             part.width, part.height, whole.width, whole.height);
  constexpr double full_scale = 65535;
  NoiseMap map;
  map.width = (whole.width + NoiseMap::side - 1) / NoiseMap::side;
  map.height = (whole.height + NoiseMap::side - 1) / NoiseMap::side;
  std::vector<double> squares(std::size_t(map.width) * std::size_t(map.height));
  const Words &a = part.pixels16(), &w = whole.pixels16();
  std::size_t i = 0;
  for (int y = 0; y < whole.height; ++y) {
    double* const row = squares.data() + std::size_t(y / NoiseMap::side) * std::size_t(map.width);
    for (int x = 0; x < whole.width; ++x, i += 4) {
      for (std::size_t c = i; c < i + 3; ++c) {
        const double difference = double(a[c]) - w[c];
        row[x / NoiseMap::side] += difference * difference;
      }
    }
  }
  map.levels.reserve(squares.size());
  for (int y = 0; y < map.height; ++y) {
    const int rows = std::min(NoiseMap::side, whole.height - y * NoiseMap::side);
    for (int x = 0; x < map.width; ++x) {
      const int columns = std::min(NoiseMap::side, whole.width - x * NoiseMap::side);
      const double sum = squares[std::size_t(y) * std::size_t(map.width) + std::size_t(x)];
      map.sums.squares += sum;
      map.sums.squares_of_patches += sum * sum;
      map.levels.push_back(level_of(scale * std::sqrt(sum / (3.0 * rows * columns)) / full_scale));
    }
  }
  return map;
}

}  // namespace kiln
