// SPDX-License-Identifier: MIT
// JWildfire's maps of the plane: symmetries, mirrors, tiles, cells that a hash turns or shifts. Those
// that JWildfire has before or after the others alone (post_axis_symmetry_wf) are the pre_ and post_
// forms of what stands here.
#pragma once

#include "kernels/variations/extended.h"

KILN_BEGIN

/// JWildfire's epsilon, where it has one.
constexpr Real jwildfire_eps = Real(1e-8);

/// The nearest integer, halves up.
KILN_FN Real rounded_up(Real t) { return floor(t + Real(0.5)); }
/// A color moved on, as it comes back into 0..1.
KILN_FN Real shifted_color(Real color, Real by) { return fmod(color + by, Real(1)); }
KILN_FN Real clamped(Real t, Real low, Real high) { return min(max(t, low), high); }
KILN_FN bool is_odd(Real whole) { return whole - 2 * floor(whole / 2) != 0; }
/// A draw from 0 .. count - 1, as a number.
KILN_FN Real one_of(Random& rng, Real count) { return floor(rng.uniform() * count); }

/// One of two halves, mirrored in an axis, the weight apart, turned against each other.
struct AxisSymmetry {
  static constexpr auto info = describe(
      "axis_symmetry_wf", "axis_symmetry_wf_axis", "axis_symmetry_wf_centre_x",
      "axis_symmetry_wf_centre_y", "axis_symmetry_wf_centre_z", "axis_symmetry_wf_rotation",
      "axis_symmetry_wf_x1colorshift", "axis_symmetry_wf_y1colorshift",
      "axis_symmetry_wf_z1colorshift", "axis_symmetry_wf_x2colorshift",
      "axis_symmetry_wf_y2colorshift", "axis_symmetry_wf_z2colorshift");
  KILN_DRAWN(whole(0, 1), {-0.5, 0.5}, {-0.5, 0.5}, {-0.5, 0.5}, {0, 90}, {0, 0.3}, {0, 0.3},
             {0, 0.3}, {0, 0.3}, {0, 0.3}, {0, 0.3});
  static constexpr bool random_draws = true;
  static constexpr bool reads_depth = true;
  static constexpr int makes_depth_by = 0;
  static constexpr bool changes_color = true;
  float axis = 0, centre_x = Real(0.25), centre_y = Real(0.5), centre_z = Real(0.5), rotation = 30;
  float x1 = 0, y1 = 0, z1 = 0, x2 = 0, y2 = 0, z2 = 0;
  float turn_sin = 0, turn_cos = 1;

  KILN_FN void prepare() {
    axis = clamped(round(axis), 0, 2);
    const auto [s, c] = sincospi(rotation / 180);
    turn_sin = s;
    turn_cos = c;
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const bool first = in.rng.bit() == 0;
    if (abs(in.weight) <= jwildfire_eps) return {in.p.x, in.p.y, in.z, in.color};
    const Real s = first ? 1 : -1, half = in.weight / 2;
    const bool across = axis == 0, deep = axis == 2;
    const Real v0 = deep ? in.z - centre_z : in.p.y - centre_y, u0 = in.p.x - centre_x;
    const Real u = across ? s * (u0 + half) : u0, v = across ? v0 : s * (v0 + half);
    const Real x = fma(u, turn_cos, fma(s * v, turn_sin, centre_x));
    const Real other =
        fma(v, turn_cos, fma(-s * u, turn_sin, deep && rotation == 0 ? centre_z : centre_y));
    const Real one = across ? x1 : deep ? z1 : y1, two = across ? x2 : deep ? z2 : y2;
    const Real shift = first ? one : (axis == 1) & (rotation == 0) ? Real(0) : two;
    return {x, deep ? in.p.y : other, deep ? other : in.z, shifted_color(in.color, shift)};
  }
};

/// One of several copies, turned around a center.
struct PointSymmetry {
  static constexpr auto info =
      describe("point_symmetry_wf", "point_symmetry_wf_centre_x", "point_symmetry_wf_centre_y",
               "point_symmetry_wf_order", "point_symmetry_wf_colorshift");
  KILN_DRAWN({-0.5, 0.5}, {-0.5, 0.5}, whole(2, 7), {0, 0.3});
  static constexpr bool random_draws = true;
  static constexpr bool forms_without_depth = true;
  static constexpr bool changes_color = true;
  float centre_x = Real(0.25), centre_y = Real(0.5), order = 3, colorshift = 0;

  KILN_FN void prepare() { order = max(round(order), Real(1)); }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const Real u = in.weight * (in.p.x - centre_x), v = in.weight * (in.p.y - centre_y);
    const Real k = one_of(in.rng, order);
    const auto [s, c] = sincospi(2 * k / order);
    return {fma(u, c, fma(v, s, centre_x)), fma(v, c, fma(-u, s, centre_y)), 0,
            shifted_color(in.color, k * colorshift)};
  }
};

/// Scaled, sheared, turned and shifted in space.
struct Affine3D {
  static constexpr auto info =
      describe("affine3D", "affine3D_translateX", "affine3D_translateY", "affine3D_translateZ",
               "affine3D_scaleX", "affine3D_scaleY", "affine3D_scaleZ", "affine3D_rotateX",
               "affine3D_rotateY", "affine3D_rotateZ", "affine3D_shearXY", "affine3D_shearXZ",
               "affine3D_shearYX", "affine3D_shearYZ", "affine3D_shearZX", "affine3D_shearZY");
  KILN_DRAWN({-0.3, 0.3}, {-0.3, 0.3}, {-0.3, 0.3}, {0.6, 1}, {0.6, 1}, {0.6, 1}, {-60, 60},
             {-60, 60}, {-180, 180}, {-0.3, 0.3}, {-0.3, 0.3}, {-0.3, 0.3}, {-0.3, 0.3},
             {-0.3, 0.3}, {-0.3, 0.3});
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;
  float translate_x = 0, translate_y = 0, translate_z = 0, scale_x = 1, scale_y = 1, scale_z = 1;
  float rotate_x = 0, rotate_y = 0, rotate_z = 0;
  float shear_xy = 0, shear_xz = 0, shear_yx = 0, shear_yz = 0, shear_zx = 0, shear_zy = 0;
  float xx = 1, xy = 0, xz = 0, yx = 0, yy = 1, yz = 0, zx = 0, zy = 0, zz = 1;

  KILN_FN Vec3 turned(Real x, Real y, Real z) const {
    const auto [sx, cx] = sincospi(rotate_x / 180);
    const auto [sy, cy] = sincospi(rotate_y / 180);
    const auto [sz, cz] = sincospi(rotate_z / 180);
    const Real y1 = fma(y, cx, -(z * sx)), z1 = fma(y, sx, z * cx);
    const Real x2 = fma(x, cy, z1 * sy), z2 = fma(z1, cy, -(x * sy));
    return {fma(x2, cz, -(y1 * sz)), fma(x2, sz, y1 * cz), z2};
  }
  KILN_FN void prepare() {
    const Vec3 x = turned(scale_x, scale_x * shear_yx, scale_x * shear_zx);
    const Vec3 y = turned(scale_y * shear_xy, scale_y, scale_y * shear_zy);
    const Vec3 z = turned(scale_z * shear_xz, scale_z * shear_yz, scale_z);
    xx = x.x, yx = x.y, zx = x.z;
    xy = y.x, yy = y.y, zy = y.z;
    xz = z.x, yz = z.y, zz = z.z;
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    return Vec3{fma(xx, x, fma(xy, y, fma(xz, in.z, translate_x))),
                fma(yx, x, fma(yy, y, fma(yz, in.z, translate_y))),
                fma(zx, x, fma(zy, y, fma(zz, in.z, translate_z)))} *
           in.weight;
  }
};

/// Half of the points mirrored, along each axis that is on, whatever the weight.
struct MirrorWf {
  static constexpr auto info = describe(
      "mirror_wf", "mirror_wf_xaxis", "mirror_wf_yaxis", "mirror_wf_zaxis", "mirror_wf_xshift",
      "mirror_wf_yshift", "mirror_wf_zshift", "mirror_wf_xscale", "mirror_wf_yscale",
      "mirror_wf_xcolorshift", "mirror_wf_ycolorshift", "mirror_wf_zcolorshift");
  KILN_DRAWN(always(1), whole(0, 1), always(0), {-0.3, 0.3}, {-0.3, 0.3}, {-0.3, 0.3}, {0.7, 1},
             {0.7, 1}, {0, 0.3}, {0, 0.3}, {0, 0.3});
  static constexpr bool random_draws = true;
  static constexpr bool reads_depth = true;
  static constexpr int makes_depth_by = 2;
  static constexpr bool changes_color = true;
  float xaxis = 1, yaxis = 0, zaxis = 0, xshift = 0, yshift = 0, zshift = 0, xscale = 1, yscale = 1;
  float xcolorshift = 0, ycolorshift = 0, zcolorshift = 0;

  KILN_FN void prepare() {
    xaxis = round(xaxis);
    yaxis = round(yaxis);
    zaxis = round(zaxis);
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    Real x = in.p.x, y = in.p.y, z = in.z, color = in.color;
    if (abs(in.weight) <= jwildfire_eps) return {x, y, z, color};
    const bool over_x = xaxis > 0 && in.rng.bit() == 0, over_y = yaxis > 0 && in.rng.bit() == 0,
               over_z = zaxis > 0 && in.rng.bit() == 0;
    if (over_x) {
      x = xscale * (-x - xshift);
      y = yscale * y;
      color = shifted_color(color, xcolorshift);
    }
    if (over_y) {
      x = xscale * x;
      y = yscale * (-y - yshift);
      color = shifted_color(color, ycolorshift);
    }
    if (over_z) {
      z = -z - zshift;
      color = shifted_color(color, zcolorshift);
    }
    return {x, y, z, color};
  }
};

/// Two halves, turned and pulled apart.
struct Kaleidoscope {
  static constexpr auto info = describe("kaleidoscope", "kaleidoscope_pull", "kaleidoscope_rotate",
                                        "kaleidoscope_line_up", "kaleidoscope_x", "kaleidoscope_y");
  KILN_DRAWN({0, 0.5}, {0.7, 1}, {0.2, 1}, {-0.3, 0.3}, {-0.3, 0.3});
  static constexpr bool weighs_depth = true;
  float pull = 0, rotate = 1, line_up = 1, px = 0, py = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    constexpr Real s = Real(0.85090352453411842486),
                   c = Real(0.52532198881772969605);  // 45 radians
    const auto [x, y] = in.p;
    return {fma(rotate * c, x, fma(-s, y, line_up + px)),
            fma(rotate * c, y, fma(s, x, y > 0 ? pull + line_up + py : -pull - line_up))};
  }
};

/// Martin's carpet: a bubble, twisted and tilted.
struct MCarpet {
  static constexpr auto info =
      describe("mcarpet", "mcarpet_x", "mcarpet_y", "mcarpet_twist", "mcarpet_tilt");
  KILN_DRAWN({0.5, 1}, {0.5, 1}, {0.2, 0.8}, either_sign(0.1, 0.5));
  static constexpr bool weighs_depth = true;
  float px = 1, py = Real(0.75), twist = Real(0.5), tilt = Real(-0.25);

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real s = in.weight / fma(in.r2(), Real(0.25), Real(1));
    return {fma(s * x, px, in.weight * (fma(-twist * x, x, 1) + y)),
            fma(s * y, py, in.weight * tilt * x)};
  }
};

/// Fields of a board move apart, one kind this way, one the other, smeared.
struct Checks {
  static constexpr auto info =
      describe("checks", "checks_x", "checks_y", "checks_size", "checks_rnd");
  KILN_DRAWN({0.3, 1.5}, {0.3, 1.5}, {0.3, 1}, {0, 0.5});
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  float px = 3, py = 3, size = 1, rnd = Real(0.5);
  float per_size = 1;

  KILN_FN void prepare() { per_size = 1 / (size + jwildfire_eps); }
  /// Halves toward 0: in double the epsilon takes them there.
  KILN_FN Real field(Real t) const { return copysign(-floor(Real(0.5) - abs(t)), t); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real a = rnd * in.rng.uniform(), b = rnd * in.rng.uniform();
    const bool odd = is_odd(field(per_size * x) + field(per_size * y));
    return Vec2{odd ? x + px : x - px + a, odd ? y + py + b : y - py} * in.weight;
  }
};

/// One side of a conic, as it is; nothing of the other.
struct ChunkMap {
  static constexpr auto info = describe("chunk", "chunk_a", "chunk_b", "chunk_c", "chunk_d",
                                        "chunk_e", "chunk_f", "chunk_mode");
  KILN_DRAWN({0.5, 1.5}, {-0.5, 0.5}, {0.5, 1.5}, {-0.3, 0.3}, {-0.3, 0.3}, {-1, -0.3},
             whole(0, 1));
  static constexpr bool weighs_depth = true;
  float a = 1, b = 0, c = 1, d = 0, e = 0, f = -1, mode = 0;

  KILN_FN void prepare() { mode = clamped(round(mode), 0, 1); }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real q = in.weight * fma(fma(a, x, fma(b, y, d)), x, fma(fma(c, y, e), y, f));
    const bool kept = mode == 0 ? q <= 0 : q > 0;
    return {kept ? x : Real(0), kept ? y : Real(0), kept ? in.weight * in.z : Real(0)};
  }
};

/// Shifted along a turned axis.
struct Shift {
  static constexpr auto info = describe("shift", "shift_shift_x", "shift_shift_y", "shift_angle");
  KILN_DRAWN(either_sign(0.1, 0.5), either_sign(0.1, 0.5), {0, 180});
  static constexpr bool weighs_depth = true;
  float shift_x = Real(0.1), shift_y = Real(0.06), angle = Real(12.25);
  float right = 0, down = 0;

  KILN_FN void prepare() {
    const auto [s, c] = sincospi(angle / 180);
    right = fma(c, shift_x, -(s * shift_y));
    down = fma(c, shift_y, s * shift_x);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{in.p.x + right, in.p.y - down} * in.weight;
  }
};

/// Each axis squeezed into -1..1 by a logistic curve.
struct Sigmoid {
  static constexpr auto info = describe("sigmoid", "sigmoid_shiftx", "sigmoid_shifty");
  KILN_DRAWN({0.5, 2}, {0.5, 2});
  static constexpr bool weighs_depth = true;
  float shiftx = 1, shifty = 1;
  float factor_x = 1, factor_y = 1, steep_x = 0, steep_y = 0;

  KILN_FN static Real steepness(Real s) {
    if (s == 0) return 0;
    return abs(s) < 1 ? 1 / s : s;
  }
  KILN_FN static Real factor(Real s) { return (abs(s) < 1) & (s < 0) ? Real(-1) : Real(1); }
  KILN_FN void prepare() {
    factor_x = factor(shiftx);
    factor_y = factor(shifty);
    steep_x = -5 * steepness(shiftx);
    steep_y = -5 * steepness(shifty);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{factor_x / (1 + exp(steep_x * in.p.x)) - Real(0.5),
                factor_y / (1 + exp(steep_y * in.p.y)) - Real(0.5)} *
           (2 * abs(in.weight));
  }
};

/// Powers of both axes, away from the axes.
struct Corners {
  static constexpr auto info = describe(
      "corners", "corners_x", "corners_y", "corners_mult_x", "corners_mult_y", "corners_x_power",
      "corners_y_power", "corners_xy_power_add", "corners_log_mode", "corners_log_base");
  KILN_DRAWN({0.2, 1}, {0.2, 1}, {0.5, 1}, {0.5, 1}, {0.4, 1}, {0.4, 1}, {-0.2, 0.2}, always(0),
             always(2.71828));
  static constexpr bool weighs_depth = true;
  float px = 1, py = 1, mult_x = 1, mult_y = 1, x_power = Real(0.75), y_power = Real(0.75);
  float xy_power_add = 0, log_mode = 0, log_base = Real(2.71828);
  float per_log = 1;

  KILN_FN void prepare() { per_log = 1 / log(log_base); }
  KILN_FN Real apart(Real t, Real mult, Real power, Real by, Real weight) const {
    const Real square = t * t, e = power + xy_power_add;
    const Real one = log_mode != 0
                         ? pow(log(fma(mult, square, 3)) * per_log, e + Real(2.25)) - Real(1.33)
                         : mult * pow(square, e);
    return t > 0 ? fma(weight, one, by) : -fma(weight, one, by);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    return {apart(in.p.x, mult_x, x_power, px, in.weight),
            apart(in.p.y, mult_y, y_power, py, in.weight)};
  }
};

/// A rectangle as it is; what is outside becomes its soft border.
struct Crob {
  static constexpr auto info =
      describe("crob", "crob_top", "crob_bottom", "crob_left", "crob_right", "crob_blur",
               "crob_ratioBlur", "crob_directBlur");
  KILN_DRAWN({-1, -0.5}, {0.5, 1}, {-1, -0.5}, {0.5, 1}, always(1), {0.05, 0.3}, {0.5, 3});
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  float top = -1, bottom = 1, left = -1, right = 1, blur = 1, ratio_blur = Real(0.05);
  float direct_blur = 2;
  float half_width = 1, half_height = 1, smaller = 1, middle_x = 0, middle_y = 0, margin = 0;

  KILN_FN static void sort(float& low, float& high) {
    const Real a = low == high ? Real(-1) : min(low, high),
               b = low == high ? Real(1) : max(low, high);
    low = a;
    high = b;
  }
  KILN_FN void prepare() {
    sort(top, bottom);
    sort(left, right);
    blur = round(blur);
    half_width = (right - left) / 2;
    half_height = (bottom - top) / 2;
    smaller = min(half_width, half_height);
    middle_x = half_width > half_height ? right - smaller : right - half_width;
    middle_y = half_width < half_height ? top + smaller : top + half_height;
    margin = blur != 0 ? smaller * ratio_blur : Real(0);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const bool inside =
        (x >= left + margin) & (x <= right - margin) & (y >= top + margin) & (y <= bottom - margin);
    if (inside) return in.p;
    if (blur == 0) return {0, 0};
    const Real u = in.rng.uniform(), p = half_height / (half_width + half_height);
    const bool upright = u < p;
    Real bx = 0, by = 0;
    for (int round = 0; round < 100; ++round) {  // nearly all end at once
      const Real first = in.rng.uniform();
      const Real soft = pow(in.rng.uniform(), direct_blur) * ratio_blur * smaller;
      bx = upright ? right - soft : fma(-first, half_width, right);
      by = upright ? fma(first, half_height, top) : top + soft;
      const Real slope = (by - middle_y) / (bx - middle_x);
      if (!(upright ? slope < -1 : (slope > -1) & (slope <= 0))) break;
    }
    const Real part = upright ? u / p : (u - p) / (1 - p);
    const bool over = upright ? part < Real(0.5) : (part > Real(0.25)) & (part < Real(0.75));
    const bool down = upright ? (part > Real(0.25)) & (part < Real(0.75)) : part > Real(0.5);
    return {over ? left + right - bx : bx, down ? top + bottom - by : by};
  }
};

/// Stripes along each axis, every other one mirrored in the middle.
struct LazySensen {
  static constexpr auto info =
      describe("lazysensen", "lazysensen_scale_x", "lazysensen_scale_y", "lazysensen_scale_z");
  KILN_DRAWN({0.5, 3}, {0.5, 3}, always(0));
  static constexpr bool reads_depth = true;
  float scale_x = 1, scale_y = 1, scale_z = 0;

  KILN_FN static Real mirrored(Real t, Real scale) {
    const Real n = floor(t * scale);
    return (scale != 0) & (is_odd(n) == (n >= 0)) ? -t : t;
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    return Vec3{mirrored(in.p.x, scale_x), mirrored(in.p.y, scale_y), mirrored(in.z, scale_z)} *
           in.weight;
  }
};

/// One of m halves at the corners of a polygon, or a turned and bent one.
struct SAttractor {
  static constexpr auto info = describe("sattractor_js", "sattractor_js_m");
  KILN_DRAWN(whole(3, 12));
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  float m = 10;

  KILN_FN void prepare() { m = clamped(round(m), 2, 12); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const auto [b, a] = sincospi(2 * (one_of(in.rng, m) + 1) / m);
    const bool halves = in.rng.bit() == 0;
    const Real right = halves ? fma(x, Real(0.5), a) : fma(a, x, fma(b, y, b * x * x));
    const Real down = halves ? fma(y, Real(0.5), b) : fma(a, y, fma(-b, x, a * x * x));
    return Vec2{right, down} * (in.weight / 2);
  }
};

/// The point as it is, or a step of Martin's map of the sum.
struct WallpaperJs {
  static constexpr auto info =
      describe("wallpaper_js", "wallpaper_js_a", "wallpaper_js_b", "wallpaper_js_c");
  KILN_DRAWN({0.5, 2}, {-0.5, 0.5}, {1, 20});
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  static constexpr bool reads_sum = true;
  float a = Real(1.156), b = Real(-0.28), c = Real(21.288);

  KILN_FN Vec2 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    if (in.rng.bit() != 0) return {x - in.sum.x, y - in.sum.y};
    const Real n = trunc(x), root = n == 0 ? Real(0) : copysign(sqrt(abs(fma(b, x, -c))), n);
    return {y - root, a - x};
  }
};

/// Turned by 30 degrees either way, on a circle.
struct WoggleJs {
  static constexpr auto info = describe("woggle_js", "woggle_js_m");
  KILN_DRAWN(whole(2, 12));
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  float m = 0;  // not said: two in one place
  float count = 2, per_root = 0;

  KILN_FN void prepare() {
    m = round(m);
    count = m == 0 ? Real(2) : clamped(m, 2, 12);
    per_root = 1 / sqrt(Real(1.25) * count);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real k = one_of(in.rng, count);
    const auto [sa, ca] = sincospi(2 * k / count);
    const Real s = is_odd(k) ? per_root : -per_root, e = per_root / (sqrt(Real(3)) * in.r());
    return Vec2{fma(s, in.p.x, fma(e, in.p.y, m == 0 ? Real(0) : ca)),
                fma(s, in.p.y, fma(-e, in.p.x, m == 0 ? Real(0) : sa))} *
           in.weight;
  }
};

/// A round wave in space, along an axis or away from its center.
struct Wave3D {
  static constexpr auto info = describe(
      "wave3D_wf", "wave3D_wf_axis", "wave3D_wf_wavelen", "wave3D_wf_phase", "wave3D_wf_damping",
      "wave3D_wf_centre_x", "wave3D_wf_centre_y", "wave3D_wf_centre_z");
  KILN_DRAWN(whole(0, 3), {0.2, 1}, {0, 6}, {0, 0.1}, {-0.5, 0.5}, {-0.5, 0.5}, {-0.5, 0.5});
  static constexpr bool adds_to_the_point = true;
  static constexpr bool reads_depth = true;
  static constexpr bool makes_depth = true;
  float axis = 2, wavelen = Real(0.5), phase = 0, damping = Real(0.01);
  float centre_x = 0, centre_y = 0, centre_z = 0;

  KILN_FN void prepare() { axis = clamped(round(axis), 0, 3); }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real x = in.p.x - centre_x, y = in.p.y - centre_y, z = in.z - centre_z;
    const Real a = axis == 1 ? y : x, b = (axis == 0) | (axis == 3) ? y : z;
    const Real c = axis == 3 ? z : Real(0);
    const Real r = sqrt(fma(a, a, fma(b, b, c * c))), l = r / wavelen;
    const Real by = in.weight * exp(-l * damping) * sin(fma(two_pi, l, phase));
    if (axis == 0) return {0, 0, by};
    if (axis == 1) return {by, 0, 0};
    if (axis == 2) return {0, by, 0};
    const Real s = by / r;
    return {x * s, y * s, z * s};
  }
};

/// The plane on a square, cell by cell of the cosines.
struct Blocky {
  static constexpr auto info = describe("blocky", "blocky_x", "blocky_y", "blocky_mp");
  KILN_DRAWN({0.6, 1}, {0.6, 1}, {2.5, 6});
  static constexpr bool weighs_depth = true;
  float px = 1, py = 1, mp = 4;

  KILN_FN static Real angle(Real t, Real u) {
    const Real m = (sqrt(t + 2 * u) + sqrt(t - 2 * u)) / 2, a = u / m;
    return atan2(a, sqrt(max(fma(-a, a, Real(1)), Real(0))));
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real s = in.weight / ((cos(x) + cos(y)) / mp + 1), t = in.r2() + 1;
    const Real k = 2 * in.weight * inverse_pi * s;
    return {angle(t, x) * px * k, angle(t, y) * py * k};
  }
};

/// Dust between circles: the plane on the unit circle beside, or a third in one of two places.
struct Dustpoint {
  static constexpr auto info = describe("dustpoint");
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real s = in.rng.bit() == 0 ? 1 : -1, u = in.rng.uniform(), over = 1 / in.r();
    const bool round = u < Real(0.5);
    const Real third = Real(1) / 3, by = u < Real(0.75) ? Real(0) : 2 * third;
    return Vec2{round ? fma(x, over, Real(-1)) : fma(x, third, by),
                round ? s * y * over : y * third} *
           in.weight;
  }
};

/// Each axis drawn toward cosines of itself, coarse and fine.
struct GdOffs {
  static constexpr auto info =
      describe("gdoffs", "gdoffs_delta_x", "gdoffs_delta_y", "gdoffs_area_x", "gdoffs_area_y",
               "gdoffs_center_x", "gdoffs_center_y", "gdoffs_gamma", "gdoffs_square");
  KILN_DRAWN({0.5, 3}, {0.5, 3}, {1, 3}, {1, 3}, {-0.5, 0.5}, {-0.5, 0.5}, whole(1, 3),
             whole(0, 1));
  static constexpr bool weighs_depth = true;
  float delta_x = 0, delta_y = 0, area_x = 2, area_y = 2, center_x = 0, center_y = 0, gamma = 1;
  float square = 0;
  float fine_x = 0, fine_y = 0, per_area = 0;

  KILN_FN static Real wave(Real t) { return fmod((1 - cospi(2 * t)) / 2, Real(1)); }
  KILN_FN void prepare() {
    gamma = round(gamma);
    fine_x = wave(Real(0.1) * delta_x);
    fine_y = round(square) != 0 ? fine_x : wave(Real(0.1) * delta_y);
    per_area = gamma / max(max(Real(0.1), abs(area_x)), max(Real(0.1), abs(area_y)));
  }
  KILN_FN Real moved(Real t, Real share) const {
    const Real near = fma(share, wave(4 * t) - t, t);
    return fma(share, wave(4 * fmod(per_area * t, Real(1))) - near, near);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    return Vec2{moved(in.p.x + center_x, fine_x), moved(in.p.y + center_y, fine_y)} * in.weight;
  }
};

/// Half turned around one of three corners, or around the middle.
struct LaceJs {
  static constexpr auto info = describe("lace_js");
  static constexpr bool random_draws = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    constexpr Real h = Real(0.86602540378443864676), half = Real(0.5);
    const Real u = in.rng.uniform();
    const bool one = u > Real(0.75), two = !one & (u > half),
               three = !one & !two & (u > Real(0.25));
    const Real cx = one ? Real(1) : two | three ? -half : Real(0);
    const Real cy = two ? h : three ? -h : Real(0);
    const Real a = atan2(in.p.y - cy, in.p.x - cx), r = in.r() / 2;
    const auto [s, c] = sincos(a);
    const Real right = two ? h : three ? -h : Real(0);
    const Real up = one ? Real(1) : two | three ? -half : Real(0);
    return Vec2{fma(-r, s, right), fma(-r, c, up)} * in.weight;
  }
};

/// Sines of both axes, steeper with the distance.
struct Sintrange {
  static constexpr auto info = describe("sintrange", "sintrange_w");
  KILN_DRAWN(either_sign(0.3, 1.5));
  static constexpr bool weighs_depth = true;
  static constexpr i32 restarts = keeps_x | keeps_y;
  float w = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real by = fma(-w, in.r2(), w);
    return {in.weight * sin(x) * fma(x, x, by), in.weight * sin(y) * fma(y, y, by)};
  }
};

using JWildfirePlanes =
    VariationList<AxisSymmetry, PointSymmetry, Affine3D, MirrorWf, Kaleidoscope, MCarpet, Checks,
                  ChunkMap, Shift, Sigmoid, Corners, Crob, LazySensen, SAttractor, WallpaperJs,
                  WoggleJs, Wave3D, Blocky, Dustpoint, GdOffs, LaceJs, Sintrange>;

KILN_END
