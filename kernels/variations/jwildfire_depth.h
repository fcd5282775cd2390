// SPDX-License-Identifier: MIT
// JWildfire's variations of three dimensions: blurs in space, sheets that depth inflates, maps.
#pragma once

#include "kernels/variations/blurs.h"
#include "kernels/variations/jwildfire_planes.h"

KILN_BEGIN

/// Blade, in space.
struct Blade3D {
  static constexpr auto info = describe("blade3D");
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [s, c] = sincos(in.weight * in.r() * in.rng.uniform());
    return Vec3{in.p.x * (c + s), in.p.x * (c - s), in.p.y * (s - c)} * in.weight;
  }
};

/// Powers of the three coordinates, which keep their signs.
struct LinearT3D {
  static constexpr auto info =
      describe("linearT3D", "linearT3D_powX", "linearT3D_powY", "linearT3D_powZ");
  KILN_DRAWN({0.5, 1.5}, {0.5, 1.5}, {0.5, 1.5});
  static constexpr bool reads_depth = true;
  float pow_x = Real(1.35), pow_y = Real(0.85), pow_z = Real(1.15);

  KILN_FN static Real power(Real t, Real by) {
    const Real p = pow(abs(t), by);
    return t > 0 ? p : -p;
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    return Vec3{power(in.p.x, pow_x), power(in.p.y, pow_y), power(in.z, pow_z)} * in.weight;
  }
};

/// Butterfly, its wings lifted.
struct Butterfly3D {
  static constexpr auto info = describe("butterfly3D");
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real x = in.p.x, y = 2 * in.p.y;
    const Real square = fma(x, x, y * y);
    const Real s = square == 0
                       ? Real(0)
                       : in.weight * Real(1.3029400317411197908) * sqrt(abs(x * in.p.y) / square);
    return {s * x, s * y, s * abs(y) * in.r() / 4};
  }
};

/// JWildfire's blur: more, the farther away in space. After the other variations, always.
struct Farblur {
  static constexpr auto info = describe("farblur", "farblur_x", "farblur_y", "farblur_z",
                                        "farblur_x_origin", "farblur_y_origin", "farblur_z_origin");
  KILN_DRAWN({0.05, 0.3}, {0.05, 0.3}, {0.05, 0.3}, {-0.5, 0.5}, {-0.5, 0.5}, {-0.5, 0.5});
  static constexpr bool random_draws = true;
  static constexpr bool adds_to_the_point = true;
  static constexpr bool reads_depth = true;
  static constexpr int makes_depth_by = 2;
  float px = 1, py = 1, pz = 1, x_origin = 0, y_origin = 0, z_origin = 0;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real x = in.p.x - x_origin, y = in.p.y - y_origin, z = in.z - z_origin;
    const Real s = in.weight * fma(x, x, fma(y, y, z * z)) * sum_of_four(in.rng);
    const auto [su, cu] = sincospi(2 * in.rng.uniform());
    const auto [sv, cv] = sincospi(2 * in.rng.uniform());
    return {px * s * sv * cu, py * s * sv * su, pz * s * cv};
  }
};

/// Blurred along its direction from a center, as far as a power of the distance says.
struct Exblur {
  static constexpr auto info = describe("exblur", "exblur_dist", "exblur_r", "exblur_x_origin",
                                        "exblur_y_origin", "exblur_z_origin");
  KILN_DRAWN({0.2, 1}, {0.1, 0.6}, {-0.5, 0.5}, {-0.5, 0.5}, {-0.5, 0.5});
  static constexpr bool random_draws = true;
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;
  float dist = Real(0.5), radius = Real(0.25), x_origin = 0, y_origin = 0, z_origin = 0;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real a = in.p.x - x_origin, b = in.p.y + y_origin, e = in.z - z_origin;
    const Real flat = fma(a, a, b * b), n = fma(e, e, flat), over = 1 / sqrt(n);
    const Real s = in.weight * pow(n, dist) * sum_of_four(in.rng);
    const auto [su, cu] = sincospi(2 * in.rng.uniform());
    const auto [sv, cv] = sincospi(2 * in.rng.uniform());
    const Real k = radius * sv;
    // a and b over the length in space are the sine of one angle times cosine and sine of another
    return {s * fma(k, cu, flat == 0 ? Real(0) : a * over),
            s * fma(k, su, flat == 0 ? Real(0) : b * over), s * fma(radius, cv, e * over)};
  }
};

/// Depth alone, by the point in the plane.
struct InflateZ1 {
  static constexpr auto info = describe("inflateZ_1");
  static constexpr bool only_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real r = in.r();
    return {0, 0, in.weight * fma(Real(-2), in.p.y, r == 0 ? Real(0) : in.p.y / r)};
  }
};
struct InflateZ2 {
  static constexpr auto info = describe("inflateZ_2");
  static constexpr bool only_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    return {0, 0, in.weight * fma(Real(-0.666666), in.p.x + in.p.y, Real(0.25))};
  }
};
struct InflateZ3 {
  static constexpr auto info = describe("inflateZ_3");
  static constexpr bool only_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real phi = in.phi();
    return {0, 0, Real(0.2) * in.weight * (pi - phi) * cos(fma(Real(3), phi, in.p.y - in.p.x))};
  }
};
struct InflateZ4 {
  static constexpr auto info = describe("inflateZ_4");
  static constexpr bool random_draws = true;
  static constexpr bool only_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real by = Real(0.25) * in.weight * (half_pi - in.phi());
    return {0, 0, in.rng.bit() == 0 ? -by : by};
  }
};
struct InflateZ5 {
  static constexpr auto info = describe("inflateZ_5");
  static constexpr bool only_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real r = in.r();  // the sine of phi
    return {0, 0, r == 0 ? Real(0) : in.weight * in.p.y / r / 2};
  }
};
struct InflateZ6 {
  static constexpr auto info = describe("inflateZ_6");
  static constexpr bool only_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real r = in.r(), sine = r == 0 ? Real(0) : in.p.y / r;
    return {0, 0, in.weight * (Real(1.5) - acos(sine * in.phi() * sin(in.p.y - in.p.x) / 2))};
  }
};

/// Popcorn2, in space.
struct Popcorn2In3D {
  static constexpr auto info =
      describe("popcorn2_3D", "popcorn2_3D_x", "popcorn2_3D_y", "popcorn2_3D_z", "popcorn2_3D_c");
  KILN_DRAWN({0.1, 0.5}, {0.1, 0.5}, {0.1, 0.5}, {1, 5});
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;
  static constexpr bool reads_sum = true;
  float px = Real(0.1), py = Real(0.1), pz = Real(0.1), c = 3;
  float wave = 0;

  KILN_FN void prepare() { wave = sin(tan(c)); }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real w = in.weight, k = abs(w) <= 1 ? w * abs(w) : w, e = k * wave * in.phi();
    return {w / 2 * fma(px, sin(tan(c * y)), x), w / 2 * fma(py, sin(tan(c * x)), y),
            fma(k * pz * wave, in.z == 0 ? e : in.z, in.sum.z == 0 ? e : Real(0))};
  }
};

/// The color as depth.
struct ColorScaleWf {
  static constexpr auto info = describe(
      "colorscale_wf", "colorscale_wf_scale_x", "colorscale_wf_scale_y", "colorscale_wf_scale_z",
      "colorscale_wf_offset_z", "colorscale_wf_reset_z", "colorscale_wf_sides");
  KILN_DRAWN({0.5, 1}, {0.5, 1}, {0.2, 1}, {-0.5, 0.5}, always(0), always(0));
  static constexpr bool random_draws = true;
  static constexpr bool makes_depth = true;
  static constexpr bool reads_sum = true;
  float scale_x = 0, scale_y = 0, scale_z = Real(0.5), offset_z = 0, reset_z = 0, sides = 0;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real e = fma(in.color * scale_z, in.weight, offset_z);
    const Real by = sides > 0 && !(reset_z > 0) ? e * in.rng.uniform() : e;
    return {in.weight * scale_x * in.p.x, in.weight * scale_y * in.p.y,
            reset_z > 0 ? e - in.sum.z : by};
  }
};

/// The corner of a cube that a draw gives.
struct CubeCorner {
  Real x, y, z;
  KILN_FN explicit CubeCorner(Real k)
      : x(k < 4 ? 1 : -1),
        y(is_odd(k) ? -1 : 1),
        z((k == 0) | (k == 1) | (k == 4) | (k == 5) ? 1 : -1) {}
};

/// Eight copies of the sum and the point, in the corners of a cube.
struct Cubic3D {
  static constexpr auto info = describe("cubic3D", "cubic3D_xpand", "cubic3D_style");
  KILN_DRAWN({0.2, 0.8}, {-2, 2});
  static constexpr bool random_draws = true;
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;
  static constexpr bool reads_sum = true;
  float xpand = Real(0.25), style = 1;
  float fill = 0, strength = 1, more = 1;

  KILN_FN void prepare() {
    fill = (abs(xpand) <= 1 ? xpand : sqrt(xpand)) / 2;
    strength = style > 1 ? 1 + (style - 1) / 4 : style < -1 ? (style + 1) / 4 - 1 : style;
    more = strength > 1 ? strength : Real(1);
  }
  KILN_FN static Real moved(Real sum, Real at, Real m, Real fill, Real e, Real half) {
    return fma(-m * (1 - fill) * sum, e, fma(at * m * fill, e, half));
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const CubeCorner corner(one_of(in.rng, 8));
    const auto [x, y] = in.p;
    const Real z = in.z, w = in.weight, m = abs(w) <= Real(0.5) ? 2 * w : Real(1);
    const Real ex = 1 - strength * (1 - cos(atan2(x, z)));
    const Real ey = 1 - strength * (1 - sin(atan2(y, z)));
    const Real ez = 1 - strength * (1 - (ex + ey) / 2 * more);
    return {moved(in.sum.x, x, m, fill, ex, corner.x * w / 2),
            moved(in.sum.y, y, m, fill, ey, corner.y * w / 2),
            moved(in.sum.z, z, m, fill, ez, corner.z * w / 2)};
  }
};

/// A lattice of cubes.
struct CubicLattice3D {
  static constexpr auto info =
      describe("cubicLattice_3D", "cubicLattice_3D_xpand", "cubicLattice_3D_style");
  KILN_DRAWN({0.2, 0.8}, {1, 3});
  static constexpr bool random_draws = true;
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;
  static constexpr bool reads_sum = true;
  float xpand = Real(0.2), style = 1;
  float fill = 0;

  KILN_FN void prepare() { fill = (abs(xpand) <= 1 ? xpand : sqrt(xpand)) / 2; }
  KILN_FN static Real moved(Real sum, Real at, Real by, Real to) {
    return fma(sum + at, by, to - sum);
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const CubeCorner corner(one_of(in.rng, 8));
    const auto [x, y] = in.p;
    const bool round = abs(style) >= 2;
    const Real ex = round ? cos(atan2(x, in.z)) : Real(1);
    const Real ey = round ? sin(atan2(y, in.z)) : Real(1);
    return {moved(in.sum.x, x, fill * ex, corner.x * in.weight),
            moved(in.sum.y, y, fill * ey, corner.y * in.weight),
            moved(in.sum.z, in.z, fill * (ex + ey) / 2, corner.z * in.weight)};
  }
};

/// A body above the plane: its root face on it, else any height.
struct Extrude {
  static constexpr auto info = describe("extrude", "extrude_root_face");
  KILN_DRAWN({0.2, 0.8});
  static constexpr bool random_draws = true;
  static constexpr bool only_depth = true;
  static constexpr bool makes_depth = true;
  static constexpr i32 restarts = keeps_z;
  float root_face = Real(0.5);

  /// A number of 28 bits from two draws, as 0..1.
  KILN_FN static Real share(Random& rng) {
    const u32 i = u32((u64(rng.next()) * 0xfffffffu) >> 32);
    const u32 j = u32((u64(rng.next()) * 0xfffffffu) >> 32);
    return Real(i32((i ^ j << 15) & 0xfffffffu)) / Real(0xfffffff);
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const bool root = share(in.rng) < root_face;
    return {0, 0, root ? max(in.weight, Real(0)) : in.weight * share(in.rng)};
  }
};

/// The cubes of the coordinates over their sum: a pyramid.
struct Pyramid {
  static constexpr auto info = describe("pyramid");
  static constexpr bool reads_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real a = x * x * x, b = y * y * y, c = abs(in.z * in.z * in.z);
    return Vec3{a, b, c} * (in.weight / (abs(a) + abs(b) + c + Real(1e-9)));
  }
};

/// Scry, in space.
struct Scry3D {
  static constexpr auto info = describe("scry_3D");
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real r3 = in.r3(), s = 1 / (sqrt(r3) * (r3 + 1 / in.weight));
    return Vec3{in.p.x, in.p.y, in.z == 0 ? in.phi() : in.z} * s;
  }
};

/// Tangent, with the tangent of x as depth.
struct Tangent3D {
  static constexpr auto info = describe("tangent3D");
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [sx, cx] = sincos(in.p.x);
    const auto [sy, cy] = sincos(in.p.y);
    return Vec3{sx / cy, sy / cy, sx / cx} * in.weight;
  }
};

/// Loonie, in space.
struct Loonie3D {
  static constexpr auto info = describe("loonie_3D");
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real e = in.z == 0 ? in.phi() : in.z, q = fma(e, e, in.r2()), w = in.weight;
    if (q < jwildfire_eps) return {0, 0, 0};
    const Real square = w * w, s = q < square ? w * sqrt(square / q - 1) : w;
    return {in.p.x * s, in.p.y * s, e * s / 2};
  }
};

/// A rounded inversion.
struct RoundSpher3D {
  static constexpr auto info = describe("roundspher3D");
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;
  static constexpr bool reads_sum = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real k = cos(in.r()), h = in.z == 0 ? k : in.z, d = fma(h, h, in.r2());
    constexpr Real square = 4 * inverse_pi * inverse_pi;
    const Real s = in.weight * in.weight / fma(square, d, Real(1));
    return {in.p.x * s, in.p.y * s, fma(s, h, in.sum.z == 0 ? k : Real(0))};
  }
};

/// Sines, with an angle times the cosine of the depth as depth.
struct Sinusoidal3D {
  static constexpr auto info = describe("sinusoidal3d");
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    return Vec3{sin(x), sin(y), atan2(x * x, y * y) * cos(in.z)} * in.weight;
  }
};
using JWildfireDepth =
    VariationList<Blade3D, LinearT3D, Butterfly3D, Farblur, Exblur, InflateZ1, InflateZ2, InflateZ3,
                  InflateZ4, InflateZ5, InflateZ6, Popcorn2In3D, ColorScaleWf, Cubic3D,
                  CubicLattice3D, Extrude, Pyramid, Scry3D, Tangent3D, Loonie3D, RoundSpher3D,
                  Sinusoidal3D>;

KILN_END
