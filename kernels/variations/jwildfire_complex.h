// SPDX-License-Identifier: MIT
// JWildfire's functions of z = x + iy: sines to hyperbolic cotangents with a factor on each argument,
// inverse functions, elliptic coordinates, generators of groups.
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/complex.h"
#include "kernels/variations/jwildfire_numbers.h"

KILN_BEGIN

// ---- complex numbers ----

KILN_FN Vec2 swapped(Vec2 z) { return {z.y, z.x}; }
KILN_FN Vec2 complex_product(Vec2 a, Vec2 b) {
  return {fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x)};
}
KILN_FN Vec2 complex_quotient(Vec2 a, Vec2 b) {
  const Real size = fma(b.x, b.x, b.y * b.y), below = size < least_divisor ? Real(1) : size;
  return Vec2{fma(a.x, b.x, a.y * b.y), fma(a.y, b.x, -(a.x * b.y))} * (1 / below);
}
KILN_FN Vec2 complex_root(Vec2 z) {
  const Real m = hypot(z.x, z.y), large = sqrt(Real(0.5) * (m + abs(z.x)));
  const Real small = large == 0 ? Real(0) : Real(0.5) * abs(z.y) / large;
  const Real re = z.x < 0 ? small : large, im = z.x < 0 ? large : small;
  return {re, z.y < 0 ? -im : im};
}
/// The logarithm, which 0 has too.
KILN_FN Vec2 complex_logarithm(Vec2 z) {
  return {Real(0.5) * log(fma(z.x, z.x, fma(z.y, z.y, Real(1e-20)))), atan2(z.y, z.x)};
}
/// ln(z + sqrt(z^2 + add)).
KILN_FN Vec2 inverse_hyperbolic(Vec2 z, Real add) {
  const Vec2 square = complex_product(z, z), root = complex_root({square.x + add, square.y});
  return complex_logarithm(z + root);
}
KILN_FN Vec2 complex_atanh(Vec2 z) {
  return complex_logarithm(complex_quotient({1 + z.x, z.y}, {1 - z.x, -z.y})) * Real(0.5);
}

// ---- functions with a factor on each argument ----

/// The factors of an Euler function: x1 in its sine, x2 in its cosine, and so on.
struct Factors {
  float x1 = 1, x2 = 1, y1 = 1, y2 = 1;
};
/// Sines and cosines, or sinh and cosh, of a coordinate times each of its two factors.
KILN_FN Vec2 circular(Real t, Real first, Real second) { return {sin(first * t), cos(second * t)}; }
KILN_FN Vec2 hyperbolic(Real t, Real first, Real second) {
  return {sinh(first * t), cosh(second * t)};
}
/// Over a divisor whose 0 makes nothing.
KILN_FN Vec2 over(Vec2 z, Real divisor) { return divisor == 0 ? Vec2{0, 0} : z * (1 / divisor); }

/// cosh 2u - cos 2t and cosh 2u + cos 2t over 2, without the difference of near numbers.
KILN_FN Real half_difference(Real u, Real t) {
  const Real sh = sinh(u), s = sin(t);
  return fma(sh, sh, s * s);
}
KILN_FN Real half_sum(Real u, Real t) {
  const Real sh = sinh(u), c = cos(t);
  return fma(sh, sh, c * c);
}

KILN_FN Vec2 euler_cos(const Factors& f, Vec2 p) {
  const Vec2 x = circular(p.x, f.x1, f.x2), y = hyperbolic(p.y, f.y1, f.y2);
  return {x.y * y.y, -(x.x * y.x)};
}
KILN_FN Vec2 euler_sin(const Factors& f, Vec2 p) {
  const Vec2 x = circular(p.x, f.x1, f.x2), y = hyperbolic(p.y, f.y1, f.y2);
  return {x.x * y.y, x.y * y.x};
}
KILN_FN Vec2 euler_cosh(const Factors& f, Vec2 p) {
  const Vec2 x = hyperbolic(p.x, f.x1, f.x2), y = circular(p.y, f.y1, f.y2);
  return {x.y * y.y, x.x * y.x};
}
KILN_FN Vec2 euler_sinh(const Factors& f, Vec2 p) {
  const Vec2 x = hyperbolic(p.x, f.x1, f.x2), y = circular(p.y, f.y1, f.y2);
  return {x.x * y.y, x.y * y.x};
}
KILN_FN Vec2 euler_exp(const Factors& f, Vec2 p) {
  const Vec2 y = circular(p.y, f.y1, f.y2);
  return swapped(y) * exp(f.x1 * p.x);
}
KILN_FN Vec2 euler_sec(const Factors& f, Vec2 p) {
  const Vec2 x = circular(p.x, f.x1, f.x2), y = hyperbolic(p.y, f.y1, f.y2);
  return over({x.y * y.y, x.x * y.x}, half_sum(p.y, p.x));
}
KILN_FN Vec2 euler_csc(const Factors& f, Vec2 p) {
  const Vec2 x = circular(p.x, f.x1, f.x2), y = hyperbolic(p.y, f.y1, f.y2);
  return over({x.x * y.y, -(x.y * y.x)}, half_difference(p.y, p.x));
}
KILN_FN Vec2 euler_sech(const Factors& f, Vec2 p) {
  const Vec2 x = hyperbolic(p.x, f.x1, f.x2), y = circular(p.y, f.y1, f.y2);
  return over({y.y * x.y, -(y.x * x.x)}, half_sum(p.x, p.y));
}
KILN_FN Vec2 euler_csch(const Factors& f, Vec2 p) {
  const Vec2 x = hyperbolic(p.x, f.x1, f.x2), y = circular(p.y, f.y1, f.y2);
  return over({x.x * y.y, -(x.y * y.x)}, half_difference(p.x, p.y));
}
KILN_FN Vec2 euler_cot(const Factors& f, Vec2 p) {
  const Vec2 x = circular(p.x, f.x1, f.x2), y = hyperbolic(p.y, f.y1, f.y2);
  return Vec2{x.x, -y.x} *
         (Real(0.5) / half_difference(Real(0.5) * f.y2 * p.y, Real(0.5) * f.x2 * p.x));
}
KILN_FN Vec2 euler_tan(const Factors& f, Vec2 p) {
  const Vec2 x = circular(p.x, f.x1, f.x2), y = hyperbolic(p.y, f.y1, f.y2);
  return over({x.x, y.x}, 2 * half_sum(Real(0.5) * f.y2 * p.y, Real(0.5) * f.x2 * p.x));
}
KILN_FN Vec2 euler_coth(const Factors& f, Vec2 p) {
  const Vec2 x = hyperbolic(p.x, f.x1, f.x2), y = circular(p.y, f.y1, f.y2);
  return over({x.x, y.x}, 2 * half_difference(Real(0.5) * f.x2 * p.x, Real(0.5) * f.y2 * p.y));
}
KILN_FN Vec2 euler_tanh(const Factors& f, Vec2 p) {
  const Vec2 x = hyperbolic(p.x, f.x1, f.x2), y = circular(p.y, f.y1, f.y2);
  return over({x.x, y.x}, 2 * half_sum(Real(0.5) * f.x2 * p.x, Real(0.5) * f.y2 * p.y));
}

/// A function with its factors.
struct EulerMap {
  static constexpr bool weighs_depth = true;
  Factors factors;
};
#define KILN_EULER_MAP(Struct, name, function, x1, x2, y1, y2)                                   \
  struct Struct : EulerMap {                                                                     \
    static constexpr auto info =                                                                 \
        describe(name "2_bs", name "2_bs_x1", name "2_bs_x2", name "2_bs_y1", name "2_bs_y2");   \
    KILN_DRAWN({0.8 * x1, 1.2 * x1}, {0.8 * x2, 1.2 * x2}, {0.8 * y1, 1.2 * y1},                 \
               {0.8 * y2, 1.2 * y2});                                                            \
    constexpr Struct() { factors = {Real(x1), Real(x2), Real(y1), Real(y2)}; }                   \
    KILN_FN Vec2 operator()(const Arg& in) const { return function(factors, in.p) * in.weight; } \
  }
KILN_EULER_MAP(Cos2Bs, "cos", euler_cos, 1, 1, 1, 1);
KILN_EULER_MAP(Sec2Bs, "sec", euler_sec, 1.25, 0.75, 1.5, 0.5);
KILN_EULER_MAP(Cosh2Bs, "cosh", euler_cosh, 1, 1, 1, 1);
KILN_EULER_MAP(Cot2Bs, "cot", euler_cot, 2, 2, 2, 2);
KILN_EULER_MAP(Coth2Bs, "coth", euler_coth, 2, 2, 2, 2);
KILN_EULER_MAP(Csc2Bs, "csc", euler_csc, 1, 1, 1, 1);
KILN_EULER_MAP(Csch2Bs, "csch", euler_csch, 1, 1, 1, 1);
KILN_EULER_MAP(Sech2Bs, "sech", euler_sech, 1.25, 0.75, 1.5, 0.75);
KILN_EULER_MAP(Sin2Bs, "sin", euler_sin, 1, 1, 1, 1);
KILN_EULER_MAP(Sinh2Bs, "sinh", euler_sinh, 1, 1, 1, 1);
KILN_EULER_MAP(Tan2Bs, "tan", euler_tan, 2, 2, 2, 2);
KILN_EULER_MAP(Tanh2Bs, "tanh", euler_tanh, 2, 2, 2, 2);
#undef KILN_EULER_MAP

struct Exp2Bs {
  static constexpr auto info = describe("exp2_bs", "exp2_bs_x1", "exp2_bs_y1", "exp2_bs_y2");
  KILN_DRAWN({0.8, 1.2}, {0.8, 1.2}, {0.8, 1.2});
  static constexpr bool weighs_depth = true;
  float x1 = 1, y1 = 1, y2 = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    return euler_exp({x1, 1, y1, y2}, in.p) * in.weight;
  }
};

/// All of them, summed.
struct ComplexSum {
  static constexpr auto info = describe(
      "complex", "complex_cospow", "complex_cosx1", "complex_cosx2", "complex_cosy1",
      "complex_cosy2", "complex_coshpow", "complex_coshx1", "complex_coshx2", "complex_coshy1",
      "complex_coshy2", "complex_cotpow", "complex_cotx1", "complex_cotx2", "complex_coty1",
      "complex_coty2", "complex_cothpow", "complex_cothx1", "complex_cothx2", "complex_cothy1",
      "complex_cothy2", "complex_cscpow", "complex_cscx1", "complex_cscx2", "complex_cscy1",
      "complex_cscy2", "complex_cschpow", "complex_cschx1", "complex_cschx2", "complex_cschy1",
      "complex_cschy2", "complex_exppow", "complex_expx1", "complex_expx2", "complex_expy1",
      "complex_expy2", "complex_secpow", "complex_secx1", "complex_secx2", "complex_secy1",
      "complex_secy2", "complex_sechpow", "complex_sechx1", "complex_sechx2", "complex_sechy1",
      "complex_sechy2", "complex_tanpow", "complex_tanx1", "complex_tanx2", "complex_tany1",
      "complex_tany2", "complex_tanhpow", "complex_tanhx1", "complex_tanhx2", "complex_tanhy1",
      "complex_tanhy2", "complex_sinpow", "complex_sinx1", "complex_sinx2", "complex_siny1",
      "complex_siny2", "complex_sinhpow", "complex_sinhx1", "complex_sinhx2", "complex_sinhy1",
      "complex_sinhy2");
#define KILN_USUAL_FACTORS(x) always(x), always(x), always(x), always(x)
  KILN_DRAWN({0.5, 1}, KILN_USUAL_FACTORS(1), {-0.3, 0.3}, KILN_USUAL_FACTORS(1), always(0),
             KILN_USUAL_FACTORS(2), {-0.3, 0.3}, KILN_USUAL_FACTORS(2), always(0),
             KILN_USUAL_FACTORS(1), {-0.3, 0.3}, KILN_USUAL_FACTORS(1), always(0),
             KILN_USUAL_FACTORS(1), always(0), KILN_USUAL_FACTORS(1), {-0.3, 0.3},
             KILN_USUAL_FACTORS(1), {-0.3, 0.3}, KILN_USUAL_FACTORS(2), {-0.3, 0.3},
             KILN_USUAL_FACTORS(2), {-0.5, 0.5}, KILN_USUAL_FACTORS(1), always(0),
             KILN_USUAL_FACTORS(1));
#undef KILN_USUAL_FACTORS
  static constexpr bool weighs_depth = true;
  struct Part {
    float share = 0;
    Factors factors;
  };
  static constexpr int parts = 13;
  Part part[parts] = {
      {1, {}}, {0, {}}, {0, {2, 2, 2, 2}}, {0, {2, 2, 2, 2}}, {0, {}}, {0, {}}, {0, {}},
      {0, {}}, {0, {}}, {0, {2, 2, 2, 2}}, {0, {2, 2, 2, 2}}, {0, {}}, {0, {}}};

  KILN_FN static Vec2 value(int function, const Factors& f, Vec2 p) {
    switch (function) {
      case 0:
        return euler_cos(f, p);
      case 1:
        return euler_cosh(f, p);
      case 2:
        return euler_cot(f, p);
      case 3:
        return euler_coth(f, p);
      case 4:
        return euler_csc(f, p);
      case 5:
        return euler_csch(f, p);
      case 6:
        return euler_exp(f, p);
      case 7:
        return euler_sec(f, p);
      case 8:
        return euler_sech(f, p);
      case 9:
        return euler_tan(f, p);
      case 10:
        return euler_tanh(f, p);
      case 11:
        return euler_sin(f, p);
      default:
        return euler_sinh(f, p);
    }
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    Vec2 sum{0, 0};
    for (int i = 0; i < parts; ++i)
      if (part[i].share != 0) sum = sum + value(i, part[i].factors, in.p) * part[i].share;
    return sum * in.weight;
  }
};

// ---- inverse functions ----

struct Acosh {
  static constexpr auto info = describe("acosh");
  static constexpr bool random_draws = true, weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real w = in.rng.uniform() < Real(0.5) ? in.weight : -in.weight;
    return inverse_hyperbolic(in.p, -1) * (w * 2 * inverse_pi);
  }
};

struct Acosech {
  static constexpr auto info = describe("acosech");
  static constexpr bool random_draws = true, weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real w = in.rng.uniform() < Real(0.5) ? in.weight : -in.weight;
    return swapped(inverse_hyperbolic(complex_quotient({1, 0}, in.p), -1)) * (w * 2 * inverse_pi);
  }
};

struct Acoth {
  static constexpr auto info = describe("acoth");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    return swapped(complex_atanh(complex_quotient({1, 0}, in.p))) * (in.weight * 2 * inverse_pi);
  }
};

/// Functions one after the other, then a sum of functions. JWildfire has it as post_trig alone.
struct Trig {
  static constexpr auto info =
      describe("trig", "trig_reciprocalpow", "trig_log_dividepow", "trig_sqrtpow", "trig_exppow",
               "trig_logpow", "trig_asinhpow", "trig_acoshpow", "trig_atanhpow", "trig_asinpow",
               "trig_acospow", "trig_atanpow", "trig_sinpow", "trig_cospow", "trig_tanpow",
               "trig_sinhpow", "trig_coshpow", "trig_tanhpow");
  KILN_DRAWN({0.5, 1}, always(0), {0, 1}, always(0), always(0), {-0.5, 0.5}, always(0), {-0.5, 0.5},
             always(0), always(0), {-0.5, 0.5}, {0.5, 1}, always(0), always(0), always(0),
             always(0), always(0));
  static constexpr bool random_draws = true;
  float reciprocal = 1, log_divide = 0, root = 0, power = 0, logarithm = 0, share_asinh = 0,
        share_acosh = 0, share_atanh = 0, share_asin = 0, share_acos = 0, share_atan = 0,
        share_sin = 0, share_cos = 0, share_tan = 0, share_sinh = 0, share_cosh = 0, share_tanh = 0;
  float sums = 0;

  KILN_FN void prepare() {
    sums = share_asinh + share_acosh + share_atanh + share_asin + share_acos + share_atan +
           share_sin + share_cos + share_tan + share_sinh + share_cosh + share_tanh;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u1 = in.rng.uniform(), u2 = in.rng.uniform();
    const Real w = in.weight, k = 2 * w * inverse_pi;
    Vec2 z = in.p;
    if (reciprocal != 0) z = complex_quotient({reciprocal * w, 0}, z);
    if (log_divide != 0)
      z = complex_logarithm(complex_quotient({z.x + 1, z.y}, {z.x - 1, z.y})) * (log_divide * k);
    if (root != 0) z = complex_root(z) * (u1 < Real(0.5) ? root * w : -root * w);
    if (power != 0) z = from_polar(power * w * exp(z.x), z.y);
    if (logarithm != 0) z = complex_logarithm(z) * (logarithm * w);
    return sums == 0 ? z : sum_of(z, w, k, root != 0 ? u2 : u1);
  }

 private:
  KILN_FN Vec2 sum_of(Vec2 z, Real w, Real k, Real draw) const {
    Vec2 sum{0, 0};
    if (share_asinh != 0) sum = sum + inverse_hyperbolic(z, 1) * (share_asinh * k);
    if (share_acosh != 0) {
      const Real share = draw < Real(0.5) ? share_acosh : -share_acosh;
      sum = sum + inverse_hyperbolic(z, -1) * (share * k);
    }
    if (share_atanh != 0) sum = sum + complex_atanh(z) * (share_atanh * k);
    if (share_asin != 0 || share_acos != 0) {
      const Vec2 asine = swapped(inverse_hyperbolic(swapped(z), 1));
      sum = sum + asine * (share_asin * k) + Vec2{half_pi - asine.x, -asine.y} * (share_acos * k);
    }
    if (share_atan != 0) sum = sum + swapped(complex_atanh(swapped(z))) * (share_atan * k);
    const SinCos x = sincos(z.x), y = sincos(z.y);
    const SinhCosh u = sinhcosh(z.x), v = sinhcosh(z.y);
    const Vec2 sine{x.s * v.ch, x.c * v.sh}, cosine{x.s * v.sh, x.c * v.ch};  // JWildfire's own
    const Vec2 sinh_z{u.sh * y.c, u.ch * y.s}, cosh_z{u.ch * y.c, u.sh * y.s};
    if (share_sin != 0) sum = sum + sine * (share_sin * w);
    if (share_cos != 0) sum = sum + cosine * (share_cos * w);
    if (share_tan != 0) sum = sum + complex_quotient(sine, cosine) * (share_tan * w);
    if (share_sinh != 0) sum = sum + sinh_z * (share_sinh * w);
    if (share_cosh != 0) sum = sum + cosh_z * (share_cosh * w);
    if (share_tanh != 0) sum = sum + complex_quotient(sinh_z, cosh_z) * (share_tanh * w);
    return sum;
  }
};

// ---- elliptic coordinates ----

struct EllipticPlace {
  Real mu, nu;
};
/// Finds x = cosh mu cos nu, y = sinh mu sin nu. Differences are taken analytically (complex.h).
KILN_FN EllipticPlace elliptic_place(Vec2 p) {
  const Real ax = abs(p.x), y2 = p.y * p.y, right = ax + 1, left = ax - 1;
  const Real far = sqrt(fma(right, right, y2)), near = sqrt(fma(left, left, y2));
  const Real m = Real(0.5) * (far + near), beside = y2 / (far + right);
  const Real over = near + abs(left), small = over == 0 ? Real(0) : y2 / over;
  // m - 1 and m - |x|
  const Real above_one = Real(0.5) * (beside + (left < 0 ? small : near + left));
  const Real above_x = Real(0.5) * (beside + (left < 0 ? near - left : small));
  const Real sinh_mu = sqrt(above_one * (m + 1)), sine = sqrt(above_x * (m + ax));
  const Real nu = atan2(sine, p.x);
  return {log1p(above_one + sinh_mu), p.y < 0 ? -nu : nu};
}
KILN_FN Vec2 from_elliptic(Real mu, Real nu, Real weight) {
  const SinhCosh h = sinhcosh(mu);
  const SinCos t = sincos(nu);
  return Vec2{h.ch * t.c, h.sh * t.s} * weight;
}

struct EScale {
  static constexpr auto info = describe("eScale", "eScale_scale", "eScale_angle");
  KILN_DRAWN({0.7, 1.5}, {0, 3});
  static constexpr bool weighs_depth = true;
  float scale = 1, angle = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [mu, nu] = elliptic_place(in.p);
    const Real around = fmod(scale * (nu + pi + angle), two_pi * scale);
    const Real t = fmod(around - angle - scale * pi, two_pi);
    return from_elliptic(mu * scale, t > pi ? t - two_pi : t < -pi ? t + two_pi : t, in.weight);
  }
};

struct EMotion {
  static constexpr auto info = describe("eMotion", "eMotion_move", "eMotion_rotate");
  KILN_DRAWN({-0.5, 0.5}, {-3, 3});
  static constexpr bool weighs_depth = true;
  float move = 0, rotate = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [mu, nu] = elliptic_place(in.p);
    const Real moved = mu + (nu < 0 ? move : -move), side = moved <= 0 ? Real(-1) : Real(1);
    return from_elliptic(side * moved, fma(side, nu, rotate), in.weight);
  }
};

// ---- others ----

struct Joukowski {
  static constexpr auto info =
      describe("joukowski", "joukowski_P1", "joukowski_P2", "joukowski_inverse");
  KILN_DRAWN({0.5, 1.5}, {-0.5, 0.5}, whole(0, 1));
  static constexpr bool weighs_depth = true;
  float p1 = Real(2.5), p2 = 0, inverse = 0;

  KILN_FN void prepare() { inverse = min(max(round(inverse), Real(0)), Real(1)); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Vec2 middle{-p2, Real(0.2)};
    const Real k = p1 * p1;
    const Vec2 u = in.p + middle, whole = u + complex_quotient({k, 0}, u);
    const Vec2 half = in.p * Real(0.5), square = complex_product(half, half);
    const Vec2 root = complex_root({square.x - k, square.y});
    const Vec2 s = square.y == 0 ? Vec2{root.x, 0} : root;
    const Vec2 first = half + s + middle * Real(-1),
               second = half + s * Real(-1) + middle * Real(-1);
    const bool is_larger =
        fma(first.x, first.x, first.y * first.y) > fma(second.x, second.x, second.y * second.y);
    return (inverse == 0 ? whole : is_larger ? first : second) * in.weight;
  }
};

struct Petal {
  static constexpr auto info = describe("petal");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const SinCos x = sincos(in.p.x);
    const Real c = cos(in.p.y), a = x.c * c, b = x.s * c;
    return Vec2{a * a * a, b * b * b} * (in.weight * x.c);
  }
};

struct SecQ {
  static constexpr auto info = describe("secq");
  static constexpr bool reads_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real a = sqrt(fma(in.p.y, in.p.y, in.z * in.z)), n = in.weight / in.r3();
    const SinCos t = sincos(in.p.x);
    const SinhCosh h = sinhcosh(a);
    const Real k = n * t.s * h.sh / a;
    return {n * t.c * h.ch, k * in.p.y, k * in.z};
  }
};

struct TanhQ {
  static constexpr auto info = describe("tanhq");
  static constexpr bool reads_depth = true;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real a = sqrt(fma(in.p.y, in.p.y, in.z * in.z)), n = in.weight / in.r3();
    const SinCos turn = sincos(a);
    const SinhCosh h = sinhcosh(in.p.x);
    const Real k = n * turn.s * turn.c / a;
    return {n * h.sh * h.ch, k * in.p.y, k * in.z};
  }
};

struct TanCos {
  static constexpr auto info = describe("tancos");
  static constexpr bool weighs_depth = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real d = in.r2() + least_divisor;
    return Vec2{in.p.x * tanh(d), in.p.y * cos(d)} * (2 * in.weight / d);
  }
};

/// Binet's formula, of complex numbers.
struct Fibonacci2 {
  static constexpr auto info = describe("fibonacci2", "fibonacci2_sc", "fibonacci2_sc2");
  KILN_DRAWN({0.5, 1}, {0.5, 1});
  static constexpr bool weighs_depth = true;
  float sc = 1, sc2 = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    constexpr Real log_phi = Real(0.48121182505960347);
    const Real x = in.p.x * log_phi, y = in.p.y * log_phi;
    const Vec2 grows = from_polar(sc * exp(sc2 * x), y);
    const Vec2 falls = from_polar(sc * exp(-sc2 * fma(-pi, in.p.y, x)), -fma(pi, in.p.x, y));
    return Vec2{grows.x - falls.x, grows.y - falls.y} * (in.weight / Real(2.2360679774997898));
  }
};

/// One of the generators of a Kleinian group, or its inverse.
struct KleinGroup {
  static constexpr auto info =
      describe("klein_group", "klein_group_a_re", "klein_group_a_im", "klein_group_b_re",
               "klein_group_b_im", "klein_group_recipe", "klein_group_avoid_reversal");
  KILN_DRAWN({1.8, 2.2}, {-0.1, 0.1}, {1.8, 2.2}, {-0.1, 0.1}, whole(0, 2), always(0));
  static constexpr bool random_draws = true, weighs_depth = true;
  struct Matrix {
    float m[8] = {1, 0, 0, 0, 0, 0, 1, 0};
    KILN_FN Vec2 at(int i) const { return {m[2 * i], m[2 * i + 1]}; }
    KILN_FN void set(int i, Vec2 z) {
      m[2 * i] = z.x;
      m[2 * i + 1] = z.y;
    }
  };
  float a_re = 2, a_im = 0, b_re = 2, b_im = 0, recipe = 0, avoid_reversal = 0;
  Matrix first, second;

  KILN_FN static Vec2 less(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  /// The trace of the product, by the traces.
  KILN_FN static Vec2 trace_of_product(Vec2 a, Vec2 b) {
    const Vec2 ab = complex_product(a, b), aa = complex_product(a, a), bb = complex_product(b, b);
    const Vec2 under = less(complex_product(aa, bb), (aa + bb) * 4);
    return less(ab, complex_root(under)) * Real(0.5);
  }
  KILN_FN void prepare() {
    recipe = round(recipe);
    const Vec2 a{a_re, a_im}, b{b_re, b_im}, none{0, 0};
    const Vec2 t = trace_of_product(a, b);
    if (recipe == 1 || recipe == 5 || recipe == 6) {
      first.set(0, {a_im, -a_re});
      first.set(1, {0, -1});
      first.set(2, {0, -1});
      first.set(3, none);
      second.set(1, recipe == 1 ? Vec2{2, 0} : recipe == 5 ? b : Vec2{2 * cos(pi / b_re), b_im});
    } else if (recipe == 2) {
      const Vec2 square = complex_product(t, t), b_t = complex_quotient(b, t),
                 a_t = complex_quotient(a, t);
      first.set(0, less(a, b_t));
      first.set(1, complex_quotient(a, square));
      first.set(2, a);
      first.set(3, b_t);
      second.set(0, less(b, a_t));
      second.set(1, complex_quotient(b, square) * -1);
      second.set(2, b * -1);
      second.set(3, a_t);
    } else if (recipe == 3 || recipe == 4) {
      first.set(2, a);
      second.set(1, recipe == 3 ? Vec2{2, 0} : b);
    } else {
      const Vec2 under = less(complex_product(b, t), a * 2) + Vec2{-2 * t.y, 2 * t.x};
      const Vec2 z0 = complex_quotient(complex_product({t.x - 2, t.y}, b), under);
      const Vec2 over = less(complex_product(a, t), b * 2);
      first.set(0, a * Real(0.5));
      first.set(
          1, complex_quotient({over.x, over.y + 4}, complex_product({2 * t.x + 4, 2 * t.y}, z0)));
      first.set(
          2, complex_quotient(complex_product({over.x, over.y - 4}, z0), {2 * t.x - 4, 2 * t.y}));
      first.set(3, a * Real(0.5));
      second.set(0, Vec2{b.x, b.y - 2} * Real(0.5));
      second.set(1, b * Real(0.5));
      second.set(2, b * Real(0.5));
      second.set(3, Vec2{b.x, b.y + 2} * Real(0.5));
    }
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const i32 k = i32(4 * in.rng.uniform());
    const Vec2 z = in.p * (1 / in.weight);
    Vec2 m[4];
    for (int i = 0; i < 4; ++i) {
      const Vec2 a = first.at(i), b = second.at(i);
      m[i] = k < 2 ? a : b;
    }
    const bool inverse = (k & 1) != 0;
    const Vec2 m0 = inverse ? m[3] : m[0], m1 = inverse ? m[1] * -1 : m[1],
               m2 = inverse ? m[2] * -1 : m[2], m3 = inverse ? m[0] : m[3];
    return complex_quotient(complex_product(m0, z) + m1, complex_product(m2, z) + m3) * in.weight;
  }
};

using JWildfireComplex =
    VariationList<Cos2Bs, Sec2Bs, Cosh2Bs, Cot2Bs, Coth2Bs, Csc2Bs, Csch2Bs, Sech2Bs, Sin2Bs,
                  Sinh2Bs, Tan2Bs, Tanh2Bs, Exp2Bs, ComplexSum, Acosh, Acosech, Acoth, Trig, EScale,
                  EMotion, Joukowski, Petal, SecQ, TanhQ, TanCos, Fibonacci2, KleinGroup>;

KILN_END
