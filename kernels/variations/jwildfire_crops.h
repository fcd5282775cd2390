// SPDX-License-Identifier: MIT
// JWildfire's crops: of a point outside of a shape nothing is plotted, and the game goes on from the
// origin. What is inside takes the place of the sum before it.
#pragma once

#include "kernels/fine_math.h"
#include "kernels/variations/jwildfire_planes.h"

KILN_BEGIN

/// Java's random numbers, of which JWildfire makes parameters.
struct JavaRandom {
  u64 state;

  KILN_FN explicit JavaRandom(i64 seed) : state((u64(seed) ^ 0x5DEECE66DULL) & mask) {}
  KILN_FN double next() {
    const u64 high = bits(26);
    return double(i64(high << 27 | bits(27))) * 0x1p-53;
  }

 private:
  static constexpr u64 mask = (u64(1) << 48) - 1;
  KILN_FN u64 bits(int count) {
    state = (state * 0x5DEECE66DULL + 11) & mask;
    return state >> (48 - count);
  }
};

/// A crop: V::distance(p) is above 0 outside of the shape. V is what derives from it.
template <class V>
struct ShapeCrop {
  static constexpr bool weighs_depth = true;
  static constexpr bool hides_points = true;
  static constexpr i32 restarts = keeps_x | keeps_y;

  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const V& shape = *static_cast<const V*>(this);
    const Real d = shape.distance(in.p);
    const bool cut = shape.invert != 0 ? d <= 0 : d > 0;
    const Real s = cut && !leaves_points<V> ? Real(0) : in.weight;
    return {in.p.x * s, in.p.y * s, in.weight * in.z, in.color, cut};
  }
  template <class T>
  static constexpr bool leaves_points = requires {
    requires T::leaves_its_points;
  };
  KILN_FN static Real positive(Real t) { return max(t, Real(0)); }
  KILN_FN static Real sign(Real t) { return t > 0 ? Real(1) : t < 0 ? Real(-1) : Real(0); }
};

/// The distance to a rectangle around the origin.
KILN_FN Real distance_to_box(Vec2 p, Real width, Real height) {
  const Real a = abs(p.x) - width, b = abs(p.y) - height;
  return hypot(max(a, Real(0)), max(b, Real(0))) + min(max(a, b), Real(0));
}

struct CropBox : ShapeCrop<CropBox> {
  static constexpr auto info =
      describe("crop_box", "crop_box_width", "crop_box_height", "crop_box_invert");
  KILN_DRAWN({0.3, 1}, {0.3, 1}, always(0));
  float width = Real(0.5), height = Real(0.5), invert = 0;

  KILN_FN void prepare() { invert = clamped(round(invert), 0, 1); }
  KILN_FN Real distance(Vec2 p) const { return distance_to_box(p, width, height); }
};

struct CropCross : ShapeCrop<CropCross> {
  static constexpr auto info = describe("crop_cross", "crop_cross_width", "crop_cross_Size",
                                        "crop_cross_round", "crop_cross_invert");
  KILN_DRAWN({0.4, 1}, {0.1, 0.3}, {0, 0.1}, always(0));
  float width = Real(0.5), size = Real(0.5), rounding = Real(0.001), invert = 0;
  float rim = 0;

  KILN_FN void prepare() {
    invert = clamped(round(invert), 0, 1);
    rim = Real(0.1) * sin(Real(1.2) * rounding);
  }
  KILN_FN Real distance(Vec2 point) const {
    const Real long_arm = max(width, size), short_arm = min(width, size);
    const Real u = max(abs(point.x), abs(point.y)), v = min(abs(point.x), abs(point.y));
    const Real p = u - long_arm, q = v - short_arm, k = max(p, q);
    const bool outside = k > 0;
    const Real a = outside ? p : short_arm - u, b = outside ? q : -k;
    return fma(sign(k), hypot(positive(a), positive(b)), rim);
  }
};

struct CropPolygon : ShapeCrop<CropPolygon> {
  static constexpr auto info =
      describe("crop_polygon", "crop_polygon_type", "crop_polygon_radius", "crop_polygon_invert");
  KILN_DRAWN(whole(0, 4), {0.4, 1}, always(0));
  float type = 4, radius = Real(0.35), invert = 0;

  KILN_FN void prepare() {
    type = clamped(round(type), 0, 4);
    invert = clamped(round(invert), 0, 1);
  }
  /// Mirrors what is below a line through the origin at it.
  KILN_FN static Vec2 folded(Vec2 p, Real a, Real b) {
    const Real t = 2 * min(fma(a, p.x, b * p.y), Real(0));
    return {fma(-t, a, p.x), fma(-t, b, p.y)};
  }
  KILN_FN Real distance(Vec2 point) const {
    if (type == 0) return sqrt(fma(point.x, point.x, point.y * point.y)) - radius;
    Vec2 p{abs(point.x), type == 1 ? -point.y : abs(point.y)};
    Real low = 0, high = 0;
    if (type == 1) {
      p = folded(folded(p, Real(-0.809016994), Real(0.587785252)), Real(0.809016994),
                 Real(0.587785252));
      high = Real(0.726542528) * radius;
    } else if (type == 2) {
      p = folded(p, Real(-0.866025404), Real(0.5));
      high = Real(0.577350269) * radius;
    } else if (type == 3) {
      p = folded(folded(p, Real(-0.9238795325), Real(0.3826834323)), Real(0.9238795325),
                 Real(0.3826834323));
      high = Real(0.4142135623) * radius;
    } else {
      p = folded(folded(p, Real(-0.5), Real(0.86602540378)), Real(0.86602540378), Real(-0.5));
      low = Real(0.57735026919) * radius;
      high = Real(1.73205080757) * radius;
    }
    const Real u = p.x - clamped(p.x, type == 4 ? low : -high, high), v = p.y - radius;
    return sign(v) * hypot(u, v);
  }
};

struct CropRhombus : ShapeCrop<CropRhombus> {
  static constexpr auto info =
      describe("crop_rhombus", "crop_rhombus_width", "crop_rhombus_height", "crop_rhombus_invert");
  KILN_DRAWN({0.4, 1}, {0.4, 1}, always(0));
  float width = Real(0.5), height = Real(0.5), invert = 0;

  KILN_FN void prepare() { invert = clamped(round(invert), 0, 1); }
  KILN_FN Real distance(Vec2 p) const {
    const Real u = abs(p.x), v = abs(p.y), a2 = width * width, b2 = height * height;
    const Real h = clamped((a2 - b2 - 2 * fma(u, width, -(v * height))) / (a2 + b2), -1, 1);
    const Real side = sign(fma(u, height, fma(v, width, -(width * height))));
    return side * hypot(fma(-width / 2, 1 - h, u), fma(-height / 2, 1 + h, v));
  }
};

struct CropStars : ShapeCrop<CropStars> {
  static constexpr auto info = describe("crop_stars", "crop_stars_radius", "crop_stars_n",
                                        "crop_stars_r2", "crop_stars_invert");
  KILN_DRAWN({0.5, 1}, whole(3, 9), {0.1, 0.9}, always(0));
  float radius = Real(0.35), n = 3, inner = Real(0.333), invert = 0;
  float sector = 0, sector_sin = 0, sector_cos = 1, edge_sin = 0, edge_cos = 1;

  KILN_FN void prepare() {
    n = clamped(round(n), 3, 9);
    inner = clamped(inner, 0, 1);
    invert = clamped(round(invert), 0, 1);
    sector = Real(3.141593) / n;
    const SinCos a = sincos(sector);
    const SinCos e = sincos(Real(6.283185) / fma(inner * inner, 2 * n - 4, 4));
    sector_sin = a.s;
    sector_cos = a.c;
    edge_sin = e.s;
    edge_cos = e.c;
  }
  KILN_FN Real distance(Vec2 p) const {
    const Real angle = atan2(p.x, p.y), r = sqrt(fma(p.x, p.x, p.y * p.y));
    const Real t = fma(-2 * sector, floor(angle / (2 * sector)), angle) - sector;
    const auto [s, c] = sincos(t);
    const Real u = fma(r, c, -radius * sector_cos), v = fma(r, abs(s), -radius * sector_sin);
    const Real k = clamped(-fma(u, edge_cos, v * edge_sin), 0, radius * sector_sin / edge_sin);
    const Real a = fma(k, edge_cos, u);
    return sign(a) * hypot(a, fma(k, edge_sin, v));
  }
};

struct CropTrapezoid : ShapeCrop<CropTrapezoid> {
  static constexpr auto info =
      describe("crop_trapezoid", "crop_trapezoid_Base_Sup.", "crop_trapezoid_Base_Inf.",
               "crop_trapezoid_height", "crop_trapezoid_invert");
  KILN_DRAWN({0.4, 1}, {0.2, 0.8}, {0.4, 1}, always(0));
  float upper = Real(0.5), lower = Real(0.2), height = Real(0.5), invert = 0;

  KILN_FN void prepare() { invert = clamped(round(invert), 0, 1); }
  KILN_FN Real distance(Vec2 point) const {
    const Real u = abs(point.x), y = point.y;
    const Real px = positive(u - (y < 0 ? upper : lower)), py = abs(y) - height;
    const Real kx = lower - upper, ky = 2 * height;
    const Real along = fma(lower - u, kx, (height - y) * ky);
    const Real t = clamped(along / fma(kx, kx, ky * ky), 0, 1);
    const Real qx = fma(kx, t, u - lower), qy = fma(ky, t, y - height);
    const Real d = sqrt(min(fma(px, px, py * py), fma(qx, qx, qy * qy)));
    return (qx < 0) & (py < 0) ? -d : d;
  }
};

struct CropVesica : ShapeCrop<CropVesica> {
  static constexpr auto info =
      describe("crop_vesica", "crop_vesica_width", "crop_vesica_height", "crop_vesica_invert");
  KILN_DRAWN({0, 0.2}, {0.1, 0.6}, always(0));
  float width = Real(0.2), height = Real(0.1), invert = 0;
  float radius = 1, offset = 0, tip = 0;

  KILN_FN void prepare() {
    invert = clamped(round(invert), 0, 1);
    radius = 1 + height;
    offset = Real(0.8) + width;
    tip = sqrt(fma(radius, radius, -(offset * offset)));
  }
  KILN_FN Real distance(Vec2 p) const {
    const Real u = abs(p.x), v = abs(p.y);
    return (v - tip) * offset > u * tip ? hypot(u, v - tip) : hypot(u + offset, v) - radius;
  }
};

struct CropX : ShapeCrop<CropX> {
  static constexpr auto info = describe("crop_x", "crop_x_radius", "crop_x_w", "crop_x_invert");
  KILN_DRAWN({0.1, 0.3}, {0.4, 1}, always(0));
  static constexpr bool leaves_its_points = true;
  float radius = Real(0.1), arms = Real(0.5), invert = 0;

  KILN_FN void prepare() {
    arms = clamped(arms, 0, 1);
    invert = clamped(round(invert), 0, 1);
  }
  KILN_FN Real distance(Vec2 p) const {
    const Real m = min(abs(p.x) + abs(p.y), arms) / 2;
    return hypot(abs(p.x) - m, abs(p.y) - m) - radius;
  }
};

/// Points outside of a triangle are not plotted; they are added to the sum all the same.
struct CropTriangle {
  static constexpr auto info =
      describe("crop_triangle", "crop_triangle_x1", "crop_triangle_y1", "crop_triangle_x2",
               "crop_triangle_y2", "crop_triangle_x3", "crop_triangle_y3");
  KILN_DRAWN({-0.5, 0.5}, {0.5, 1}, {0.5, 1}, {-1, -0.5}, {-1, -0.5}, {-1, -0.5});
  static constexpr bool hides_points = true;
  float x1 = 0, y1 = Real(0.5), x2 = Real(0.5), y2 = Real(0.5), x3 = 0, y3 = Real(-0.5);

  KILN_FN static Real side(Real px, Real py, Real qx, Real qy, Vec2 p) {
    return fma(qx - px, p.y - py, -((qy - py) * (p.x - px)));
  }
  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const Real a = side(x1, y1, x2, y2, in.p), b = side(x2, y2, x3, y3, in.p),
               c = side(x3, y3, x1, y1, in.p);
    const bool inside = ((a >= 0) & (b >= 0) & (c >= 0)) | ((a <= 0) & (b <= 0) & (c <= 0));
    return {in.weight * in.p.x, in.weight * in.p.y, 0, in.color, !inside};
  }
};

/// A picture of white and black cells that cuts the point, or a random point of the unit square.
template <class V>
struct PictureCut {
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  static constexpr bool hides_points = true;
  static constexpr i32 restarts = keeps_x | keeps_y;

  KILN_FN Moved operator()(const ExtendedArg& in) const {
    const V& cut = *static_cast<const V*>(this);
    const Real u = in.rng.uniform(), v = in.rng.uniform();
    const bool drawn = cut.mode == 1;
    const Vec2 p{drawn ? u - V::drawn_from : in.p.x, drawn ? v - V::drawn_from : in.p.y};
    const bool white = cut.is_white(p), hidden = cut.invert != 0 ? !white : white;
    const Real middle = drawn ? V::middle : Real(0);
    return {in.weight * ((hidden ? Real(0) : p.x) - middle),
            in.weight * ((hidden ? Real(0) : p.y) - middle), in.weight * in.z, in.color, hidden};
  }
};

struct CutFun : PictureCut<CutFun> {
  static constexpr auto info =
      describe("cut_fun", "cut_fun_seed", "cut_fun_mode", "cut_fun_zoom", "cut_fun_invert");
  KILN_DRAWN(whole(1, 9999), always(1), {5, 15}, always(0));
  static constexpr Real drawn_from = 0, middle = Real(0.5);
  float seed = 1000, mode = 1, zoom = 10, invert = 0;
  float start_x = 0, start_y = 0;

  KILN_FN void prepare() {
    seed = round(seed);
    mode = clamped(round(mode), 0, 1);
    invert = clamped(round(invert), 0, 1);
    JavaRandom random(int_from(seed));
    start_x = Real(double(seed) * random.next());
    start_y = Real(double(seed) * random.next());
  }
  KILN_FN static bool pixel(Real i, Real j) {
    const double angle = 12.9898 * double(floor(i)) + 78.233 * double(floor(j));
    const double hash = fine::sin(angle) * 43758.5453;
    const double rest = hash - fine::trunc(hash);
    return (rest < 0 ? rest + 1 : rest) >= 0.5;
  }
  KILN_FN bool is_white(Vec2 p) const {
    const Real u = fma(zoom, p.x, start_x), v = fma(zoom, p.y, start_y);
    const Real nx = 2 * (u - floor(u)) - 1, ny = 2 * (v - floor(v)) - 1;
    const Real px = nx > 0 ? Real(0.9) : nx < 0 ? Real(-0.9) : Real(0);
    const Real py = ny > 0 ? Real(0.9) : ny < 0 ? Real(-0.9) : Real(0);
    const Real d = hypot(nx, ny);
    const bool v0 = pixel(u, v);
    if (d < 1) return v0;
    const bool v1 = pixel(u + px, v), v2 = pixel(u, v + py);
    bool q = v0;
    if (v1 == v2) q = v0 != v1 && pixel(u + px, v + py) == v0 ? false : v1;
    const Real t = clamped((Real(1.01) - d) / (1 - d), 0, 1), s = t * t * (3 - 2 * t);
    return (v0 ? 1 - s : Real(0)) + (q ? s : Real(0)) > 0;
  }
};

struct CutTileIllusion : PictureCut<CutTileIllusion> {
  static constexpr auto info =
      describe("cut_tileillusion", "cut_tileillusion_time", "cut_tileillusion_mode",
               "cut_tileillusion_zoom", "cut_tileillusion_invert");
  KILN_DRAWN({0, 1}, always(1), {5, 20}, always(0));
  static constexpr Real drawn_from = Real(0.5), middle = 0;
  float time = 0, mode = 1, zoom = 15, invert = 0;

  KILN_FN void prepare() {
    mode = clamped(round(mode), 0, 1);
    zoom = clamped(zoom, Real(0.1), 50);
    invert = clamped(round(invert), 0, 1);
  }
  /// The place where t + 0.1 sin 1.6 t has a value, by Newton; its slope is 0.84 to 1.16.
  KILN_FN static Real place_of(Real value) {
    Real t = value;
    for (int i = 0; i < 5; ++i) {
      const auto [s, c] = sincos(Real(1.6) * t);
      t -= (fma(Real(0.1), s, t) - value) / fma(Real(0.16), c, 1);
    }
    return t;
  }
  KILN_FN bool is_white(Vec2 p) const {
    const Real t = zoom * p.y, v = fma(Real(0.1), sin(Real(1.6) * t), t), row = floor(v);
    const Real height = place_of(row + 1) - place_of(row);
    const Real u = fma(time, is_odd(row) ? Real(1) : Real(-1), zoom * p.x / height);
    const bool white = (v - row > Real(0.05)) & is_odd(floor(u) + row);
    return !white;
  }
};

using JWildfireCrops =
    VariationList<CropBox, CropCross, CropPolygon, CropRhombus, CropStars, CropTrapezoid,
                  CropVesica, CropX, CropTriangle, CutFun, CutTileIllusion>;

KILN_END
