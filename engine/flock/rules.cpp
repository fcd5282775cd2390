// SPDX-License-Identifier: MIT
// What becomes of a flame without chance (flock.h): turns, ways between two, symmetries, strips, parts.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/animation/frame_at.h"
#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/flock/chance.h"
#include "engine/flock/flock.h"
#include "engine/io/flame/xform_reader.h"

namespace kiln {

namespace {

/// Whether the map turns or mirrors, and nothing else; as exact as six digits are.
bool keeps_lengths(const AffineD& m) {
  constexpr double exact_to = 1e-5;
  return m.c == 0 && m.f == 0 && std::fabs(m.a * m.a + m.d * m.d - 1) < exact_to &&
         std::fabs(m.b * m.b + m.e * m.e - 1) < exact_to &&
         std::fabs(m.a * m.b + m.d * m.e) < exact_to;
}

}  // namespace

bool is_of_symmetry(const Xform& xform) {
  const auto& weights = xform.variations;
  return xform.color_speed == 0 && xform.animate == 0 && weights[0] == 1 &&
         std::all_of(weights.begin() + 1, weights.end(), [](double w) { return w == 0; }) &&
         xform.staged.empty() && keeps_lengths(xform.coefs) && xform.post == AffineD{};
}

Flame turned_flame(const Flame& flame, double degrees) {
  Flame turned = loop_at(flame, degrees / 360);
  turned.name = flame.name;
  turned.time = flame.time;
  return turned;
}

Flame flame_between(const Flame& first, const Flame& second, double share) {
  std::vector<Flame> keys = {first, second};
  keys[0].time = 0;
  keys[1].time = 1;
  if (share == 0 || share == 1) return share == 0 ? first : second;
  Flame between = interpolate(keys, share);
  between.source = first.source;
  between.time = first.time;
  return between;
}

Flame with_symmetry(const Flame& flame, int kind) {
  Flame changed = flame;
  for (std::size_t x = changed.xforms.size(); x-- > 0;)
    if (is_of_symmetry(changed.xforms[x])) remove_xform(changed, x);
  if (kind == 1) return changed;
  // a final xform would be sorted among those of the symmetry
  std::optional<Xform> last = std::exchange(changed.final_xform, std::nullopt);
  append_symmetry(kind, changed);
  changed.final_xform = std::move(last);
  return changed;
}

std::vector<Flame> strips(const Flame& flame, int count) {
  if (count < 1 || count > flame.height)
    fail(ErrorKind::usage, "{}: {} rows do not make {} strips; ask for fewer", flame.place(),
         flame.height, count);
  const exact::SinCos turn = exact::sincos(flame.rotate_deg * exact::pi / 180);
  const double pixels_a_unit = flame.scale * exact::exp2(flame.zoom);
  std::vector<Flame> all;
  int top = 0;
  for (int s = 0; s < count; ++s) {
    const int bottom = int((long long)flame.height * (s + 1) / count);
    Flame strip = flame;
    strip.height = bottom - top;
    // the light of a pixel is that of the whole picture's samples
    strip.quality = flame.quality * flame.height / strip.height;
    const double down = ((top + bottom) / 2.0 - flame.height / 2.0) / pixels_a_unit;
    strip.center_x += turn.s * down;
    strip.center_y += turn.c * down;
    all.push_back(std::move(strip));
    top = bottom;
  }
  return all;
}

std::vector<Flame> layers(const Flame& flame) {
  std::vector<Flame> all;
  for (std::size_t x = 0; x < flame.xforms.size(); ++x) {
    Flame layer = flame;
    for (std::size_t other = 0; other < layer.xforms.size(); ++other)
      if (other != x) layer.xforms[other].opacity = 0;
    all.push_back(std::move(layer));
  }
  return all;
}

std::vector<Flame> each_without(const Flame& flame) {
  std::vector<Flame> all;
  for (std::size_t x = 0; flame.xforms.size() > 1 && x < flame.xforms.size(); ++x) {
    all.push_back(flame);
    all.back().leave_film();  // they name xforms by number
    all.back().links.clear();
    remove_xform(all.back(), x);
  }
  return all;
}

}  // namespace kiln
