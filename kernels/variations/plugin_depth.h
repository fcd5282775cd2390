// SPDX-License-Identifier: MIT
// Variations of three dimensions: those that make depth, use it, turn or mirror it, or take it away.
// In a flat picture z is 0 for all of them. Meanings are Ember's, oddities included: rotations and
// mirrors begin the sum anew where they stand.
#pragma once

#include "kernels/variations/blurs.h"
#include "kernels/variations/extended.h"
#include "kernels/variations/hyperbolic.h"

KILN_BEGIN

/// No depth: after all regular variations, or at the end of the pre_ or post_ forms.
struct Flatten {
  static constexpr auto info = describe("flatten");
  static constexpr bool only_depth = true;
  static constexpr i32 restarts = keeps_z;

  KILN_FN Vec3 operator()(const ExtendedArg&) const { return {0, 0, 0}; }
};

/// The upper half of a sphere.
struct Hemisphere {
  static constexpr auto info = describe("hemisphere");
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real s = in.weight / sqrt(in.r2() + 1);
    return {in.p.x * s, in.p.y * s, s};
  }
};

/// Curl's inversions, in space.
struct Curl3D {
  static constexpr auto info = describe("curl3D", "curl3D_cx", "curl3D_cy", "curl3D_cz");
  KILN_DRAWN({-0.6, 0.6}, {-0.6, 0.6}, {-0.6, 0.6});
  static constexpr bool reads_depth = true;
  static constexpr int makes_depth_by = 2;
  float cx = 0, cy = 0, cz = 0;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real r = in.r3(), c2 = cx * cx + cy * cy + cz * cz;
    const Real s = in.weight / nonzero(fma(r, c2, 2 * cx * x - 2 * cy * y + 2 * cz * in.z + 1));
    return Vec3{fma(cx, r, x), fma(-cy, r, y), fma(cz, r, in.z)} * s;
  }
};

/// The inversion in the unit sphere.
struct Spherical3D {
  static constexpr auto info = describe("Spherical3D");
  static constexpr bool reads_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    return Vec3{in.p.x, in.p.y, in.z} * (in.weight / nonzero(in.r3()));
  }
};

/// A point moved up by the weight.
struct ZTranslate {
  static constexpr auto info = describe("ztranslate");
  static constexpr bool adds_to_the_point = true;
  static constexpr bool only_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const { return {0, 0, in.weight}; }
};

/// Depth alone; its pre_ and post_ forms leave nothing of x and y.
struct ZScale {
  static constexpr auto info = describe("zscale");

  KILN_FN Vec3 operator()(const ExtendedArg& in) const { return {0, 0, in.weight * in.z}; }
};

/// A cone: as high as it is far from the axis.
struct ZCone {
  static constexpr auto info = describe("zcone");
  static constexpr bool only_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const { return {0, 0, in.weight * in.r()}; }
};

/// Blurred in depth alone.
struct ZBlur {
  static constexpr auto info = describe("zblur");
  static constexpr bool random_draws = true;
  static constexpr bool adds_to_the_point = true;
  static constexpr bool only_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    return {0, 0, in.weight * sum_of_four(in.rng)};
  }
};

/// A soft ball around the origin.
struct Blur3D {
  static constexpr auto info = describe("blur3D");
  static constexpr bool random_draws = true;
  static constexpr bool adds_to_the_point = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [sa, ca] = sincospi(2 * in.rng.uniform());
    const Real s = in.weight * sum_of_four(in.rng);
    const auto [sb, cb] = sincospi(in.rng.uniform());
    return Vec3{sb * ca, sb * sa, cb} * s;
  }
};

/// Foci; the depth takes the place of an angle, or the angle that of the depth where that is 0.
struct Foci3D {
  static constexpr auto info = describe("foci_3D");
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    // the value is long at its limits there; exp ends soon in float, in double at double_exp_end
    constexpr Real end = 80;
    const Real x = in.p.x < -end ? -end : (in.p.x > end) & (in.p.x < double_exp_end) ? end : in.p.x;
    const Real half = exp(x) / 2, over = Real(0.25) / nonzero(half);
    const auto [s, c] = sincos(in.p.y);
    const auto [sb, cb] = sincos(in.z == 0 ? in.phi() : in.z);
    return Vec3{half - over, s, sb} * (in.weight / nonzero(half + over - c * cb));
  }
};

/// A draw from 0 .. count - 1, uniform.
KILN_FN Real drawn_below(Random& rng, Real count) { return floor(rng.uniform() * count); }

/// The roots of a complex number, in space.
struct Julia3D {
  static constexpr auto info = describe("julia3D", "julia3D_power");
  KILN_DRAWN(whole_of_either_sign(2, 5));
  static constexpr bool random_draws = true;
  static constexpr bool reads_depth = true;
  float power = 2;
  float count = 2, exponent = Real(-0.25);

  KILN_FN void prepare() {
    power = floor(power + Real(0.5));
    power = power == 0 ? Real(1) : power;
    count = abs(power);
    exponent = (1 / power - 1) / 2;
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real q = in.z / count;
    const Real s = in.weight * pow(fma(q, q, in.r2()), exponent);
    const auto [sa, ca] = sincos((in.phi() + two_pi * drawn_below(in.rng, count)) / power);
    const Real r = in.r();
    return Vec3{r * ca, r * sa, q} * s;
  }
};

/// The roots of a complex number, in space, with a depth that follows.
struct Julia3Dz {
  static constexpr auto info = describe("julia3Dz", "julia3Dz_power");
  KILN_DRAWN(whole_of_either_sign(2, 5));
  static constexpr bool random_draws = true;
  float power = 2;
  float count = 2;

  KILN_FN void prepare() {
    power = floor(power + Real(0.5));
    power = power == 0 ? Real(1) : power;
    count = abs(power);
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real s = in.weight * pow(in.r2(), 1 / (2 * power));
    const auto [sa, ca] = sincos((in.phi() + two_pi * drawn_below(in.rng, count)) / power);
    return Vec3{ca, sa, in.z / nonzero(in.r() * count)} * s;
  }
};

/// About the x axis, by the weight in quarter turns.
struct RotateX {
  static constexpr auto info = describe("rotate_x");
  static constexpr i32 restarts = keeps_x;
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [s, c] = sincospi(in.weight / 2);
    return {in.p.x, fma(in.z, s, in.p.y * c), fma(in.z, c, -(in.p.y * s))};
  }
};

/// About the y axis.
struct RotateY {
  static constexpr auto info = describe("rotate_y");
  static constexpr i32 restarts = keeps_y;
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [s, c] = sincospi(in.weight / 2);
    return {fma(in.p.x, c, -(in.z * s)), in.p.y, fma(in.p.x, s, in.z * c)};
  }
};

/// About the z axis.
struct RotateZ {
  static constexpr auto info = describe("rotate_z");
  static constexpr i32 restarts = keeps_z;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [s, c] = sincospi(in.weight / 2);
    return {fma(in.p.x, c, in.p.y * s), fma(in.p.y, c, -(in.p.x * s)), in.z};
  }
};

/// A point on either side of a plane, whatever the weight.
struct MirrorX {
  static constexpr auto info = describe("mirror_x");
  static constexpr bool random_draws = true;
  static constexpr i32 restarts = keeps_all;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real far = abs(in.p.x);
    return {in.rng.bit() ? -far : far, in.p.y, in.z};
  }
};
struct MirrorY {
  static constexpr auto info = describe("mirror_y");
  static constexpr bool random_draws = true;
  static constexpr i32 restarts = keeps_all;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real far = abs(in.p.y);
    return {in.p.x, in.rng.bit() ? -far : far, in.z};
  }
};
struct MirrorZ {
  static constexpr auto info = describe("mirror_z");
  static constexpr bool random_draws = true;
  static constexpr i32 restarts = keeps_all;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real far = abs(in.z);
    return {in.p.x, in.p.y, in.rng.bit() ? -far : far};
  }
};

/// A ball, denser towards its middle by the power.
struct SphereBlur {
  static constexpr auto info = describe("sphereblur", "sphereblur_power");
  KILN_DRAWN({0.3, 2});
  static constexpr bool random_draws = true;
  static constexpr bool adds_to_the_point = true;
  static constexpr bool makes_depth = true;
  float power = 1;

  KILN_FN void prepare() { power = max(power, Real(0)); }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [sa, ca] = sincospi(2 * in.rng.uniform());
    const Real cb = fma(Real(2), in.rng.uniform(), Real(-1)), sb = sqrt(max(1 - cb * cb, Real(0)));
    const Real q = pow(in.rng.uniform(), power);
    const Real s = in.weight * pow(acos(fma(Real(2), q, Real(-1))) * inverse_pi, Real(2) / Real(3));
    return Vec3{ca * sb, sa * sb, cb} * s;
  }
};

/// The inside of a ball, its halves apart.
struct Bubble2 {
  static constexpr auto info = describe("bubble2", "bubble2_x", "bubble2_y", "bubble2_z");
  KILN_DRAWN({0.6, 1.3}, {0.6, 1.3}, {0, 0.5});
  static constexpr bool reads_depth = true;
  static constexpr int makes_depth_by = 2;
  float px = 1, py = 1, pz = 0;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real s = in.weight / nonzero(fma(in.r3(), Real(0.25), Real(1)));
    const Real apart = in.z >= 0 ? in.z + pz : in.z - pz;
    return {s * in.p.x * px, s * in.p.y * py, fma(in.weight, apart, s * in.z * pz)};
  }
};

/// The eight octants move apart.
struct Splits3D {
  static constexpr auto info = describe("splits3D", "splits3D_x", "splits3D_y", "splits3D_z");
  KILN_DRAWN(either_sign(0.2, 0.8), either_sign(0.2, 0.8), either_sign(0.2, 0.8));
  static constexpr int makes_depth_by = 2;
  float dx = 0, dy = 0, dz = 0;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    return Vec3{apart(in.p.x, dx), apart(in.p.y, dy), apart(in.z, dz)} * in.weight;
  }
  KILN_FN static Real apart(Real t, Real by) { return t >= 0 ? t + by : t - by; }
};

/// The color as depth.
struct DcZTranslate {
  static constexpr auto info =
      describe("dc_ztransl", "dc_ztransl_x0", "dc_ztransl_x1", "dc_ztransl_factor",
               "dc_ztransl_overwrite", "dc_ztransl_clamp");
  KILN_DRAWN({0, 0.4}, {0.6, 1}, {0.3, 1}, always(1), always(0));
  static constexpr bool makes_depth = true;
  float x0 = 0, x1 = 1, factor = 1, overwrite = 1, clamp = 0;
  float low = 0, width = 1;

  KILN_FN void prepare() {
    x0 = min(max(x0, Real(0)), Real(1));
    x1 = min(max(x1, Real(0)), Real(1));
    low = min(x0, x1);
    width = nonzero(max(x0, x1) - low);
    overwrite = overwrite >= Real(0.5) ? 1 : 0;
    clamp = clamp >= Real(0.5) ? 1 : 0;
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real height = factor * (in.color - low) / width;
    const Real t = clamp != 0 ? min(max(height, Real(0)), Real(1)) : height;
    return Vec3{in.p.x, in.p.y, overwrite != 0 ? t : in.z * t} * in.weight;
  }
};

/// The xform's point, with itself moved out by the depth.
struct Depth {
  static constexpr auto info = describe("depth", "depth_power");
  KILN_DRAWN({0.5, 2});
  static constexpr bool reads_depth = true;
  float power = 1;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real far = abs(in.z);
    const Real k = far == 0 ? Real(0) : power == 1 ? far : pow(far, power);
    return Vec3{fma(in.p.x, k, in.before.x), fma(in.p.y, k, in.before.y),
                fma(in.z, k, in.before.z)} *
           in.weight;
  }
};

using PluginDepth =
    VariationList<Flatten, Hemisphere, Curl3D, Spherical3D, ZTranslate, ZScale, ZCone, ZBlur,
                  Blur3D, Foci3D, Julia3D, Julia3Dz, RotateX, RotateY, RotateZ, MirrorX, MirrorY,
                  MirrorZ, SphereBlur, Bubble2, Splits3D, DcZTranslate, Depth>;

KILN_END
