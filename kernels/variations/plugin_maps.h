// SPDX-License-Identifier: MIT
// Variations of plug-ins and of JWildfire whose formulas stand in the literature, or follow from what
// is published of them in words. Names and parameters: R. Sidwell, "Flame Fractal Variation
// Information" (2020), a reference for users; each formula's own source stands beside it and in
// plugin_maps.txt. Some are another variation's formula with other numbers.
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/extended.h"
#include "kernels/variations/plugin_blurs.h"
#include "kernels/variations/plugin_complex.h"

KILN_BEGIN

// ---- attractors: maps of the plane that are known for their orbits ----

/// C. Pickover's, as P. Bourke writes it (Clifford Attractors, 2004).
struct CliffordJs {
  static constexpr auto info =
      describe("clifford_js", "clifford_js_a", "clifford_js_b", "clifford_js_c", "clifford_js_d");
  KILN_DRAWN(either_sign(1.2, 2.2), either_sign(1.2, 2.2), either_sign(0.5, 1.3),
             either_sign(0.5, 1.3));
  float a = Real(-1.4), b = Real(1.6), c = 1, d = Real(0.7);
  // X = m0 f(k0 x) + m1 sin(k1 y), Y = m2 g(k2 x) + m3 cos(k3 y); f, g: cosine and sine, or exchanged
  float k0 = 0, k1 = 0, k2 = 0, k3 = 0, m0 = 0, m1 = 1, m2 = 1, m3 = 0, exchanged = 0;

  KILN_FN void prepare() {
    k0 = k1 = a;
    k2 = k3 = b;
    m0 = c;
    m3 = d;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const SinCos f = sincos(k0 * x), g = sincos(k2 * x);
    const Real first = exchanged != 0 ? f.s : f.c, second = exchanged != 0 ? g.c : g.s;
    return Vec2{fma(m0, first, m1 * sin(k1 * y)), fma(m2, second, m3 * cos(k3 * y))} * in.weight;
  }
};

/// J. Svensson's (P. Bourke, Peter de Jong Attractors).
struct SvenssonJs : CliffordJs {
  using Formula = CliffordJs;
  static constexpr auto info =
      describe("svensson_js", "svensson_js_a", "svensson_js_b", "svensson_js_c", "svensson_js_d");
  KILN_DRAWN(either_sign(1.2, 2.2), either_sign(1.2, 2.2), either_sign(0.5, 1.3),
             either_sign(0.5, 1.3));

  constexpr SvenssonJs() {
    a = c = Real(1.4);
    b = Real(1.56);
    d = Real(-6.56);
  }
  KILN_FN void prepare() {
    k0 = k2 = a;
    k1 = k3 = b;
    m0 = d;
    m1 = -1;
    m2 = c;
    m3 = 1;
    exchanged = 1;
  }
};

/// M. Henon, "A two-dimensional mapping with a strange attractor", 1976; c is 1 there.
struct Henon {
  static constexpr auto info = describe("henon", "henon_a", "henon_b", "henon_c");
  KILN_DRAWN({1.15, 1.4}, {0.2, 0.32}, {0.9, 1.1});
  float a = Real(1.4), b = Real(0.3), c = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{fma(-a * x, x, c + y), b * x} * in.weight;
  }
};

/// R. Lozi, "Un attracteur etrange du type attracteur de Henon", 1978; c is 1 there.
struct Lozi {
  static constexpr auto info = describe("lozi", "lozi_a", "lozi_b", "lozi_c");
  KILN_DRAWN({1.3, 1.75}, {0.3, 0.5}, {0.8, 1.1});
  float a = Real(1.7), b = Real(0.5), c = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{fma(-a, abs(x), c + y), b * x} * in.weight;
  }
};

// ---- the plane, rearranged ----

struct BiLinear {
  static constexpr auto info = describe("bi_linear");
  KILN_FN Vec2 operator()(const Arg& in) const { return Vec2{in.p.y, in.p.x} * in.weight; }
};

struct FlipCircle {
  static constexpr auto info = describe("flipcircle");
  KILN_FN Vec2 operator()(const Arg& in) const {
    const bool outside = in.r2() > in.weight * in.weight;
    return Vec2{in.p.x, outside ? in.p.y : -in.p.y} * in.weight;
  }
};

struct FlipY {
  static constexpr auto info = describe("flipy");
  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{in.p.x, in.p.x > 0 ? -in.p.y : in.p.y} * in.weight;
  }
};

/// Powers of each coordinate that keep its sign.
struct LinearT {
  static constexpr auto info = describe("linearT", "linearT_powX", "linearT_powY");
  KILN_DRAWN({0.6, 1.4}, {0.6, 1.4});
  float power_x = 1, power_y = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{copysign(pow(abs(in.p.x), power_x), in.p.x),
                copysign(pow(abs(in.p.y), power_y), in.p.y)} *
           in.weight;
  }
};

/// Everything beyond a circle pushed outwards, so that a ring is left free.
struct CircleSplit {
  static constexpr auto info = describe("circlesplit", "circlesplit_radius", "circlesplit_split");
  KILN_DRAWN({0.6, 1.2}, {0.2, 0.6});
  float radius = 1, split = Real(0.5);

  KILN_FN void prepare() { split = max(split, Real(0)); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real r = in.r();
    return in.p * (r < radius - split ? in.weight : fma(split, in.weight / nonzero(r), in.weight));
  }
};

/// The unit circle scaled, the rest of the plane by the inverse.
struct Circus {
  static constexpr auto info = describe("circus", "circus_scale");
  KILN_DRAWN({0.5, 1.5});
  float scale = 1;
  float inverse = 1;

  KILN_FN void prepare() { inverse = 1 / nonzero(scale); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    return in.p * (in.weight * (in.r2() <= 1 ? scale : inverse));
  }
};

/// A map of the projective plane: lines stay lines.
struct Projective {
  static constexpr auto info =
      describe("projective", "projective_A", "projective_B", "projective_C", "projective_A1",
               "projective_B1", "projective_C1", "projective_A2", "projective_B2", "projective_C2");
  KILN_DRAWN({-0.4, 0.4}, {-0.4, 0.4}, {0.8, 1.4}, {0.6, 1.2}, {-0.4, 0.4}, {-0.4, 0.4},
             {-0.4, 0.4}, {0.6, 1.2}, {-0.4, 0.4});
  float a = 0, b = 0, c = 1, a1 = 1, b1 = 0, c1 = 0, a2 = 0, b2 = 1, c2 = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real below = nonzero(fma(a, x, fma(b, y, c)));
    return Vec2{fma(a1, x, fma(b1, y, c1)), fma(a2, x, fma(b2, y, c2))} * (in.weight / below);
  }
};

/// Waves of powers of sines, or of sines that are moved above 0.
struct Waves22 {
  static constexpr auto info =
      describe("waves22", "waves22_scalex", "waves22_scaley", "waves22_freqx", "waves22_freqy",
               "waves22_modex", "waves22_modey", "waves22_powerx", "waves22_powery");
  KILN_DRAWN({0.03, 0.2}, {0.03, 0.2}, {3, 12}, {3, 12}, whole(0, 1), whole(0, 1), whole(1, 3),
             whole(1, 3));
  float scale_x = Real(0.05), scale_y = Real(0.05), freq_x = 7, freq_y = 13, mode_x = 0, mode_y = 0,
        power_x = 2, power_y = 2;
  float odd_x = 0, odd_y = 0;

  KILN_FN static bool is_odd(Real whole) { return whole - 2 * floor(whole / 2) != 0; }
  KILN_FN void prepare() {
    power_x = trunc(power_x);
    power_y = trunc(power_y);
    odd_x = is_odd(power_x) ? 1 : 0;
    odd_y = is_odd(power_y) ? 1 : 0;
  }
  KILN_FN static Real wave(Real sine, Real mode, Real power, Real odd) {
    const Real t = mode >= Real(0.5) ? fma(sine, Real(0.5), Real(0.5)) : sine;
    const Real size = pow(abs(t), power);
    return odd != 0 ? copysign(size, t) : size;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{fma(scale_x, wave(sin(y * freq_x), mode_x, power_x, odd_x), x),
                fma(scale_y, wave(sin(x * freq_y), mode_y, power_y, odd_y), y)} *
           in.weight;
  }
};

// ---- inversions, roots and coordinates ----

/// Inversion with a scale for each axis.
struct Ovoid {
  static constexpr auto info = describe("ovoid", "ovoid_x", "ovoid_y");
  KILN_DRAWN({0.5, 1.2}, {0.5, 1.2});
  float scale_x = 1, scale_y = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{scale_x * in.p.x, scale_y * in.p.y} * (in.weight / nonzero(in.r2()));
  }
};

struct Ovoid3D {
  static constexpr auto info = describe("ovoid3D", "ovoid3D_x", "ovoid3D_y", "ovoid3D_z");
  KILN_DRAWN({0.5, 1.2}, {0.5, 1.2}, {0.5, 1.2});
  static constexpr bool reads_depth = true;
  float scale_x = 1, scale_y = 1, scale_z = 1;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    return Vec3{scale_x * in.p.x, scale_y * in.p.y, scale_z * in.z} *
           (in.weight / nonzero(in.r3()));
  }
};

/// Inversion for a share of the points.
struct DSpherical {
  static constexpr auto info = describe("d_spherical", "d_spherical_weight");
  KILN_DRAWN({0.2, 0.8});
  static constexpr bool random_draws = true;
  float share = Real(0.5);

  KILN_FN Vec2 operator()(const Arg& in) const {
    return in.p * (in.rng.uniform() < share ? in.weight / nonzero(in.r2()) : in.weight);
  }
};

/// julian of the point after an affine map.
struct Julian2 {
  static constexpr auto info =
      describe("julian2", "julian2_power", "julian2_dist", "julian2_a", "julian2_b", "julian2_c",
               "julian2_d", "julian2_e", "julian2_f");
  KILN_DRAWN(whole_of_either_sign(2, 6), {0.6, 1.3}, {0.6, 1.2}, {-0.4, 0.4}, {-0.4, 0.4},
             {0.6, 1.2}, {-0.5, 0.5}, {-0.5, 0.5});
  static constexpr bool random_draws = true;
  float power = 2, dist = 1, a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;
  float inverse_power = 1, exponent = Real(0.5);

  KILN_FN void prepare() {
    inverse_power = 1 / power;
    exponent = dist / power / 2;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real u = fma(a, x, fma(b, y, e)), v = fma(c, x, fma(d, y, f));
    const Real branch = trunc(abs(power) * in.rng.uniform());
    return from_polar(in.weight * pow(fma(u, u, v * v), exponent),
                      fma(two_pi, branch, atan2(v, u)) * inverse_power);
  }
};

/// A turn in elliptic coordinates. eJulia's formula: its first root, turned.
struct ERotate : EJulia {
  using Formula = EJulia;
  static constexpr auto info = describe("eRotate", "eRotate_rotate");
  KILN_DRAWN({-3, 3});

  constexpr ERotate() { power = 0; }
  KILN_FN void prepare() {
    turn = power;
    order = 1;
  }
};

/// polar undone: across is an angle in half turns, up the distance from the unit circle.
struct InvPolar {
  static constexpr auto info = describe("invpolar");
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = from_half_turns(in.weight * (1 + in.p.y), in.p.x);
    return {y, x};
  }
};

/// wdisc, whose upper half is not turned over.
struct IDisc : WDisc {
  using Formula = WDisc;
  static constexpr auto info = describe("idisc");
  KILN_FN void prepare() { turns_over = 0; }
};

// ---- shapes ----

/// The star of depth_blur2, of one size everywhere.
struct StarBlur : DepthBlur2 {
  using Formula = DepthBlur2;
  static constexpr auto info = describe("starblur", "starblur_power", "starblur_range");
  KILN_DRAWN(whole(3, 8), {0.2, 0.6});
  static constexpr bool adds_to_the_point = true;

  KILN_FN void prepare() {
    DepthBlur2::prepare();
    blur = 10;
    radius = -1;
    exponent = 0;
    keeps = 0;
  }
};

/// A cube, evenly filled.
struct Square3D {
  static constexpr auto info = describe("square3D");
  static constexpr bool random_draws = true;
  static constexpr bool adds_to_the_point = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real x = in.rng.uniform(), y = in.rng.uniform(), z = in.rng.uniform();
    return Vec3{x - Real(0.5), y - Real(0.5), z - Real(0.5)} * in.weight;
  }
};

using PluginMaps = VariationList<CliffordJs, SvenssonJs, Henon, Lozi, BiLinear, FlipCircle, FlipY,
                                 LinearT, CircleSplit, Circus, Projective, Waves22, Ovoid, Ovoid3D,
                                 DSpherical, Julian2, ERotate, InvPolar, IDisc, StarBlur, Square3D>;

KILN_END
