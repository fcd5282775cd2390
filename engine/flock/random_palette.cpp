// SPDX-License-Identifier: MIT
// Palettes by chance: four to eight keys, whose hues go together and whose light goes up and down, and
// between them a smooth way in Oklab (engine/model/palette.h).
#include <array>

#include "engine/flock/chance.h"
#include "engine/flock/flock.h"
#include "engine/model/palette.h"

namespace kiln {
namespace {

/// Hues in turns that go together: opposites, three or two of a kind, one accent among neighbors, a part
/// of the circle.
constexpr std::array<std::array<double, 4>, 8> schemes = {{{0, 0.5, 0.06, 0.55},
                                                           {0, 0.08, 0.45, 0.12},
                                                           {0, 0.33, 0.67, 0.1},
                                                           {0, 0.28, 0.06, 0.34},
                                                           {0, 0.12, 0.24, 0.36},
                                                           {0, 0.42, 0.58, 0.04},
                                                           {0, 0.06, 0.14, 0.6},
                                                           {0, 0.2, 0.5, 0.7}}};

}  // namespace

Palette random_palette(std::uint64_t seed) {
  Chance chance(seed);
  const auto& scheme = chance.one_of(schemes);
  const double first_hue = chance.unit();
  const int keys = chance.whole(4, 8);
  const double color = chance.between(0.1, 0.22);
  std::vector<Lab> key;
  std::vector<double> at;
  const bool begins_dark = chance.happens(0.5);
  for (int k = 0; k < keys; ++k) {
    const bool dark = (k % 2 == 0) == begins_dark;
    const double light = dark ? chance.between(0.25, 0.55) : chance.between(0.62, 0.92);
    // the brightest and the darkest have less color: they would be cut off
    const double strength = color * (light > 0.85 ? 0.6 : light < 0.35 ? 0.7 : 1);
    const exact::SinCos hue =
        exact::sincos(exact::two_pi * (first_hue + scheme[std::size_t(k) % scheme.size()]));
    key.push_back({light, strength * hue.c, strength * hue.s});
    at.push_back(k == 0 ? 0 : at.back() + chance.between(0.5, 1.5));
  }
  Palette palette;
  std::size_t k = 0;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double here = at.back() * double(i) / double(palette.size() - 1);
    while (k + 2 < key.size() && here > at[k + 1]) ++k;
    const double t = (here - at[k]) / (at[k + 1] - at[k]);
    const double share = t * t * (3 - 2 * t);
    const auto mixed = [&](double from, double to) { return from + (to - from) * share; };
    palette[i] = bytes_from_lab({mixed(key[k].l, key[k + 1].l), mixed(key[k].a, key[k + 1].a),
                                 mixed(key[k].b, key[k + 1].b)});
  }
  return palette;
}

}  // namespace kiln
