// SPDX-License-Identifier: MIT
#include "engine/live/camera_moves.h"

#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr double degree = 3.14159265358979323846 / 180;

/// The step in the plane of a step in the picture.
PictureShare plane_step(const Flame& flame, PictureShare step) {
  const exact::SinCos turn = exact::sincos(flame.rotate_deg * degree);
  const double pixels_a_unit = flame.scale * exact::exp2(flame.zoom);
  const double x_px = step.x * flame.width, y_px = step.y * flame.height;
  return {(turn.c * x_px + turn.s * y_px) / pixels_a_unit,
          (turn.c * y_px - turn.s * x_px) / pixels_a_unit};
}

}  // namespace

void pan(Flame& flame, PictureShare shift) {
  const PictureShare step = plane_step(flame, shift);
  flame.center_x -= step.x;
  flame.center_y -= step.y;
}

void zoom(Flame& flame, double factor, PictureShare about) {
  const PictureShare from_middle = plane_step(flame, {about.x - 0.5, about.y - 0.5});
  flame.center_x += from_middle.x * (1 - 1 / factor);
  flame.center_y += from_middle.y * (1 - 1 / factor);
  flame.scale *= factor;  // not flame.zoom, with which the samples grow
}

void rotate(Flame& flame, PictureShare from, PictureShare to) {
  const auto angle = [&](PictureShare at) {
    return exact::atan2((at.y - 0.5) * flame.height, (at.x - 0.5) * flame.width);
  };
  rotate(flame, (angle(to) - angle(from)) / degree);
}

void rotate(Flame& flame, double degrees) {
  flame.rotate_deg += degrees;
  while (flame.rotate_deg > 180) flame.rotate_deg -= 360;
  while (flame.rotate_deg <= -180) flame.rotate_deg += 360;
}

}  // namespace kiln
