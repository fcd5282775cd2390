// SPDX-License-Identifier: MIT
// Where the camera of a flame belongs: it looks from afar, small and dark, and moves to what shines (flock.h).
#include <algorithm>
#include <cmath>

#include "engine/flock/flock.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr int far_side = 96;           // pixels of a look from afar
constexpr double usual_reach = 8;      // units that it is wide
constexpr double least_length = 0.02;  // of its side: less would be a few points of light

/// The box around the light in a square of the plane, as shares of its side.
struct LightBox {
  double left, right, top, bottom;
  double lit;  // share of its pixels

  double width() const { return std::max(right - left, least_length); }
  double height() const { return std::max(bottom - top, least_length); }
  double across() const { return (left + right) / 2 - 0.5; }
  double down() const { return (top + bottom) / 2 - 0.5; }
};

/// The begin and the end of the light along one axis, as shares of its length.
std::array<double, 2> extent(const std::vector<double>& light) {
  constexpr double outside = 0.02;  // share of the light that may be beyond each side
  double all = 0, sum = 0;
  for (const double value : light) all += value;
  std::array<double, 2> ends = {0, 1};
  for (std::size_t i = 0; i < light.size(); ++i) {
    const double before = sum;
    sum += light[i];
    const double at = double(i) / double(light.size());
    if (before <= outside * all && sum > outside * all) ends[0] = at;
    if (before < (1 - outside) * all && sum >= (1 - outside) * all)
      ends[1] = at + 1.0 / double(light.size());
  }
  return ends;
}

/// The box in a square so many units wide about the flame's center, turned as its camera is.
LightBox light_box(Flame flame, double reach, PreviewRenderer& renderer) {
  flame.width = flame.height = far_side;
  flame.scale = far_side / reach;
  flame.zoom = 0;
  flame.background = {0, 0, 0};
  flame.background_type = BackgroundType::single_color;
  flame.effects = {};
  flame.estimator_radius = 0;
  flame.quality = 16;
  const Image image = renderer.study(flame, far_side * far_side, 16 * far_side * far_side);
  std::vector<double> columns(far_side), rows(far_side);
  int lit = 0;
  for (std::size_t i = 0; i < far_side * far_side; ++i) {
    const std::uint8_t* p = &image.pixels8()[i * 4];
    const double light = (0.3 * p[0] + 0.59 * p[1] + 0.11 * p[2]) / 255;
    lit += light > 0.04;
    columns[i % far_side] += light;
    rows[i / far_side] += light;
  }
  const auto [left, right] = extent(columns);
  const auto [top, bottom] = extent(rows);
  return {left, right, top, bottom, double(lit) / (far_side * far_side)};
}

/// The scale by which the box fills so much of the picture.
double scale_of(const Flame& flame, const LightBox& box, double reach, double filled) {
  return filled *
         std::min(flame.width / (reach * box.width()), flame.height / (reach * box.height()));
}

bool frame_within(Flame& flame, double reach, PreviewRenderer& renderer) {
  const LightBox box = light_box(flame, reach, renderer);
  if (box.lit < 0.005) return false;
  flame.center_x += box.across() * reach;
  flame.center_y += box.down() * reach;
  flame.scale = scale_of(flame, box, reach, 0.92);
  return true;
}

}  // namespace

bool frame_by_light(Flame& flame, PreviewRenderer& renderer) {
  flame.center_x = flame.center_y = flame.zoom = flame.rotate_deg = 0;
  if (!frame_within(flame, usual_reach, renderer)) return false;
  const double wide = std::max(flame.width, flame.height) / flame.scale;
  // of a small thing the first look saw a few pixels
  const bool is_found = wide > usual_reach / 3 || frame_within(flame, 1.3 * wide, renderer);
  // five digits are enough to point a camera
  for (double* number : {&flame.center_x, &flame.center_y, &flame.scale})
    *number = std::floor(*number * 1e5 + 0.5) / 1e5;
  return is_found;
}

bool fit_by_light(Flame& flame, PreviewRenderer& renderer) {
  constexpr double widest = usual_reach * 4096, edge = 0.03, large = 0.4, room = 1.5, filled = 0.9;
  constexpr int closer_looks = 12, most_looks = 16;
  const exact::SinCos turn = exact::sincos(flame.rotate_deg * exact::pi / 180);
  Flame far = flame;
  far.center_x = far.center_y = 0;
  double reach = usual_reach;
  for (int look = 0; look < most_looks && reach <= widest; ++look) {
    // the wider the dimmer
    far.brightness = flame.brightness * reach * reach / (usual_reach * usual_reach);
    const LightBox box = light_box(far, reach, renderer);
    const bool is_cut = box.lit == 0 || std::min(box.left, box.top) < edge ||
                        std::max(box.right, box.bottom) > 1 - edge;
    const double size = std::max(box.width(), box.height());
    if (!is_cut) {
      const double across = box.across() * reach, down = box.down() * reach;
      far.center_x += turn.c * across + turn.s * down;
      far.center_y += turn.c * down - turn.s * across;
    }
    if (is_cut || (size < large && look < closer_looks)) {  // from further away, or closer
      reach *= is_cut ? 3 : room * size;
      continue;
    }
    flame.center_x = far.center_x;
    flame.center_y = far.center_y;
    flame.scale = scale_of(flame, box, reach, filled) / exact::exp2(flame.zoom);
    return true;
  }
  return false;
}

}  // namespace kiln
