// SPDX-License-Identifier: MIT
// Colors of a picture as a palette (flame_options.h). Its pixels, or every n-th of many, are cut into
// sixteen parts of Oklab, at each step the one that is spread most, at its mean (after P. Heckbert's
// median cut, 1982). The means stand in one of two orders, as wide as the root of their weights, so that
// small things with a color of their own are seen too, and straight lines lie between them.
#include <algorithm>
#include <cmath>

#include "engine/io/flame/flame_options.h"
#include "engine/measure/flip.h"
#include "engine/model/palette.h"
#include "engine/model/transfer.h"

namespace kiln {
namespace {

constexpr std::size_t most_looked_at = 1 << 16;  // pixels
constexpr std::size_t parts = 16;

std::vector<Lab> colors_of_pixels(const Image& image) {
  const std::size_t count = std::size_t(image.width) * std::size_t(image.height);
  const std::size_t step = count / most_looked_at + 1;
  std::vector<Lab> colors;
  for (std::size_t i = 0; i < count; i += step) {
    const Color3 light = shown_light(image, i);
    colors.push_back(lab_from_rgb({srgb_of(light.x), srgb_of(light.y), srgb_of(light.z), 1}));
  }
  return colors;
}

/// Some of the pixels.
struct Part {
  std::vector<Lab> colors;
  Lab mean;
  double Lab::*widest = &Lab::l;
  double spread = 0;  // all squares along it

  explicit Part(std::vector<Lab> given) : colors(std::move(given)) {
    for (double Lab::*axis : {&Lab::l, &Lab::a, &Lab::b}) {
      double sum = 0, squares = 0;
      for (const Lab& color : colors) sum += color.*axis;
      mean.*axis = sum / double(colors.size());
      for (const Lab& color : colors)
        squares += (color.*axis - mean.*axis) * (color.*axis - mean.*axis);
      if (squares <= spread) continue;
      spread = squares;
      widest = axis;
    }
  }
};

double apart(const Lab& a, const Lab& b) {
  return std::sqrt((a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) +
                   (a.b - b.b) * (a.b - b.b));
}

/// Orders colors from the darkest on, each time to the nearest of those that are left; then pieces
/// are turned round as long as the way becomes shorter.
void order_along_the_way(std::vector<Part>& all) {
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto nearer = [&](const Part& a, const Part& b) {
      return apart(all[i - 1].mean, a.mean) < apart(all[i - 1].mean, b.mean);
    };
    std::iter_swap(all.begin() + std::ptrdiff_t(i),
                   std::min_element(all.begin() + std::ptrdiff_t(i), all.end(), nearer));
  }
  const auto step = [&](std::size_t i) {  // from i to the next
    return i + 1 < all.size() ? apart(all[i].mean, all[i + 1].mean) : 0;
  };
  for (bool is_shorter = true; is_shorter;) {
    is_shorter = false;
    for (std::size_t i = 0; i + 2 < all.size(); ++i) {
      for (std::size_t j = i + 2; j < all.size(); ++j) {
        const double now = step(i) + step(j);
        const double then = apart(all[i].mean, all[j].mean) +
                            (j + 1 < all.size() ? apart(all[i + 1].mean, all[j + 1].mean) : 0);
        if (then > now - 1e-9) continue;
        std::reverse(all.begin() + std::ptrdiff_t(i) + 1, all.begin() + std::ptrdiff_t(j) + 1);
        is_shorter = true;
      }
    }
  }
}

Palette with_widths(const std::vector<Part>& all) {
  std::vector<double> at;  // middles
  double end = 0;
  for (const Part& part : all) {
    const double width = std::sqrt(double(part.colors.size()));
    at.push_back(end + width / 2);
    end += width;
  }
  Palette palette;
  std::size_t k = 0;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double here = end * double(i) / double(palette.size() - 1);
    while (k + 1 < all.size() && here > at[k + 1]) ++k;
    const std::size_t next = std::min(k + 1, all.size() - 1);
    const double way = at[next] - at[k];
    const double share = way > 0 ? std::clamp((here - at[k]) / way, 0.0, 1.0) : 0;
    const auto mixed = [&](double from, double to) { return from + (to - from) * share; };
    const Lab &a = all[k].mean, &b = all[next].mean;
    palette[i] = bytes_from_lab({mixed(a.l, b.l), mixed(a.a, b.a), mixed(a.b, b.b)});
  }
  return palette;
}

}  // namespace

Palette palette_of_picture(const Image& image, ColorOrder order) {
  std::vector<Part> all = {Part(colors_of_pixels(image))};
  while (all.size() < parts) {
    const auto most = std::max_element(
        all.begin(), all.end(), [](const Part& a, const Part& b) { return a.spread < b.spread; });
    if (most->spread <= 1e-9) break;  // all colors are one
    const double middle = most->mean.*(most->widest);
    std::vector<Lab> below, above;
    for (const Lab& color : most->colors)
      (color.*(most->widest) < middle ? below : above).push_back(color);
    if (below.empty() || above.empty()) break;
    *most = Part(std::move(below));
    all.emplace_back(std::move(above));
  }
  std::sort(all.begin(), all.end(),
            [](const Part& a, const Part& b) { return a.mean.l < b.mean.l; });
  if (order == ColorOrder::way) order_along_the_way(all);
  return with_widths(all);
}

}  // namespace kiln
