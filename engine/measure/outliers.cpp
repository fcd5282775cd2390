#include "engine/measure/outliers.h"

#include <algorithm>
#include <cmath>

#include "engine/measure/flip.h"

namespace kiln {
namespace {

constexpr std::size_t side = 16, fewest_frames = 5;

/// A pixel as stored, 0..1 on black; linear light as sRGB.
Color3 shown_value(const Image& image, std::size_t pixel) {
  const std::size_t i = pixel * 4;
  if (image.bits() == 32) {
    const Color3 light = shown_light(image, pixel);
    return {srgb_of_light(light.x), srgb_of_light(light.y), srgb_of_light(light.z)};
  }
  const auto sample = [&](std::size_t k) {
    return image.bits() == 16 ? image.pixels16()[i + k] / 65535.0 : image.pixels8()[i + k] / 255.0;
  };
  const double alpha = sample(3);
  return {alpha * sample(0), alpha * sample(1), alpha * sample(2)};
}

double distance(const Thumbnail& a, const Thumbnail& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) {
    const double d = double(a.rgb[i]) - double(b.rgb[i]);
    squares += d * d;
  }
  return std::sqrt(squares / double(a.rgb.size()));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// To the nearer neighbor, and between the neighbors.
struct Distances {
  double nearer, between;
};

Distances distances(const std::vector<Thumbnail>& frames, std::size_t i) {
  const std::size_t last = frames.size() - 1;
  const std::size_t left = i == 0 ? 1 : i == last ? last - 2 : i - 1;
  const std::size_t right = i == 0 ? 2 : i == last ? last - 1 : i + 1;
  return {std::min(distance(frames[i], frames[left]), distance(frames[i], frames[right])),
          distance(frames[left], frames[right])};
}

}  // namespace

Thumbnail thumbnail(const Image& image) {
  Thumbnail result;
  const auto width = std::size_t(image.width), height = std::size_t(image.height);
  std::vector<double> sums(side * side * 3), counts(side * side);
  const Color3 first = shown_value(image, 0);
  result.one_color = true;
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const Color3 value = shown_value(image, y * width + x);
      result.one_color &= value.x == first.x && value.y == first.y && value.z == first.z;
      const std::size_t part = y * side / height * side + x * side / width;
      sums[3 * part] += value.x;
      sums[3 * part + 1] += value.y;
      sums[3 * part + 2] += value.z;
      counts[part] += 1;
    }
  }
  result.black = result.one_color && first.x == 0 && first.y == 0 && first.z == 0;
  for (std::size_t i = 0; i < sums.size(); ++i)  // of less than 16 pixels some parts are empty
    result.rgb.push_back(float(counts[i / 3] > 0 ? sums[i] / counts[i / 3] : 0));
  return result;
}

std::vector<std::size_t> outliers(const std::vector<Thumbnail>& frames) {
  std::vector<std::size_t> found;
  if (frames.size() < fewest_frames) return found;
  std::vector<Distances> all;
  std::vector<double> nearer, deviations;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    all.push_back(distances(frames, i));
    nearer.push_back(all.back().nearer);
  }
  const double middle = median(nearer);
  for (const double d : nearer) deviations.push_back(std::fabs(d - middle));
  const double usual = 1.4826 * median(deviations);  // of normal values the standard deviation
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const double d = all[i].nearer;
    if (d > middle + 10 * usual && d > 0.01 && d > 2 * all[i].between) found.push_back(i);
  }
  return found;
}

}  // namespace kiln
