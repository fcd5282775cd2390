// SPDX-License-Identifier: MIT
// What JWildfire means by names that others have too, where that is another formula
// (engine/model/meanings.h).
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/basic.h"
#include "kernels/variations/blurs.h"
#include "kernels/variations/jwildfire_numbers.h"
#include "kernels/variations/plugin_cells.h"
#include "kernels/variations/plugin_crops.h"

KILN_BEGIN

/// A disc turned and twisted about a center that is not weighed.
struct JWildfireLazySusan {
  static constexpr auto info =
      describe("jwildfire_lazysusan", "jwildfire_lazysusan_spin", "jwildfire_lazysusan_space",
               "jwildfire_lazysusan_twist", "jwildfire_lazysusan_x", "jwildfire_lazysusan_y");
  KILN_DRAWN({-3, 3}, {-0.3, 0.5}, {-0.6, 0.6}, {-0.3, 0.3}, {-0.3, 0.3});
  static constexpr bool weighs_depth = true;
  float spin = pi, space = 0, twist = 0, x = 0, y = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real w = in.weight, u = in.p.x - x, v = in.p.y + y, r = sqrt(fma(u, u, v * v));
    const Vec2 inside = from_polar(w * r, atan2(v, u) + spin + twist * (w - r));
    const Real k = w * (1 + space / r);
    const Vec2 at = r < w ? inside : Vec2{u, v} * k;
    return {at.x + x, at.y - y};
  }
};

/// splits whose halves slide along their border, too.
struct JWildfireSplits {
  static constexpr auto info = describe(
      "jwildfire_splits", "jwildfire_splits_x", "jwildfire_splits_y", "jwildfire_splits_lshear",
      "jwildfire_splits_rshear", "jwildfire_splits_ushear", "jwildfire_splits_dshear");
  KILN_DRAWN(either_sign(0.2, 0.8), either_sign(0.2, 0.8), {-0.4, 0.4}, {-0.4, 0.4}, {-0.4, 0.4},
             {-0.4, 0.4});
  static constexpr bool weighs_depth = true;
  float dx = Real(0.4), dy = Real(0.6), left = 0, right = 0, up = 0, down = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real across = y >= 0 ? up : -down, along = x >= 0 ? right : -left;
    return Vec2{(x >= 0 ? x + dx : x - dx) + across, (y >= 0 ? y + dy : y - dy) + along} *
           in.weight;
  }
};

/// cylinder, which makes no depth there.
struct JWildfireCylinder {
  static constexpr auto info = describe("jwildfire_cylinder");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const { return Vec2{sin(in.p.x), in.p.y} * in.weight; }
};

/// pre_blur3D, as its pre_ form: the sum of six numbers, toward the upper half of a turn.
struct JWildfireBlur3D {
  static constexpr auto info = describe("jwildfire_blur3D");
  static constexpr bool random_draws = true, adds_to_the_point = true, makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [sa, ca] = sincospi(2 * in.rng.uniform());
    const auto [sb, cb] = sincospi(in.rng.uniform());
    Real sum = -3;
    for (int k = 0; k < 6; ++k) sum += in.rng.uniform();
    return Vec3{sb * ca, sb * sa, cb} * (in.weight * sum);
  }
};

/// shredlin, which takes the place of the sum before it.
struct JWildfireShredLin : ShredLin {
  using Formula = ShredLin;
  static constexpr auto info =
      describe("jwildfire_shredlin", "jwildfire_shredlin_xdistance", "jwildfire_shredlin_xwidth",
               "jwildfire_shredlin_ydistance", "jwildfire_shredlin_ywidth");
  static constexpr i32 restarts = keeps_x | keeps_y;
};

// ---- crops ----

/// crop, which takes the place of the sum before it, and whose pre_ and post_ forms leave depth alone.
struct JWildfireCrop : Crop {
  using Formula = Crop;
  static constexpr auto info = describe(
      "jwildfire_crop", "jwildfire_crop_left", "jwildfire_crop_top", "jwildfire_crop_right",
      "jwildfire_crop_bottom", "jwildfire_crop_scatter_area", "jwildfire_crop_zero");
  static constexpr bool forms_without_depth = true;
  static constexpr i32 restarts = keeps_x | keeps_y;
};

/// Such a crop of `zero`: what is outside is hidden.
struct JWildfireHidingCrop : Crop {
  static constexpr auto info =
      describe("jwildfire_hiding_crop", "jwildfire_hiding_crop_left", "jwildfire_hiding_crop_top",
               "jwildfire_hiding_crop_right", "jwildfire_hiding_crop_bottom",
               "jwildfire_hiding_crop_scatter_area", "jwildfire_hiding_crop_zero");
  KILN_DRAWN({-1.2, -0.5}, {-1.2, -0.5}, {0.5, 1.2}, {0.5, 1.2}, {0, 0.4}, always(1));
  static constexpr bool forms_without_depth = true, hides_points = true;
  static constexpr i32 restarts = keeps_x | keeps_y;

  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Vec2 to = Crop::operator()(in);
    const bool outside = (x < x0) | (x > x1) | (y < y0) | (y > y1), hides = outside & (zero != 0);
    return {to.x, to.y, in.weight * in.z, in.color, hides};
  }
};

/// circlecrop, which takes the place of the sum where it is outside of the circle.
struct JWildfireCircleCrop {
  static constexpr auto info = describe(
      "jwildfire_circlecrop", "jwildfire_circlecrop_radius", "jwildfire_circlecrop_x",
      "jwildfire_circlecrop_y", "jwildfire_circlecrop_scatter_area", "jwildfire_circlecrop_zero");
  KILN_DRAWN({0.6, 1.2}, {-0.3, 0.3}, {-0.3, 0.3}, {0, 0.4}, always(0));
  static constexpr bool random_draws = true, weighs_depth = true, forms_without_depth = true;
  float radius = 1, px = 0, py = 0, scatter_area = 0, zero = 1;

  KILN_FN void prepare() {
    scatter_area = min(max(scatter_area, Real(-1)), Real(1));
    zero = zero >= Real(0.5) ? 1 : 0;
  }
  KILN_FN bool empties(const Arg& in) const {
    const Real u = in.p.x - px, v = in.p.y - py;
    return sqrt(fma(u, u, v * v)) > radius;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = in.p.x - px, v = in.p.y - py, distance = sqrt(fma(u, u, v * v));
    const Real border = fma(Real(0.5) * in.rng.uniform(), scatter_area, radius) * in.weight;
    const bool outside = distance > radius, gone = outside & (zero != 0);
    const Real scale = outside ? border / distance : in.weight;
    return {gone ? Real(0) : fma(u, scale, px), gone ? Real(0) : fma(v, scale, py)};
  }
};

/// Such a crop of `zero`: what is outside is hidden.
struct JWildfireHidingCircleCrop : JWildfireCircleCrop {
  static constexpr auto info =
      describe("jwildfire_hiding_circlecrop", "jwildfire_hiding_circlecrop_radius",
               "jwildfire_hiding_circlecrop_x", "jwildfire_hiding_circlecrop_y",
               "jwildfire_hiding_circlecrop_scatter_area", "jwildfire_hiding_circlecrop_zero");
  KILN_DRAWN({0.6, 1.2}, {-0.3, 0.3}, {-0.3, 0.3}, {0, 0.4}, always(1));
  static constexpr bool hides_points = true;

  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const Vec2 to = JWildfireCircleCrop::operator()(in);
    const bool hides = empties(in) & (zero != 0);
    return {to.x, to.y, in.weight * in.z, in.color, hides};
  }
};

// ---- forms that leave depth alone ----

struct JWildfireSpherical : Spherical {
  using Formula = Spherical;
  static constexpr auto info = describe("jwildfire_spherical");
  static constexpr bool forms_without_depth = true;
};
struct JWildfireDisc : Disc {
  using Formula = Disc;
  static constexpr auto info = describe("jwildfire_disc");
  static constexpr bool forms_without_depth = true;
};
struct JWildfireBwraps : Bwraps {
  using Formula = Bwraps;
  static constexpr auto info = describe(
      "jwildfire_bwraps", "jwildfire_bwraps_cellsize", "jwildfire_bwraps_space",
      "jwildfire_bwraps_gain", "jwildfire_bwraps_inner_twist", "jwildfire_bwraps_outer_twist");
  static constexpr bool forms_without_depth = true;
};

using JWildfireMeanings =
    VariationList<JWildfireLazySusan, JWildfireSplits, JWildfireCylinder, JWildfireBlur3D,
                  JWildfireShredLin, JWildfireCrop, JWildfireHidingCrop, JWildfireCircleCrop,
                  JWildfireHidingCircleCrop, JWildfireSpherical, JWildfireDisc, JWildfireBwraps>;

KILN_END
