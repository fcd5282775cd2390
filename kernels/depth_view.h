// SPDX-License-Identifier: MIT
// The camera of pictures with depth, as Ember has it: points are turned by yaw and pitch about the
// origin, seen in perspective, and blurred where they are out of focus. It stands between the flame
// and the plane that the picture is cut from; the points of the game stay where they are.
//
//   X = x cos q + y sin q     h = y cos q - x sin q           q: yaw, p: pitch
//   Y = h cos p - Z sin p     D = h sin p + Z cos p           Z = z - that of the plane in focus
//   (x', y') = ((X, Y) + a disc of the size of the blur times D) / (1 - perspective D)
//
// The disc is denser in its middle: its radius is uniform.
//
// So the eye is 1 / perspective in front of the plane in focus. Of what it sees around it a picture
// may show more than a plane can (docs/use/sphere.md):
//
//   sphere  all of it: longitude across, latitude down (equirectangular)
//   dome    what lies within an angle of straight ahead: the angle is the distance from the middle
//   stereo  what two eyes see of the plane, side by side; each point is seen by one of them
#pragma once

#include "kernels/math.h"
#include "kernels/random.h"

KILN_BEGIN

/// DepthView::projection, in the order of Projection (engine/model/flame.h).
constexpr i32 projection_plane = 0, projection_sphere = 1, projection_dome = 2,
              projection_stereo = 3;

/// The camera at one time sample.
struct DepthView {
  Real pitch_sin, pitch_cos, yaw_sin, yaw_cos;
  Real z, perspective;
  Real blur;  // 0: no draw is made
  // not 0: the blur is multiplied by this times the squared distance from the middle, in half
  // widths and heights of the picture
  Real blur_curve;
  Real width_factor, height_factor;  // 1 / (half the width)^2 and the height, in units of the flame

  i32 projection;
  // The rest is of other projections than the plane, where the raster only moves and enlarges.
  Real turn_sin, turn_cos, center_x, center_y;
  Real flat;  // sphere, dome without perspective: 1 / (distance of what is seen at 90 degrees)
  Real dome;  // 1 / (the angle at the rim)
  Real eye;   // stereo: half of the distance between the eyes
  Real half_width;  // stereo: of the picture of one eye, in units of the flame

  KILN_FN bool draws_random() const { return blur != 0 || projection == projection_stereo; }
};

/// A point before it is projected.
struct DepthPoint {
  Real across, up;  // of the plane through it
  Real distance;    // from the eye, 1 for what is in focus
};

/// A point in front of the camera, blurred.
KILN_FN DepthPoint turned_to(const DepthView& view, Real x, Real y, Real z, Random& random) {
  const Real height = z - view.z;
  const Real across = fma(x, view.yaw_cos, y * view.yaw_sin);
  const Real h = fma(y, view.yaw_cos, -(x * view.yaw_sin));
  const Real up = fma(h, view.pitch_cos, -(height * view.pitch_sin));
  const Real toward = fma(h, view.pitch_sin, height * view.pitch_cos);
  const Real distance = fma(-view.perspective, toward, Real(1));
  if (view.blur == 0) return {across, up, distance};
  const SinCos turn = sincospi(2 * random.uniform());
  const Real square = fma(across * across, view.width_factor, up * up * view.height_factor);
  const Real size = view.blur_curve == 0 ? Real(1) : view.blur_curve * square;
  const Real radius = random.uniform() * view.blur * size * toward;
  return {fma(radius, turn.c, across), fma(radius, turn.s, up), distance};
}

/// The factor from lengths at this distance to lengths in the plane in focus.
KILN_FN Real shrinking(Real distance) { return 1 / (distance == 0 ? Real(0x1p-23f) : distance); }

/// The place in the plane where a point is seen.
KILN_FN Vec2 seen_from(const DepthView& view, Real x, Real y, Real z, Random& random) {
  const DepthPoint point = turned_to(view, x, y, z, random);
  const Real over = shrinking(point.distance);
  return {point.across * over, point.up * over};
}

/// A place beyond every picture.
KILN_FN Vec2 unseen() { return {0x1p100f, 0}; }

/// (x, y) about the middle of the picture.
KILN_FN Vec2 turned_to_picture(const DepthView& view, Real x, Real y) {
  const Real right = x - view.center_x, down = y - view.center_y;
  return {fma(right, view.turn_cos, -(down * view.turn_sin)),
          fma(right, view.turn_sin, down * view.turn_cos)};
}

constexpr Real half_turns = Real(0.318309886183790671538);  // in a radian

/// The place of a direction on the sphere or the dome: in half turns, or in radii of the dome.
KILN_FN Vec2 place_of_direction(const DepthView& view, Real right, Real down, Real ahead) {
  if (view.projection == projection_sphere) {
    const Real longitude = atan2(right, ahead), latitude = atan2(down, hypot(right, ahead));
    return {longitude >= pi ? Real(-1) : longitude * half_turns, latitude * half_turns};
  }
  const Real aside = hypot(right, down);
  const Real radius = atan2(aside, ahead) * view.dome;
  const Real by = aside == 0 ? Real(0) : radius / aside;
  return radius > 1 ? unseen() : Vec2{right * by, down * by};
}

/// The place where a point is seen in a picture that is not one of the plane.
KILN_FN Vec2 seen_around(const DepthView& view, Real x, Real y, Real z, Random& random) {
  const DepthPoint point = turned_to(view, x, y, z, random);
  if (view.projection == projection_stereo) {
    const Real side = random.uniform() < Real(0.5) ? Real(-1) : Real(1);
    const Real over = shrinking(point.distance);
    const Vec2 middle = turned_to_picture(view, point.across * over, point.up * over);
    const Real across = fma(side * view.eye, 1 - over, middle.x);
    const bool is_seen = point.distance > 0 && abs(across) < view.half_width;
    return is_seen ? Vec2{fma(side, view.half_width, across), middle.y} : unseen();
  }
  const Vec2 aside = turned_to_picture(view, point.across, point.up);
  if (view.perspective != 0) {
    const Real nearness = abs(view.perspective);
    return place_of_direction(view, nearness * aside.x, nearness * aside.y, point.distance);
  }
  // a flat picture is laid around the eye by the stereographic projection, which keeps angles
  const Real right = aside.x * view.flat, down = aside.y * view.flat;
  return place_of_direction(view, 2 * right, 2 * down, 1 - fma(right, right, down * down));
}

KILN_END
