#include "engine/model/palette.h"

#include <algorithm>
#include <cmath>

namespace kiln {

Palette stretched(const Palette& palette, std::size_t entries) {
  if (palette.size() == entries) return palette;
  Palette result(entries);
  for (std::size_t i = 0; i < entries; ++i) {
    const double at =
        entries > 1 ? double(i) * double(palette.size() - 1) / double(entries - 1) : 0;
    const std::size_t low = std::min(std::size_t(at), palette.size() - 1);
    const Rgba &p = palette[low], &q = palette[std::min(low + 1, palette.size() - 1)];
    const double t = at - double(low);
    const auto mix = [t](double x, double y) { return (1 - t) * x + t * y; };
    result[i] = {mix(p.r, q.r), mix(p.g, q.g), mix(p.b, q.b), mix(p.a, q.a)};
  }
  return result;
}

void make_equally_long(std::vector<Palette>& palettes) {
  std::size_t longest = 0;
  for (const Palette& palette : palettes) longest = std::max(longest, palette.size());
  for (Palette& palette : palettes)
    if (palette.size() != longest) palette = stretched(palette, longest);
}

Hsv hsv_from_rgb(const Rgba& color) {
  const double max = std::max({color.r, color.g, color.b});
  const double spread = max - std::min({color.r, color.g, color.b});
  if (max == 0 || spread == 0) return {0, 0, max};

  const double r = (max - color.r) / spread;
  const double g = (max - color.g) / spread;
  const double b = (max - color.b) / spread;
  double h = color.r == max ? b - g : color.g == max ? 2 + r - b : 4 + g - r;
  if (h < 0) h += 6;
  return {h, spread / max, max};
}

Rgba rgb_from_hsv(const Hsv& color) {
  double h = color.h - 6 * std::floor(color.h / 6);
  if (!(h >= 0 && h < 6)) h = 0;  // just below 0 rounds up to 6; beyond 2^53 nothing is left of it
  const int sector = int(h);
  const double f = h - sector;
  const double v = color.v;
  const double p = v * (1 - color.s);
  const double q = v * (1 - color.s * f);
  const double t = v * (1 - color.s * (1 - f));
  switch (sector) {
    case 0:
      return {v, t, p, 1};
    case 1:
      return {q, v, p, 1};
    case 2:
      return {p, v, t, 1};
    case 3:
      return {p, q, v, 1};
    case 4:
      return {t, p, v, 1};
    default:
      return {v, p, q, 1};
  }
}

Palette turned(Palette palette, double turns) {
  for (Rgba& color : palette) {
    Hsv hsv = hsv_from_rgb(color);
    hsv.h += 6 * turns;
    const double alpha = color.a;
    color = rgb_from_hsv(hsv);
    color.a = alpha;
  }
  return palette;
}

}  // namespace kiln
