// SPDX-License-Identifier: MIT
#include "engine/model/palette.h"

#include <algorithm>
#include <cmath>

#include "engine/model/exact_math.h"

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

Lab lab_from_rgb(const Rgba& color) {
  const auto light = [](double v) {
    v = std::clamp(v, 0.0, 1.0);
    return v <= 0.04045 ? v / 12.92 : exact::pow((v + 0.055) / 1.055, 2.4);
  };
  const auto root = [](double v) { return v > 0 ? exact::pow(v, 1.0 / 3) : 0.0; };
  const double r = light(color.r), g = light(color.g), b = light(color.b);
  const double l = root(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = root(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = root(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Rgba bytes_from_lab(const Lab& lab) {
  const double l = lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b;
  const double m = lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b;
  const double s = lab.l - 0.0894841775 * lab.a - 1.2914855480 * lab.b;
  const double l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
  const auto byte = [](double v) {
    v = std::clamp(v, 0.0, 1.0);
    const double encoded = v <= 0.0031308 ? 12.92 * v : 1.055 * exact::pow(v, 1 / 2.4) - 0.055;
    return std::floor(encoded * 255 + 0.5) / 255;
  };
  return {byte(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
          byte(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
          byte(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3), 1};
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
