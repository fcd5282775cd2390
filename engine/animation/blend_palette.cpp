#include "engine/animation/blend_palette.h"

#include <algorithm>

#include "engine/model/hsv.h"

namespace kiln {
namespace {

struct Blend {
  const std::vector<const Flame*>& flames;
  const std::vector<double>& weights;
  std::size_t entry;

  const Rgba& color(std::size_t k) const { return flames[k]->palette[entry]; }
};

Rgba in_rgb(const Blend& blend) {
  Rgba sum;
  for (std::size_t k = 0; k < blend.weights.size(); ++k) {
    const Rgba& color = blend.color(k);
    const double weight = blend.weights[k];
    sum.r += weight * color.r;
    sum.g += weight * color.g;
    sum.b += weight * color.b;
  }
  return sum;
}

/// `short_way`: of two colours the second's hue goes to the first's by the shorter arc.
Rgba in_hsv(const Blend& blend, bool short_way) {
  std::vector<Hsv> colors;
  for (std::size_t k = 0; k < blend.weights.size(); ++k)
    colors.push_back(hsv_from_rgb(blend.color(k)));
  if (short_way && colors.size() == 2) {
    const double difference = colors[1].h - colors[0].h;
    if (difference > 3) colors[0].h += 6;
    if (difference < -3) colors[0].h -= 6;
  }
  Hsv sum;
  for (std::size_t k = 0; k < colors.size(); ++k) {
    const double weight = blend.weights[k];
    sum.h += weight * colors[k].h;
    sum.s += weight * colors[k].s;
    sum.v += weight * colors[k].v;
  }
  return rgb_from_hsv(sum);
}

Rgba mixed(const Rgba& first, const Rgba& second, double share_of_first) {
  const double rest = 1 - share_of_first;
  return {share_of_first * first.r + rest * second.r, share_of_first * first.g + rest * second.g,
          share_of_first * first.b + rest * second.b, 1};
}

double blended_alpha(const Blend& blend) {
  double sum = 0;
  bool opaque = true;
  for (std::size_t k = 0; k < blend.weights.size(); ++k) {
    sum += blend.weights[k] * blend.color(k).a;
    opaque = opaque && blend.color(k).a == 1;
  }
  return opaque ? 1 : sum;  // the weights sum to 1 but for rounding
}

Rgba blended(const Blend& blend) {
  const Flame& rule = *blend.flames[0];
  Rgba color;
  switch (rule.palette_interpolation) {
    case PaletteInterpolation::rgb:
      color = in_rgb(blend);
      break;
    case PaletteInterpolation::hsv:
      color = in_hsv(blend, false);
      break;
    case PaletteInterpolation::hsv_circular:
      color = in_hsv(blend, true);
      if (rule.hsv_rgb_palette_blend != 0)
        color = mixed(in_rgb(blend), color, rule.hsv_rgb_palette_blend);
      break;
    case PaletteInterpolation::sweep:  // a border wanders over the palette
      return double(blend.entry) < 256 * blend.weights[0] ? blend.color(0) : blend.color(1);
  }
  color.a = blended_alpha(blend);
  return color;
}

double unit(double value) { return std::clamp(value, 0.0, 1.0); }

}  // namespace

Palette blend_palettes(const std::vector<const Flame*>& flames,
                       const std::vector<double>& weights) {
  Palette palette;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const Rgba color = blended({flames, weights, i});
    palette[i] = {unit(color.r), unit(color.g), unit(color.b), unit(color.a)};
  }
  return palette;
}

}  // namespace kiln
