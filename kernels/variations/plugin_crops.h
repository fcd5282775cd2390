// SPDX-License-Identifier: MIT
// Variations that keep a part of the plane: what lies outside of a rectangle, a circle or a polygon
// goes to the middle, or at random to the border. Also smartshape and bcircle, which bend instead.
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/extended.h"

KILN_BEGIN

/// A rectangle.
struct Crop {
  static constexpr auto info = describe("crop", "crop_left", "crop_top", "crop_right",
                                        "crop_bottom", "crop_scatter_area", "crop_zero");
  KILN_DRAWN({-1.2, -0.5}, {-1.2, -0.5}, {0.5, 1.2}, {0.5, 1.2}, {0, 0.4}, always(0));
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  float left = -1, top = -1, right = 1, bottom = 1, scatter_area = 0, zero = 0;
  float x0 = -1, x1 = 1, y0 = -1, y1 = 1, width = 0, height = 0;

  KILN_FN void prepare() {
    x0 = min(left, right);
    x1 = max(left, right);
    y0 = min(top, bottom);
    y1 = max(top, bottom);
    width = scatter_area * (x1 - x0) / 2;
    height = scatter_area * (y1 - y0) / 2;
    zero = zero >= Real(0.5) ? 1 : 0;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real u = in.rng.uniform(), v = in.rng.uniform();
    const bool outside = (x < x0) | (x > x1) | (y < y0) | (y > y1);
    const Real cut_x = x < x0 ? fma(u, width, x0) : x > x1 ? fma(-u, width, x1) : x;
    const Real cut_y = y < y0 ? fma(v, height, y0) : y > y1 ? fma(-v, height, y1) : y;
    const bool gone = outside & (zero != 0);
    return Vec2{gone ? Real(0) : cut_x, gone ? Real(0) : cut_y} * in.weight;
  }
};

/// A circle.
struct EmberCircleCrop {
  static constexpr auto info =
      describe("ember_circlecrop", "ember_circlecrop_radius", "ember_circlecrop_x",
               "ember_circlecrop_y", "ember_circlecrop_scatter_area", "ember_circlecrop_zero");
  KILN_DRAWN({0.6, 1.2}, {-0.3, 0.3}, {-0.3, 0.3}, {0, 0.4}, always(0));
  static constexpr bool random_draws = true;
  float radius = 1, px = 0, py = 0, scatter_area = 0, zero = 1;

  KILN_FN void prepare() {
    scatter_area = min(max(scatter_area, Real(-1)), Real(1));
    zero = trunc(min(max(zero, Real(0)), Real(1)));
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = in.p.x - px, v = in.p.y - py, distance = sqrt(fma(u, u, v * v));
    const Real border = fma(Real(0.5) * in.rng.uniform(), scatter_area, radius) * in.weight;
    const bool outside = distance > radius, gone = outside & (zero != 0);
    const Real scale = outside ? border / distance : in.weight;
    return {gone ? Real(0) : fma(u, scale, px), gone ? Real(0) : fma(v, scale, py)};
  }
  template <class Extended>
  KILN_FN Real depth(const Extended& in) const {
    return in.z;
  }
};

/// Such a circle in flam3's mode of Ember: a point that goes to the middle takes the sum with it.
struct CircleCrop : EmberCircleCrop {
  static constexpr auto info =
      describe("circlecrop", "circlecrop_radius", "circlecrop_x", "circlecrop_y",
               "circlecrop_scatter_area", "circlecrop_zero");
  KILN_DRAWN({0.6, 1.2}, {-0.3, 0.3}, {-0.3, 0.3}, {0, 0.4}, always(0));

  KILN_FN bool empties(const Arg& in) const {
    const Real u = in.p.x - px, v = in.p.y - py;
    return (zero != 0) & (sqrt(fma(u, u, v * v)) > radius);
  }
};

/// A regular polygon, or what is outside of it. flam3's mode of Ember.
struct CropN {
  static constexpr auto info =
      describe("cropn", "cropn_power", "cropn_radius", "cropn_scatterdist", "cropn_zero");
  KILN_DRAWN(whole(3, 8), {0.6, 1.2}, {0, 0.3}, always(0));
  static constexpr bool random_draws = true;
  float power = 5, radius = 1, scatterdist = 0, zero = 0;
  float corner = 1;

  KILN_FN void prepare() { corner = two_pi / max(abs(power), Real(2)); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real q = fmod(in.phi() + pi, corner);
    const Real c = cos(q < corner / 2 ? q : corner - q);
    const Real border = c > 0 ? radius / nonzero(c) : Real(1);
    const Real u = in.rng.uniform();
    const bool cropped = (in.r2() > border * border) == (power > 0);
    const Real scattered = fma(Real(0.5) * u, scatterdist, border) / nonzero(in.r());
    const Real inside = cropped ? (zero == 1 ? Real(0) : scattered) : Real(1);
    return in.p * (in.weight * inside);
  }
};

/// A disc of points scaled; those outside go to its border, or to the middle.
struct BCircle {
  static constexpr auto info = describe("bcircle", "bcircle_scale", "bcircle_borderwidth");
  KILN_DRAWN({0.5, 1.3}, {0.1, 0.5});
  static constexpr bool random_draws = true;
  float scale = 1, border_width = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = in.p.x * scale, v = in.p.y * scale, square = fma(u, u, v * v);
    const Real border = fma(Real(0.2) * abs(border_width), in.rng.uniform(), Real(1));
    const Real outside = border_width == 0 ? Real(0) : border / sqrt(square);
    return Vec2{u, v} * (in.weight * (square <= 1 ? Real(1) : outside));
  }
};

/// The share by which a polygon reaches beyond the circle inside it: 1 / cos(a) - 1.
KILN_FN Real beyond_circle(Real angle) {
  const auto [s, c] = sincos(angle / 2);
  return 2 * s * s / fma(-2 * s, s, Real(1));
}

/// The plane bent to a polygon, or a polygon to a circle.
struct SmartShape {
  static constexpr auto info =
      describe("smartshape", "smartshape_power", "smartshape_roundstr", "smartshape_roundwidth",
               "smartshape_distortion", "smartshape_compensation");
  KILN_DRAWN(whole(3, 8), {0, 1}, {0.5, 1.5}, {0.3, 1}, {0, 1});
  float power = 4, round_strength = 0, round_width = 1, distortion = 1, compensation = 0;
  float corner = 1, rounding = 0, tan_half = 1;

  KILN_FN void prepare() {
    power = max(power, Real(2));
    compensation = min(max(compensation, Real(0)), Real(1));
    corner = two_pi / power;
    rounding = 2 * round_strength / (sin(corner / 2) * power);
    tan_half = tan(corner / 2);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real d = (in.phi() + pi) / corner, down = floor(d), f = d - down;
    const bool late = f > Real(0.5);
    const Real side = late ? Real(-1) : Real(1), start = late ? down + 1 : down;
    const Real plain = late ? 1 - f : f;
    const bool compensates = (compensation > 0) & (distortion >= 1);
    const Real g = compensates ? atan(2 * plain * tan_half) / corner : plain;
    const Real more = distortion == 0 ? Real(0) : beyond_circle(g * corner);
    const Real v = pow(2 * g, round_width) * rounding;
    const Real rounded = round_strength == 0 ? 1 + more : abs(fma(1 - v, more, Real(1)));
    const Real k = distortion == 1 ? rounded : pow(rounded, distortion);
    return from_polar(in.weight * k * in.r(), fma(fma(side, g, start), corner, -pi));
  }
};

/// A polygon or a sector; for post_ forms. Its cropmode 2 repeats the last point that was not
/// cropped, which points of a pool do not remember: here it is the middle.
struct SmartCrop {
  static constexpr auto info = describe(
      "smartcrop", "smartcrop_power", "smartcrop_radius", "smartcrop_roundstr",
      "smartcrop_roundwidth", "smartcrop_distortion", "smartcrop_edge", "smartcrop_scatter",
      "smartcrop_offset", "smartcrop_rotation", "smartcrop_cropmode", "smartcrop_static");
  KILN_DRAWN(whole(3, 8), {0.6, 1.2}, {0, 0.6}, {0.5, 1.5}, {0.5, 1}, {0, 0.2}, {0, 0.2}, {0, 0.2},
             {0, 1}, always(1), always(1));
  static constexpr bool random_draws = true;
  float power = 4, radius = 1, round_strength = 0, round_width = 1, distortion = 1, edge = 0,
        scatter = 0, offset = 0, rotation = 0, crop_mode = 1, of_point = 1;
  float mode = 1, reach = 1, corners = 4, corner = 1, rounding = 0, turn = 0, is_sector = 0;

  KILN_FN void prepare() {
    crop_mode = floor(min(max(crop_mode, Real(-1)), Real(2)) + Real(0.5));
    of_point = floor(min(max(of_point, Real(-1)), Real(3)) + Real(0.5));
    mode = (power > 0) == (radius > 0) ? 1 : 0;
    reach = abs(radius);
    corners = abs(nonzero(power));
    is_sector = corners < 2 ? 1 : 0;
    if (corners < 2) {
      corners *= pi;
    } else {
      corner = two_pi / corners;
      rounding = 2 * round_strength / (nonzero(sin(corner / 2)) * corners);
      turn = rotation * corner;
    }
  }

  struct Cut {
    bool cropped;
    Vec3 to;  // where what is cropped goes
  };
  KILN_FN Cut by_sector(const Arg& in, Vec3 at, Real r) const {
    const Real e = edge * (in.rng.uniform() - Real(0.5));
    const Real turned = atan2(at.y, at.x) / two_pi + 1 + e;
    const Real angle = two_pi * (turned - trunc(turned));
    const bool above = in.rng.uniform() >= Real(0.5);
    const Real away = pi * (fma(in.rng.uniform(), scatter, offset) + e);
    const auto [x, y] = from_polar(in.weight * r, above ? corners + away : -away);
    return {Real(angle > corners) == mode, {x, y, in.weight * at.z}};
  }
  KILN_FN Cut by_polygon(const Arg& in, Vec3 at, Real r) const {
    const Real angle = atan2(at.y, at.x), d = (angle + pi) / corner, f = d - trunc(d);
    const Real q = f < Real(0.5) ? f : 1 - f;
    const Real v = rounding * pow(2 * q, round_width);
    const Real more = beyond_circle(q * corner);
    const Real rounded = round_strength == 0 ? 1 + more : abs(fma(1 - v, more, Real(1)));
    const Real bent = distortion == 1 ? rounded : pow(rounded, distortion);
    const Real k = distortion == 0 ? Real(1) : bent;
    const Real border = k * fma(edge, in.rng.uniform() - Real(0.5), reach);
    const Real scattered = fma(k, fma(in.rng.uniform(), scatter, offset), border);
    const auto [x, y] = from_polar(in.weight * (crop_mode == -1 ? r : scattered), angle + turn);
    return {Real(r > border) == mode, {x, y, in.weight * at.z}};
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Vec3 running = {in.p.x, in.p.y, in.z}, at = of_point > 1 ? running : in.before;
    const Real r = sqrt(fma(at.x, at.x, at.y * at.y));
    const bool sector = is_sector != 0, alone = (of_point > 1) | (of_point == -1);
    const Cut cut = sector ? by_sector(in, at, r) : by_polygon(in, at, r);
    const bool to_middle = (crop_mode == 2) | ((crop_mode == 0) & !sector);
    const Vec3 to = to_middle ? Vec3{0, 0, 0} : cut.to;
    const Vec3 cropped = alone ? to : Vec3{running.x + to.x, running.y + to.y, running.z + to.z};
    const Vec3 kept = (of_point == 3 ? in.before : at) * in.weight;
    const Vec3 added = {running.x + kept.x, running.y + kept.y, running.z + kept.z};
    return cut.cropped ? cropped : of_point > 0 ? kept : added;
  }
};

using PluginCrops = VariationList<Crop, CircleCrop, CropN, BCircle, SmartShape, SmartCrop>;

KILN_END
