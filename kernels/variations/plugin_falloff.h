// SPDX-License-Identifier: MIT
// Displacements that grow with the distance from a point: nothing moves near it, and everything far
// away does. Each comes in several shapes, of which a parameter picks one.
#pragma once

#include "kernels/variations/extended.h"

KILN_BEGIN

/// A draw from -1/2 .. 1/2.
KILN_FN Real centered(Random& rng) { return rng.uniform() - Real(0.5); }

/// The displacements that all falloffs share.
struct FalloffShapes {
  struct Draws {
    Real h1, h2, h3, h4;
  };
  /// A displacement along the axes.
  KILN_FN static Vec3 linear(const ExtendedArg& in, const Draws& h, Vec3 by) {
    return Vec3{fma(by.x, h.h1, in.p.x), fma(by.y, h.h2, in.p.y), fma(by.z, h.h3, in.z)} *
           in.weight;
  }
  /// The direction of a displacement in angles; the height over `radius` is the sine of one.
  KILN_FN static Vec3 direction(const ExtendedArg& in, const Draws& h, Vec3 by, Real radius) {
    const Real slope = radius == 0 ? Real(0) : in.z / radius;
    const auto [sa, ca] = sincos(fma(by.y, h.h2, in.phi()));
    const auto [sb, cb] = sincos(fma(by.z, h.h3, asin(min(max(slope, Real(-1)), Real(1)))));
    return {cb * ca, cb * sa, sb};
  }
  /// A displacement in distance and angles: from `radius`.
  KILN_FN static Vec3 radial(const ExtendedArg& in, const Draws& h, Vec3 by, Real radius) {
    return direction(in, h, by, radius) * (in.weight * fma(by.x, h.h1, radius));
  }
  /// A displacement in all directions.
  KILN_FN static Vec3 round(const ExtendedArg& in, const Draws& h, Vec3 times, Real s) {
    const auto [sb, cb] = sincospi(2 * s * h.h2);
    const auto [sa, ca] = sincospi(s * h.h3);
    const Real q = s * h.h1;
    return Vec3{fma(times.x * q, cb * ca, in.p.x), fma(times.y * q, cb * sa, in.p.y),
                fma(times.z * q, sb, in.z)} *
           in.weight;
  }
  /// The strength with which a point is displaced, by its distance.
  KILN_FN static Real strength(Real distance, Real least, Real scatter, bool inverts) {
    const Real d = inverts ? max(1 - distance, Real(0)) : distance;
    return max(Real(0.04) * scatter * (d - least), Real(0));
  }
  KILN_FN static Real length(Real x, Real y, Real z) { return sqrt(fma(x, x, fma(y, y, z * z))); }
};

struct Falloff {
  static constexpr auto info =
      describe("falloff", "falloff_scatter", "falloff_mindist", "falloff_mul_x", "falloff_mul_y",
               "falloff_mul_z", "falloff_x0", "falloff_y0", "falloff_z0", "falloff_invert",
               "falloff_type", "falloff_boxpow");
  KILN_DRAWN({0.2, 1}, {0.2, 0.7}, {0.5, 1}, {0.5, 1}, {0, 0.5}, {-0.4, 0.4}, {-0.4, 0.4},
             {-0.4, 0.4}, whole(0, 1), whole(0, 2), whole(2, 8));
  static constexpr bool random_draws = true;
  static constexpr bool reads_depth = true;
  static constexpr int makes_depth_by = 4;
  float scatter = 1, least = Real(0.5), mul_x = 1, mul_y = 1, mul_z = 0, x0 = 0, y0 = 0, z0 = 0,
        invert = 0, type = 0, box_power = 2;

  KILN_FN void prepare() {
    scatter = max(scatter, tiny);
    least = max(least, Real(0));
    mul_x = min(max(mul_x, Real(0)), Real(1));
    mul_y = min(max(mul_y, Real(0)), Real(1));
    mul_z = min(max(mul_z, Real(0)), Real(1));
    invert = invert >= Real(0.5) ? 1 : 0;
    type = min(max(floor(type + Real(0.5)), Real(0)), Real(2));
    box_power = min(max(floor(box_power + Real(0.5)), Real(2)), Real(32));
  }
  /// A coordinate moved towards the boxes of a lattice.
  KILN_FN Real boxed(Real t, Real m, Real h, Real s, Real w) const {
    const Real c = min(max(s, Real(0)), Real(0.9)) + Real(0.1), even = trunc(box_power / 2) * 2;
    const Real power = pow(abs(h), box_power);
    const Real bump = even == box_power ? power : copysign(power, h);
    return fma(w, fma(1 - m * s, t, m * s * fma(c, h, floor(t / c))), m * bump * s / c);
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const FalloffShapes::Draws h = {centered(in.rng), centered(in.rng), centered(in.rng), 0};
    const auto [x, y] = in.p;
    const Real distance = FalloffShapes::length(x - x0, y - y0, in.z - z0);
    const Real s = FalloffShapes::strength(distance, least, scatter, invert != 0);
    const Vec3 by = Vec3{mul_x, mul_y, mul_z} * s;
    if (type == 0) return FalloffShapes::linear(in, h, by);
    if (type == 1) return FalloffShapes::radial(in, h, by, distance);
    return {boxed(x, mul_x, h.h1, s, in.weight), boxed(y, mul_y, h.h2, s, in.weight),
            boxed(in.z, mul_z, h.h3, s, in.weight)};
  }
};

struct Falloff2 {
  static constexpr auto info =
      describe("falloff2", "falloff2_scatter", "falloff2_mindist", "falloff2_mul_x",
               "falloff2_mul_y", "falloff2_mul_z", "falloff2_mul_c", "falloff2_x0", "falloff2_y0",
               "falloff2_z0", "falloff2_invert", "falloff2_type");
  KILN_DRAWN({0.2, 1}, {0.2, 0.7}, {0.5, 1}, {0.5, 1}, {0, 0.5}, {0, 0.5}, {-0.4, 0.4}, {-0.4, 0.4},
             {-0.4, 0.4}, whole(0, 1), whole(0, 2));
  static constexpr bool random_draws = true;
  static constexpr bool reads_depth = true;
  static constexpr bool changes_color = true;
  static constexpr int makes_depth_by = 4;
  float scatter = 1, least = Real(0.5), mul_x = 1, mul_y = 1, mul_z = 0, mul_c = 0, x0 = 0, y0 = 0,
        z0 = 0, invert = 0, type = 0;

  KILN_FN void prepare() {
    invert = invert != 0 ? 1 : 0;
    type = trunc(min(max(type, Real(0)), Real(2)));
  }
  KILN_FN Real strength_at(const ExtendedArg& in) const {
    const Real distance = FalloffShapes::length(in.p.x - x0, in.p.y - y0, in.z - z0);
    return FalloffShapes::strength(distance, least, scatter, invert != 0);
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const FalloffShapes::Draws h = {centered(in.rng), centered(in.rng), centered(in.rng),
                                    centered(in.rng)};
    const Real s = strength_at(in);
    const Vec3 times = {mul_x, mul_y, mul_z};
    const Real r3 = in.r3();
    const bool stays = (type == 1) & (r3 == 0);
    const Vec3 to = type == 0   ? FalloffShapes::linear(in, h, times * s)
                    : type == 1 ? FalloffShapes::radial(in, h, times * s, nonzero(sqrt(r3)))
                                : FalloffShapes::round(in, h, times, s);
    const Real color = abs(fmod(fma(mul_c * h.h4, s, in.color), 1));
    return {stays ? in.p.x * in.weight : to.x, stays ? in.p.y * in.weight : to.y,
            stays ? in.z * in.weight : to.z, stays ? in.color : color};
  }
};

struct Falloff3 {
  static constexpr auto info =
      describe("falloff3", "falloff3_blur_type", "falloff3_blur_shape", "falloff3_blur_strength",
               "falloff3_min_distance", "falloff3_invert_distance", "falloff3_mul_x",
               "falloff3_mul_y", "falloff3_mul_z", "falloff3_mul_c", "falloff3_center_x",
               "falloff3_center_y", "falloff3_center_z", "falloff3_alpha");
  KILN_DRAWN(whole(0, 3), whole(0, 1), {0.2, 1}, {0.2, 0.7}, whole(0, 1), {0.5, 1}, {0.5, 1},
             {0, 0.5}, {0, 0.5}, {-0.4, 0.4}, {-0.4, 0.4}, {-0.4, 0.4}, {0, 1});
  static constexpr bool random_draws = true;
  static constexpr bool reads_depth = true;
  static constexpr bool changes_color = true;
  static constexpr int makes_depth_by = 7;
  float type = 0, shape = 0, strength = 1, least = Real(0.5), invert = 0, mul_x = 1, mul_y = 1,
        mul_z = 0, mul_c = 0, center_x = 0, center_y = 0, center_z = 0, alpha = 0;

  KILN_FN void prepare() {
    type = min(max(floor(type + Real(0.5)), Real(0)), Real(3));
    shape = shape >= Real(0.5) ? 1 : 0;
    strength = max(strength, tiny);
    least = max(least, Real(0));
    invert = invert >= Real(0.5) ? 1 : 0;
    mul_x = min(max(mul_x, Real(0)), Real(1));
    mul_y = min(max(mul_y, Real(0)), Real(1));
    mul_z = min(max(mul_z, Real(0)), Real(1));
    mul_c = min(max(mul_c, Real(0)), Real(1));
  }
  static constexpr Real e = 0x1.5bf0a8p1f;
  KILN_FN static Real log_of(Real t) { return t == 0 ? Real(0) : (e + log(e * t)) / 4; }
  KILN_FN static Real log_of_draw(Real t) {
    return t == 0 ? Real(0) : copysign(log(e * (abs(t) + 1)) / e, t);
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const FalloffShapes::Draws h = {centered(in.rng), centered(in.rng), centered(in.rng),
                                    centered(in.rng)};
    const auto [x, y] = in.p;
    const Real dx = x - center_x, dy = y - center_y, dz = in.z - center_z;
    const Real box = max(max(abs(dx), abs(dy)), abs(dz));
    const Real distance = shape != 0 ? box : FalloffShapes::length(dx, dy, dz);
    const Real s = FalloffShapes::strength(distance, least, strength, invert != 0);
    const Real r3 = in.r3();
    const bool stays = (type == 1) & (r3 == 0);
    const Vec3 times = {mul_x, mul_y, mul_z};
    const Real k = Real(0.04) * strength <= tiny ? s : fma(alpha, log_of(s) - s, s);
    const FalloffShapes::Draws logs = {log_of_draw(h.h1), log_of_draw(h.h2), log_of_draw(h.h3),
                                       log_of_draw(h.h4)};
    const Vec3 log_times = {log_of(mul_x), log_of(mul_y), log_of(mul_z)};
    const Vec3 to = type == 0   ? FalloffShapes::round(in, h, times, s)
                    : type == 1 ? FalloffShapes::radial(in, h, times * s, nonzero(sqrt(r3)))
                                : FalloffShapes::linear(in, logs, log_times * k);
    const Real shift = type >= 2 ? log_of(mul_c) * logs.h4 * k : mul_c * h.h4 * s;
    const Real color = abs(fmod(in.color + shift, 1));
    return {stays ? in.p.x * in.weight : to.x, stays ? in.p.y * in.weight : to.y,
            stays ? in.z * in.weight : to.z, stays ? in.color : color};
  }
};

using PluginFalloff = VariationList<Falloff, Falloff2, Falloff3>;

KILN_END
