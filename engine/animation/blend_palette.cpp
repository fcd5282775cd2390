// SPDX-License-Identifier: MIT
// Palettes between key flames (interpolate.h), color by color.
#include <algorithm>

#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/model/palette.h"

namespace kiln {
namespace {

using Weights = std::vector<double>;

Rgba sum_of(const std::array<Rgba, 4>& colors, const Weights& weights) {
  Rgba sum;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    sum.r += weights[k] * colors[k].r;
    sum.g += weights[k] * colors[k].g;
    sum.b += weights[k] * colors[k].b;
    sum.a += weights[k] * colors[k].a;
  }
  return sum;
}

Hsv sum_of(const std::array<Hsv, 4>& colors, const Weights& weights) {
  Hsv sum;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    sum.h += weights[k] * colors[k].h;
    sum.s += weights[k] * colors[k].s;
    sum.v += weights[k] * colors[k].v;
  }
  return sum;
}

Rgba mixed(const Rgba& first, const Rgba& second, double share_of_first) {
  const double rest = 1 - share_of_first;
  return {share_of_first * first.r + rest * second.r, share_of_first * first.g + rest * second.g,
          share_of_first * first.b + rest * second.b, 1};
}

inline double unit(double value) { return std::clamp(value, 0.0, 1.0); }
inline Rgba unit(const Rgba& c) { return {unit(c.r), unit(c.g), unit(c.b), unit(c.a)}; }

}  // namespace

PaletteBlend::PaletteBlend(const std::vector<const Flame*>& flames)
    : rule_(flames.at(0)->palette_interpolation),
      share_of_rgb_(flames.at(0)->hsv_rgb_palette_blend) {
  KILN_CHECK(flames.size() <= 4, "{} palettes", flames.size());
  std::vector<Palette> palettes;
  for (const Flame* flame : flames) palettes.push_back(flame->palette);
  make_equally_long(palettes);
  entries_.reserve(palettes[0].size());
  for (std::size_t i = 0; i < palettes[0].size(); ++i) {
    entries_.push_back(prepared(palettes, i));
    stands_still_ = stands_still_ && entries_.back().all_equal;
  }
}

PaletteBlend::Entry PaletteBlend::prepared(const std::vector<Palette>& palettes,
                                           std::size_t index) const {
  Entry entry;
  entry.all_equal = entry.opaque = true;
  for (std::size_t k = 0; k < palettes.size(); ++k) {
    const Rgba& color = palettes[k][index];
    entry.rgb[k] = color;
    entry.all_equal = entry.all_equal && color == entry.rgb[0];
    entry.opaque = entry.opaque && color.a == 1;
  }
  const bool circular = rule_ == PaletteInterpolation::hsv_circular;
  if (entry.all_equal || (rule_ != PaletteInterpolation::hsv && !circular)) return entry;
  for (std::size_t k = 0; k < palettes.size(); ++k) entry.hsv[k] = hsv_from_rgb(entry.rgb[k]);
  if (circular && palettes.size() == 2) {  // of two hues the shorter arc
    const double arc = entry.hsv[1].h - entry.hsv[0].h;
    if (arc > 3) entry.hsv[0].h += 6;
    if (arc < -3) entry.hsv[0].h -= 6;
  }
  return entry;
}

Rgba PaletteBlend::blended(const Entry& entry, const Weights& weights) const {
  const bool circular = rule_ == PaletteInterpolation::hsv_circular;
  const bool with_rgb =
      rule_ == PaletteInterpolation::rgb || (circular && share_of_rgb_ != 0) || !entry.opaque;
  const Rgba in_rgb = with_rgb ? sum_of(entry.rgb, weights) : Rgba{};
  Rgba color = in_rgb;
  if (rule_ != PaletteInterpolation::rgb) color = rgb_from_hsv(sum_of(entry.hsv, weights));
  if (circular && share_of_rgb_ != 0) color = mixed(in_rgb, color, share_of_rgb_);
  color.a = entry.opaque ? 1 : in_rgb.a;  // the weights sum to 1 but for rounding
  return color;
}

Palette PaletteBlend::at(const Weights& weights) const {
  Palette palette(entries_.size());
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.all_equal) {
      palette[i] = unit(entry.rgb[0]);
    } else if (rule_ == PaletteInterpolation::sweep) {  // a border wanders over the palette
      palette[i] = unit(entry.rgb[double(i) < double(palette.size()) * weights[0] ? 0 : 1]);
    } else {
      palette[i] = unit(blended(entry, weights));
    }
  }
  return palette;
}

}  // namespace kiln
