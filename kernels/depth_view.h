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

// A run's points go through it in lanes, one loop for each of these steps: what a picture's view decides is asked outside of
// the loops, and bodies select (DepthLanes).

/// A point before it is projected.
struct DepthPoint {
  Real across, up;  // of the plane through it
  Real toward;      // the eye from the plane in focus
};

/// A point in front of the camera.
KILN_FN DepthPoint turned_to(const DepthView& view, Real x, Real y, Real z) {
  const Real height = z - view.z;
  const Real across = fma(x, view.yaw_cos, y * view.yaw_sin);
  const Real h = fma(y, view.yaw_cos, -(x * view.yaw_sin));
  const Real up = fma(h, view.pitch_cos, -(height * view.pitch_sin));
  return {across, up, fma(h, view.pitch_sin, height * view.pitch_cos)};
}

/// The same point out of focus.
KILN_FN DepthPoint blurred(const DepthView& view, const DepthPoint& point, Random& random) {
  const SinCos turn = sincospi(2 * random.uniform());
  const Real square =
      fma(point.across * point.across, view.width_factor, point.up * point.up * view.height_factor);
  const Real size = view.blur_curve == 0 ? Real(1) : view.blur_curve * square;
  const Real radius = random.uniform() * view.blur * size * point.toward;
  return {fma(radius, turn.c, point.across), fma(radius, turn.s, point.up), point.toward};
}

/// From the eye, 1 for what is in focus.
KILN_FN Real distance_of(const DepthView& view, const DepthPoint& point) {
  return fma(-view.perspective, point.toward, Real(1));
}

/// The factor from lengths at this distance to lengths in the plane in focus.
KILN_FN Real shrinking(Real distance) { return 1 / (distance == 0 ? Real(0x1p-23f) : distance); }

/// The place in the plane where a point is seen.
KILN_FN Vec2 seen_in_plane(const DepthView& view, const DepthPoint& point) {
  const Real over = shrinking(distance_of(view, point));
  return {point.across * over, point.up * over};
}

/// A place beyond every picture.
constexpr Real beyond_pictures = Real(0x1p100f);

/// (x, y) about the middle of the picture.
KILN_FN Vec2 turned_to_picture(const DepthView& view, Real x, Real y) {
  const Real right = x - view.center_x, down = y - view.center_y;
  return {fma(right, view.turn_cos, -(down * view.turn_sin)),
          fma(right, view.turn_sin, down * view.turn_cos)};
}

/// The place in the pictures of two eyes, by one of them.
KILN_FN Vec2 seen_by_an_eye(const DepthView& view, const DepthPoint& point, Random& random) {
  const Real side = random.uniform() < Real(0.5) ? Real(-1) : Real(1);
  const Real distance = distance_of(view, point);
  const Real over = shrinking(distance);
  const Vec2 middle = turned_to_picture(view, point.across * over, point.up * over);
  const Real across = fma(side * view.eye, 1 - over, middle.x);
  const bool is_seen = (distance > 0) & (abs(across) < view.half_width);
  return {is_seen ? fma(side, view.half_width, across) : beyond_pictures,
          is_seen ? middle.y : Real(0)};
}

/// A direction from the eye, of any length.
struct Sight {
  Real right, down, ahead;
};
/// The direction of a point around an eye at its place.
KILN_FN Sight sight_around(const DepthView& view, const DepthPoint& point) {
  const Vec2 aside = turned_to_picture(view, point.across, point.up);
  const Real nearness = abs(view.perspective);
  return {nearness * aside.x, nearness * aside.y, distance_of(view, point)};
}
/// Without perspective a flat picture is laid around the eye by the stereographic projection, which keeps angles.
KILN_FN Sight sight_of_flat(const DepthView& view, const DepthPoint& point) {
  const Vec2 aside = turned_to_picture(view, point.across, point.up);
  const Real right = aside.x * view.flat, down = aside.y * view.flat;
  return {2 * right, 2 * down, 1 - fma(right, right, down * down)};
}

constexpr Real half_turns = Real(0.318309886183790671538);  // in a radian

/// The place on the sphere, in half turns. `level`: the length of (right, ahead).
KILN_FN Real longitude_of(Real right, Real ahead) {
  const Real longitude = atan2(right, ahead);
  return longitude >= pi ? Real(-1) : longitude * half_turns;
}
KILN_FN Real latitude_of(Real down, Real level) { return atan2(down, level) * half_turns; }

/// The place in the dome, in its radii. `aside`: the length of (right, down).
KILN_FN Real radius_of(const DepthView& view, Real aside, Real ahead) {
  return atan2(aside, ahead) * view.dome;
}
KILN_FN Vec2 in_dome(Real right, Real down, Real aside, Real radius) {
  const Real by = aside == 0 ? Real(0) : radius / aside;
  const bool is_outside = radius > 1;
  return {is_outside ? beyond_pictures : right * by, is_outside ? Real(0) : down * by};
}

/// A run's points on their way to where they are seen. `Lanes`: a number of each.
template <class Lanes>
struct DepthLanes {
  Lanes across, up, toward;

  template <class Run, class Randoms>
  KILN_FN void see(const Run& run, const DepthView& view, Lanes& x, Lanes& y, const Lanes& z,
                   Randoms& random) {
    run.each([&](int i) KILN_INLINE { put(i, turned_to(view, x[i], y[i], z[i])); });
    if (view.draws_random()) random.ensure();
    if (view.blur != 0) {
      run.each([&](int i) KILN_INLINE {
        Random lane_random = random.get(i);
        put(i, blurred(view, point(i), lane_random));
        random.set(i, lane_random);
      });
    }
    if (view.projection == projection_plane) {
      each_place(run, x, y, [&](int i) KILN_INLINE { return seen_in_plane(view, point(i)); });
    } else if (view.projection == projection_stereo) {
      each_place(run, x, y, [&](int i) KILN_INLINE {
        Random lane_random = random.get(i);
        const Vec2 place = seen_by_an_eye(view, point(i), lane_random);
        random.set(i, lane_random);
        return place;
      });
    } else {
      if (view.perspective != 0) {
        run.each([&](int i) KILN_INLINE { put(i, sight_around(view, point(i))); });
      } else {
        run.each([&](int i) KILN_INLINE { put(i, sight_of_flat(view, point(i))); });
      }
      if (view.projection == projection_sphere)
        see_sphere(run, x, y);
      else
        see_dome(run, view, x, y);
    }
  }

 private:
  KILN_FN DepthPoint point(int i) const { return {across[i], up[i], toward[i]}; }
  KILN_FN void put(int i, const DepthPoint& point) {
    across[i] = point.across;
    up[i] = point.up;
    toward[i] = point.toward;
  }
  /// A direction in the place of its point.
  KILN_FN void put(int i, const Sight& to) {
    across[i] = to.right;
    up[i] = to.down;
    toward[i] = to.ahead;
  }
  // g++ vectorizes a loop of one angle or one length, and none of both

  template <class Run>
  KILN_FN void see_sphere(const Run& run, Lanes& x, Lanes& y) const {
    run.each([&](int i) KILN_INLINE { y[i] = hypot(across[i], toward[i]); });
    run.each([&](int i) KILN_INLINE { y[i] = latitude_of(up[i], y[i]); });
    run.each([&](int i) KILN_INLINE { x[i] = longitude_of(across[i], toward[i]); });
  }
  template <class Run>
  KILN_FN void see_dome(const Run& run, const DepthView& view, Lanes& x, Lanes& y) const {
    run.each([&](int i) KILN_INLINE { y[i] = hypot(across[i], up[i]); });
    run.each([&](int i) KILN_INLINE { x[i] = radius_of(view, y[i], toward[i]); });
    each_place(run, x, y, [&](int i) KILN_INLINE { return in_dome(across[i], up[i], y[i], x[i]); });
  }
  template <class Run, class PlaceOf>
  static KILN_FN void each_place(const Run& run, Lanes& x, Lanes& y, const PlaceOf& place_of) {
    run.each([&](int i) KILN_INLINE {
      const Vec2 place = place_of(i);
      x[i] = place.x;
      y[i] = place.y;
    });
  }
};

KILN_END
