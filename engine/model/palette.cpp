#include "engine/model/palette.h"

#include <algorithm>

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

}  // namespace kiln
