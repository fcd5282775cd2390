// SPDX-License-Identifier: MIT
// Steps of JWildfire's chaos game that kiln has as variations of its own: what its flames say of affine maps in space,
// of the camera, of colors and of copies. Its reader writes them (engine/io/flame/jwildfire_steps.cpp), so that kernels
// have nothing more to do, and files of kiln say them as any other variation.
#pragma once

#include "kernels/variations/complex.h"
#include "kernels/variations/extended.h"
#include "kernels/variations/rings.h"

KILN_BEGIN

/// The affine map of space: rows, then what is added.
struct Map3D {
  static constexpr auto info =
      describe("map3D", "map3D_xx", "map3D_xy", "map3D_xz", "map3D_yx", "map3D_yy", "map3D_yz",
               "map3D_zx", "map3D_zy", "map3D_zz", "map3D_x", "map3D_y", "map3D_z");
  KILN_DRAWN({0.5, 1}, {-0.5, 0.5}, {-0.5, 0.5}, {-0.5, 0.5}, {0.5, 1}, {-0.5, 0.5}, {-0.5, 0.5},
             {-0.5, 0.5}, {0.5, 1}, {-0.5, 0.5}, {-0.5, 0.5}, {-0.5, 0.5});
  static constexpr bool reads_depth = true, makes_depth = true;
  float xx = 1, xy = 0, xz = 0, yx = 0, yy = 1, yz = 0, zx = 0, zy = 0, zz = 1;
  float x = 0, y = 0, z = 0;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [u, v] = in.p;
    return Vec3{fma(xx, u, fma(xy, v, fma(xz, in.z, x))), fma(yx, u, fma(yy, v, fma(yz, in.z, y))),
                fma(zx, u, fma(zy, v, fma(zz, in.z, z)))} *
           in.weight;
  }
};

/// JWildfire's lens: points of the camera's own space, z toward the eye, blurred where they are out of focus and seen
/// in perspective. Its post_ form replaces the point.
struct Lens3D {
  static constexpr auto info = describe(
      "lens3D", "lens3D_perspective", "lens3D_nearer", "lens3D_blur", "lens3D_fade", "lens3D_focus",
      "lens3D_area", "lens3D_exponent", "lens3D_focus_x", "lens3D_focus_y", "lens3D_focus_z");
  KILN_DRAWN({0, 0.3}, always(0), {0, 0.1}, always(1), {-0.5, 0.5}, always(0), always(2), always(0),
             always(0), always(0));
  static constexpr bool random_draws = true, reads_depth = true;
  float perspective = 0, nearer = 0;
  float blur = 0, fade = 1;
  float focus = 0;               // depth of the plane in focus, where there is no area
  float area = 0, exponent = 2;  // not 0: of the region in focus about a point
  float focus_x = 0, focus_y = 0, focus_z = 0;

  /// The blur of a point that is out of focus, as a length.
  KILN_FN Real defocus(Real x, Real y, Real z) const {
    const Real from_plane = focus - z;
    const Real dx = x - focus_x, dy = y - focus_y, dz = z - focus_z;
    const Real size = pow(dx * dx + dy * dy + dz * dz, 1 / exponent);
    const Real soft = area / Real(2.25);
    const Real t = (size - area + soft) / soft;
    const Real smooth = t * t * t * fma(t, fma(6, t, -15), 10);
    const Real near = t > 0 ? size * smooth : Real(0);
    const Real of_area = t > 1 ? size : near;
    return area > 0 ? of_area : from_plane > 0 ? from_plane : Real(0);
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [s, c] = sincospi(2 * in.rng.uniform());
    const Real uniform = in.rng.uniform();
    const Real share = in.rng.uniform() < fade ? uniform : Real(1);
    const Real radius = share * blur * defocus(in.p.x, in.p.y, in.z);
    const Real distance = fma(-perspective, in.z, 1 + nearer);
    const bool seen = distance >= Real(1e-8);
    const Real over = in.weight / (seen ? distance : Real(1));
    constexpr Real unseen_at = Real(1e9);
    return {seen ? fma(radius, c, in.p.x) * over : unseen_at,
            seen ? fma(radius, s, in.p.y) * over : unseen_at, in.z};
  }
};

/// A color of `levels` palettes, one behind the other, by depth: the last one where nothing is dimmed. Between two
/// it is one of them by chance.
struct Dim3D {
  static constexpr auto info =
      describe("dim3D", "dim3D_strength", "dim3D_from", "dim3D_levels", "dim3D_entries");
  KILN_DRAWN(always(0), always(0), always(1), always(256));
  static constexpr bool random_draws = true, reads_depth = true, changes_color = true,
                        adds_to_the_point = true;
  float strength = 0, from = 0, levels = 1, entries = 256;

  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const Real away = from - in.z;
    const Real seen = away > 0 ? exp(-(away * away * strength)) : Real(1);
    const Real level = floor(fma(seen, levels - 1, in.rng.uniform()));
    const Real last = level < levels - 1 ? level : levels - 1;
    const Real index = fma(entries - 2, in.color, entries * last);
    return {0, 0, 0, index / fma(entries, levels, -2)};
  }
};

/// JWildfire's post symmetry: one of the copies of a point, by chance. Kinds: 0 turned about a point (the point itself
/// is there twice), 1 and 2 on both sides of an axis.
struct Copies {
  static constexpr auto info = describe("copies", "copies_kind", "copies_order", "copies_x",
                                        "copies_y", "copies_distance", "copies_rotation");
  KILN_DRAWN(whole(0, 2), whole(2, 6), {-0.3, 0.3}, {-0.3, 0.3}, {0, 1}, {-0.5, 0.5});
  static constexpr bool random_draws = true;
  float kind = 0, order = 3, x = 0, y = 0, distance = 0, rotation = 0;
  float turn_sin = 0, turn_cos = 1;

  KILN_FN void prepare() {
    order = order < 1 ? 1.0f : round(order);
    const auto [s, c] = sincos(rotation);
    turn_sin = s;
    turn_cos = c;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real chance = in.rng.uniform();
    const Real u = in.p.x - x, v = in.p.y - y;
    const auto [s, c] = sincospi(2 * floor(chance * (order + 1)) / order);
    const Real side = chance < Real(0.5) ? Real(1) : Real(-1);
    const Real away = distance / 2;
    const Real p = kind == 1 ? side * (u + away) : u, q = kind == 2 ? side * (v + away) : v;
    const Real sine = kind == 0 ? s : side * turn_sin, cosine = kind == 0 ? c : turn_cos;
    return Vec2{x + fma(p, cosine, q * sine), y + fma(q, cosine, -(p * sine))} * in.weight;
  }
  template <class Extended>
  KILN_FN Real depth(const Extended& in) const {
    return in.weight * in.z;
  }
};

/// JWildfire's color types. A point has a place c among the colors, and an entry that is seen; its color is both in one
/// number, (entry + c) / (entries - 2) but for half an entry. The kinds: 0 DIFFUSION, 1 NONE, 2 CYCLIC, 3 TARGET and
/// TARGETG, which is the entry `target` for a share of the points, 4 DISTANCE.
struct ColorType {
  static constexpr auto info =
      describe("palette_step", "palette_step_kind", "palette_step_color", "palette_step_symmetry",
               "palette_step_target", "palette_step_moves", "palette_step_entries");
  KILN_DRAWN(always(0), {0, 1}, {0, 1}, always(0), always(1), always(256));
  static constexpr bool random_draws = true, changes_color = true, adds_to_the_point = true;
  float kind = 0, color = 0, symmetry = 0;
  float target = -1;  // -1: none
  float moves = 1;    // 1: c moves towards `color`
  float entries = 256;

  KILN_FN static Real between(Real low, Real value, Real high) {
    return value < low ? low : value > high ? high : value;
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    constexpr Real margin = Real(0.02), room = Real(0.96);  // so that no rounding leaves the entry
    const Real chance = in.rng.uniform();
    const Real both = fma(in.color, entries - 2, Real(0.5));
    const Real seen = floor(both);
    const Real c = between(0, (both - seen - margin) / room, 1);
    const Real half = (1 + symmetry) / 2;
    const Real cycled = c + symmetry;
    const Real mixed = moves != 0 ? fma(c, half, color * (1 - half)) : c;
    const Real next = kind == 2 ? cycled - floor(cycled) : mixed;
    // the way from where the point was before the affine map
    const Affine& m = in.affine;
    const Real over = 1 / fma(m.a, m.e, -(m.b * m.d));
    const Real u = in.before.x - m.c, v = in.before.y - m.f;
    const Real dx = in.p.x - fma(m.e, u, -(m.b * v)) * over;
    const Real dy = in.p.y - fma(m.a, v, -(m.d * u)) * over, dz = in.z - in.before.z;
    const Real way = sqrt(dx * dx + dy * dy + dz * dz);
    const Real far = floor(fma(fma(way, 1 + symmetry, color), 254, Real(0.5)));
    const Real of_palette = floor(fma(next, 254, Real(0.5)));
    const Real of_distance = between(0, far - 256 * floor(far / 256), 255);
    const Real of_target = chance < half ? seen : target;
    const Real entry = kind == 1   ? seen
                       : kind == 3 ? of_target
                       : kind == 4 ? of_distance
                                   : between(0, of_palette, 255);
    const Real place = fma(between(0, next, 1), room, margin);
    return {0, 0, 0, (entry + place - Real(0.5)) / (entries - 2)};
  }
};

/// JWildfire's elliptic: above or below by chance, or in its mode 0 by y, as flam3's.
struct JWildfireElliptic {
  static constexpr auto info = describe("jwildfire_elliptic", "jwildfire_elliptic_mode");
  KILN_DRAWN(always(1));
  static constexpr bool random_draws = true, weighs_depth = true;
  float mode = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Vec2 upper = Elliptic{}(Arg{{in.p.x, abs(in.p.y)}, in.weight, in.affine, in.rng});
    const bool above = mode == 1 ? in.rng.uniform() < Real(0.5) : in.p.y > 0;
    return {upper.x, above ? abs(upper.y) : -abs(upper.y)};
  }
};

/// JWildfire's rings, which weigh depth alone. The number of a ring ends at 2^31 - 1: without a width the distance
/// is doubled.
struct JWildfireRings {
  static constexpr auto info = describe("jwildfire_rings");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    constexpr Real most = Real(2147483647.0);
    const Real d = in.affine.c * in.affine.c, r = in.r();
    const Real ring = (r + d) / (2 * d);
    const Real s = fma(-2 * d, ring < most ? trunc(ring) : most, r * (2 - d));
    return {in.cos_theta() * s, in.sin_theta() * s};
  }
};

/// JWildfire's pre_blur, as its pre_ form: the sum of six numbers.
struct JWildfireBlur {
  static constexpr auto info = describe("jwildfire_blur");
  static constexpr bool random_draws = true, adds_to_the_point = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = sincospi(2 * in.rng.uniform());
    Real sum = -3;
    for (int k = 0; k < 6; ++k) sum += in.rng.uniform();
    const Real radius = in.weight * sum;
    return {radius * c, radius * s};
  }
};

using JWildfireSteps = VariationList<Map3D, Lens3D, Dim3D, Copies, ColorType, JWildfireElliptic,
                                     JWildfireRings, JWildfireBlur>;

KILN_END
