#include "engine/measure/noise_map.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

std::uint8_t level_of(double noise) {
  const double logarithm = exact::log(std::max(noise, 1e-9) / NoiseMap::least) /
                           exact::log(NoiseMap::most / NoiseMap::least);
  return std::uint8_t(std::clamp(255 * logarithm, 0.0, 255.0));
}

}  // namespace

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
