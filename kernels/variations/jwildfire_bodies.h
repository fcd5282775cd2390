// SPDX-License-Identifier: MIT
// JWildfire's bodies and surfaces in space: planes, boards, shells, tori, cones.
#pragma once

#include "kernels/variations/jwildfire_planes.h"

KILN_BEGIN

/// A tile in space, across one axis; its place on it as color.
struct PlaneWf {
  static constexpr auto info = describe(
      "plane_wf", "plane_wf_position", "plane_wf_size", "plane_wf_axis", "plane_wf_direct_color",
      "plane_wf_color_mode", "plane_wf_blend_colormap", "plane_wf_displ_amount",
      "plane_wf_blend_displ_map", "plane_wf_calc_color_idx", "plane_wf_receive_only_shadows");
  KILN_DRAWN({-0.5, 0.5}, {1, 3}, whole(0, 2), always(1), whole(1, 3), always(1), always(0.1),
             always(1), always(0), always(0));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  static constexpr bool changes_color = true;
  float position = 3, size = 10, axis = 2, direct_color = 1, color_mode = 3;
  float blend_colormap = 1, displ_amount = Real(0.1), blend_displ_map = 1;  // of pictures
  float calc_color_idx = 0, receive_only_shadows = 0;

  KILN_FN void prepare() {
    axis = clamped(round(axis), 0, 2);
    direct_color = clamped(round(direct_color), 0, 1);
    color_mode = clamped(round(color_mode), 0, 3);
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const Real a = Real(0.5) - in.rng.uniform(), b = Real(0.5) - in.rng.uniform();
    const Real s = in.weight * size, at = in.weight * position;
    const Real u = (axis == 2 ? b : a) + Real(0.5), v = (axis == 2 ? a : b) + Real(0.5);
    const Real shown = color_mode == 1 ? u : color_mode == 2 ? v : u * v;
    const bool colors = (direct_color != 0) & (color_mode != 0);
    return {axis == 1 ? at : a * s,
            axis == 0   ? b * s
            : axis == 1 ? a * s
                        : at,
            axis == 0 ? at : b * s, colors ? clamped(shown, 0, 1) : in.color};
  }
};

/// The plane around a cylinder.
struct CylinderApo {
  static constexpr auto info = describe("cylinder_apo");
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [s, c] = sincos(in.p.x);
    return Vec3{s, in.p.y, c} * in.weight;
  }
};

/// A body of two super shapes, one around, one up.
struct SuperShape3D {
  static constexpr auto info = describe(
      "superShape3d", "superShape3d_rho", "superShape3d_phi", "superShape3d_m1", "superShape3d_m2",
      "superShape3d_a1", "superShape3d_a2", "superShape3d_b1", "superShape3d_b2",
      "superShape3d_n1_1", "superShape3d_n1_2", "superShape3d_n2_1", "superShape3d_n2_2",
      "superShape3d_n3_1", "superShape3d_n3_2", "superShape3d_spiral", "superShape3d_toroidmap");
  KILN_DRAWN(always(9.9), always(2.5), whole(2, 8), whole(2, 6), {0.7, 1.3}, {0.7, 1.3}, {0.7, 1.3},
             {0.7, 1.3}, {0.6, 2}, {0.6, 2}, {0.6, 2}, {0.6, 2}, {0.6, 2}, {0.6, 2}, always(0),
             whole(0, 1));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  float rho = Real(9.9), phi = Real(2.5), m1 = 6, m2 = 3, a1 = 1, a2 = 1, b1 = 1, b2 = 1;
  float n1_1 = 1, n1_2 = 1, n2_1 = 1, n2_2 = 1, n3_1 = 1, n3_2 = 1, spiral = 0, toroidmap = 0;

  KILN_FN void prepare() { toroidmap = round(toroidmap); }
  KILN_FN static Real shape(Real t, Real m, Real a, Real b, Real n1, Real n2, Real n3) {
    const auto [s, c] = sincos(m * t / 4);
    return pow(pow(abs(c / a), n2) + pow(abs(s / b), n3), -1 / n1);
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real a = in.rng.uniform() * rho * (2 * inverse_pi);
    const Real size = in.rng.uniform() * phi * (2 * inverse_pi);
    // one of 2^31 - 1 numbers, the odd ones
    const bool down = (u32((u64(in.rng.next()) * 2147483647u) >> 32) & 1u) != 0;
    const Real b = down ? -size : size;
    const Real r1 = fma(spiral, a, shape(a, m1, a1, b1, n1_1, n2_1, n3_1));
    const Real r2 = shape(b, m2, a2, b2, n1_2, n2_2, n3_2);
    const auto [sa, ca] = sincos(a);
    const auto [sb, cb] = sincos(b);
    const Real q = toroidmap == 1 ? fma(r2, cb, r1) : r1 * r2 * cb;
    return Vec3{q * ca, q * sa, r2 * sb} * in.weight;
  }
};

/// A bubble of two halves.
struct BubbleWf {
  static constexpr auto info = describe("bubble_wf");
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real s = in.weight / fma(in.r2(), Real(0.25), Real(1));
    const Real height = fma(Real(2), s, -in.weight);
    return {in.p.x * s, in.p.y * s, in.rng.bit() == 0 ? -height : height};
  }
};

/// A shell: a circle that shrinks along a helix.
struct Seashell3D {
  static constexpr auto info =
      describe("seashell3D", "seashell3D_final_radius", "seashell3D_height",
               "seashell3D_inner_radius", "seashell3D_nSpirals");
  KILN_DRAWN({0.1, 0.5}, {0.5, 3}, {0.1, 0.6}, whole(1, 6));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  float final_radius = Real(0.25), height = Real(3.5), inner_radius = Real(0.4), spirals = 3;

  KILN_FN void prepare() { spirals = round(spirals); }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real t = in.rng.uniform();
    const auto [ss, cs] = sincospi(2 * in.rng.uniform());
    const auto [st, ct] = sincospi(2 * spirals * t);
    const Real k = final_radius * (1 - t), q = fma(k, 1 + cs, inner_radius);
    return Vec3{q * ct, q * st, fma(height, t, k * ss)} * in.weight;
  }
};

/// A torus with waves.
struct Taurus {
  static constexpr auto info =
      describe("taurus", "taurus_r", "taurus_n", "taurus_inv", "taurus_sor");
  KILN_DRAWN({0.5, 3}, whole(2, 8), {0.5, 1.5}, {0.5, 1});
  static constexpr bool makes_depth = true;
  float radius = 3, n = 5, inv = Real(1.5), sor = 1;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const auto [sx, cx] = sincos(x);
    const auto [sy, cy] = sincos(y);
    const Real q = radius * fma(1 - inv, cos(n * x), inv) + sy, s = in.weight * q;
    return {s * cx, s * sx, fma(in.weight * sor, cy, (1 - sor) * y)};
  }
};

/// A cone around the axis, in parts.
struct Cone {
  static constexpr auto info =
      describe("cone", "cone_radius1", "cone_radius2", "cone_size1", "cone_size2", "cone_ywave",
               "cone_xwave", "cone_height", "cone_warp", "cone_weight");
  KILN_DRAWN({0.3, 1}, {0.3, 1}, {0.3, 1}, {0.5, 2}, {0.7, 2}, {0.7, 2}, {0.5, 1.5}, {0.5, 1.5},
             {1, 4});
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  float radius1 = Real(0.5), radius2 = 1, size1 = Real(0.5), size2 = 2, ywave = 1, xwave = 1;
  float height = 1, warp = 1, weight = 2;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real s = in.weight * size2 / sqrt(fma(warp * x, x, fma(y, y, size1)));
    const Real turn = pi * radius2 * trunc(weight * in.rng.uniform());
    const Real t = fma(in.theta(), radius1, turn);
    return {s * cos(xwave * t), s * sin(ywave * t), s * height};
  }
};

/// Enneper's surface, as Apophysis has it.
struct Ennepers2 {
  static constexpr auto info = describe("ennepers2", "ennepers2_a", "ennepers2_b", "ennepers2_c");
  KILN_DRAWN({0.7, 1.2}, {0.2, 0.8}, {0, 0.2});
  static constexpr bool makes_depth = true;
  float a = 1, b = Real(0.3333), c = Real(0.075);

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real q = in.r2(), ax = a * x, by = b * y, d = fma(ax, ax, -(by * by)), over = d / q;
    return Vec3{x * (a * a - over - c * sqrt(abs(x))), y * (b * b - over - c * sqrt(abs(y))),
                d / (2 * sqrt(q))} *
           in.weight;
  }
};

/// A petal with height.
struct Petal3D {
  static constexpr auto info =
      describe("petal3D_apo", "petal3D_apo_width", "petal3D_apo_Zshape", "petal3D_apo_scale1",
               "petal3D_apo_scale2", "petal3D_apo_style");
  KILN_DRAWN({0.6, 1.3}, {0.2, 0.8}, {-1, 1}, {-1, 1}, {-1, 1});
  static constexpr bool makes_depth = true;
  float width = 1, z_shape = Real(0.25), scale1 = Real(0.25), scale2 = Real(0.25), style = 0;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const auto [sx, cx] = sincos(x);
    const Real cy = cos(y), q = cx * cy, s = sx * cy;
    const Real w = in.weight, up = w * cx * s * s * s * width;
    const Real e = max(abs(scale1) - 1, Real(0));
    const Real k = fma(-sin(pi * scale1 * x), Real(0.5), e * x / 2);
    const Real h1 = k + sin(abs(pi * scale2 * y)), h2 = fma(up, scale2 / 2, k);
    const Real m = fma(-2 * style, style, Real(1));
    const Real mixed = style > 0 ? fma(m, h1, (1 - m) * h2) : fma(m, h1, -((1 - m) * h2));
    const Real sided = style > 0 ? h2 : -h2;
    const Real height = style == 0 ? h1 : style * style > Real(0.5) ? sided : mixed;
    return {w * cx * q * q * q, up, w * z_shape * height};
  }
};

/// Whitney's umbrella, the surface that crosses itself in a ray.
struct WhitneyUmbrella {
  static constexpr auto info = describe("whitney_umbrella");
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    return Vec3{x * y, x, y * y} * in.weight;
  }
};

/// Dini's surface; points on its pole are hidden.
struct DinisSurface {
  static constexpr auto info =
      describe("dinis_surface_wf", "dinis_surface_wf_a", "dinis_surface_wf_b");
  KILN_DRAWN({0.5, 1.2}, {0.1, 0.4});
  static constexpr bool makes_depth = true;
  static constexpr bool hides_points = true;
  float a = Real(0.8), b = Real(0.2);

  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const auto [sx, cx] = sincos(x);
    const auto [sy, cy] = sincos(y);
    const bool pole = abs(y) <= jwildfire_eps;
    const Real s = in.weight * a * sy;
    const Real height = -in.weight * fma(a, cy + log(tan(abs(y) / 2)), b * x);
    return {s * cx, s * sx, pole ? Real(0) : height, in.color, pole};
  }
};

/// A board with fields of two colors and heights.
struct CheckerboardWf {
  static constexpr auto info = describe(
      "checkerboard_wf", "checkerboard_wf_position", "checkerboard_wf_size", "checkerboard_wf_axis",
      "checkerboard_wf_checker_size", "checkerboard_wf_displ_amount",
      "checkerboard_wf_checker_color1", "checkerboard_wf_checker_color2",
      "checkerboard_wf_side_color", "checkerboard_wf_with_sides");
  KILN_DRAWN({-0.5, 0.5}, {1, 3}, whole(0, 2), {0.1, 0.3}, {0, 0.2}, {0, 1}, {0, 1}, {0, 1},
             whole(0, 1));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  static constexpr bool changes_color = true;
  float position = 3, size = 10, axis = 2, checker_size = Real(0.2), displ_amount = Real(0.05);
  float checker_color1 = 0, checker_color2 = 1, side_color = Real(0.5), with_sides = 1;
  float walls = 0, wall_share = 0, has_walls = 0;

  KILN_FN void prepare() {
    axis = clamped(round(axis), 0, 2);
    checker_color1 = clamped(checker_color1, 0, 1);
    checker_color2 = clamped(checker_color2, 0, 1);
    side_color = clamped(side_color, 0, 1);
    with_sides = clamped(round(with_sides), 0, 1);
    wall_share = 4 * displ_amount / fma(Real(4), displ_amount, Real(1));
    walls = rounded_up(1 / checker_size);
    if (walls * checker_size >= 1) walls -= 1;
    has_walls = (with_sides != 0) & (abs(displ_amount) >= jwildfire_eps) ? 1 : 0;
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const Real u = in.rng.uniform();
    Real x = u, y, z, color;
    if (has_walls != 0 && walls > 0 && u < wall_share) {
      const bool upright = in.rng.bit() == 0;
      const Real first = in.rng.uniform(), second = in.rng.uniform();
      x = upright ? floor(first * (walls + 1)) * checker_size : first;
      y = upright ? second : floor(second * (walls + 1)) * checker_size;
      z = displ_amount * in.rng.uniform();
      color = side_color;
    } else {
      x = has_walls != 0 ? in.rng.uniform() : u;
      y = in.rng.uniform();
      const bool odd = is_odd(floor(x / checker_size) + floor(y / checker_size));
      z = odd ? Real(0) : displ_amount;
      color = odd ? checker_color2 : checker_color1;
    }
    const Real w = in.weight, a = w * (x - Real(0.5)) * size, b = w * (y - Real(0.5)) * size;
    const Real c = w * fma(z, size, position);
    if (axis == 0) return {a, b, c, color};
    if (axis == 1) return {c, a, b, color};
    return {b, c, a, color};
  }
};

/// A body or its border: disc, sphere, cube, square, triangle, pyramid, torus.
struct PrimitivesWf {
  static constexpr auto info = describe("primitives_wf", "primitives_wf_shape", "primitives_wf_a",
                                        "primitives_wf_b", "primitives_wf_filled");
  KILN_DRAWN(whole(0, 6), {0.3, 0.8}, {0.3, 0.8}, whole(0, 1));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  float shape = 1, a = 1, b = 1, filled = 0;

  KILN_FN void prepare() {
    shape = round(shape);
    filled = clamped(round(filled), 0, 1);
  }
  /// Whether a filled body gets a point of its border, a twentieth of all.
  KILN_FN bool on_border(Random& rng) const { return filled == 0 || rng.uniform() < Real(0.05); }
  KILN_FN Real radius(Random& rng, Real q) const { return on_border(rng) ? q : q * rng.uniform(); }
  KILN_FN static Real across(Random& rng, Real w) { return w * (rng.uniform() - Real(0.5)); }
  KILN_FN Real face(Random& rng, Real w, bool below) const {
    if (on_border(rng)) return below ? -w / 2 : w / 2;
    return across(rng, w);
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    Random& rng = in.rng;
    const Real w = in.weight;
    if (shape == 0) {
      const Real r = radius(rng, w);
      const auto [s, c] = sincospi(2 * rng.uniform());
      return {r * c, r * s, 0};
    }
    if (shape == 3) {
      if (filled == 1 && rng.bit() == 0) {
        const Real x = across(rng, w);
        return {x, across(rng, w), 0};
      }
      const bool upright = rng.bit() == 0, below = rng.bit() == 0;
      const Real first = upright ? face(rng, w, below) : across(rng, w);
      return {first, upright ? across(rng, w) : face(rng, w, below), 0};
    }
    if (shape == 2) {
      const Real k = one_of(rng, 3);
      const bool below = rng.bit() == 0;
      const Real x = k == 0 ? face(rng, w, below) : across(rng, w);
      const Real y = k == 1 ? face(rng, w, below) : across(rng, w);
      return {x, y, k == 2 ? face(rng, w, below) : across(rng, w)};
    }
    if (shape == 4) {
      const Real u = rng.uniform(), v = rng.uniform();
      if (u + v >= 1) return {0, 0, 0};
      return {rng.bit() == 0 ? u : -u, -v, 0};
    }
    if (shape == 5) {
      Real u = rng.uniform(), v = rng.uniform();
      if (u + v >= 1) return {0, 0, 0};
      u *= w;
      v *= w;
      const Real k = one_of(rng, 5);
      if (k == 0) {
        const Real x = across(rng, w);
        return {x, w / 2, across(rng, w)};
      }
      const Real e = rng.bit() == 0 ? u / 2 : -u / 2, d = (v - w) / 2;
      const Real y = fma(v, Real(-0.86602540378443864676), w / 2);
      const Real far = (k == 2) | (k == 4) ? -d : d;
      return k < 3 ? Vec3{far, y, e} : Vec3{e, y, far};
    }
    const Real r = radius(rng, shape == 6 ? a : w);
    const auto [s1, c1] = sincospi(2 * rng.uniform());
    const auto [s2, c2] = sincospi(2 * rng.uniform());
    if (shape == 6) {
      const Real q = fma(r, s1, 2 * b);
      return Vec3{q * s2, r * c1, q * c2} * w;
    }
    return {r * s1 * c2, r * s1 * s2, r * c1};
  }
};

/// A single valued function around a sphere.
struct Svf {
  static constexpr auto info = describe("svf", "svf_n");
  KILN_DRAWN({1, 6});
  static constexpr bool makes_depth = true;
  float n = 2;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [sx, cx] = sincos(in.p.x);
    const auto [sy, cy] = sincos(in.p.y);
    const Real s = in.weight * cos(n * in.p.y);
    return Vec3{cy * cx, cy * sx, sy} * s;
  }
};

using JWildfireBodies = VariationList<PlaneWf, SuperShape3D, Seashell3D, Taurus, Cone, Ennepers2,
                                      Petal3D, WhitneyUmbrella, DinisSurface, CheckerboardWf,
                                      PrimitivesWf, Svf, CylinderApo, BubbleWf>;

KILN_END
