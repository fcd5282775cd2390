// SPDX-License-Identifier: MIT
// Variations in double, of those flames that can be seen closer than floats reach (kernels/fine_xform.h). The formulas are
// those of the other files of this folder, but from the parameters as they stand in the flame: numbers derived in float
// would make another flame. tests/kernels/fine_test.cpp compares each with its twin.
#pragma once

#include "kernels/fine_math.h"
#include "kernels/variations/all.h"

KILN_BEGIN
namespace fine {

struct Vec2 {
  double x, y;
};
KILN_FN Vec2 operator*(Vec2 a, double s) { return {a.x * s, a.y * s}; }

/// The input of a formula: the point, the weight, the parameters in the order of the XML's names.
struct Arg {
  Vec2 p;
  double weight;
  const double* parameter;
  Random& rng;

  KILN_FN double r2() const { return fma(p.x, p.x, p.y * p.y); }
  KILN_FN double r() const { return sqrt(r2()); }
};

constexpr double eps = 1e-10;

KILN_FN Vec2 from_polar(double radius, double angle) {
  const SinCos turn = sincos(angle);
  return {radius * turn.c, radius * turn.s};
}
/// The k-th root of what has the angle phi: julian and juliascope.
KILN_FN Vec2 root_of(const Arg& in, double phi, double k) {
  const double power = in.parameter[0], dist = in.parameter[1];
  return from_polar(in.weight * pow(in.r2(), dist / power / 2), fma(two_pi, k, phi) / power);
}
KILN_FN double drawn_root(const Arg& in) { return trunc(abs(in.parameter[0]) * in.rng.uniform()); }

/// formula(Type<V>, in): what V makes of the point. Overloads are the list of what there is.
KILN_FN Vec2 formula(Type<Linear>, const Arg& in) { return in.p * in.weight; }
KILN_FN Vec2 formula(Type<Sinusoidal>, const Arg& in) {
  return Vec2{sin(in.p.x), sin(in.p.y)} * in.weight;
}
KILN_FN Vec2 formula(Type<Spherical>, const Arg& in) {
  return in.p * (in.weight / (in.r2() + eps));
}
KILN_FN Vec2 formula(Type<Swirl>, const Arg& in) {
  const SinCos t = sincos(in.r2());
  return Vec2{fma(in.p.x, t.s, -(in.p.y * t.c)), fma(in.p.x, t.c, in.p.y * t.s)} * in.weight;
}
KILN_FN Vec2 formula(Type<Horseshoe>, const Arg& in) {
  const double x = in.p.x, y = in.p.y;
  return Vec2{(x - y) * (x + y), 2 * x * y} * (in.weight / (in.r() + eps));
}
KILN_FN Vec2 formula(Type<Handkerchief>, const Arg& in) {
  const SinCos t = sincos(in.r());
  return Vec2{fma(in.p.x, t.c, in.p.y * t.s), fma(in.p.y, t.c, in.p.x * t.s)} * in.weight;
}
KILN_FN Vec2 formula(Type<Julia>, const Arg& in) {
  const double x = in.p.x, y = in.p.y, large = sqrt(0.5 * (in.r() + abs(y)));
  const double small = large > 0 ? 0.5 * abs(x) / large : 0;
  const double cos_half = y < 0 ? small : large, sin_half = y < 0 ? large : small;
  const double sign = 1 - 2 * double(i32(in.rng.bit()));
  return Vec2{cos_half, x < 0 ? -sin_half : sin_half} * (in.weight * sign);
}
KILN_FN Vec2 formula(Type<Bent>, const Arg& in) {
  return Vec2{in.p.x < 0 ? 2 * in.p.x : in.p.x, in.p.y < 0 ? 0.5 * in.p.y : in.p.y} * in.weight;
}
KILN_FN Vec2 formula(Type<Fisheye>, const Arg& in) {
  return Vec2{in.p.y, in.p.x} * (2 * in.weight / (in.r() + 1));
}
KILN_FN Vec2 formula(Type<Eyefish>, const Arg& in) { return in.p * (2 * in.weight / (in.r() + 1)); }
KILN_FN Vec2 formula(Type<Bubble>, const Arg& in) {
  return in.p * (in.weight / fma(in.r2(), 0.25, 1));
}
KILN_FN Vec2 formula(Type<Cylinder>, const Arg& in) {
  return Vec2{sin(in.p.x), in.p.y} * in.weight;
}
KILN_FN Vec2 formula(Type<JuliaN>, const Arg& in) {
  const double k = drawn_root(in);
  return root_of(in, atan2(in.p.y, in.p.x), k);
}
KILN_FN Vec2 formula(Type<JuliaScope>, const Arg& in) {
  const double k = drawn_root(in), phi = atan2(in.p.y, in.p.x);
  return root_of(in, 2 * trunc(0.5 * k) == k ? phi : -phi, k);
}
KILN_FN Vec2 formula(Type<Curl>, const Arg& in) {
  const double x = in.p.x, y = in.p.y, c1 = in.parameter[0], c2 = in.parameter[1];
  const double re = fma(c1, x, fma(c2, (x - y) * (x + y), 1)), im = fma(c1, y, 2 * c2 * x * y);
  const double r2 = in.r2();
  return Vec2{fma(r2, fma(c2, x, c1), x), y * fma(-c2, r2, 1)} * (in.weight / fma(re, re, im * im));
}
KILN_FN Vec2 formula(Type<Waves2>, const Arg& in) {
  const double* const p = in.parameter;
  return Vec2{fma(p[1], sin(in.p.y * p[0]), in.p.x), fma(p[3], sin(in.p.x * p[2]), in.p.y)} *
         in.weight;
}
KILN_FN Vec2 formula(Type<Mobius>, const Arg& in) {
  const double x = in.p.x, y = in.p.y;
  const double* const p = in.parameter;
  const double ur = fma(p[0], x, fma(-p[1], y, p[2])), ui = fma(p[0], y, fma(p[1], x, p[3]));
  const double vr = fma(p[4], x, fma(-p[5], y, p[6])), vi = fma(p[4], y, fma(p[5], x, p[7]));
  const double scale = in.weight / fma(vr, vr, vi * vi);
  return {scale * fma(ur, vr, ui * vi), scale * fma(ui, vr, -(ur * vi))};
}
KILN_FN Vec2 formula(Type<Bipolar>, const Arg& in) {
  const double x = in.p.x, y = in.p.y, ax = abs(x), near = ax - 1;
  const double quotient = log(1 + 4 * ax / fma(near, near, y * y));
  const double v = fma(atan2(2 * y, fma(near, ax + 1, y * y)), 0.5, -half_pi * in.parameter[0]);
  const double turns = copysign(trunc((abs(v) + half_pi) / pi), v);
  return Vec2{copysign(quotient, x) / 4, abs(v) > half_pi ? fma(-pi, turns, v) : v} *
         (in.weight * (2 / pi));
}
KILN_FN Vec2 formula(Type<Blur>, const Arg& in) {
  const double angle = two_pi * in.rng.uniform();
  return from_polar(in.weight * in.rng.uniform(), angle);
}
KILN_FN Vec2 formula(Type<GaussianBlur>, const Arg& in) {
  const double angle = two_pi * in.rng.uniform();
  return from_polar(in.weight * sum_of_four(in.rng), angle);
}
KILN_FN Vec2 formula(Type<PreBlur>, const Arg& in) {
  const double radius = in.weight * sum_of_four(in.rng);
  const Vec2 offset = from_polar(radius, two_pi * in.rng.uniform());
  return {in.p.x + offset.x, in.p.y + offset.y};
}

/// Whether V has a formula in double.
template <class V>
constexpr bool has_formula = requires(const Arg& in) {
  formula(Type<V>{}, in);
};

}  // namespace fine
KILN_END
