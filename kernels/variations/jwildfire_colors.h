// SPDX-License-Identifier: MIT
// JWildfire's variations that color directly, and its fractals by the number of iterations.
#pragma once

#include "kernels/variations/jwildfire_planes.h"
#include "kernels/variations/plugin_cells.h"
#include "kernels/variations/plugin_shapes.h"

KILN_BEGIN

/// The place along a turned axis as color.
struct DcLinear {
  static constexpr auto info =
      describe("dc_linear", "dc_linear_offset", "dc_linear_angle", "dc_linear_scale");
  KILN_DRAWN({0, 1}, {0, 6}, {0.5, 2});
  static constexpr bool weighs_depth = true;
  static constexpr bool changes_color = true;
  static constexpr bool reads_sum = true;
  float offset = 0, angle = Real(0.3), scale = Real(0.8);
  float turn_sin = 0, turn_cos = 1, per_scale = 1;

  KILN_FN void prepare() {
    const auto [s, c] = sincos(angle);
    turn_sin = s;
    turn_cos = c;
    per_scale = 1 / (scale == 0 ? Real(1e-5) : scale);
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const Real x = in.weight * in.p.x, y = in.weight * in.p.y;
    const Real at = fma(turn_cos, in.sum.x + x, fma(turn_sin, in.sum.y + y, offset));
    return {x, y, in.weight * in.z, fmod(abs(fma(at, per_scale, 1) / 2), Real(1))};
  }
};

/// Hexes, colored by the place in the cell.
struct DcHexes {
  static constexpr auto info =
      describe("dc_hexes_wf", "dc_hexes_wf_cellsize", "dc_hexes_wf_power", "dc_hexes_wf_rotate",
               "dc_hexes_wf_scale", "dc_hexes_wf_color_scale", "dc_hexes_wf_color_offset");
  KILN_DRAWN({0.3, 1}, {0.5, 1.5}, {0, 0.5}, {0.8, 1.1}, {0.3, 1}, {0, 0.3});
  static constexpr bool changes_color = true;
  float cellsize = 1, power = 1, rotate = Real(0.166), scale = 1;
  float color_scale = Real(0.5), color_offset = 0;
  float rotate_sin = 0, rotate_cos = 1;

  KILN_FN void prepare() {
    const auto [s, c] = sincospi(2 * rotate);
    rotate_sin = s;
    rotate_cos = c;
  }
  /// The distance of a place from its cell's middle, as a share of the way to the border.
  KILN_FN Real coordinate(Real dx, Real dy) const {
    const Real along = abs(Real(1.5) * dx), up = abs(half_root3 * dy);
    return max(along + up, 2 * up) * (2 / (3 * abs(cellsize)));
  }
  static constexpr Real half_root3 = Real(0.86602540378443864676);
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    if (cellsize == 0) return {0, 0, 0, in.color};
    const Real third = 1 / (3 * cellsize), root3 = 2 * half_root3;
    const Real i0 = floor(fma(root3, y, x) * third), j0 = floor(fma(root3, y, -x) * third);
    Real best = infinity, px = 0, py = 0;
    for (int k = 0; k < 4; ++k) {
      const int right = k / 2, up = k % 2;
      const Real i = i0 + Real(right), j = j0 + Real(up);
      const Real ex = Real(1.5) * cellsize * (i - j), ey = half_root3 * cellsize * (i + j);
      const Real d = fma(x - ex, x - ex, (y - ey) * (y - ey));
      const bool nearer = d < best;
      best = nearer ? d : best;
      px = nearer ? ex : px;
      py = nearer ? ey : py;
    }
    const Real ux = x - px, uy = y - py;
    const Real first = coordinate(ux, uy), t = pow(first, power) * scale;
    const Real dx = fma(ux, rotate_cos, uy * rotate_sin);
    const Real dy = fma(uy, rotate_cos, -(ux * rotate_sin));
    const Real second = coordinate(dx, dy), most = max(first, second);
    const Real inner = t / first, outer = t / second;
    const Real between = (inner * (Real(0.8) - most) + outer * (most - Real(0.5))) / Real(0.3);
    const Real factor = most < Real(0.5) ? inner : most > Real(0.8) ? outer : between;
    return {fma(dx, factor, px) * in.weight, fma(dy, factor, py) * in.weight, 0,
            clamped(fma(most, color_scale, color_offset), 0, 1)};
  }
};

/// A step of the Lorenz attractor's flow, colored by the distance.
struct LorenzJs {
  static constexpr auto info =
      describe("lorenz_js", "lorenz_js_a", "lorenz_js_b", "lorenz_js_c", "lorenz_js_h",
               "lorenz_js_centerx", "lorenz_js_centery", "lorenz_js_scale");
  KILN_DRAWN({5, 15}, {20, 35}, {1, 3}, {0.001, 0.01}, {-1, 1}, {-1, 1}, {1, 10});
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;
  static constexpr bool changes_color = true;
  static constexpr bool reads_sum = true;
  float a = 10, b = 28, c = Real(1.66), h = Real(1e-5), centerx = 0, centery = 0, scale = 1000;

  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const Real w = in.weight, z = in.z;
    const auto [x, y] = in.p;
    const Real out_x = w * fma(h * a, y - x, x), out_y = w * fma(h, fma(x, b - z, -y), y);
    const Real u = in.sum.x + out_x + centerx, v = in.sum.y + out_y + centery;
    const Real over = scale == 0 ? Real(1e-5) : scale;
    return {out_x, out_y, w * fma(h, fma(x, y, -c * z), z), fmod(fma(u, u, v * v) / over, Real(1))};
  }
};

/// Radial curves of y, summed: x adds their square, z the sum itself to the distance.
struct XCurves {
  static constexpr auto info = describe(
      "x", "x_hypergon", "x_hypergon_n", "x_hypergon_r", "x_star", "x_star_n", "x_star_slope",
      "x_lituus", "x_lituus_a", "x_super", "x_super_m", "x_super_n1", "x_super_n2", "x_super_n3");
  KILN_DRAWN({0.2, 1}, whole(3, 7), {0.6, 1.5}, {0, 0.6}, whole(3, 8), {0.5, 1.5}, {0, 0.4},
             {-1, 1}, {0, 1}, whole(2, 8), {0.5, 2}, {0.5, 2}, {0.5, 2});
  static constexpr bool weighs_depth = true;
  float hypergon = 0, hypergon_n = 4, hypergon_r = 1, star = 0, star_n = 5, star_slope = 2,
        lituus = 0, lituus_a = 1, super = 0, super_m = 1, super_n1 = 1, super_n2 = 1, super_n3 = 0;
  float hypergon_d = 1, star_tan = 1, adds = 0;

  KILN_FN void prepare() {
    hypergon_n = max(round(hypergon_n), Real(3));
    star_n = max(round(star_n), Real(3));
    hypergon_d = sqrt(1 + hypergon_r * hypergon_r);
    star_tan = tan(star_slope);
  }
  KILN_FN Real of_hypergon(Real a) const {
    const Real t = tan(fmod(abs(a), two_pi / hypergon_n) - pi / hypergon_n);
    const Real v = fma(t, t, Real(1)), d2 = hypergon_d * hypergon_d;
    return v >= d2 ? hypergon : hypergon * (hypergon_d - sqrt(d2 - v)) / sqrt(v);
  }
  KILN_FN Real of_star(Real a) const {
    const Real u = tan(abs(fmod(abs(a), two_pi / star_n) - pi / star_n));
    return star * sqrt(star_tan * star_tan * fma(u, u, Real(1))) / abs(u + star_tan);
  }
  KILN_FN Real of_super(Real a) const {
    const auto [s, c] = sincos(a * super_m / 4);
    return super * pow(pow(abs(c), super_n2) + pow(abs(s), super_n3), -1 / super_n1);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real a = in.phi(), r = in.r();
    Real sum = 0;
    if (hypergon != 0) sum += of_hypergon(a);
    if (star != 0) sum += of_star(a);
    if (lituus != 0) sum += lituus * pow(fma(a, inverse_pi, 1), -lituus_a);
    if (super != 0) sum += of_super(a);
    const Real q = adds != 0 ? r + sum : sqrt(fma(sum, sum, in.r2()));
    if (r == 0) return {in.weight * q, 0};
    return in.p * (in.weight * q / r);
  }
};
struct ZCurves : XCurves {
  using Formula = XCurves;
  static constexpr auto info = describe(
      "z", "z_hypergon", "z_hypergon_n", "z_hypergon_r", "z_star", "z_star_n", "z_star_slope",
      "z_lituus", "z_lituus_a", "z_super", "z_super_m", "z_super_n1", "z_super_n2", "z_super_n3");
  KILN_FN void prepare() {
    XCurves::prepare();
    adds = 1;
  }
};

/// The numbers that the fractals by iterations share, as one row.
struct FractalWindow {
  Real max_iter, xmin, xmax, ymin, ymax, direct_color, scalez, clip_iter_min, clip_iter_max,
      max_clip_iter, scale, offsetx, offsety, offsetz, z_fill, z_logscale, color_only;
};

/// The number of steps until a point escapes, the last test included; `step` moves it.
template <class Step>
KILN_FN Real escape_steps(Real x, Real y, Real most, Step&& step) {
  Real squares = 0, n = 1;  // of the point before the last step
  for (; n <= most && squares < 4; n += 1) {
    squares = fma(x, x, y * y);
    step(x, y);
  }
  return n;
}

/// `step_of(x0, y0)` is the map of a start.
template <class StepOf>
KILN_FN Moved fractal_point(const FractalWindow& f, const ExtendedArg& in, StepOf&& step_of) {
  const bool only_color = f.color_only > 0;
  Real x = in.p.x, y = in.p.y, n = 0;
  bool rejected = true;
  for (Real round = 0; round < f.max_clip_iter && rejected; round += 1) {
    if (!only_color) {
      x = fma(f.xmax - f.xmin, in.rng.uniform(), f.xmin);
      y = fma(f.ymax - f.ymin, in.rng.uniform(), f.ymin);
    }
    n = escape_steps(x, y, f.max_iter, step_of(x, y));
    rejected = ((f.clip_iter_max < 0) & (n >= f.max_iter + f.clip_iter_max)) |
               ((f.clip_iter_min > 0) & (n <= f.clip_iter_min));
  }
  if (rejected) return {0, 0, 0, in.color, true};
  const Real s = f.scale * in.weight;
  const auto height = [&](Real count) {
    const Real share = count / f.max_iter;
    const Real v = f.z_logscale == 1 ? log10(1 + share) : share;
    return s * fma(f.scalez / 10, v, f.offsetz);
  };
  Real z = height(n);
  if (f.z_fill > jwildfire_eps && in.rng.uniform() < f.z_fill)
    z = fma(height(n - 1) - z, in.rng.uniform(), z);
  const Real moved = in.color + n / f.max_iter;
  const Real color = clamped(moved > 1 ? moved - 1 : moved, 0, 1);
  return {only_color ? Real(0) : s * (x + f.offsetx), only_color ? Real(0) : s * (y + f.offsety), z,
          f.direct_color != 0 ? color : in.color, false};
}

/// Points by how long it takes them to escape: Julia sets.
struct FractJulia {
  static constexpr auto info = describe(
      "fract_julia_wf", "fract_julia_wf_max_iter", "fract_julia_wf_xmin", "fract_julia_wf_xmax",
      "fract_julia_wf_ymin", "fract_julia_wf_ymax", "fract_julia_wf_buddhabrot_mode",
      "fract_julia_wf_power", "fract_julia_wf_xseed", "fract_julia_wf_yseed",
      "fract_julia_wf_direct_color", "fract_julia_wf_scalez", "fract_julia_wf_clip_iter_min",
      "fract_julia_wf_clip_iter_max", "fract_julia_wf_max_clip_iter",
      "fract_julia_wf_buddhabrot_min_iter", "fract_julia_wf_scale", "fract_julia_wf_offsetx",
      "fract_julia_wf_offsety", "fract_julia_wf_offsetz", "fract_julia_wf_z_fill",
      "fract_julia_wf_z_logscale", "fract_julia_wf_color_only");
  KILN_DRAWN(whole(40, 100), always(-1), always(1), always(-1.2), always(1.2), always(0),
             whole(2, 4), {0.28, 0.42}, {0.072, 0.108}, always(1), always(1), always(4), always(-5),
             always(3), always(7), always(3.8), always(0), always(0), always(0), always(0),
             always(0), always(0));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  static constexpr bool changes_color = true;
  static constexpr bool hides_points = true;
  float max_iter = 100, xmin = -1, xmax = 1, ymin = Real(-1.2), ymax = Real(1.2),
        buddhabrot_mode = 0, power = 2, xseed = Real(0.35), yseed = Real(0.09), direct_color = 1,
        scalez = 1, clip_iter_min = 4, clip_iter_max = -5, max_clip_iter = 3,
        buddhabrot_min_iter = 7, scale = Real(3.8), offsetx = 0, offsety = 0, offsetz = 0,
        z_fill = 0, z_logscale = 0, color_only = 0;

  KILN_FN void prepare() {
    max_iter = round(max_iter);
    buddhabrot_mode = round(buddhabrot_mode);
    power = round(power);
    direct_color = round(direct_color);
    clip_iter_min = round(clip_iter_min);
    clip_iter_max = round(clip_iter_max);
    max_clip_iter = round(max_clip_iter);
    buddhabrot_min_iter = round(buddhabrot_min_iter);
    z_logscale = round(z_logscale);
    color_only = round(color_only);
    power = clamped(power, 2, 100);
  }
  KILN_FN FractalWindow window() const {
    return {max_iter, xmin,          xmax,          ymin,          ymax,      direct_color,
            scalez,   clip_iter_min, clip_iter_max, max_clip_iter, scale,     offsetx,
            offsety,  offsetz,       z_fill,        z_logscale,    color_only};
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    return fractal_point(window(), in, [this](Real, Real) {
      return [this](Real& x, Real& y) {
        Real u = x, v = y;
        for (Real k = 1; k < power; k += 1) {
          const Real re = fma(u, x, -(v * y));
          v = fma(u, y, v * x);
          u = re;
        }
        x = u + xseed;
        y = v + yseed;
      };
    });
  }
};

/// Points by how long it takes them to escape: the dragon of z - z^2.
struct FractDragon {
  static constexpr auto info = describe(
      "fract_dragon_wf", "fract_dragon_wf_max_iter", "fract_dragon_wf_xmin", "fract_dragon_wf_xmax",
      "fract_dragon_wf_ymin", "fract_dragon_wf_ymax", "fract_dragon_wf_buddhabrot_mode",
      "fract_dragon_wf_xseed", "fract_dragon_wf_yseed", "fract_dragon_wf_direct_color",
      "fract_dragon_wf_scalez", "fract_dragon_wf_clip_iter_min", "fract_dragon_wf_clip_iter_max",
      "fract_dragon_wf_max_clip_iter", "fract_dragon_wf_buddhabrot_min_iter",
      "fract_dragon_wf_scale", "fract_dragon_wf_offsetx", "fract_dragon_wf_offsety",
      "fract_dragon_wf_offsetz", "fract_dragon_wf_z_fill", "fract_dragon_wf_z_logscale",
      "fract_dragon_wf_color_only");
  KILN_DRAWN(whole(40, 100), always(-0.25), always(1.2), always(-0.75), always(0.75), always(0),
             {1.12, 1.68}, {0.68, 1.02}, always(1), always(1), always(4), always(-5), always(3),
             always(7), always(5), always(-0.5), always(0), always(0), always(0), always(0),
             always(0));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  static constexpr bool changes_color = true;
  static constexpr bool hides_points = true;
  float max_iter = 100, xmin = Real(-0.25), xmax = Real(1.2), ymin = Real(-0.75), ymax = Real(0.75),
        buddhabrot_mode = 0, xseed = Real(1.4), yseed = Real(0.85), direct_color = 1, scalez = 1,
        clip_iter_min = 4, clip_iter_max = -5, max_clip_iter = 3, buddhabrot_min_iter = 7,
        scale = 5, offsetx = Real(-0.5), offsety = 0, offsetz = 0, z_fill = 0, z_logscale = 0,
        color_only = 0;

  KILN_FN void prepare() {
    max_iter = round(max_iter);
    buddhabrot_mode = round(buddhabrot_mode);
    direct_color = round(direct_color);
    clip_iter_min = round(clip_iter_min);
    clip_iter_max = round(clip_iter_max);
    max_clip_iter = round(max_clip_iter);
    buddhabrot_min_iter = round(buddhabrot_min_iter);
    z_logscale = round(z_logscale);
    color_only = round(color_only);
  }
  KILN_FN FractalWindow window() const {
    return {max_iter, xmin,          xmax,          ymin,          ymax,      direct_color,
            scalez,   clip_iter_min, clip_iter_max, max_clip_iter, scale,     offsetx,
            offsety,  offsetz,       z_fill,        z_logscale,    color_only};
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    return fractal_point(window(), in, [this](Real, Real) {
      return [this](Real& x, Real& y) {
        const Real u = x - fma(x, x, -(y * y)), v = fma(-2 * x, y, y);
        x = fma(u, xseed, -(v * yseed));
        y = fma(u, yseed, v * xseed);
      };
    });
  }
};

/// Points by how long it takes them to escape: the Mandelbrot set.
struct FractMandelbrot {
  static constexpr auto info = describe(
      "fract_mandelbrot_wf", "fract_mandelbrot_wf_max_iter", "fract_mandelbrot_wf_xmin",
      "fract_mandelbrot_wf_xmax", "fract_mandelbrot_wf_ymin", "fract_mandelbrot_wf_ymax",
      "fract_mandelbrot_wf_buddhabrot_mode", "fract_mandelbrot_wf_power",
      "fract_mandelbrot_wf_direct_color", "fract_mandelbrot_wf_scalez",
      "fract_mandelbrot_wf_clip_iter_min", "fract_mandelbrot_wf_clip_iter_max",
      "fract_mandelbrot_wf_max_clip_iter", "fract_mandelbrot_wf_buddhabrot_min_iter",
      "fract_mandelbrot_wf_scale", "fract_mandelbrot_wf_offsetx", "fract_mandelbrot_wf_offsety",
      "fract_mandelbrot_wf_offsetz", "fract_mandelbrot_wf_z_fill", "fract_mandelbrot_wf_z_logscale",
      "fract_mandelbrot_wf_color_only");
  KILN_DRAWN(whole(40, 100), always(-2.35), always(0.75), always(-1.2), always(1.2), always(0),
             whole(2, 4), always(1), always(1), always(3), always(-5), always(3), always(7),
             always(4), always(0.55), always(0), always(0), always(0), always(0), always(0));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  static constexpr bool changes_color = true;
  static constexpr bool hides_points = true;
  float max_iter = 100, xmin = Real(-2.35), xmax = Real(0.75), ymin = Real(-1.2), ymax = Real(1.2),
        buddhabrot_mode = 0, power = 2, direct_color = 1, scalez = 1, clip_iter_min = 3,
        clip_iter_max = -5, max_clip_iter = 3, buddhabrot_min_iter = 7, scale = 4,
        offsetx = Real(0.55), offsety = 0, offsetz = 0, z_fill = 0, z_logscale = 0, color_only = 0;

  KILN_FN void prepare() {
    max_iter = round(max_iter);
    buddhabrot_mode = round(buddhabrot_mode);
    power = round(power);
    direct_color = round(direct_color);
    clip_iter_min = round(clip_iter_min);
    clip_iter_max = round(clip_iter_max);
    max_clip_iter = round(max_clip_iter);
    buddhabrot_min_iter = round(buddhabrot_min_iter);
    z_logscale = round(z_logscale);
    color_only = round(color_only);
    power = clamped(power, 2, 100);
  }
  KILN_FN FractalWindow window() const {
    return {max_iter, xmin,          xmax,          ymin,          ymax,      direct_color,
            scalez,   clip_iter_min, clip_iter_max, max_clip_iter, scale,     offsetx,
            offsety,  offsetz,       z_fill,        z_logscale,    color_only};
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    return fractal_point(window(), in, [this](Real x0, Real y0) {
      return [this, x0, y0](Real& x, Real& y) {
        Real u = x, v = y;
        for (Real k = 1; k < power; k += 1) {
          const Real re = fma(u, x, -(v * y));
          v = fma(u, y, v * x);
          u = re;
        }
        x = u + x0;
        y = v + y0;
      };
    });
  }
};

/// Points by how long it takes them to escape: meteors.
struct FractMeteors {
  static constexpr auto info = describe(
      "fract_meteors_wf", "fract_meteors_wf_max_iter", "fract_meteors_wf_xmin",
      "fract_meteors_wf_xmax", "fract_meteors_wf_ymin", "fract_meteors_wf_ymax",
      "fract_meteors_wf_buddhabrot_mode", "fract_meteors_wf_direct_color",
      "fract_meteors_wf_scalez", "fract_meteors_wf_clip_iter_min", "fract_meteors_wf_clip_iter_max",
      "fract_meteors_wf_max_clip_iter", "fract_meteors_wf_buddhabrot_min_iter",
      "fract_meteors_wf_scale", "fract_meteors_wf_offsetx", "fract_meteors_wf_offsety",
      "fract_meteors_wf_offsetz", "fract_meteors_wf_z_fill", "fract_meteors_wf_z_logscale",
      "fract_meteors_wf_color_only");
  KILN_DRAWN(whole(40, 100), always(-1.7), always(1.7), always(-1.1), always(1.1), always(0),
             always(1), always(1), always(3), always(-5), always(3), always(7), always(5.7),
             always(0), always(0), always(0), always(0), always(0), always(0));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  static constexpr bool changes_color = true;
  static constexpr bool hides_points = true;
  float max_iter = 100, xmin = Real(-1.7), xmax = Real(1.7), ymin = Real(-1.1), ymax = Real(1.1),
        buddhabrot_mode = 0, direct_color = 1, scalez = 1, clip_iter_min = 3, clip_iter_max = -5,
        max_clip_iter = 3, buddhabrot_min_iter = 7, scale = Real(5.7), offsetx = 0, offsety = 0,
        offsetz = 0, z_fill = 0, z_logscale = 0, color_only = 0;

  KILN_FN void prepare() {
    max_iter = round(max_iter);
    buddhabrot_mode = round(buddhabrot_mode);
    direct_color = round(direct_color);
    clip_iter_min = round(clip_iter_min);
    clip_iter_max = round(clip_iter_max);
    max_clip_iter = round(max_clip_iter);
    buddhabrot_min_iter = round(buddhabrot_min_iter);
    z_logscale = round(z_logscale);
    color_only = round(color_only);
  }
  KILN_FN FractalWindow window() const {
    return {max_iter, xmin,          xmax,          ymin,          ymax,      direct_color,
            scalez,   clip_iter_min, clip_iter_max, max_clip_iter, scale,     offsetx,
            offsety,  offsetz,       z_fill,        z_logscale,    color_only};
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    return fractal_point(window(), in, [](Real x0, Real y0) {
      return [x0, y0](Real& x, Real& y) {
        const Real over = 1 / fma(x, x, y * y);
        const Real u = fma(-over, fma(x0, x, y0 * y), fma(x0, x, -(y0 * y)));
        y = fma(over, fma(x0, y, -(y0 * x)), fma(x0, y, y0 * x));
        x = u;
      };
    });
  }
};

/// Points by how long it takes them to escape: pearls.
struct FractPearls {
  static constexpr auto info = describe(
      "fract_pearls_wf", "fract_pearls_wf_max_iter", "fract_pearls_wf_xmin", "fract_pearls_wf_xmax",
      "fract_pearls_wf_ymin", "fract_pearls_wf_ymax", "fract_pearls_wf_buddhabrot_mode",
      "fract_pearls_wf_xseed", "fract_pearls_wf_yseed", "fract_pearls_wf_direct_color",
      "fract_pearls_wf_scalez", "fract_pearls_wf_clip_iter_min", "fract_pearls_wf_clip_iter_max",
      "fract_pearls_wf_max_clip_iter", "fract_pearls_wf_buddhabrot_min_iter",
      "fract_pearls_wf_scale", "fract_pearls_wf_offsetx", "fract_pearls_wf_offsety",
      "fract_pearls_wf_offsetz", "fract_pearls_wf_z_fill", "fract_pearls_wf_z_logscale",
      "fract_pearls_wf_color_only");
  KILN_DRAWN(whole(40, 100), always(-2), always(2), always(-2), always(2), always(0), always(0),
             {-0.372, -0.248}, always(1), always(1), always(1), always(-5), always(3), always(7),
             always(2.45), always(0), always(0), always(0), always(0), always(0), always(0));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  static constexpr bool changes_color = true;
  static constexpr bool hides_points = true;
  float max_iter = 100, xmin = -2, xmax = 2, ymin = -2, ymax = 2, buddhabrot_mode = 0, xseed = 0,
        yseed = Real(-0.31), direct_color = 1, scalez = 1, clip_iter_min = 1, clip_iter_max = -5,
        max_clip_iter = 3, buddhabrot_min_iter = 7, scale = Real(2.45), offsetx = 0, offsety = 0,
        offsetz = 0, z_fill = 0, z_logscale = 0, color_only = 0;

  KILN_FN void prepare() {
    max_iter = round(max_iter);
    buddhabrot_mode = round(buddhabrot_mode);
    direct_color = round(direct_color);
    clip_iter_min = round(clip_iter_min);
    clip_iter_max = round(clip_iter_max);
    max_clip_iter = round(max_clip_iter);
    buddhabrot_min_iter = round(buddhabrot_min_iter);
    z_logscale = round(z_logscale);
    color_only = round(color_only);
  }
  KILN_FN FractalWindow window() const {
    return {max_iter, xmin,          xmax,          ymin,          ymax,      direct_color,
            scalez,   clip_iter_min, clip_iter_max, max_clip_iter, scale,     offsetx,
            offsety,  offsetz,       z_fill,        z_logscale,    color_only};
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    return fractal_point(window(), in, [this](Real, Real) {
      return [this](Real& x, Real& y) {
        const Real over = 1 / fma(x, x, y * y);
        const Real u = fma(-over, fma(xseed, x, yseed * y), fma(xseed, x, -(yseed * y)));
        y = fma(over, fma(xseed, y, -(yseed * x)), fma(xseed, y, yseed * x));
        x = u;
      };
    });
  }
};

/// Points by how long it takes them to escape: salamanders.
struct FractSalamander {
  static constexpr auto info = describe(
      "fract_salamander_wf", "fract_salamander_wf_max_iter", "fract_salamander_wf_xmin",
      "fract_salamander_wf_xmax", "fract_salamander_wf_ymin", "fract_salamander_wf_ymax",
      "fract_salamander_wf_buddhabrot_mode", "fract_salamander_wf_xseed",
      "fract_salamander_wf_yseed", "fract_salamander_wf_direct_color", "fract_salamander_wf_scalez",
      "fract_salamander_wf_clip_iter_min", "fract_salamander_wf_clip_iter_max",
      "fract_salamander_wf_max_clip_iter", "fract_salamander_wf_buddhabrot_min_iter",
      "fract_salamander_wf_scale", "fract_salamander_wf_offsetx", "fract_salamander_wf_offsety",
      "fract_salamander_wf_offsetz", "fract_salamander_wf_z_fill", "fract_salamander_wf_z_logscale",
      "fract_salamander_wf_color_only");
  KILN_DRAWN(whole(40, 100), always(-2), always(2), always(-2), always(2), always(0), {0.64, 0.96},
             {-0.18, -0.12}, always(1), always(1), always(1), always(-5), always(3), always(7),
             always(2.45), always(0), always(0), always(0), always(0), always(0), always(0));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  static constexpr bool changes_color = true;
  static constexpr bool hides_points = true;
  float max_iter = 100, xmin = -2, xmax = 2, ymin = -2, ymax = 2, buddhabrot_mode = 0,
        xseed = Real(0.8), yseed = Real(-0.15), direct_color = 1, scalez = 1, clip_iter_min = 1,
        clip_iter_max = -5, max_clip_iter = 3, buddhabrot_min_iter = 7, scale = Real(2.45),
        offsetx = 0, offsety = 0, offsetz = 0, z_fill = 0, z_logscale = 0, color_only = 0;

  KILN_FN void prepare() {
    max_iter = round(max_iter);
    buddhabrot_mode = round(buddhabrot_mode);
    direct_color = round(direct_color);
    clip_iter_min = round(clip_iter_min);
    clip_iter_max = round(clip_iter_max);
    max_clip_iter = round(max_clip_iter);
    buddhabrot_min_iter = round(buddhabrot_min_iter);
    z_logscale = round(z_logscale);
    color_only = round(color_only);
  }
  KILN_FN FractalWindow window() const {
    return {max_iter, xmin,          xmax,          ymin,          ymax,      direct_color,
            scalez,   clip_iter_min, clip_iter_max, max_clip_iter, scale,     offsetx,
            offsety,  offsetz,       z_fill,        z_logscale,    color_only};
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    return fractal_point(window(), in, [this](Real, Real) {
      return [this](Real& x, Real& y) {
        const Real u = fma(x, x, -(y * y)), v = 2 * x * y;
        x = fma(u, xseed, fma(-v, yseed, Real(-1)));
        y = fma(u, yseed, v * xseed);
      };
    });
  }
};

using JWildfireColors =
    VariationList<DcLinear, DcHexes, LorenzJs, XCurves, ZCurves, FractJulia, FractDragon,
                  FractMandelbrot, FractMeteors, FractPearls, FractSalamander>;

KILN_END
