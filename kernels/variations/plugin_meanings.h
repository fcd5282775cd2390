// SPDX-License-Identifier: MIT
// What other programs mean by names that flam3 has too, under names of their own: the reader chooses
// them by the flame's program and version (engine/model/meanings.h). ember_*: Fractorium since 2024,
// whose trigonometric functions take x and y times a part of pi; apophysis_*: built into Apophysis
// 7X; logn and waves2z: flam3's log and waves2 with further parameters.
//
// Most are flam3's own of another point, or with a sign turned.
#pragma once

#include "kernels/variations/basic.h"
#include "kernels/variations/blurs.h"
#include "kernels/variations/complex.h"
#include "kernels/variations/extended.h"
#include "kernels/variations/hyperbolic.h"
#include "kernels/variations/plugin_blurs.h"
#include "kernels/variations/plugin_crops.h"
#include "kernels/variations/plugin_falloff.h"

KILN_BEGIN

KILN_FN Vec2 upside_down(Vec2 p) { return {p.x, -p.y}; }

// ---- Fractorium: functions of (pi/2) z and the like ----

/// Twelve functions are three formulas: along one axis of the scaled point they turn, along the
/// other they grow.
struct EmberFunction {
  float scale = half_pi;
  float across = 0;     // 1: y turns and x grows
  float of_cosine = 0;  // 1: cos, cosh and what has them below

  KILN_FN void choose(Real factor, bool hyperbolic, bool cosine) {
    scale = factor;
    across = hyperbolic ? 1 : 0;
    of_cosine = cosine ? 1 : 0;
  }
  KILN_FN SinCos turned(Vec2 p) const { return sincos((across != 0 ? p.y : p.x) * scale); }
  KILN_FN Real growth(Vec2 p) const { return (across != 0 ? p.x : p.y) * scale; }
  KILN_FN static Vec2 exchanged(bool is, Real x, Real y) { return {is ? y : x, is ? x : y}; }
};

struct EmberSin : EmberFunction {
  static constexpr auto info = describe("ember_sin");

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = turned(in.p);
    const auto [sh, ch] = sinhcosh(growth(in.p));
    const bool cosine = of_cosine != 0, hyperbolic = across != 0;
    const Real first = (cosine ? c : s) * ch;
    const Real second = (cosine ? (hyperbolic ? s : -s) : c) * sh;
    return exchanged(hyperbolic & !cosine, first, second) * in.weight;
  }
};
struct EmberCos : EmberSin {
  using Formula = EmberSin;
  static constexpr auto info = describe("ember_cos");
  KILN_FN void prepare() { choose(half_pi, false, true); }
};
struct EmberSinh : EmberSin {
  using Formula = EmberSin;
  static constexpr auto info = describe("ember_sinh");
  KILN_FN void prepare() { choose(half_pi / 2, true, false); }
};
struct EmberCosh : EmberSin {
  using Formula = EmberSin;
  static constexpr auto info = describe("ember_cosh");
  KILN_FN void prepare() { choose(half_pi, true, true); }
};

struct EmberTan : EmberFunction {
  static constexpr auto info = describe("ember_tan");

  KILN_FN void prepare() { choose(half_pi / 2, false, true); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const SinCos t = turned(in.p);
    const Real pole = of_cosine != 0 ? t.c : t.s;
    const TanParts q = TanParts::of(t, growth(in.p), pole, in.weight);
    return exchanged(across != 0, q.circular, q.hyperbolic);
  }
};
struct EmberCot : EmberTan {
  using Formula = EmberTan;
  static constexpr auto info = describe("ember_cot");
  KILN_FN void prepare() { choose(half_pi / 2, false, false); }
};
struct EmberTanh : EmberTan {
  using Formula = EmberTan;
  static constexpr auto info = describe("ember_tanh");
  KILN_FN void prepare() { choose(half_pi / 2, true, true); }
};
struct EmberCoth : EmberTan {
  using Formula = EmberTan;
  static constexpr auto info = describe("ember_coth");
  KILN_FN void prepare() { choose(half_pi / 2, true, false); }
};

struct EmberSec : EmberFunction {
  static constexpr auto info = describe("ember_sec");

  KILN_FN void prepare() { choose(pi, false, true); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [s, c] = turned(in.p);
    const bool cosine = of_cosine != 0;
    const SecParts q = SecParts::of(growth(in.p), cosine ? c : s, in.weight);
    return exchanged((across != 0) & !cosine, (cosine ? c : s) * q.cosh_part,
                     (cosine ? s : c) * q.sinh_part);
  }
};
struct EmberCsc : EmberSec {
  using Formula = EmberSec;
  static constexpr auto info = describe("ember_csc");
  KILN_FN void prepare() { choose(half_pi, false, false); }
};
struct EmberSech : EmberSec {
  using Formula = EmberSec;
  static constexpr auto info = describe("ember_sech");
  KILN_FN void prepare() { choose(half_pi / 2, true, true); }
};
struct EmberCsch : EmberSec {
  using Formula = EmberSec;
  static constexpr auto info = describe("ember_csch");
  KILN_FN void prepare() { choose(half_pi / 2, true, false); }
};

// ---- Fractorium: others ----

/// z / (x^2 - y^2), with its sign.
struct EmberCross {
  static constexpr auto info = describe("ember_cross");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    return in.p * (in.weight / nonzero((in.p.x - in.p.y) * (in.p.x + in.p.y)));
  }
};

/// Sectors as those of fan, of parameters' width and place.
struct EmberFan2 {
  static constexpr auto info = describe("ember_fan2", "ember_fan2_x", "ember_fan2_y");
  KILN_DRAWN({0.4, 1.2}, {-1, 1});
  static constexpr bool weighs_depth = true;
  float width_root = Real(0.70710678), offset = Real(-0.70710678);
  float d = pi / 2, sin_half = 0, cos_half = 1;  // the width of a sector; of half of it

  KILN_FN void prepare() {
    d = pi * nonzero(width_root * width_root);
    const auto [s, c] = sincos(Real(0.5) * d);
    sin_half = s;
    cos_half = c;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real turn = fmod(in.theta() + offset, d) > Real(0.5) * d ? -sin_half : sin_half;
    return Vec2{fma(y, cos_half, -(x * turn)), fma(x, cos_half, y * turn)} * in.weight;
  }
};

/// Bumps along the axes whose lengths are not squared.
struct EmberCurve {
  static constexpr auto info = describe("ember_curve", "ember_curve_xamp", "ember_curve_yamp",
                                        "ember_curve_xlength", "ember_curve_ylength");
  KILN_DRAWN(either_sign(0.2, 1), either_sign(0.2, 1), {0.3, 1.5}, {0.3, 1.5});
  float xamp = 0, yamp = 0, xlength = 1, ylength = 1;
  float x_steepness = 1, y_steepness = 1;

  KILN_FN void prepare() {
    x_steepness = 1 / nonzero(xlength);
    y_steepness = 1 / nonzero(ylength);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{fma(xamp, exp(-(y * y) * x_steepness), x),
                fma(yamp, exp(-(x * x) * y_steepness), y)} *
           in.weight;
  }
};

struct EmberEdisc {
  static constexpr auto info = describe("ember_edisc");
  KILN_FN Vec2 operator()(const Arg& in) const { return upside_down(Edisc{}(in)); }
};

/// Escher's map, its angle from the +y axis.
struct EmberEscher {
  static constexpr auto info = describe("ember_escher", "ember_escher_beta");
  KILN_DRAWN({-3, 3});
  static constexpr bool weighs_depth = true;
  float beta = 3;
  float re = 0, im = 0;

  KILN_FN void prepare() {
    const auto [s, c] = sincos(beta / 2);
    re = c * c;
    im = s * c;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real log_r = log(in.r2()) / 2, angle = in.theta();
    return complex_exp(fma(re, log_r, -(im * angle)), fma(re, angle, im * log_r), in.weight);
  }
};

/// juliascope, whose branches are counted downwards where the power is negative: other ones are
/// mirrored.
struct EmberJuliaScope {
  static constexpr auto info =
      describe("ember_juliascope", "ember_juliascope_power", "ember_juliascope_dist");
  KILN_DRAWN(whole_of_either_sign(2, 7), {0.6, 1.3});
  static constexpr bool weighs_depth = true;
  static constexpr bool random_draws = true;
  float power = 1, dist = 1;
  float inverse_power = 1, exponent = Real(0.5);

  KILN_FN void prepare() {
    inverse_power = 1 / power;
    exponent = dist / power / 2;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real k = floor(power * in.rng.uniform()), phi = in.phi();
    const bool even = 2 * floor(Real(0.5) * k) == k;
    const Real angle = fma(two_pi, k, even ? phi : -phi) * inverse_power;
    return from_polar(in.weight * pow(in.r2(), exponent), angle);
  }
};

/// A disc turned and twisted about a center that is weighed too.
struct EmberLazySusan {
  static constexpr auto info =
      describe("ember_lazysusan", "ember_lazysusan_spin", "ember_lazysusan_space",
               "ember_lazysusan_twist", "ember_lazysusan_x", "ember_lazysusan_y");
  KILN_DRAWN({-3, 3}, {-0.3, 0.5}, {-0.6, 0.6}, {-0.3, 0.3}, {-0.3, 0.3});
  static constexpr bool weighs_depth = true;
  float spin = pi, space = 0, twist = 0, x = 0, y = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real w = in.weight, u = in.p.x - x, v = in.p.y + y, r = sqrt(fma(u, u, v * v));
    const Vec2 inside = from_polar(r, atan2(v, u) + spin + twist * (w - r));
    const Real k = space / r;
    const bool is_inside = r < w;
    return Vec2{is_inside ? inside.x + x : fma(k, u, in.p.x),
                is_inside ? inside.y - y : fma(k, v, in.p.y)} *
           w;
  }
};

// ---- more parameters ----

/// The complex logarithm, its real part to a base.
struct LogN {
  static constexpr auto info = describe("logn", "logn_base");
  KILN_DRAWN({1.5, 6});
  static constexpr bool weighs_depth = true;
  float base = 0x1.5bf0a8p1f;  // e
  float over = 1;

  KILN_FN void prepare() { over = 1 / log(max(base, Real(0x1p-52f))); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [log_r, phi] = complex_log(in);
    return Vec2{log_r * over, phi} * in.weight;
  }
};

/// waves2 with waves of depth along the distance.
struct Waves2Z {
  static constexpr auto info =
      describe("waves2z", "waves2z_freqx", "waves2z_scalex", "waves2z_freqy", "waves2z_scaley",
               "waves2z_freqz", "waves2z_scalez");
  KILN_DRAWN({1, 6}, either_sign(0.05, 0.4), {1, 6}, either_sign(0.05, 0.4), {1, 6},
             either_sign(0.05, 0.4));
  static constexpr int makes_depth_by = 5;
  float freqx = 2, scalex = 0, freqy = 2, scaley = 0, freqz = 0, scalez = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{fma(scalex, sin(y * freqx), x), fma(scaley, sin(x * freqy), y)} * in.weight;
  }
  template <class Extended>
  KILN_FN Real depth(const Extended& in) const {
    return in.weight * fma(scalez, sin(freqz * in.r()), in.z);
  }
};

// ---- Apophysis 7X ----

/// bubble as a sphere.
struct ApophysisBubble {
  static constexpr auto info = describe("apophysis_bubble");
  static constexpr bool makes_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const { return Bubble{}(in); }
  template <class Extended>
  KILN_FN Real depth(const Extended& in) const {
    return in.weight * (2 / fma(in.r2(), Real(0.25), Real(1)) - 1);
  }
};

/// blur_zoom with another sign.
struct ApophysisBlurZoom : BlurZoom {
  static constexpr auto info = describe("apophysis_blur_zoom", "apophysis_blur_zoom_length",
                                        "apophysis_blur_zoom_x", "apophysis_blur_zoom_y");
  KILN_DRAWN({0.1, 0.6}, {-0.5, 0.5}, {-0.5, 0.5});

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real k = fma(length, in.rng.uniform(), Real(1));
    return Vec2{fma(in.p.x - center_x, k, center_x), fma(in.p.y - center_y, k, -center_y)} *
           in.weight;
  }
};

/// falloff2 whose draws are not centered and whose radial form keeps its height to itself.
struct ApophysisFalloff2 : Falloff2 {
  static constexpr auto info =
      describe("apophysis_falloff2", "apophysis_falloff2_scatter", "apophysis_falloff2_mindist",
               "apophysis_falloff2_mul_x", "apophysis_falloff2_mul_y", "apophysis_falloff2_mul_z",
               "apophysis_falloff2_mul_c", "apophysis_falloff2_x0", "apophysis_falloff2_y0",
               "apophysis_falloff2_z0", "apophysis_falloff2_invert", "apophysis_falloff2_type");
  KILN_DRAWN({0.2, 1}, {0.2, 0.7}, {0.5, 1}, {0.5, 1}, {0, 0.5}, {0, 0.5}, {-0.4, 0.4}, {-0.4, 0.4},
             {-0.4, 0.4}, whole(0, 1), whole(0, 2));

  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const FalloffShapes::Draws h = {in.rng.uniform(), in.rng.uniform(), in.rng.uniform(),
                                    in.rng.uniform()};
    const Real s = strength_at(in);
    const Vec3 times = {mul_x, mul_y, mul_z};
    const Real q = sqrt(in.r3()) + Real(1e-6f);
    const Vec3 aim = FalloffShapes::direction(in, h, times * s, q) * in.weight;
    const Real rho = fma(mul_x * s, h.h1, q);
    const Vec3 to = type == 0   ? FalloffShapes::linear(in, h, times * s)
                    : type == 1 ? Vec3{aim.x * rho, aim.y * rho, aim.z}
                                : FalloffShapes::round(in, h, times, s);
    return {to.x, to.y, to.z, abs(fmod(fma(mul_c * h.h4, s, in.color), 1))};
  }
};

/// zscale, whose pre_ and post_ forms leave x and y alone.
struct ApophysisZScale {
  static constexpr auto info = describe("apophysis_zscale");
  static constexpr bool only_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const { return {0, 0, in.weight * in.z}; }
};

/// gaussian_blur and crop, whose pre_ and post_ forms leave depth alone.
struct ApophysisGaussianBlur : GaussianBlur {
  using Formula = GaussianBlur;
  static constexpr auto info = describe("apophysis_gaussian_blur");
  static constexpr bool forms_without_depth = true;
};
struct ApophysisCrop : Crop {
  using Formula = Crop;
  static constexpr auto info = describe(
      "apophysis_crop", "apophysis_crop_left", "apophysis_crop_top", "apophysis_crop_right",
      "apophysis_crop_bottom", "apophysis_crop_scatter_area", "apophysis_crop_zero");
  KILN_DRAWN({-1.2, -0.5}, {-1.2, -0.5}, {0.5, 1.2}, {0.5, 1.2}, {0, 0.4}, always(0));
  static constexpr bool forms_without_depth = true;
};

using PluginMeanings =
    VariationList<EmberSin, EmberCos, EmberTan, EmberSec, EmberCsc, EmberCot, EmberSinh, EmberCosh,
                  EmberTanh, EmberSech, EmberCsch, EmberCoth, EmberCross, EmberFan2, EmberCurve,
                  EmberEdisc, EmberEscher, EmberJuliaScope, EmberLazySusan, LogN, Waves2Z,
                  ApophysisBubble, ApophysisBlurZoom, ApophysisFalloff2, ApophysisZScale,
                  EmberCircleCrop, ApophysisGaussianBlur, ApophysisCrop>;

KILN_END
