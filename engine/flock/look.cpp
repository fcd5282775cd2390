// SPDX-License-Identifier: MIT
// What is measured on small pictures (flock.h). Thresholds are from looking at walls of some hundreds:
// what is beyond them nobody would open.
#include <algorithm>
#include <cmath>

#include "engine/flock/flock.h"
#include "engine/model/exact_math.h"
#include "engine/render/plan/prepared_frame.h"

namespace kiln {

Flame reduced(const Flame& flame, double pixels, double samples) {
  Flame small = flame;
  const double all = double(flame.width) * flame.height;
  const double factor = std::min(1.0, std::sqrt(std::max(1.0, pixels) / all));
  small.width = std::max(1, int(flame.width * factor + 0.5));
  small.height = std::max(1, int(flame.height * factor + 0.5));
  small.scale *= double(small.width) / flame.width;
  small.supersample = 1;
  small.passes = 1;
  const double a_pixel = samples / (double(small.width) * small.height);
  small.quality = std::min(flame.quality, a_pixel / exact::exp2(2 * flame.zoom));
  return small;
}

Image PreviewRenderer::sketch(const Flame& flame, double pixels, double samples,
                              DevicePicture* place, double clumps) {
  const PreparedFrame frame = prepare_quickly(reduced(flame, pixels, samples), options_, 0, clumps);
  return renderer_.make({.frame = &frame, .to = place}, &statistics_).value_or(Image{});
}

Image PreviewRenderer::study(const Flame& flame, double pixels, double samples) {
  constexpr int units = 4;  // more would be busier with burn-in than playing
  return renderer_.render(prepare_quickly(reduced(flame, pixels, samples), options_, units),
                          &statistics_);
}

namespace {

constexpr int side = 96;               // of the pictures that are measured
constexpr double judged_quality = 40;  // samples a pixel
constexpr double lit_light = 0.05;     // what is seen beside black

/// The flame in the look in which all are measured, but for its framing and brightness.
Flame for_measuring(const Flame& flame) {
  Flame plain = flame;
  plain.background = {0, 0, 0};
  plain.background_type = BackgroundType::single_color;
  plain.effects = {};
  plain.quality = judged_quality * exact::exp2(-2 * flame.zoom);
  return plain;
}

struct Raster {
  int width = 0, height = 0;
  std::vector<double> light;  // [H, W] 0..1

  double at(int x, int y) const {
    return light[std::size_t(std::clamp(y, 0, height - 1)) * std::size_t(width) +
                 std::size_t(std::clamp(x, 0, width - 1))];
  }
};

Raster light_of(const Image& image) {
  Raster raster{image.width, image.height, {}};
  const Bytes& pixels = image.pixels8();
  raster.light.reserve(pixels.size() / 4);
  for (std::size_t i = 0; i < pixels.size(); i += 4)
    raster.light.push_back((0.3 * pixels[i] + 0.59 * pixels[i + 1] + 0.11 * pixels[i + 2]) / 255);
  return raster;
}

double mean_about(const Raster& raster, int x, int y, int step) {
  double sum = 0;
  if (x >= step && x < raster.width - step && y >= step && y < raster.height - step) {
    const std::ptrdiff_t row = raster.width;
    const double* at = raster.light.data() + (y - step) * row + x;
    for (int line = 0; line < 3; ++line, at += step * row) {
      sum += at[-step];
      sum += at[0];
      sum += at[step];
    }
    return sum / 9;
  }
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += raster.at(x + dx * step, y + dy * step);
  return sum / 9;
}

/// Measures dust, which changes from pixel to pixel, and detail, which changes between patches of 3 x 3.
void measure_texture(const Raster& raster, Look& look) {
  Raster patches{raster.width, raster.height, {}};
  patches.light.reserve(raster.light.size());
  double fine = 0, all = 0;
  for (int y = 0; y < raster.height; ++y) {
    for (int x = 0; x < raster.width; ++x) {
      patches.light.push_back(mean_about(raster, x, y, 1));
      fine += std::fabs(raster.at(x, y) - patches.light.back());
      all += raster.at(x, y);
    }
  }
  double coarse = 0;
  for (int y = 0; y < raster.height; ++y)
    for (int x = 0; x < raster.width; ++x)
      coarse += std::fabs(patches.at(x, y) - mean_about(patches, x, y, 3));
  look.dust = all > 0 ? fine / all : 0;
  look.detail = coarse / double(raster.light.size());
}

/// The number of boxes, in a cube of 6 x 6 x 6, that hold a hundredth of the lit pixels each.
int colors_of(const Image& image, const Raster& raster) {
  std::array<int, 216> boxes{};
  int lit = 0;
  for (std::size_t i = 0; i < raster.light.size(); ++i) {
    if (raster.light[i] < lit_light) continue;
    const std::uint8_t* p = &image.pixels8()[i * 4];
    ++boxes[std::size_t(p[0] / 43 * 36 + p[1] / 43 * 6 + p[2] / 43)];
    ++lit;
  }
  return int(std::count_if(boxes.begin(), boxes.end(),
                           [&](int box) { return box > 0 && box * 100 >= lit; }));
}

void measure_patches(const Image& image, Look& look) {
  std::array<int, 64> counts{};
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const auto patch = std::size_t(y * 8 / image.height * 8 + x * 8 / image.width);
      const std::uint8_t* p =
          &image.pixels8()[(std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 4];
      ++counts[patch];
      for (std::size_t c = 0; c < 3; ++c) look.patches[patch][c] += float(p[c]) / 255;
    }
  }
  for (std::size_t patch = 0; patch < 64; ++patch)
    for (float& value : look.patches[patch]) value /= float(std::max(1, counts[patch]));
}

}  // namespace

Look look_of(const Image& image, const RenderStatistics& statistics) {
  Look look;
  const Raster raster = light_of(image);
  const auto count = double(raster.light.size());
  double lit = 0;
  for (std::size_t i = 0; i < raster.light.size(); ++i) {
    const double light = raster.light[i];
    const std::uint8_t* p = &image.pixels8()[i * 4];
    look.brightness += light / count;
    if (light >= lit_light) {
      look.used += 1 / count;
      lit += light;
    }
    look.white += std::min({p[0], p[1], p[2]}) >= 240 ? 1 / count : 0;
  }
  look.lit = look.used > 0 ? lit / (look.used * count) : 0;
  measure_texture(raster, look);
  look.colors = colors_of(image, raster);
  measure_patches(image, look);
  const double samples = double(statistics.samples + statistics.bad_values);
  look.bad = samples > 0 ? double(statistics.bad_values) / samples : 0;
  return look;
}

double distance(const Look& a, const Look& b) {
  double apart = 0, all = 0;
  for (std::size_t patch = 0; patch < 64; ++patch) {
    for (std::size_t c = 0; c < 3; ++c) {
      apart += std::fabs(double(a.patches[patch][c]) - b.patches[patch][c]);
      all += std::max(a.patches[patch][c], b.patches[patch][c]);
    }
  }
  return all > 0 ? apart / all : 0;
}

Taste taste_of_mutants() {
  Taste taste;
  taste.least_distance = 0.02;
  return taste;
}

Taste taste_of_children() {
  Taste taste;
  taste.least_distance = 0.2;
  return taste;
}

std::string_view dull(const Look& look, const Taste& taste) {
  if (look.bad > taste.most_bad) return "lost points";
  if (look.used < taste.least_used) return "empty";
  if (look.brightness < taste.least_brightness) return "dark";
  if (look.white > taste.most_white || look.brightness > taste.most_brightness) return "white";
  if (look.dust > taste.most_dust) return "dusty";
  if (look.detail < taste.least_detail) return "flat";
  if (look.colors < taste.least_colors) return "gray";
  return "";
}

Look look(const Flame& flame, PreviewRenderer& renderer) {
  const double pixels = side * side;
  const Image image = renderer.study(for_measuring(flame), pixels, judged_quality * pixels);
  return look_of(image, renderer.statistics());
}

Look expose(Flame& flame, PreviewRenderer& renderer) {
  constexpr double aim = 0.38, enough = 0.06;  // mean light of what is lit
  Look seen = look(flame, renderer);
  for (int step = 0; step < 2; ++step) {
    if (seen.used == 0 || std::fabs(seen.lit - aim) < enough) break;
    // light goes about as the root that gamma says
    const double factor = exact::pow(aim / seen.lit, std::clamp(flame.gamma, 1.0, 4.0) * 0.8);
    const double brightness = std::clamp(flame.brightness * factor, 0.4, 60.0);
    flame.brightness = std::floor(brightness * 100 + 0.5) / 100;
    seen = look(flame, renderer);
  }
  return seen;
}

}  // namespace kiln
