// SPDX-License-Identifier: MIT
// JWildfire's curves and shapes that are drawn whatever the point is.
#pragma once

#include "kernels/variations/jwildfire_curves.h"
#include "kernels/variations/plugin_cells.h"

KILN_BEGIN

struct Spirograph {
  static constexpr auto info = describe(
      "spirograph", "spirograph_a", "spirograph_b", "spirograph_d", "spirograph_tmin",
      "spirograph_tmax", "spirograph_ymin", "spirograph_ymax", "spirograph_c1", "spirograph_c2");
  KILN_DRAWN({1, 3}, {1, 3}, {-1, 1}, {-3, -1}, {1, 3}, {-0.2, 0}, {0, 0.2}, {-1, 1}, {-1, 1});
  static constexpr bool random_draws = true, weighs_depth = true;
  float a = 3, b = 2, d = 0, t_min = -1, t_max = 1, y_min = -1, y_max = 1, c1 = 0, c2 = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real t = fma(t_max - t_min, in.rng.uniform(), t_min);
    const Real h = fma(y_max - y_min, in.rng.uniform(), y_min);
    const SinCos slow = sincos(t), fast = sincos((a + b) / b * t);
    return Vec2{fma(a + b + d, slow.c, fma(-c1, fast.c, h)),
                fma(a + b + d, slow.s, fma(-c2, fast.s, h))} *
           in.weight;
  }
};

/// Spirals of a spiral, with depth.
struct Spirograph3D {
  static constexpr auto info = describe(
      "spirograph3D", "spirograph3D_a", "spirograph3D_b", "spirograph3D_c", "spirograph3D_tmin",
      "spirograph3D_tmax", "spirograph3D_width", "spirograph3D_mode", "spirograph3D_direct_color");
  KILN_DRAWN({0.5, 1}, {-0.6, -0.2}, {0.2, 0.6}, always(0), {100, 1000}, {0, 0.1}, whole(0, 4),
             whole(0, 1));
  static constexpr bool random_draws = true, makes_depth = true, changes_color = true;
  float a = 1, b = Real(-0.3), c = Real(0.4), t_min = 0, t_max = 1000, width = 0, mode = 0,
        direct_color = 0;

  KILN_FN void prepare() {
    mode = round(mode);
    direct_color = round(direct_color);
  }
  KILN_FN static Real gauss(Real u1, Real u2, Real u3, Real u4) {
    return Real(0.5) * (u1 + u2 + u3 + u4 - 2);
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    Real u[13];
    const int count = mode == 3 ? 13 : 4;
    for (int i = 0; i < 13; ++i) u[i] = i < count ? in.rng.uniform() : Real(0);
    const Real t = fma(t_max - t_min, u[0], t_min), h = u[1] - Real(0.5);
    Real e = h, f = h, g = h;
    if (mode == 1) {
      e *= sin(36 * t);
      f *= sin(fma(36, t, two_pi / 3));
      g *= sin(fma(36, t, 2 * two_pi / 3));
    } else if (mode == 2) {
      f = u[2] - Real(0.5);
      g = u[3] - Real(0.5);
    } else if (mode == 3) {
      e = gauss(u[1], u[2], u[3], u[4]);
      f = gauss(u[5], u[6], u[7], u[8]);
      g = gauss(u[9], u[10], u[11], u[12]);
    } else if (mode == 4) {
      e = h < 0 ? 1 : -1;
      f = g = 0;
    }
    const SinCos slow = sincos(t), fast = sincos((a + b) / b * t);
    const Real color = direct_color != 0 ? fmod(t / two_pi, Real(1)) : in.color;
    return {in.weight * fma(a + b, slow.c, fma(-c, fast.c, width * e)),
            in.weight * fma(a + b, slow.s, fma(-c, fast.s, width * f)),
            in.weight * fma(c, fast.s, width * g), color};
  }
};

/// Squares in rows, or their borders.
struct Waffle {
  static constexpr auto info = describe("waffle", "waffle_slices", "waffle_xthickness",
                                        "waffle_ythickness", "waffle_rotation");
  KILN_DRAWN(whole(2, 8), {0.2, 0.8}, {0.2, 0.8}, {0, 3});
  static constexpr bool random_draws = true, weighs_depth = true, adds_to_the_point = true;
  float slices = 6, x_thickness = Real(0.5), y_thickness = Real(0.5), rotation = 0;
  float sin_r = 0, cos_r = 1;

  KILN_FN void prepare() {
    slices = round(slices);
    const SinCos turn = sincos(rotation);
    sin_r = turn.s;
    cos_r = turn.c;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real n = slices;
    const i32 kind = i32(5 * in.rng.uniform());
    const Real u1 = in.rng.uniform(), u2 = in.rng.uniform(), u3 = in.rng.uniform(),
               u4 = in.rng.uniform();
    const Real k1 = floor(u1 * n), k2 = floor(u2 * n), k3 = floor(u3 * n);
    Real a = fma(u2, x_thickness, k1), b = fma(u4, y_thickness, k3);
    if (kind == 1) {
      a = k1 + u2;
      b = k3 + y_thickness;
    } else if (kind == 2) {
      a = k1 + x_thickness;
      b = k2 + u3;
    } else if (kind == 3) {
      a = u1 * n;
      b = k2 + y_thickness + u3 * (1 - y_thickness);
    } else if (kind == 4) {
      a = k1 + x_thickness + u2 * (1 - x_thickness);
      b = u3 * n;
    }
    a /= n;
    b /= n;
    return Vec2{fma(a, cos_r, b * sin_r), fma(b, cos_r, -(a * sin_r))} * in.weight;
  }
};

struct Lissajous {
  static constexpr auto info =
      describe("lissajous", "lissajous_tmin", "lissajous_tmax", "lissajous_a", "lissajous_b",
               "lissajous_c", "lissajous_d", "lissajous_e");
  KILN_DRAWN({-4, -3}, {3, 4}, whole(1, 7), whole(1, 7), {0, 0.1}, {0, 3}, {0, 0.1});
  static constexpr bool random_draws = true, weighs_depth = true, adds_to_the_point = true;
  float t_min = -pi, t_max = pi, a = 3, b = 2, c = 0, d = 0, e = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real t = fma(t_max - t_min, in.rng.uniform(), t_min);
    const Real by = fma(c, t, e * (in.rng.uniform() - Real(0.5)));
    return Vec2{sin(fma(a, t, d)) + by, sin(b * t) + by} * in.weight;
  }
};

struct CrownJs {
  static constexpr auto info = describe("crown_js", "crown_js_a", "crown_js_b");
  KILN_DRAWN(whole(2, 6), {0.4, 0.8});
  static constexpr bool random_draws = true, makes_depth = true, changes_color = true,
                        reads_sum = true;
  float a = 5, b = Real(0.630929753571457437);

  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const double t = double(fma(two_pi, in.rng.uniform(), -pi));
    double frequency = 1;
    const Real shrink = pow(abs(a), -b);
    Real x = 0, y = 0, size = 1;
    for (int k = 1; k <= 14; ++k) {
      frequency *= k == 1 ? double(a) : -double(a);
      size *= shrink;
      const fine::SinCos turn = fine::sincos(frequency * t);
      x = fma(size, Real(turn.s), x);
      y = fma(size, Real(turn.c), y);
    }
    const Real q = fma(x, x, y * y);
    const Real u = fma(in.weight, x, in.sum.x), v = fma(in.weight, y, in.sum.y);
    return {in.weight * x, in.weight * y, in.weight * q * q, fmod(fma(u, u, v * v), Real(1))};
  }
};

/// Straight lines between points of a rose. Maurer, "A rose is a rose", 1987.
struct MaurerRose {
  static constexpr auto info = describe(
      "maurer_rose", "maurer_rose_kn", "maurer_rose_kd", "maurer_rose_c",
      "maurer_rose_line_offset_degrees", "maurer_rose_line_count", "maurer_rose_show_lines",
      "maurer_rose_show_points", "maurer_rose_show_curve", "maurer_rose_line_thickness",
      "maurer_rose_point_thickness", "maurer_rose_curve_thickness");
  KILN_DRAWN(whole(2, 7), whole(1, 3), always(0), whole(20, 150), always(360), always(1), {0, 0.5},
             {0, 0.5}, {0, 1}, {0, 3}, {0, 1});
  static constexpr bool random_draws = true, weighs_depth = true;
  float numerator = 2, denominator = 1, c = 0, degrees = 71, count = 360, lines = 1, points = 0,
        curve = Real(0.05), line_width = Real(0.5), point_width = 3, curve_width = 1;
  float waves = 2, step = 1, all = 1, line_share = 1, point_share = 0;

  KILN_FN void prepare() {
    waves = numerator / denominator;
    step = two_pi * degrees / 360;
    all = lines + points + curve;
    line_share = lines / all;
    point_share = points / all;
    line_width /= 100;
    point_width /= 100;
    curve_width /= 100;
  }
  KILN_FN Vec2 place(Real angle) const { return from_polar(cos(waves * angle) + c, angle); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = in.rng.uniform(), u1 = in.rng.uniform(), u2 = in.rng.uniform(),
               u3 = in.rng.uniform();
    const Real t = count / two_pi * in.phi();  // in steps
    const Real from = floor(t) * step;
    const bool is_line = u < line_share, is_point = !is_line & (u <= line_share + point_share);
    const bool is_first = u <= line_share + point_share / 2;
    const Vec2 a = place(is_line | (is_point & is_first) ? from
                         : is_point                      ? from + step
                                                         : t * step);
    const Vec2 b = is_line ? place(from + step) : a;
    Vec2 at{fma(b.x - a.x, u1, a.x), fma(b.y - a.y, u1, a.y)};
    const Vec2 disc = from_polar(point_width * u1, two_pi * u2);
    const Real width = is_line ? line_width : curve_width;
    const Vec2 square{width * ((is_line ? u2 : u1) - Real(0.5)),
                      width * ((is_line ? u3 : u2) - Real(0.5))};
    return (at + (is_point ? disc : square)) * in.weight;
  }
};

struct Pie3D {
  static constexpr auto info =
      describe("pie3D", "pie3D_slices", "pie3D_rotation", "pie3D_thickness");
  KILN_DRAWN(whole(3, 9), {0, 3}, {0.2, 0.8});
  static constexpr bool random_draws = true, makes_depth = true, adds_to_the_point = true;
  float slices = 7, rotation = 0, thickness = Real(0.5);

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real slice = trunc(fma(in.rng.uniform(), slices, Real(0.5)));
    const Real a = rotation + two_pi * fma(in.rng.uniform(), thickness, slice) / slices;
    const Real q = in.weight * in.rng.uniform();
    const Vec2 p = from_polar(q, a);
    return {p.x, p.y, q * sin(q)};
  }
};

/// T. Fay's curve.
struct Chrysanthemum {
  static constexpr auto info = describe("chrysanthemum");
  static constexpr bool random_draws = true, weighs_depth = true, adds_to_the_point = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = 21 * pi * in.rng.uniform();
    const Real inner =
        whole_power<4>(sin(17 * u / 3)) * whole_power<8>(sin(fma(2, cos(3 * u), -28 * u)));
    const Real r = fma(5, 1 + sin(11 * u / 5), -4 * inner);
    return from_polar(Real(0.1) * in.weight * r, u);
  }
};

/// Discs of random sizes in cells, evenly filled.
struct CircleRand {
  static constexpr auto info = describe("circleRand", "circleRand_Sc", "circleRand_Dens",
                                        "circleRand_X", "circleRand_Y", "circleRand_Seed");
  KILN_DRAWN({0.2, 0.6}, {0.5, 0.9}, {1, 3}, {1, 3}, whole(0, 99));
  static constexpr bool random_draws = true, weighs_depth = true, adds_to_the_point = true;
  float size = 1, density = Real(0.5), width = 10, height = 10, seed = 0;

  KILN_FN void prepare() { seed = round(seed); }
  KILN_FN static Real hashed(i32 m, i32 n) { return Voron::hashed(u32(m) + 57u * u32(n)); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const i32 first = int_from(seed);
    Real x = 0, y = 0;
    for (int round = 0; round <= 100; ++round) {
      x = width * (1 - 2 * in.rng.uniform());
      y = height * (1 - 2 * in.rng.uniform());
      const Real m = floor(x / (2 * size)), n = floor(y / (2 * size));
      const Real u = fma(-fma(2, m, Real(1)), size, x), v = fma(-fma(2, n, Real(1)), size, y);
      const i32 column = int_from(m), line = int_from(n);
      if (hashed(column + first, line) > density) continue;
      const Real radius = fma(Real(0.7), hashed(column + 10, line + 3), Real(0.3)) * size;
      if (sqrt(fma(u, u, v * v)) <= radius) break;
    }
    return Vec2{x, y} * in.weight;
  }
};

/// A straight line from the middle, in a direction.
struct LineOf3D {
  static constexpr auto info = describe("line", "line_delta", "line_phi");
  KILN_DRAWN({-1, 1}, {-1, 1});
  static constexpr bool random_draws = true, makes_depth = true, adds_to_the_point = true;
  float delta = 0, phi = 0;
  float x = 1, y = 0, z = 0;

  KILN_FN void prepare() {
    const SinCos d = sincospi(delta), p = sincospi(phi);
    const Real u = d.c * p.c, v = d.s * p.c;
    const Real length = sqrt(fma(u, u, fma(v, v, p.s * p.s)));
    x = u / length;
    y = v / length;
    z = p.s / length;
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    return Vec3{x, y, z} * (in.weight * in.rng.uniform());
  }
};

/// A triangle, evenly filled, in place of what other variations make.
struct Triangle {
  static constexpr auto info =
      describe("triangle", "triangle_x1", "triangle_y1", "triangle_z1", "triangle_x2",
               "triangle_y2", "triangle_z2", "triangle_x3", "triangle_y3", "triangle_z3");
  KILN_DRAWN({-1, 0}, {-1, 0}, {-0.5, 0.5}, {0, 1}, {-1, 0}, {-0.5, 0.5}, {-0.5, 0.5}, {0, 1},
             {-0.5, 0.5});
  static constexpr bool random_draws = true, makes_depth = true;
  static constexpr i32 restarts = keeps_all;
  float x1 = Real(-0.2), y1 = Real(-0.1), z1 = 0, x2 = Real(0.2), y2 = Real(-0.1), z2 = 0,
        x3 = Real(0.2), y3 = Real(0.1), z3 = 0;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real s = sqrt(in.rng.uniform()), t = in.rng.uniform();
    const Real a = 1 - s, b = s * (1 - t), c = s * t;
    return Vec3{fma(a, x1, fma(b, x2, c * x3)), fma(a, y1, fma(b, y2, c * y3)),
                fma(a, z1, fma(b, z2, c * z3))} *
           in.weight;
  }
};

/// Rings of a sine's shape, thrown at random.
struct WaveBlur {
  static constexpr auto info =
      describe("waveblur_wf", "waveblur_wf_count", "waveblur_wf_phase", "waveblur_wf_amplitude_z",
               "waveblur_wf_damping_z", "waveblur_wf_direct_color", "waveblur_wf_color_scale",
               "waveblur_wf_color_offset");
  KILN_DRAWN(whole(2, 8), {0, 3}, {0.2, 0.8}, {-0.5, 0}, whole(0, 1), {0.2, 0.5}, {0, 0.5});
  static constexpr bool random_draws = true, makes_depth = true, changes_color = true,
                        adds_to_the_point = true;
  float count = 5, phase = 0, amplitude_z = Real(0.5), damping_z = 0, direct_color = 0,
        color_scale = Real(0.5), color_offset = 0;

  KILN_FN void prepare() {
    count = round(count);
    direct_color = round(direct_color);
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const Real a = two_pi * in.rng.uniform(), u = 1 - 2 * in.rng.uniform();
    const Real side = in.rng.uniform(), ring = floor(count * in.rng.uniform()) + 1;
    const Real from = acos(side < Real(0.5) ? u : -u);
    const Real q = (from - ring * pi + phase) * in.weight / (count * pi);
    const Real color = min(max(fma(acos(u), color_scale, color_offset), Real(0)), Real(1));
    const Vec2 p = from_polar(q, a);
    const Real damping = damping_z == 0 ? Real(1) : exp(q * damping_z);
    return {p.x, p.y, in.weight * (cos(u) - Real(0.5)) * amplitude_z * damping,
            direct_color == 1 ? color : in.color};
  }
};

using JWildfireShapes =
    VariationList<Spirograph, Spirograph3D, Waffle, Lissajous, CrownJs, MaurerRose, Pie3D,
                  Chrysanthemum, CircleRand, LineOf3D, Triangle, WaveBlur>;

KILN_END
