// SPDX-License-Identifier: MIT
// JWildfire's roots and powers. Their branches are drawn as whole numbers of 31 bits there; here too,
// where it matters.
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/jwildfire_numbers.h"

KILN_BEGIN

/// A whole number below 2^31 - 1.
KILN_FN u32 drawn_whole(Random& rng) { return mul_hi(rng.next(), 2147483647u); }
/// One of `count` branches; count is whole.
KILN_FN Real drawn_branch(Random& rng, Real count) {
  const i32 most = int_from(abs(count));
  return Real(i32(drawn_whole(rng) % u32(most > 0 ? most : 1)));
}
/// The rest of a whole number below 2^31 - 1 beyond multiples of a period.
KILN_FN Real rest_of(u32 whole, Real any_period) {
  const double period = fine::abs(double(any_period)), all = double(i32(whole));
  const double rest = fine::fma(-fine::trunc(all / period), period, all);
  return Real(rest < 0 ? rest + period : rest >= period ? rest - period : rest);
}

struct JuliaC {
  static constexpr auto info = describe("juliac", "juliac_re", "juliac_im", "juliac_dist");
  KILN_DRAWN(whole_of_either_sign(2, 5), {-50, 50}, {0.6, 1.3});
  static constexpr bool random_draws = true, weighs_depth = true;
  float re = 2, im = Real(0.5), dist = 1;
  float inverse = Real(0.5), i = 0;

  KILN_FN void prepare() {
    inverse = 1 / (re + least_divisor);
    i = im / 100;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real a = fma(two_pi, rest_of(drawn_whole(in.rng), re), in.phi());
    const Real l = Real(0.5) * dist * log(in.r2());
    const Real m = exp(fma(l, inverse, -(a * i)));
    return from_polar(in.weight * m, fma(a, inverse, l * i));
  }
};

/// A tiling of the plane by triangles, each with a triangle within, and then a root.
struct Xtrb {
  static constexpr auto info =
      describe("xtrb", "xtrb_power", "xtrb_radius", "xtrb_width", "xtrb_dist", "xtrb_a", "xtrb_b");
  KILN_DRAWN(whole_of_either_sign(2, 4), {0.5, 1}, {0.3, 0.7}, {0.8, 1.2}, {0.8, 1.2}, {0.8, 1.2});
  static constexpr bool random_draws = true, weighs_depth = true;
  float power = 2, radius = 1, width = Real(0.5), dist = 1, angle_a = 1, angle_b = 1;
  // sides of the triangle, its heights Sa .. Sc, and what the spots need of them
  float sin_c = 1, cos_c = 0, b_over_a = 1, c_over_a = 1, a_over_c = 1, b_over_c = 1, a_over_b = 1,
        c_over_b = 1, high_a = 1, high_b = 1, high_c = 1, half_a = 1, half_b = 1, half_c = 1,
        half_ab = 1, half_ac = 1, half_bc = 1, outer = 1;

  KILN_FN void prepare() {
    power = round(power);
    const Real b = Real(0.047) + angle_a, c = Real(0.047) + angle_b, a = pi - b - c;
    const Real ta = tan(a / 2), tb = tan(b / 2), tc = tan(c / 2);
    const Real ea = radius * (tc + tb), eb = radius * (tc + ta), ec = radius * (tb + ta);
    const Real s = radius * (ea + eb + ec);
    const SinCos turn = sincos(c);
    sin_c = turn.s;
    cos_c = turn.c;
    b_over_a = eb / ea;
    c_over_a = ec / ea;
    a_over_c = ea / ec;
    b_over_c = eb / ec;
    a_over_b = ea / eb;
    c_over_b = ec / eb;
    high_a = s / ea;
    high_b = s / eb;
    high_c = s / ec;
    half_a = high_a / 6;
    half_b = high_b / 6;
    half_c = high_c / 6;
    half_bc = s / (eb + ec) / 6;
    half_ab = s / (ea + eb) / 6;
    half_ac = s / (ea + ec) / 6;
    outer = 1 - width * width;
  }
  /// The place within a triangle of a point with these distances from its sides.
  KILN_FN Vec2 placed(Real p, Real q, Real g, bool inside) const {
    const Real w1 = 1 - width, w2 = 2 * width;
    const bool by_a = q < p, near = by_a ? g < p : g < q;
    if (!near) {
      const Real ratio = by_a ? q / p : p / q;
      const Real to_q = w1 * q + (by_a ? w2 * half_b * ratio : w2 * half_bc * (3 - ratio));
      const Real to_p = w1 * p + (by_a ? w2 * half_ac * (3 - ratio) : w2 * half_a * ratio);
      return inside ? Vec2{width * p, width * q} : Vec2{to_p, to_q};
    }
    const Real t = by_a ? q : p;  // the other distance that counts
    const Real own = by_a ? half_b : half_a, both = by_a ? half_ac : half_bc;
    const bool least = g < t;
    const Real ratio = least ? g / t : t / g;
    Real d = w1 * t + (least ? w2 * half_ab * (3 - ratio) : w2 * own * ratio);
    Real e = w1 * g + (least ? w2 * half_c * ratio : w2 * both * (3 - ratio));
    d = inside ? width * t : d;
    e = inside ? width * g : e;
    if (by_a) return {high_a - b_over_a * d - c_over_a * e, d};
    return {d, high_b - a_over_b * d - c_over_b * e};
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const bool inside = in.rng.uniform() >= outer;
    const Real branch = drawn_branch(in.rng, power);
    const Real al = y + radius, be = fma(x, sin_c, -(y * cos_c)) + radius;
    const Real m = floor(al / high_a), n = floor(be / high_b);
    const Real oa = fma(-m, high_a, al), ob = fma(-n, high_b, be);
    const Real og = high_c - a_over_c * oa - b_over_c * ob;
    const bool upright = og > 0;
    const Vec2 spot =
        placed(upright ? oa : high_a - oa, upright ? ob : high_b - ob, upright ? og : -og, inside);
    const Real to_a = fma(m, high_a, upright ? spot.x : high_a - spot.x) - radius;
    const Real to_b = fma(n, high_b, upright ? spot.y : high_b - spot.y) - radius;
    const Real u = fma(to_a, cos_c, to_b) / sin_c, v = to_a;
    const Real r = in.weight * in.weight * pow(fma(u, u, v * v), dist / (2 * power));
    return from_polar(r, fma(two_pi, branch, atan2(v, u)) / power);
  }
};

/// julia3D whose depth is made of x.
struct Julian3Dx {
  static constexpr auto info =
      describe("julian3Dx", "julian3Dx_power", "julian3Dx_dist", "julian3Dx_a", "julian3Dx_b",
               "julian3Dx_c", "julian3Dx_d", "julian3Dx_e", "julian3Dx_f");
  KILN_DRAWN(whole_of_either_sign(2, 6), {0.6, 1.3}, {0.6, 1.2}, {-0.4, 0.4}, {-0.4, 0.4},
             {0.6, 1.2}, {-0.5, 0.5}, {-0.5, 0.5});
  static constexpr bool random_draws = true, makes_depth = true;
  float power = 2, dist = 1, a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;

  KILN_FN void prepare() { power = round(power); }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real n = abs(power), q = x / n, r2 = in.r2();
    const Real s = in.weight * pow(fma(q, q, r2), Real(0.5) * (dist / power - 1));
    const Real u = fma(a, x, fma(b, y, e)), v = fma(c, x, fma(d, y, f));
    const Real branch = trunc(in.rng.uniform() * n);
    const Vec2 p = from_polar(s * sqrt(r2), fma(two_pi, branch, atan2(v, u)) / power);
    return {p.x, p.y, s * q};
  }
};

/// Roots in polar coordinates, or in the plane.
struct NPolar {
  static constexpr auto info = describe("npolar", "npolar_parity", "npolar_n");
  KILN_DRAWN(whole(0, 1), whole_of_either_sign(2, 5));
  static constexpr bool random_draws = true, weighs_depth = true;
  float parity = 0, n = 1;
  float is_odd = 0;

  KILN_FN void prepare() {
    n = round(n);
    if (n == 0) n = 1;
    parity = round(parity);
    is_odd = parity != 2 * trunc(parity / 2) ? 1 : 0;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const bool odd = is_odd != 0;
    const Real w = in.weight, half_log = Real(0.5) * inverse_pi * log(in.r2());
    const Real u = odd ? in.p.x : w * in.theta() * inverse_pi, v = odd ? in.p.y : w * half_log;
    const Real t = fma(two_pi, drawn_branch(in.rng, n), atan2(v, u)) / n;
    const Real r = w * pow(fma(u, u, v * v), Real(0.5) / n) * (odd ? parity : Real(1));
    const Vec2 p = from_polar(r, t);
    return odd ? p
               : Vec2{w * Real(0.5) * inverse_pi * log(fma(p.x, p.x, p.y * p.y)),
                      w * atan2(p.x, p.y) * inverse_pi};
  }
};

struct Octagon {
  static constexpr auto info =
      describe("octagon", "octagon_x", "octagon_y", "octagon_z", "octagon_mode");
  KILN_DRAWN({-0.5, 0.5}, {-0.5, 0.5}, always(0), whole(0, 6));
  static constexpr bool reads_depth = true, makes_depth = true;
  float shift_x = 0, shift_y = 0, shift_z = 0, mode = 1;

  KILN_FN void prepare() { mode = min(max(round(mode), Real(0)), Real(6)); }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real z = in.z, w = in.weight, x2 = x * x, y2 = y * y;
    const Real all = fma(x2, x2, fma(y2, y2, 2 * z * z));
    const Real sum = abs(x) + abs(y) + 2 * sqrt(mode > 1 ? abs(z) : z);
    const Real by_r = 1 / (all == 0 ? least_divisor : all),
               by_t = 1 / (sum == 0 ? least_divisor : sum);
    const bool near = (mode >= 5 ? sum : all) <= w / 2;
    const Real close = mode == 3 || mode == 5 ? by_t : mode == 4 ? by_r : 1 + by_t;
    const Real far = mode == 2 || mode == 6 ? 1 + by_r
                     : mode != 1            ? by_r
                     : w >= 0               ? by_r + by_t
                                            : 1 + by_r;
    const Real k = w * (near ? close : far);
    const Real also = near || mode == 1 ? w : Real(0);
    const auto moved = [&](Real t, Real shift) {
      return fma(k, t, also * (t >= 0 ? t + shift : t - shift));
    };
    return {moved(x, shift_x), moved(y, shift_y), moved(z, shift_z)};
  }
};

struct Murl {
  static constexpr auto info = describe("murl", "murl_c", "murl_power");
  KILN_DRAWN({0.1, 0.6}, whole(2, 5));
  static constexpr bool weighs_depth = true;
  float c = Real(0.1), power = 1;
  float k = Real(0.1);

  KILN_FN void prepare() {
    power = trunc(power);
    k = power == 1 ? c : c / (power - 1);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Vec2 q = from_polar(k * pow(in.r2(), power / 2), power * in.phi());
    const Real a = q.x + 1, b = q.y;
    const Real s = in.weight * (k + 1) / fma(a, a, b * b);
    return Vec2{fma(x, a, y * b), fma(y, a, -(x * b))} * s;
  }
};

/// A root of a power.
struct JuliaQ {
  static constexpr auto info = describe("juliaq", "juliaq_power", "juliaq_divisor");
  KILN_DRAWN(whole_of_either_sign(2, 6), whole(1, 3));
  static constexpr bool random_draws = true, weighs_depth = true, forms_without_depth = true;
  float power = 3, divisor = 2;

  KILN_FN void prepare() {
    power = round(power);
    divisor = round(divisor);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real q = divisor / power, branch = drawn_branch(in.rng, power);
    return from_polar(in.weight * pow(in.r2(), q / 2),
                      fma(in.phi(), divisor, two_pi * branch) / power);
  }
};

struct Julia3Dq {
  static constexpr auto info = describe("julia3Dq", "julia3Dq_power", "julia3Dq_divisor");
  KILN_DRAWN(whole_of_either_sign(2, 6), whole(1, 3));
  static constexpr bool random_draws = true, reads_depth = true;
  float power = 3, divisor = 2;

  KILN_FN void prepare() {
    power = round(power);
    divisor = round(divisor);
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const Real q = divisor / power, branch = drawn_branch(in.rng, power);
    const Real h = in.z * abs(q), r2 = in.r2();
    const Real s = in.weight * pow(fma(h, h, r2), Real(0.5) * (q - 1));
    const Vec2 p = from_polar(s * sqrt(r2), fma(in.phi(), divisor, two_pi * branch) / power);
    return {p.x, p.y, s * h};
  }
};

struct SphericalN {
  static constexpr auto info = describe("sphericalN", "sphericalN_power", "sphericalN_dist");
  KILN_DRAWN(whole(2, 6), {0.6, 1.3});
  static constexpr bool random_draws = true, weighs_depth = true;
  float power = 3, dist = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real q = pow(in.r2(), dist / 2), branch = floor(power * in.rng.uniform());
    const Real t = fma(two_pi, branch / floor(power), in.phi());
    return from_polar(q > least_divisor ? in.weight / q : Real(0), t);
  }
};

struct PhoenixJulia {
  static constexpr auto info =
      describe("phoenix_julia", "phoenix_julia_power", "phoenix_julia_dist",
               "phoenix_julia_x_distort", "phoenix_julia_y_distort");
  KILN_DRAWN(whole_of_either_sign(2, 6), {0.6, 1.3}, {-0.5, 0.5}, {-0.5, 0.5});
  static constexpr bool random_draws = true, weighs_depth = true;
  float power = 2, dist = 1, x_distort = Real(-0.5), y_distort = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real branch = rest_of(drawn_whole(in.rng), power);
    const Real a = atan2(in.p.y * (y_distort + 1), in.p.x * (x_distort + 1));
    return from_polar(in.weight * pow(in.r2(), dist / (2 * power)),
                      fma(a, dist, two_pi * branch) / power);
  }
};

/// z to a complex power, on some of its leaves.
struct Cpow2 {
  static constexpr auto info =
      describe("cpow2", "cpow2_r", "cpow2_a", "cpow2_divisor", "cpow2_range");
  KILN_DRAWN({0.6, 1.2}, {-0.4, 0.4}, whole(1, 4), whole(1, 4));
  static constexpr bool random_draws = true, weighs_depth = true;
  float r = 1, a = 0, divisor = 1, range = 1;
  float c = 1, d = 0;

  KILN_FN void prepare() {
    if (divisor == 0) divisor = 1;
    range = max(round(range), Real(1));
    const SinCos turn = sincospi(a / 2);
    c = r * turn.c / divisor;
    d = r * turn.s / divisor;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real phi = in.phi(), l = Real(0.5) * log(in.r2());
    const Real leaf = floor(range * in.rng.uniform()) + (phi < 0 ? Real(1) : Real(0));
    Real t = fma(two_pi, leaf, phi);
    if (cos(t / (2 * range)) < 2 * in.rng.uniform() - 1) t -= two_pi * range;
    const Real branch = floor(divisor * in.rng.uniform());
    return from_polar(in.weight * exp(fma(c, l, -(d * t))),
                      fma(c, t, fma(d, l, two_pi / divisor * branch)));
  }
};

struct Cpow3 {
  static constexpr auto info =
      describe("cpow3", "cpow3_r", "cpow3_d", "cpow3_divisor", "cpow3_spread");
  KILN_DRAWN({0.8, 1.2}, {0.8, 1.5}, whole(1, 4), {0, 0.1});
  static constexpr bool random_draws = true, weighs_depth = true;
  float r = 1, d = 1, divisor = 1, spread = 1;
  float c = 1, e = 0, k = 0;

  KILN_FN void prepare() {
    const Real turns = (d < 0 ? -log(-d) : log(d)) * r;
    const SinCos turn = sincos(atan2(turns, two_pi));
    c = turn.c * turn.c * r / divisor;
    e = turn.c * turn.s * r / divisor;
    k = e == 0 ? Real(0) : Real(-0.095) * spread / e;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u1 = in.rng.uniform(), u2 = in.rng.uniform(), u3 = in.rng.uniform(),
               u4 = in.rng.uniform();
    const Real phi = in.phi(), l = Real(0.5) * log(in.r2());
    Real t = phi < 0 ? phi + two_pi : phi;
    if (cos(t / 2) < 2 * u1 - 1) t -= two_pi;
    const Real leaves = floor(fma(k, log(u3), Real(0.5)));
    t = fma(u2 < Real(0.5) ? two_pi : -two_pi, leaves, t);
    const Real branch = two_pi / divisor * floor(divisor * u4);
    return from_polar(in.weight * exp(fma(c, l, -(e * t))), fma(c, t, fma(e, l, branch)));
  }
};

struct Cpow3Wf {
  static constexpr auto info =
      describe("cpow3_wf", "cpow3_wf_r", "cpow3_wf_a", "cpow3_wf_divisor", "cpow3_wf_spread",
               "cpow3_wf_discrete_spread", "cpow3_wf_spread2", "cpow3_wf_offset2");
  KILN_DRAWN({0.8, 1.2}, {0.05, 0.3}, whole(1, 4), {1, 3}, whole(0, 1), {0, 0.5}, {0.5, 1.5});
  static constexpr bool random_draws = true, weighs_depth = true;
  float r = 1, a = Real(0.1), divisor = 1, spread = 1, discrete = 1, spread2 = 0, offset2 = 1;
  float c = 1, d = 0;

  KILN_FN void prepare() {
    if (divisor == 0) divisor = 1;
    const SinCos turn = sincospi(a / 2);
    c = r * turn.c / divisor;
    d = r * turn.s / divisor;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real phi = in.phi(), l = log(in.r2()), any = in.rng.uniform() * spread;
    const Real leaf = (discrete >= 1 ? trunc(any) : any) + (phi < 0 ? Real(1) : Real(0));
    Real t = fma(two_pi, leaf, phi);
    if (cos(t / (2 * spread)) < 2 * in.rng.uniform() - 1) t -= two_pi * spread;
    const Real branch = two_pi / divisor * fma(in.rng.uniform(), spread2, offset2);
    return from_polar(in.weight * exp(fma(Real(0.5) * c, l, -(d * t))),
                      c * t * (d / 2) * l * branch);
  }
};

/// A root of a quotient of quaternions.
struct JubiQ {
  static constexpr auto info = describe(
      "jubiQ", "jubiQ_power", "jubiQ_dist", "jubiQ_a", "jubiQ_b", "jubiQ_c", "jubiQ_d", "jubiQ_e",
      "jubiQ_f", "jubiQ_qat", "jubiQ_qax", "jubiQ_qay", "jubiQ_qaz", "jubiQ_qbt", "jubiQ_qbx",
      "jubiQ_qby", "jubiQ_qbz", "jubiQ_qct", "jubiQ_qcx", "jubiQ_qcy", "jubiQ_qcz", "jubiQ_qdt",
      "jubiQ_qdx", "jubiQ_qdy", "jubiQ_qdz", "jubiQ_zmode");
  KILN_DRAWN(whole_of_either_sign(2, 5), {0.8, 1.2}, {0.8, 1.2}, {-0.3, 0.3}, {-0.3, 0.3},
             {0.8, 1.2}, {-0.3, 0.3}, {-0.3, 0.3}, {0, 0.5}, {-0.3, 0.3}, {-0.3, 0.3}, {-0.3, 0.3},
             {-0.3, 0.3}, {-0.3, 0.3}, {-0.3, 0.3}, {-0.3, 0.3}, {0, 0.3}, {-0.3, 0.3}, {-0.3, 0.3},
             {-0.3, 0.3}, {0.8, 1.2}, {-0.3, 0.3}, {-0.3, 0.3}, {-0.3, 0.3}, whole(0, 2));
  static constexpr bool random_draws = true, reads_depth = true, makes_depth = true;
  struct Quaternion {
    float t, x, y, z;
  };
  float power = 2, dist = 1, a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;
  Quaternion qa{}, qb{}, qc{}, qd{1, 0, 0, 0};
  float z_mode = 0;

  KILN_FN void prepare() {
    power = round(power);
    z_mode = round(z_mode);
  }
  /// m times the point, as the quaternion of x, y, z and 0, and n.
  KILN_FN static Quaternion mapped(const Quaternion& m, const Quaternion& n, Real x, Real y,
                                   Real z) {
    return {n.t + fma(m.t, x, -fma(m.x, y, m.y * z)), n.x + fma(m.t, y, fma(m.x, x, -(m.z * z))),
            n.y + fma(m.t, z, fma(m.y, x, m.z * y)), n.z + fma(m.z, x, fma(m.x, z, -(m.y * y)))};
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real z = in.z, w = in.weight, r2 = in.r2();
    const Quaternion n = mapped(qa, qb, x, y, z), m = mapped(qc, qd, x, y, z);
    const Real q = w / fma(m.t, m.t, fma(m.x, m.x, fma(m.y, m.y, m.z * m.z)));
    const Real dot = fma(n.t, m.t, fma(n.x, m.x, fma(n.y, m.y, n.z * m.z)));
    const Real first = fma(n.x, m.t, fma(-n.t, m.x, fma(-n.y, m.z, n.z * m.y)));
    const Real second = fma(n.y, m.t, fma(-n.t, m.y, fma(-n.z, m.x, n.x * m.z)));
    const Real u = fma(a, x, fma(b, y, fma(q, dot, e))), v = fma(c, x, fma(d, y, fma(q, first, f)));
    const Real t = fma(two_pi, drawn_branch(in.rng, power), atan2(v, u)) / power;
    const Vec2 p = from_polar(w * pow(fma(u, u, v * v), dist / (2 * power)), t);
    const Real h = z_mode == 0 ? z / 2 : z / abs(power), r = sqrt(fma(h, h, r2));
    Real depth = z;
    if (z_mode == 0) depth = w * h / (r * sqrt(r));
    if (z_mode == 1) depth = w * h * pow(r, 1 / power - 1);
    const bool known = z_mode == 0 || z_mode == 1 || z_mode == 2;
    return {p.x, p.y, known ? fma(q, second, depth) : Real(0)};
  }
};

struct JuliaScope3Db {
  static constexpr auto info = describe(
      "juliascope3Db", "juliascope3Db_power", "juliascope3Db_dist", "juliascope3Db_type",
      "juliascope3Db_warp", "juliascope3Db_za", "juliascope3Db_zb", "juliascope3Db_zamount",
      "juliascope3Db_zdist", "juliascope3Db_mode", "juliascope3Db_wave1", "juliascope3Db_wave2");
  KILN_DRAWN(whole_of_either_sign(2, 6), {0.8, 1.2}, whole(0, 1), {-0.3, 0.3}, {0.8, 1.2},
             {0.8, 1.2}, {0.5, 1}, {0.8, 1.2}, whole(0, 1), {0.5, 1.5}, {0, 1});
  static constexpr bool random_draws = true, reads_depth = true, makes_depth = true;
  float power = 2, dist = 1, type = 0, warp = 0, za = 1, zb = 1, amount = 1, z_dist = 1, mode = 0,
        wave1 = 1, wave2 = 1;
  float waves = 1;

  KILN_FN void prepare() {
    type = min(max(round(type), Real(0)), Real(1));
    mode = min(max(round(mode), Real(0)), Real(1));
    waves = mode != 0 ? sin(wave1) * cos(wave2) : Real(1);
  }
  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    const Real n = abs(round(power)), k = dist / (2 * power), h = in.z / n + warp;
    const Real branch = floor(n * in.rng.uniform()), phi = in.phi();
    const bool even = branch == 2 * floor(branch / 2);
    const Real r2 = type != 0 ? in.r3() : in.r2();
    const Vec2 p =
        from_polar(in.weight * pow(r2, k), fma(two_pi, branch, even ? phi : -phi) / power);
    const Real all = fma(za * x, x, fma(zb * y, y, h * h));
    return {p.x, p.y, in.weight * amount * pow(all, k * z_dist) * h * waves};
  }
};

using JWildfireJulia =
    VariationList<JuliaC, Xtrb, Julian3Dx, NPolar, Octagon, Murl, JuliaQ, Julia3Dq, SphericalN,
                  PhoenixJulia, Cpow2, Cpow3, Cpow3Wf, JubiQ, JuliaScope3Db>;

KILN_END
