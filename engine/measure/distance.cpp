// SPDX-License-Identifier: MIT
#include "engine/measure/distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/measure/flip.h"
#include "engine/model/exact_math.h"
#include "engine/model/transfer.h"

namespace kiln {
namespace {

double sample(const Image& image, std::size_t index) {
  return image.bits() == 32   ? image.linear().rgba[index]
         : image.bits() == 16 ? image.pixels16()[index] / 65535.0
                              : image.pixels8()[index] / 255.0;
}

/// 0 for equal values, also where both are no numbers; infinite where only one is a number.
double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::fabs(a - b);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

std::size_t pixel_count(const Image& image) {
  return static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
}

bool opaque(const Image& image) {
  for (std::size_t pixel = 0; pixel < pixel_count(image); ++pixel) {
    if (sample(image, pixel * 4 + 3) != 1) return false;
  }
  return true;
}

double luminance(const Image& image, std::size_t pixel) {  // ITU-R BT.601, on the values as stored
  const double light = 0.299 * sample(image, pixel * 4) + 0.587 * sample(image, pixel * 4 + 1) +
                       0.114 * sample(image, pixel * 4 + 2);
  return std::isfinite(light) ? light : 0;  // a window with anything else would have no mean
}

/// Sums over the window of one column, kept while the window moves down: x, y, x^2, y^2, x y.
struct Sums {
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  void add(double a, double b, double sign) {
    x += sign * a;
    y += sign * b;
    xx += sign * a * a;
    yy += sign * b * b;
    xy += sign * a * b;
  }
};

double similarity(const Sums& s, double n) {
  constexpr double c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
  const double mx = s.x / n, my = s.y / n;
  const double vx = s.xx / n - mx * mx, vy = s.yy / n - my * my, cov = s.xy / n - mx * my;
  return (2 * mx * my + c1) * (2 * cov + c2) / ((mx * mx + my * my + c1) * (vx + vy + c2));
}

/// Mean SSIM (Wang, Bovik, Sheikh, Simoncelli 2004) over all 8x8 windows, uniform weights, K1 =
/// 0.01, K2 = 0.03.
double mean_ssim(const Image& a, const Image& b) {
  const std::size_t width = static_cast<std::size_t>(a.width),
                    height = static_cast<std::size_t>(a.height);
  const std::size_t w = std::min<std::size_t>(8, width), h = std::min<std::size_t>(8, height);
  std::vector<Sums> columns(width);
  double total = 0;
  for (std::size_t bottom = 0; bottom < height; ++bottom) {
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t pixel = bottom * width + x;
      columns[x].add(luminance(a, pixel), luminance(b, pixel), 1);
      if (bottom >= h)
        columns[x].add(luminance(a, pixel - h * width), luminance(b, pixel - h * width), -1);
    }
    if (bottom + 1 < h) continue;
    for (std::size_t left = 0; left + w <= width; ++left) {
      Sums window;
      for (std::size_t x = left; x < left + w; ++x) {
        window.x += columns[x].x;
        window.y += columns[x].y;
        window.xx += columns[x].xx;
        window.yy += columns[x].yy;
        window.xy += columns[x].xy;
      }
      total += similarity(window, static_cast<double>(w * h));
    }
  }
  return total / static_cast<double>((width - w + 1) * (height - h + 1));
}

constexpr std::size_t side = 16, fewest_frames = 5;

/// A pixel as stored, 0..1 on black; linear light as sRGB.
Color3 shown_value(const Image& image, std::size_t pixel) {
  const std::size_t i = pixel * 4;
  if (image.bits() == 32) {
    const Color3 light = shown_light(image, pixel);
    return {srgb_of(light.x), srgb_of(light.y), srgb_of(light.z)};
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

/// The distance to the nearer neighbor, and that between the neighbors.
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

bool comparable(const Image& a, const Image& b) { return (a.bits() == 32) == (b.bits() == 32); }

Comparison compare(const Image& a, const Image& b, double tolerance) {
  Comparison result;
  result.same_size = a.width == b.width && a.height == b.height && a.width > 0 && a.height > 0;
  if (!result.same_size) return result;
  const std::size_t channels = opaque(a) && opaque(b) ? 3 : 4;
  const std::size_t pixels = pixel_count(a);
  double squares = 0, sum = 0;
  std::size_t differing = 0;
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    double furthest = 0;
    for (std::size_t c = 0; c < channels; ++c) {
      const double d = distance(sample(a, pixel * 4 + c), sample(b, pixel * 4 + c));
      squares += d * d;
      sum += d;
      furthest = std::max(furthest, d);
    }
    differing += furthest > tolerance;
    result.largest = std::max(result.largest, furthest);
  }
  const double samples = static_cast<double>(pixels * channels);
  result.rms = std::sqrt(squares / samples);
  result.mean = sum / samples;
  result.differing = static_cast<double>(differing) / static_cast<double>(pixels);
  result.psnr_db = squares > 0 ? -10 * exact::log(squares / samples) / exact::log(10)
                               : std::numeric_limits<double>::infinity();
  result.ssim = mean_ssim(a, b);
  return result;
}

double difference_gain(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  double gain = 1;
  while (largest * gain > 1) gain /= 2;
  while (largest * gain * 2 <= 1) gain *= 2;
  return gain;
}

Image difference_picture(const Image& a, const Image& b, double gain) {
  KILN_CHECK(a.width == b.width && a.height == b.height, "{} x {} and {} x {}", a.width, a.height,
             b.width, b.height);
  Image picture;
  picture.width = a.width;
  picture.height = a.height;
  picture.opaque = true;
  std::vector<std::uint8_t>& pixels = picture.pixels8();
  pixels.resize(pixel_count(a) * 4, 255);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (i % 4 == 3) continue;
    const std::size_t alpha = i / 4 * 4 + 3;
    const double d = std::max(distance(sample(a, i), sample(b, i)),
                              distance(sample(a, alpha), sample(b, alpha)));
    pixels[i] = static_cast<std::uint8_t>(std::floor(std::min(d * gain, 1.0) * 255 + 0.5));
  }
  return picture;
}

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
