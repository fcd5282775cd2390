// The camera of pictures with depth, as Ember has it: points are turned by yaw and pitch about the
// origin, seen in perspective, and blurred where they are out of focus. It stands between the flame
// and the plane that the picture is cut from; the points of the game stay where they are.
//
//   X = x cos q + y sin q     h = y cos q - x sin q           q: yaw, p: pitch
//   Y = h cos p - Z sin p     D = h sin p + Z cos p           Z = z - that of the plane in focus
//   (x', y') = ((X, Y) + a disc of the size of the blur times D) / (1 - perspective D)
//
// The disc is denser in its middle: its radius is uniform.
#pragma once

#include "kernels/math.h"
#include "kernels/random.h"

KILN_BEGIN

/// The camera at one moment.
struct DepthView {
  Real pitch_sin, pitch_cos, yaw_sin, yaw_cos;
  Real z, perspective;
  Real blur;  // 0: no draw is made
  // not 0: the blur is multiplied by this times the squared distance from the middle, in half
  // widths and heights of the picture
  Real blur_curve;
  Real width_factor, height_factor;  // 1 / (half the width)^2 and the height, in units of the flame
};

/// Where a point is seen.
KILN_FN Vec2 seen_from(const DepthView& view, Real x, Real y, Real z, Random& random) {
  const Real height = z - view.z;
  const Real across = fma(x, view.yaw_cos, y * view.yaw_sin);
  const Real h = fma(y, view.yaw_cos, -(x * view.yaw_sin));
  const Real up = fma(h, view.pitch_cos, -(height * view.pitch_sin));
  const Real toward = fma(h, view.pitch_sin, height * view.pitch_cos);
  const Real distance = fma(-view.perspective, toward, Real(1));
  const Real over = 1 / (distance == 0 ? Real(0x1p-23f) : distance);
  if (view.blur == 0) return {across * over, up * over};
  const SinCos turn = sincospi(2 * random.uniform());
  const Real square = fma(across * across, view.width_factor, up * up * view.height_factor);
  const Real size = view.blur_curve == 0 ? Real(1) : view.blur_curve * square;
  const Real radius = random.uniform() * view.blur * size * toward;
  return {fma(radius, turn.c, across) * over, fma(radius, turn.s, up) * over};
}

KILN_END
