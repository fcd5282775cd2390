// SPDX-License-Identifier: MIT
// JWildfire's inversions, hyperbolic maps and rays.
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/jwildfire_numbers.h"

KILN_BEGIN

/// A shift of the hyperbolic space in Poincare's ball.
struct Poincare3D {
  static constexpr auto info =
      describe("poincare3D", "poincare3D_r", "poincare3D_a", "poincare3D_b");
  KILN_DRAWN({0.2, 0.8}, {-1, 1}, {-0.5, 0.5});
  static constexpr bool reads_depth = true, makes_depth = true;
  float r = 0, a = 0, b = 0;
  float cx = 0, cy = 0, cz = 0;

  KILN_FN void prepare() {
    const SinCos s = sincospi(a / 2), t = sincospi(b / 2);
    cx = -r * s.c * t.c;
    cy = r * s.s * t.c;
    cz = -r * t.s;
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real z = in.z, r3 = in.r3(), xx = cx * cx, yy = cy * cy, zz = cz * cz;
    const Real px = 2 * cx * x, py = 2 * cy * y, pz = 2 * cz * z;
    const Real d = in.weight / (fma(xx + yy + zz, r3, 1) - px - py - pz);
    return Vec3{fma(x, xx - yy - zz + 1, cx * (py + pz - r3 - 1)),
                fma(y, yy - xx - zz + 1, cy * (px + pz - r3 - 1)),
                fma(z, zz - yy - xx + 1, cz * (px + py - r3 - 1))} *
           d;
  }
};

struct Spherical3DWf {
  static constexpr auto info =
      describe("spherical3D_wf", "spherical3D_wf_invert", "spherical3D_wf_exponent");
  KILN_DRAWN(whole(0, 1), {1.5, 2.5});
  static constexpr bool reads_depth = true;
  float invert = 0, exponent = 2;

  KILN_FN void prepare() { invert = round(invert); }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real d = in.r3() + least_divisor;
    const Real s = in.weight / (abs(exponent - 2) < Real(1e-8) ? d : pow(d, exponent / 2));
    return Vec3{in.p.x, in.p.y, in.z} * (invert != 0 ? -s : s);
  }
};

/// Inversion whose depth is scaled as x is.
struct Sph3D {
  static constexpr auto info = describe("sph3D", "sph3D_x", "sph3D_y", "sph3D_z");
  KILN_DRAWN({0.5, 1.5}, {0.5, 1.5}, always(0.5));
  static constexpr bool reads_depth = true;
  float x = Real(0.75), y = 1, z = Real(0.5);

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real a = x * in.p.x, b = y * in.p.y, c = x * in.z;
    return Vec3{in.p.x, in.p.y, in.z} * (in.weight / fma(a, a, fma(b, b, fma(c, c, Real(1e-29)))));
  }
};

struct Hypershift {
  static constexpr auto info = describe("hypershift", "hypershift_shift", "hypershift_stretch");
  KILN_DRAWN({0.2, 0.8}, {0.7, 1.3});
  static constexpr bool weighs_depth = true;
  float shift = 2, stretch = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real r2 = in.r2(), u = in.p.x / r2 + shift, v = in.p.y / r2;
    const Real s = in.weight * (1 - shift * shift) / fma(u, u, v * v);
    return {fma(s, u, shift), s * v * stretch};
  }
};

struct Hypertile3D {
  static constexpr auto info =
      describe("hypertile3D", "hypertile3D_p", "hypertile3D_q", "hypertile3D_n");
  KILN_DRAWN(whole(3, 7), whole(5, 9), whole(0, 6));
  static constexpr bool reads_depth = true;
  float p = 3, q = 7, n = 0;
  float cx = 0, cy = 0;

  KILN_FN void prepare() {
    p = max(round(p), Real(3));
    q = max(round(q), Real(3));
    n = max(round(n), Real(0));
    const Real turn = two_pi / p, c = cos(turn), t = -(c - 1) / (c + cos(two_pi / q));
    const Vec2 middle = from_polar(t > 0 ? 1 / sqrt(1 + t) : Real(1), n * turn);
    cx = middle.x;
    cy = middle.y;
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real r3 = in.r3(), xx = cx * cx, yy = cy * cy, c = xx + yy;
    const Real d = in.weight / fma(c, r3, fma(2 * cx, x, fma(-2 * cy, y, Real(1))));
    return Vec3{fma(x, 1 + xx - yy, -cx * (2 * cy * y - r3 - 1)),
                fma(y, 1 + yy - xx, cy * (-2 * cx * x - r3 - 1)), in.z * (1 - c)} *
           d;
  }
};

/// A sector of glynnSim: inside of a circle a spot, outside a share of the points inverted.
struct Glynn {
  float radius = 1, thickness = Real(0.1), contrast = Real(0.5), power = Real(1.5);

  KILN_FN void keep_in_range() {
    thickness = min(max(thickness, Real(0)), Real(1));
    contrast = min(max(contrast, Real(0)), Real(1));
  }
  KILN_FN Vec2 inverted(Vec2 p, Real r, Real draw) const {
    const Real al = radius / r;
    return draw > contrast * pow(al, abs(power)) ? p : p * (al * al);
  }
};

struct GlynnSim1 {
  static constexpr auto info =
      describe("glynnSim1", "glynnSim1_radius", "glynnSim1_radius1", "glynnSim1_phi1",
               "glynnSim1_thickness", "glynnSim1_pow", "glynnSim1_contrast");
  KILN_DRAWN({0.5, 1}, {0.1, 0.3}, {0, 360}, {0, 0.5}, {1, 2}, {0.3, 0.8});
  static constexpr bool random_draws = true, weighs_depth = true;
  float radius = 1, radius1 = Real(0.1), phi1 = 110, thickness = Real(0.1), power = Real(1.5),
        contrast = Real(0.5);
  float cx = 0, cy = 0;

  KILN_FN void prepare() {
    thickness = min(max(thickness, Real(0)), Real(1));
    contrast = min(max(contrast, Real(0)), Real(1));
    const SinCos turn = sincospi(phi1 / 180);
    cx = radius * turn.c;
    cy = radius * turn.s;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u1 = in.rng.uniform(), u2 = in.rng.uniform(), u3 = in.rng.uniform(), r = in.r();
    const bool inside = r < radius;
    const Vec2 e = Glynn{radius, thickness, contrast, power}.inverted(in.p, r, u1);
    const Real q = radius1 * fma(1 - thickness, inside ? u1 : u2, thickness);
    const Vec2 spot = from_polar(q, two_pi * (inside ? u2 : u3)) + Vec2{cx, cy};
    const Real dx = e.x - cx, dy = e.y - cy;
    const bool in_spot = inside | (fma(dx, dx, dy * dy) < radius1 * radius1);
    return (in_spot ? spot : e) * in.weight;
  }
};

struct GlynnSim2 {
  static constexpr auto info =
      describe("glynnSim2", "glynnSim2_radius", "glynnSim2_thickness", "glynnSim2_contrast",
               "glynnSim2_pow", "glynnSim2_phi1", "glynnSim2_phi2");
  KILN_DRAWN({0.5, 1}, {0, 0.5}, {0.3, 0.8}, {1, 2}, {0, 180}, {180, 360});
  static constexpr bool random_draws = true, weighs_depth = true;
  float radius = 1, thickness = Real(0.1), contrast = Real(0.5), power = Real(1.5), phi1 = 110,
        phi2 = 150;
  float gamma = 0;

  KILN_FN void prepare() {
    thickness = min(max(thickness, Real(0)), Real(1));
    contrast = min(max(contrast, Real(0)), Real(1));
    gamma = thickness * (2 * radius + thickness) / (radius + thickness);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u1 = in.rng.uniform(), u2 = in.rng.uniform(), r = in.r();
    const Real q = fma(-gamma, u1, radius + thickness);
    const Vec2 spot = from_polar(q, fma(phi2 - phi1, u2, phi1) * (pi / 180));
    const Vec2 e = Glynn{radius, thickness, contrast, power}.inverted(in.p, r, u1);
    return (r < radius ? spot : e) * in.weight;
  }
};

struct GlynnSim3 {
  static constexpr auto info = describe("glynnSim3", "glynnSim3_radius", "glynnSim3_thickness",
                                        "glynnSim3_contrast", "glynnSim3_pow");
  KILN_DRAWN({0.5, 1}, {0, 0.5}, {0.3, 0.8}, {1, 2});
  static constexpr bool random_draws = true, weighs_depth = true;
  float radius = 1, thickness = Real(0.1), contrast = Real(0.5), power = Real(1.5);
  float outer = 1, inner = 1;

  KILN_FN void prepare() {
    contrast = min(max(contrast, Real(0)), Real(1));
    outer = radius + thickness;
    inner = radius * radius / outer;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u1 = in.rng.uniform(), u2 = in.rng.uniform(), r = in.r();
    const Vec2 spot = from_polar(u2 < outer / (outer + inner) ? outer : inner, two_pi * u1);
    const Vec2 e = Glynn{radius, thickness, contrast, power}.inverted(in.p, r, u1);
    return (r < outer ? spot : e) * in.weight;
  }
};

/// loonie of a polygon, a star or a circle.
struct Loonie2 {
  static constexpr auto info =
      describe("loonie2", "loonie2_sides", "loonie2_star", "loonie2_circle");
  KILN_DRAWN(whole(3, 8), {-0.3, 0.5}, {-0.3, 0.5});
  static constexpr bool weighs_depth = true;
  float sides = 4, star = Real(0.15), circle = Real(0.25);
  float sin_star = 0, cos_star = 1, sin_side = 0, cos_side = 1, sin_circle = 0, cos_circle = 1;

  KILN_FN void prepare() {
    sides = min(max(round(sides), Real(1)), Real(50));
    star = min(max(star, Real(-1)), Real(1));
    circle = min(max(circle, Real(-1)), Real(1));
    const SinCos a = sincospi(-star / 2), b = sincos(two_pi / sides), c = sincospi(circle / 2);
    sin_star = a.s;
    cos_star = a.c;
    sin_side = b.s;
    cos_side = b.c;
    sin_circle = c.s;
    cos_circle = c.c;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    Real u = in.p.x, v = in.p.y, most = -infinity;
    for (int i = 0; i < int(sides); ++i) {
      most = max(fma(u, cos_star, abs(v) * sin_star), most);
      const Real before = u;
      u = fma(u, cos_side, -(v * sin_side));
      v = fma(before, sin_side, v * cos_side);
    }
    const Real any = fma(most, cos_circle, in.r() * sin_circle);
    const Real m = (sides >= 3 ? any : abs(any)) * any, w = in.weight, w2 = w * w;
    const Real k = m > 0 && m < w2 ? sqrt(abs(w2 / m - 1))
                   : m < 0         ? 1 / (sqrt(abs(w2 / m)) - 1)
                                   : Real(1);
    return in.p * (w * k);
  }
};

// ---- rays: they begin the sum anew ----

struct Rays1 {
  static constexpr auto info = describe("rays1");
  static constexpr bool weighs_depth = true;
  static constexpr i32 restarts = keeps_x | keeps_y;

  KILN_FN Vec2 operator()(const Arg& in) const {
    constexpr Real k = (2 / pi) * (2 / pi);
    const Real u = in.weight * fma(in.weight, k, 1 / tan(in.r())) * in.r2();
    return {u / in.p.x, u / in.p.y};
  }
};

struct Rays2 {
  static constexpr auto info = describe("rays2");
  static constexpr bool weighs_depth = true;
  static constexpr i32 restarts = keeps_x | keeps_y;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real r2 = in.r2(), bend = tan(1 / r2 + least_divisor);
    const Real u = in.weight / 10 * r2 / cos((r2 + least_divisor) * bend);
    return {u / in.p.x, u / in.p.y};
  }
};

struct Rays3 {
  static constexpr auto info = describe("rays3");
  static constexpr bool weighs_depth = true;
  static constexpr i32 restarts = keeps_x | keeps_y;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real r2 = in.r2(), r4 = r2 * r2;
    const Real u = in.weight / 10 * r2 / sqrt(cos(sin(r4) * sin(1 / r4)));
    return {u * cos(r2) / in.p.x, u * tan(r2) / in.p.y};
  }
};

using JWildfireInversions =
    VariationList<Poincare3D, Spherical3DWf, Sph3D, Hypershift, Hypertile3D, GlynnSim1, GlynnSim2,
                  GlynnSim3, Loonie2, Rays1, Rays2, Rays3>;

KILN_END
