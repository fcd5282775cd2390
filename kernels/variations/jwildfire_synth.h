// SPDX-License-Identifier: MIT
// JWildfire's synth: maps and curves by a sum of waves.
#pragma once

#include "kernels/variations/jwildfire_numbers.h"

KILN_BEGIN

/// A sum of waves, bent into many things by its mode.
struct Synth {
  static constexpr auto info = describe(
      "synth", "synth_a", "synth_mode", "synth_power", "synth_mix", "synth_smooth", "synth_b",
      "synth_b_type", "synth_b_skew", "synth_b_frq", "synth_b_phs", "synth_b_layer", "synth_c",
      "synth_c_type", "synth_c_skew", "synth_c_frq", "synth_c_phs", "synth_c_layer", "synth_d",
      "synth_d_type", "synth_d_skew", "synth_d_frq", "synth_d_phs", "synth_d_layer", "synth_e",
      "synth_e_type", "synth_e_skew", "synth_e_frq", "synth_e_phs", "synth_e_layer", "synth_f",
      "synth_f_type", "synth_f_skew", "synth_f_frq", "synth_f_phs", "synth_f_layer");
  KILN_DRAWN({0.8, 1.2}, whole(5, 11), {-2, 2}, {0.3, 1}, whole(0, 1), {0.1, 0.5}, whole(0, 4),
             {-0.5, 0.5}, whole(1, 6), {0, 6}, always(0), {0, 0.4}, whole(0, 4), {-0.5, 0.5},
             whole(1, 6), {0, 6}, whole(0, 1), always(0), always(0), always(0), always(1),
             always(0), always(0), always(0), always(0), always(0), always(1), always(0), always(0),
             always(0), always(0), always(0), always(1), always(0), always(0));
  static constexpr bool random_draws = true, weighs_depth = true;

  struct Wave {
    float height = 0, type = 0, skew = 0, frequency = 1, phase = 0, layer = 0;
  };
  float a = 1, mode = 3, power = -2, mix = 1, smooth = 0;
  Wave waves[5];

  KILN_FN void prepare() {
    mode = round(mode);
    smooth = round(smooth);
    for (Wave& wave : waves) {
      wave.type = round(wave.type);
      wave.layer = round(wave.layer);
    }
  }
  KILN_FN bool empties(const Arg&) const { return mode == 1005; }

  /// A wave's height at a place of its period; `before` for a type that is none.
  KILN_FN static Real height(const Wave& wave, Real y, Real before) {
    const i32 type = i32(wave.type);
    switch (type) {
      case 0:
        return sin(two_pi * y);
      case 1:
        return cos(two_pi * y);
      case 2:
        return y > Real(0.5) ? 1 : -1;
      case 3:
        return 1 - 2 * y;
      case 4:
        return y > Real(0.5) ? 3 - 4 * y : 2 * y - 1;
      case 5:
        return 8 * (y - Real(0.5)) * (y - Real(0.5)) - 1;
      case 6:
        return 2 * sqrt(y) - 1;
      case 7:
      case 8: {
        const Real c = cos((y - Real(0.5)) * two_pi / wave.frequency);
        return type == 7 ? 1 / (c + least_divisor) - 1 : c / (1 + least_divisor - c);
      }
      default:
        return before;
    }
  }
  /// The waves' sum at t.
  KILN_FN Real sum(Real t) const {
    Real v = a, q = 0;
    for (const Wave& wave : waves) {
      if (wave.height == 0) continue;
      const Real turns = fma(t, wave.frequency, wave.phase) * (inverse_pi / 2);
      Real y = turns - floor(turns);
      if (wave.skew != 0) {
        const Real middle = fma(Real(0.5), wave.skew, Real(0.5)), from = y - middle;
        y = Real(0.5) + Real(0.5) * from / ((from > 0 ? 1 - middle : middle) + least_divisor);
      }
      q = height(wave, y, q);
      const i32 layer = i32(wave.layer);
      if (layer == 0) v = fma(wave.height, q, v);
      if (layer == 1) v *= fma(wave.height, q, Real(1));
      if (layer == 2) v = max(v, fma(wave.height, q, a));
      if (layer == 3) v = min(v, fma(wave.height, q, a));
    }
    return fma(v, mix, 1 - mix);
  }
  /// r times m, or where it is smooth a quadratic map that leaves what is far away alone.
  KILN_FN Real scaled(Real any_r, Real any_m) const {
    if (smooth != 1) return any_r * any_m;
    const Real sign = (any_m < 0) != (any_r < 0) ? -1 : 1, r = abs(any_r), m = abs(any_m);
    const Real far = max(2 - m, 2 * m);
    if (r > far || m == 1) return sign * r;
    Real t;
    if (r <= 1) {
      const Real k = m < 1 ? m : 1 / m;
      t = r / (k + sqrt(fma(k, k, fma(-2, k, Real(1)) * r)));
    } else if (m < 1) {
      t = 1 - sqrt((r - 1) / (far - 1));
    } else {
      t = m - sqrt(fma(m - 1, m - 1, r - 1));
    }
    return sign * fma((m - 1) * t, t, r);
  }

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const i32 m = i32(mode);
    const Real r2 = in.r2(), r = in.r(), theta = in.theta();
    const Real u1 = in.rng.uniform(), u2 = in.rng.uniform(), u3 = in.rng.uniform(),
               u4 = in.rng.uniform();
    // q is a distance, t the first place in the waves
    const Real spread = fma(Real(0.1) * (u1 + u2 - 1), power, Real(1));
    const Real k = m == 0 ? power + 1 : m == 1004 ? power / 2 : power;
    Real q = pow(r2 + least_divisor, k / 2), t = theta;
    if (m == 1) q = r / fma(r2, Real(0.25), Real(1));
    if (m == 2) q = (u1 + u2 + Real(0.002) * u3) / Real(2.002);
    if (m == 3) q = pow(Real(0.25) * (u1 + u2) * (u1 + u2) + least_divisor, -power / 2);
    if (m == 4 || m == 12) q = spread;
    if (m == 5 || m == 19) q = r;
    if (m == 1006) {
      const Real size = fma(power, power, least_divisor);
      q = r - 2 * size * trunc((r + size) / (2 * size)) + r * (1 - size);
    }
    if (m == 2) t = two_pi * u4 - pi;
    if (m == 3 || m == 12) t = two_pi * u3 - pi;
    if (m == 4) t = 2 * asin(2 * (u3 - Real(0.5)));
    if (m == 13) t = two_pi * u1 - pi;
    if ((m >= 14 && m <= 16) || m == 1002) t = q;
    if (m == 1004) t = theta / 2 + (u1 < Real(0.5) ? pi : Real(0));
    if (m == 1005) t = pi * q;
    if (m == 1007) t = x;
    const bool in_plane = (m >= 6 && m <= 11) || m == 17 || m == 18 || m == 1001, pair = m >= 1002;
    Real wave[2], place[2] = {in_plane ? x : t, in_plane ? y : t + half_pi};
    const int count = in_plane || pair ? 2 : 1;
    for (int i = 0; i < count; ++i) wave[i] = sum(place[i]);
    if (pair) return of_pair(in, m, q, t, wave) * in.weight;
    if (in_plane) return of_plane(m, x, y, wave) * in.weight;
    const SinCos turn = sincos(t);
    Real radius = scaled(m == 2 ? pow(fma(q, q, least_divisor), power / 2) : q, wave[0]);
    if (m == 4) return Vec2{t * inverse_pi, radius - 1} * in.weight;
    if (m == 15) {
      const SinCos around = sincos(theta);
      const Real by = wave[0] - 1;
      return Vec2{fma(by, around.c, x), fma(-by, around.s, y)} * in.weight;
    }
    if (m == 2) radius *= q;
    if (m == 13) radius = fma(Real(0.1), pow(u2 + least_divisor, power), wave[0]);
    if (m == 19) radius = signed_power(radius, power);
    const bool is_turned = m == 14 || m == 16;
    const SinCos to = is_turned ? sincos(theta - 1 + wave[0]) : turn;
    if (is_turned) radius = m == 14 ? q : r;
    const bool is_known = m >= 0 && m <= 19;
    return Vec2{radius * to.s, radius * to.c} * (is_known ? in.weight : Real(0));
  }

  KILN_FN Vec2 of_plane(i32 m, Real x, Real y, const Real (&wave)[2]) const {
    const Real in_x = wave[0], in_y = wave[1];
    switch (m) {
      case 6:
        return {scaled(x, in_y), y};
      case 7:
        return {x, scaled(y, in_x)};
      case 8:
        return {scaled(x, in_y), scaled(y, in_x)};
      case 9:
        return {x + in_y - 1, y};
      case 10:
        return {x, y + in_x - 1};
      case 11:
        return {x + in_y - 1, y + in_x - 1};
      case 17:
        return {x, 2 * (in_x - 1) - y};
      case 18:
        return {2 * (in_y - 1) - x, 2 * (in_x - 1) - y};
      default:
        return {fma(1 - mix, sin(x), in_x - 1), fma(1 - mix, sin(y), in_y - 1)};
    }
  }
  /// The result of modes that have waves for sine and cosine.
  KILN_FN Vec2 of_pair(const Arg& in, i32 m, Real q, Real t, const Real (&wave)[2]) const {
    const auto [x, y] = in.p;
    auto [s, c] = sincos(t);
    if (smooth == 0) {
      s *= wave[0];
      c *= wave[1];
    } else if (smooth == 1) {
      s = fma(1 - mix, s, wave[0] - 1);
      c = fma(1 - mix, c, wave[1] - 1);
    }
    const Real turns = in.theta() * inverse_pi;
    switch (m) {
      case 1002:
        return {fma(s, x, -(c * y)), fma(c, x, s * y)};
      case 1003:
        return {s / q, c * q};
      case 1004:
        return {c * q, s * q};
      case 1005:
        return {s * turns, c * turns};
      case 1006:
        return {s * q, c * q};
      case 1007:
        return {s * q, y * q};
      default:
        return {0, 0};
    }
  }
};

using JWildfireSynth = VariationList<Synth>;

KILN_END
