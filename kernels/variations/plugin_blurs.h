// SPDX-License-Identifier: MIT
// Blurs that flam3 does not have: spots, streaks and steps at random, of Fractorium, Apophysis and
// its plug-ins. Draws are made in the order of the formulas, and always all of them.
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/blurs.h"
#include "kernels/variations/extended.h"

KILN_BEGIN

/// A disc, by the arc cosine of a power: denser in the middle.
struct SineBlur {
  static constexpr auto info = describe("sineblur", "sineblur_power");
  KILN_DRAWN({0.5, 2.5});
  static constexpr bool random_draws = true;
  static constexpr bool adds_to_the_point = true;
  float power = 1;

  KILN_FN void prepare() { power = max(power, Real(0)); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real half_turns = 2 * in.rng.uniform();
    const Real q = pow(in.rng.uniform(), power);
    return from_half_turns(in.weight * acos(fma(Real(2), q, Real(-1))) / pi, half_turns);
  }
};

/// A streak of a direction.
struct BlurLinear {
  static constexpr auto info = describe("blur_linear", "blur_linear_length", "blur_linear_angle");
  KILN_DRAWN({0.2, 1}, {-3, 3});
  static constexpr bool random_draws = true;
  float length = 0, angle = 0;
  float along_x = 0, along_y = 0;

  KILN_FN void prepare() {
    const auto [s, c] = sincos(angle);
    along_x = length * c;
    along_y = length * s;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real t = in.rng.uniform();
    return Vec2{fma(t, along_x, in.p.x), fma(t, along_y, in.p.y)} * in.weight;
  }
};

/// Streaks away from a point, whose y has the other sign.
struct BlurZoom {
  static constexpr auto info =
      describe("blur_zoom", "blur_zoom_length", "blur_zoom_x", "blur_zoom_y");
  KILN_DRAWN({0.1, 0.6}, {-0.5, 0.5}, {-0.5, 0.5});
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  float length = 0, center_x = 0, center_y = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real k = fma(length, in.rng.uniform(), Real(1));
    return Vec2{fma(in.p.x - center_x, k, center_x), fma(in.p.y + center_y, k, -center_y)} *
           in.weight;
  }
};

/// The point with a soft spot of the size of the weight, which does not scale the point.
struct Gaussian {
  static constexpr auto info = describe("gaussian");
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real half_turns = 2 * in.rng.uniform();
    return in.p + from_half_turns(in.weight * sum_of_four(in.rng), half_turns);
  }
};

/// A disc, evenly filled: a square whose sides are bent to arcs.
struct BlurCircle {
  static constexpr auto info = describe("blur_circle");
  static constexpr bool random_draws = true;
  static constexpr bool adds_to_the_point = true;
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = in.rng.signed_uniform(), v = in.rng.signed_uniform();
    const Real size_u = abs(u), size_v = abs(v);
    const bool sideways = size_u >= size_v;
    const Real m = sideways ? size_u : size_v;
    const Real round_u = u >= v ? size_u + v : 5 * size_u - v;
    const Real round_v = v >= u ? 3 * size_v - u : 7 * size_v + u;
    const Real place = sideways ? round_u : round_v;
    const Real half_turns = Real(0.25) * (place / nonzero(m) - 1);
    return from_half_turns(in.weight * m, half_turns);
  }
};

/// A disc, evenly filled.
struct CircleBlur {
  static constexpr auto info = describe("circleblur");
  static constexpr bool random_draws = true;
  static constexpr bool adds_to_the_point = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real size = in.weight * sqrt(in.rng.uniform());
    return from_half_turns(size, 2 * in.rng.uniform());
  }
};

/// A square that grows with the distance from a circle.
struct RBlur {
  static constexpr auto info =
      describe("rblur", "rblur_strength", "rblur_offset", "rblur_center_x", "rblur_center_y");
  KILN_DRAWN({0.3, 1.2}, {0.3, 1}, {-0.4, 0.4}, {-0.4, 0.4});
  static constexpr bool random_draws = true;
  float strength = 1, offset = 1, center_x = 0, center_y = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real dx = x - center_x, dy = y - center_y;
    const Real beyond = sqrt(fma(dx, dx, dy * dy)) - offset;
    const Real k = beyond > 0 ? 2 * strength * beyond : Real(0);
    const Real h1 = in.rng.uniform() - Real(0.5), h2 = in.rng.uniform() - Real(0.5);
    return Vec2{fma(k, h1, x), fma(k, h2, y)} * in.weight;
  }
};

/// A tile around the middle of each cell.
struct BlurPixelize {
  static constexpr auto info =
      describe("blur_pixelize", "blur_pixelize_size", "blur_pixelize_scale");
  KILN_DRAWN({0.05, 0.3}, {0.6, 1});
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  float size = Real(0.1), scale = 1;

  KILN_FN void prepare() { size = max(size, tiny); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real h1 = in.rng.uniform() - Real(0.5), h2 = in.rng.uniform() - Real(0.5);
    return Vec2{fma(scale, h1, floor(in.p.x / size)) + Real(0.5),
                fma(scale, h2, floor(in.p.y / size)) + Real(0.5)} *
           (in.weight * size);
  }
};

/// A square of twice the weight.
struct BlurSquare {
  static constexpr auto info = describe("blur_square");
  static constexpr bool random_draws = true;
  static constexpr bool adds_to_the_point = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real h1 = in.rng.uniform() - Real(0.5), h2 = in.rng.uniform() - Real(0.5);
    return Vec2{h1, h2} * (2 * in.weight);
  }
};

/// Steps along x by the whole part of a logarithm. Draws are never 0.
struct TileLog {
  static constexpr auto info = describe("tile_log", "tile_log_spread");
  KILN_DRAWN({0.3, 1.5});
  static constexpr bool random_draws = true;
  float spread = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real drawn = log(in.rng.uniform() + Real(0x1p-25f));
    const Real toward = in.rng.bit() == 0 ? -spread : spread;
    return Vec2{in.p.x + round(drawn * toward), in.p.y} * in.weight;
  }
};

/// A step along x, the more likely the further a point is from the middle of its tile.
struct TileHlp {
  static constexpr auto info = describe("tile_hlp", "tile_hlp_width");
  KILN_DRAWN({0.5, 1.5});
  static constexpr bool random_draws = true;
  float width = 1;

  KILN_FN void prepare() { width = width == 0 ? tiny : width; }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real q = in.p.x / width;
    const bool steps = cospi(q - trunc(q)) < in.rng.signed_uniform();
    const Real step = !steps ? Real(0) : q > 0 ? -width : width;
    return Vec2{in.p.x + step, in.p.y} * in.weight;
  }
};

/// Points beyond a circle become stars of as many arms as the power.
struct DepthBlur2 {
  static constexpr auto info =
      describe("depth_blur2", "depth_blur2_power", "depth_blur2_range", "depth_blur2_blur",
               "depth_blur2_radius", "depth_blur2_x0", "depth_blur2_y0", "depth_blur2_mulx",
               "depth_blur2_muly", "depth_blur2_exp");
  KILN_DRAWN(whole(3, 7), {0.2, 0.6}, {0.3, 1}, {0.3, 1}, {-0.4, 0.4}, {-0.4, 0.4}, {0.5, 1.2},
             {0.5, 1.2}, {0.6, 1.6});
  static constexpr bool random_draws = true;
  float power = 5, range = Real(0.401623), blur = 1, radius = 1, x0 = 0, y0 = 0, mul_x = 1,
        mul_y = 1, exponent = 1;
  float side = 1, cos_corner = 1, sin_corner = 0, arm = 1;  // of the star
  float keeps = 1;                                          // 0: the star alone, without the point

  KILN_FN void prepare() {
    const Real al = pi / nonzero(power);
    const auto [s, c] = sincos(al);
    side = sqrt(1 + range * range - 2 * range * c);
    sin_corner = range * s / nonzero(side);
    cos_corner = cos(asin(sin_corner));
    arm = 2 * pi / nonzero(power);
    mul_x = nonzero(mul_x);
    mul_y = nonzero(mul_y);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real dx = (x - x0) / mul_x, dy = (y - y0) / mul_y;
    const Real d = sqrt(fma(dx, dx, dy * dy));
    const Real f = 2 * power * in.rng.uniform();
    const Real i = trunc(f), u = (f - i) * side;
    const Real v = sqrt(1 + u * u - 2 * u * cos_corner);
    const Real within = asin(min(max(u * sin_corner / nonzero(v), Real(-1)), Real(1)));
    const Real half = trunc(i / 2);
    const Real a = fma(arm, half, i == 2 * half ? -within : within);
    const Real spread = v * sqrt(in.rng.uniform()) * (blur / 10);
    const Real k = d <= radius ? Real(0) : spread * pow(d - radius, exponent);
    const auto [s, c] = sincos(a);
    return Vec2{fma(k, s, keeps * x), fma(k, -c, keeps * y)} * in.weight;
  }
};

using PluginBlurs = VariationList<SineBlur, BlurLinear, BlurZoom, Gaussian, BlurCircle, CircleBlur,
                                  RBlur, BlurPixelize, BlurSquare, TileLog, TileHlp, DepthBlur2>;

KILN_END
