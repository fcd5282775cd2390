// SPDX-License-Identifier: MIT
// JWildfire's waves and ripples.
#pragma once

#include "kernels/variations/jwildfire_numbers.h"

KILN_BEGIN

/// waves2 with sines or cosines, damped.
struct Waves2Wf {
  static constexpr auto info = describe(
      "waves2_wf", "waves2_wf_scalex", "waves2_wf_scaley", "waves2_wf_freqx", "waves2_wf_freqy",
      "waves2_wf_use_cos_x", "waves2_wf_use_cos_y", "waves2_wf_dampx", "waves2_wf_dampy");
  KILN_DRAWN({0.1, 0.5}, {0.1, 0.5}, {0.8, 6}, {0.8, 6}, whole(0, 1), whole(0, 1), {-0.2, 0.1},
             {-0.2, 0.1});
  static constexpr bool weighs_depth = true;
  float scale_x = Real(0.25), scale_y = Real(0.5), freq_x = half_pi, freq_y = quarter_pi,
        use_cos_x = 1, use_cos_y = 0, damp_x = 0, damp_y = 0;
  float kind = 0;  // 1: squares, 2: these times the other one

  KILN_FN static Real damping(Real damp) { return abs(damp) < Real(1e-8) ? Real(1) : exp(damp); }
  KILN_FN void prepare() {
    use_cos_x = round(use_cos_x);
    use_cos_y = round(use_cos_y);
    damp_x = damping(damp_x);
    damp_y = damping(damp_y);
  }
  KILN_FN Real wave(Real t, Real use_cos) const {
    const SinCos a = sincos(t);
    const Real own = use_cos == 1 ? a.c : a.s, other = use_cos == 1 ? a.s : a.c;
    return own * (kind == 0 ? Real(1) : own) * (kind == 2 ? other : Real(1));
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{damp_x * fma(damp_x * scale_x, wave(y * freq_x, use_cos_x), x),
                damp_y * fma(damp_y * scale_y, wave(x * freq_y, use_cos_y), y)} *
           in.weight;
  }
};

struct Waves3Wf : Waves2Wf {
  using Formula = Waves2Wf;
  static constexpr auto info = describe(
      "waves3_wf", "waves3_wf_scalex", "waves3_wf_scaley", "waves3_wf_freqx", "waves3_wf_freqy",
      "waves3_wf_use_cos_x", "waves3_wf_use_cos_y", "waves3_wf_dampx", "waves3_wf_dampy");
  KILN_FN void prepare() {
    Waves2Wf::prepare();
    kind = 1;
  }
};

struct Waves4Wf : Waves2Wf {
  using Formula = Waves2Wf;
  static constexpr auto info = describe(
      "waves4_wf", "waves4_wf_scalex", "waves4_wf_scaley", "waves4_wf_freqx", "waves4_wf_freqy",
      "waves4_wf_use_cos_x", "waves4_wf_use_cos_y", "waves4_wf_dampx", "waves4_wf_dampy");
  KILN_FN void prepare() {
    Waves2Wf::prepare();
    kind = 2;
  }
};

/// waves2 whose waves grow shorter with a power of the coordinate, and weaken away from the axes.
/// Powers of about 0 are other waves: Jacobi's elliptic sine, and Bessel's J1.
struct Waves2B {
  static constexpr auto info = describe(
      "waves2b", "waves2b_freqx", "waves2b_freqy", "waves2b_pwx", "waves2b_pwy", "waves2b_scalex",
      "waves2b_scaleinfx", "waves2b_scaley", "waves2b_scaleinfy", "waves2b_unity", "waves2b_jacok");
  KILN_DRAWN({1, 4}, {1, 4}, {0.5, 2}, {0.5, 2}, {0.2, 0.8}, {0, 0.4}, {0.2, 0.8}, {0, 0.4},
             {0.5, 2}, {0.1, 0.5});
  static constexpr bool weighs_depth = true;
  static constexpr int most_steps = 8;
  float freq_x = Real(1.5), freq_y = Real(2.5), power_x = 1, power_y = Real(1.5), scale_x = 2,
        far_x = 1, scale_y = Real(0.75), far_y = Real(1.5), unity = 1, jacok = Real(0.25);
  // arithmetic-geometric steps of the elliptic sine
  float means[most_steps] = {}, roots[most_steps] = {};
  float steps = 0, mean = 1, scale = 1;

  KILN_FN void prepare() {
    power_x = min(max(power_x, Real(-10)), Real(10));
    power_y = min(max(power_y, Real(-10)), Real(10));
    jacok = min(max(jacok, Real(-1)), Real(1));
    if (jacok == 0) return;
    Real m = jacok, a = 1;
    if (jacok < 0) {
      const Real over = 1 - jacok;
      m = -jacok / over;
      scale = sqrt(over);
    }
    int count = 0;
    while (count < most_steps) {
      means[count] = a;
      m = sqrt(m);
      roots[count] = m;
      ++count;
      mean = Real(0.5) * (a + m);
      if (abs(a - m) <= Real(3e-4) * a) break;
      m *= a;
      a = mean;
    }
    steps = Real(count);
  }
  KILN_FN Real elliptic_sine(Real t) const {
    if (jacok == 0) return tanh(t);
    const SinCos turn = sincos(t * scale * mean);
    Real a = turn.c / turn.s, c = mean * a, h = 1;
    for (int i = int(steps) - 1; i >= 0; --i) {
      const Real b = means[i];
      a *= c;
      c *= h;
      h = (roots[i] + a) / (b + a);
      a = c / b;
    }
    const Real sine = 1 / (sqrt(fma(c, c, Real(1))) * scale);
    return turn.s == 0 ? Real(0) : copysign(sine, turn.s);
  }
  /// J. Hart and others, Computer Approximations, 1968.
  KILN_FN static Real bessel(Real t) {
    const Real ax = abs(t);
    if (ax < 8) {
      const Real y = t * t;
      const Real over =
          t *
          (Real(72362614232.0) +
           y * (Real(-7895059235.0) +
                y * (Real(242396853.1) +
                     y * (Real(-2972611.439) + y * (Real(15704.48260) + y * Real(-30.16036606))))));
      const Real under =
          Real(144725228442.0) +
          y * (Real(2300535178.0) +
               y * (Real(18583304.74) + y * (Real(99447.43394) + y * (Real(376.9991397) + y))));
      return over / under;
    }
    const Real z = 8 / ax, y = z * z;
    const SinCos turn = sincos(ax - Real(2.356194491));
    const Real p =
        1 + y * (Real(0.183105e-2) + y * (Real(-0.3516396496e-4) +
                                          y * (Real(0.2457520174e-5) + y * Real(-0.240337019e-6))));
    const Real q =
        Real(0.04687499995) +
        y * (Real(-0.2002690873e-3) +
             y * (Real(0.8449199096e-5) + y * (Real(-0.88228987e-6) + y * Real(0.105787412e-6))));
    const Real size = sqrt(Real(0.636619772) / ax) * fma(turn.c, p, -z * turn.s * q);
    return t < 0 ? -size : size;
  }
  KILN_FN Real wave(Real t, Real frequency, Real power) const {
    if (power >= 0 && power < Real(1e-4)) return elliptic_sine(frequency * t);
    if (power < 0 && power > Real(-1e-4)) return bessel(frequency * t);
    const Real size = pow(abs(t) + Real(1e-10), power) * frequency;
    return sin(t < 0 ? -size : size);
  }
  KILN_FN Real height(Real t, Real near, Real far) const {
    const Real below = fma(t, t, unity);
    return fma((below < Real(1e-10) ? 1 : unity) / below, near - far, far);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{fma(height(x, scale_x, far_x), wave(y, freq_x, power_x), x),
                fma(height(y, scale_y, far_y), wave(x, freq_y, power_y), y)} *
           in.weight;
  }
};

struct Waves2In3D {
  static constexpr auto info = describe("waves2_3D", "waves2_3D_freq", "waves2_3D_scale");
  KILN_DRAWN({2, 8}, {0.05, 0.3});
  static constexpr bool makes_depth = true;
  float freq = 2, scale = 1;

  KILN_FN Vec3 operator()(const ExtendedArg& in) const {
    const auto [x, y] = in.p;
    return Vec3{fma(scale, sin(y * freq), x), fma(scale, sin(x * freq), y),
                fma(scale, sin(freq * (x + y) * Real(0.5)), in.z)} *
           in.weight;
  }
};

/// Two plane waves, each of which may itself change along its way.
struct Vibration2 {
  static constexpr auto info =
      describe("vibration2", "vibration2_dir", "vibration2_angle", "vibration2_freq",
               "vibration2_amp", "vibration2_phase", "vibration2_dir2", "vibration2_angle2",
               "vibration2_freq2", "vibration2_amp2", "vibration2_phase2", "vibration2_dm",
               "vibration2_dmfreq", "vibration2_tm", "vibration2_tmfreq", "vibration2_fm",
               "vibration2_fmfreq", "vibration2_am", "vibration2_amfreq", "vibration2_d2m",
               "vibration2_d2mfreq", "vibration2_t2m", "vibration2_t2mfreq", "vibration2_f2m",
               "vibration2_f2mfreq", "vibration2_a2m", "vibration2_a2mfreq");
  KILN_DRAWN({0, 3}, {0, 3}, {0.5, 2}, {0.1, 0.3}, {0, 1}, {0, 3}, {0, 3}, {0.5, 2}, {0.1, 0.3},
             {0, 1}, always(0), {0.05, 0.2}, always(0), {0.05, 0.2}, always(0), {0.05, 0.2},
             {0, 0.5}, {0.05, 0.2}, always(0), {0.05, 0.2}, always(0), {0.05, 0.2}, always(0),
             {0.05, 0.2}, {0, 0.5}, {0.05, 0.2});
  static constexpr bool weighs_depth = true;
  struct Wave {
    float direction, angle = Real(1.5708), freq = 1, amp = Real(0.25), phase = 0;
  };
  struct Changes {  // a height and a frequency each
    float direction = 0, direction_freq = Real(0.1), angle = 0, angle_freq = Real(0.1), freq = 0,
          freq_freq = Real(0.1), amp = 0, amp_freq = Real(0.1);
  };
  Wave first{0}, second{Real(1.5708)};
  Changes first_changes, second_changes;

  KILN_FN static Real change(Real height, Real freq, Real at) {
    return height * cos(two_pi * freq * at);
  }
  KILN_FN static Vec2 displacement(const Wave& wave, const Changes& changes, Vec2 p) {
    const SinCos usual = sincos(wave.direction);
    const Real at = fma(p.x, usual.c, p.y * usual.s);
    const Real direction = wave.direction + change(changes.direction, changes.direction_freq, at);
    const Real angle = wave.angle + change(changes.angle, changes.angle_freq, at);
    const Real shift = change(changes.freq, changes.freq_freq, at) / wave.freq;
    const Real amp = fma(wave.amp, change(changes.amp, changes.amp_freq, at), wave.amp);
    const SinCos turn = sincos(direction), to = sincos(angle + direction);
    const Real along = fma(p.x, turn.c, p.y * turn.s);
    const Real height =
        amp * sin(fma(two_pi * wave.freq, along, shift) + two_pi * wave.phase / wave.freq);
    return {height * to.c, height * to.s};
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    return (in.p + displacement(first, first_changes, in.p) +
            displacement(second, second_changes, in.p)) *
           in.weight;
  }
};

/// Waves whose height differs from one to the next, by the usual hash of shaders.
struct Waves4 {
  static constexpr auto info = describe("waves4", "waves4_scalex", "waves4_scaley", "waves4_freqx",
                                        "waves4_freqy", "waves4_cont", "waves4_yfact");
  KILN_DRAWN({0.05, 0.3}, {0.05, 0.2}, {3, 12}, {3, 12}, whole(0, 1), {0.1, 0.5});
  static constexpr bool weighs_depth = true;
  float scale_x = Real(0.05), scale_y = Real(0.05), freq_x = 7, freq_y = 13, cont = 0,
        y_fact = Real(0.1), freq_x2 = 1;
  float is_42 = 0;

  KILN_FN void prepare() { cont = min(max(round(cont), Real(0)), Real(1)); }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const double place = double(floor(is_42 != 0 ? y * freq_x2 : y * freq_x * (inverse_pi / 2)));
    const double hash =
        fine::sin(fine::fma(91.2228, place, 1 + 0.001 * double(y) * double(y_fact))) * 43758.5453;
    const Real share = Real(hash - fine::trunc(hash));
    const Real a = cont == 1 ? (share > Real(0.5) ? Real(1) : Real(0)) : share;
    return Vec2{fma(sin(y * freq_x) * a * a, scale_x, x), fma(sin(x * freq_y), scale_y, y)} *
           in.weight;
  }
};

struct Waves42 : Waves4 {
  using Formula = Waves4;
  static constexpr auto info =
      describe("waves42", "waves42_scalex", "waves42_scaley", "waves42_freqx", "waves42_freqy",
               "waves42_cont", "waves42_yfact", "waves42_freqx2");
  KILN_DRAWN({0.05, 0.3}, {0.05, 0.2}, {3, 12}, {3, 12}, whole(0, 1), {0.1, 0.5}, {0.5, 2});
  KILN_FN void prepare() {
    Waves4::prepare();
    is_42 = 1;
  }
};

/// Saws.
struct Waves23 {
  static constexpr auto info =
      describe("waves23", "waves23_scalex", "waves23_scaley", "waves23_freqx", "waves23_freqy");
  KILN_DRAWN({0.05, 0.4}, {0.05, 0.4}, {3, 12}, {3, 12});
  static constexpr bool weighs_depth = true;
  float scale_x = Real(0.05), scale_y = Real(0.05), freq_x = 7, freq_y = 13;

  KILN_FN static Real saw(Real t) {
    const Real turns = t * (inverse_pi / 2), m = turns - floor(turns);
    return m > Real(0.5) ? Real(0.5) - m : m;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{fma(scale_x, saw(y * freq_x), x), fma(scale_y, saw(x * freq_y), y)} * in.weight;
  }
};

/// waves2 that begins at one distance and is whole from another on.
struct Waves2Radial {
  static constexpr auto info =
      describe("waves2_radial", "waves2_radial_w2r_scalex", "waves2_radial_w2r_scaley",
               "waves2_radial_w2r_freqx", "waves2_radial_w2r_freqy", "waves2_radial_w2r_null",
               "waves2_radial_w2r_distance");
  KILN_DRAWN({0.1, 0.4}, {0.1, 0.4}, {3, 12}, {3, 12}, {0, 0.5}, {1, 3});
  static constexpr bool weighs_depth = true;
  float scale_x = Real(0.1), scale_y = Real(0.1), freq_x = 7, freq_y = 13, null = 2, distance = 10;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real r = in.r(), within = (r - null) / (distance - null);
    const Real k = r < null ? Real(0) : r < distance ? within : Real(1);
    return Vec2{fma(k * scale_x, sin(y * freq_x), x), fma(k * scale_y, sin(x * freq_y), y)} *
           in.weight;
  }
};

/// Waves that beat.
struct Waves3 {
  static constexpr auto info = describe("waves3", "waves3_scalex", "waves3_scaley", "waves3_freqx",
                                        "waves3_freqy", "waves3_sx_freq", "waves3_sy_freq");
  KILN_DRAWN({0.05, 0.3}, {0.05, 0.3}, {3, 12}, {3, 12}, {0, 3}, {0, 3});
  static constexpr bool weighs_depth = true;
  float scale_x = Real(0.05), scale_y = Real(0.05), freq_x = 7, freq_y = 13, sx_freq = 0,
        sy_freq = 2;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real k = Real(0.5) * scale_x * (1 + sin(y * sx_freq)),
               l = Real(0.5) * scale_y * (1 + sin(x * sy_freq));
    return Vec2{fma(k, sin(y * freq_x), x), fma(l, sin(x * freq_y), y)} * in.weight;
  }
};

struct STwin {
  static constexpr auto info =
      describe("stwin", "stwin_distort", "stwin_offset_xy", "stwin_offset_x2", "stwin_offset_y2");
  KILN_DRAWN({0.5, 3}, {-1, 1}, {0, 2}, {0, 2});
  static constexpr bool weighs_depth = true;
  float distort = 1, offset_xy = 0, offset_x2 = 0, offset_y2 = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real u = Real(0.05) * in.weight * x, v = Real(0.05) * in.weight * y;
    const Real a = fma(u, u, Real(1e-4) * offset_x2), b = fma(v, v, Real(1e-4) * offset_y2);
    const Real below = a + b == 0 ? Real(1) : a + b;
    const Real t = (a - b) * sin(two_pi * distort * (u + v + Real(0.1) * offset_xy)) / below;
    return {fma(in.weight, x, t), fma(in.weight, y, t)};
  }
};

/// A wave within which everything is turned upside down.
struct Oscilloscope2 {
  static constexpr auto info =
      describe("oscilloscope2", "oscilloscope2_separation", "oscilloscope2_frequencyx",
               "oscilloscope2_frequencyy", "oscilloscope2_amplitude", "oscilloscope2_perturbation",
               "oscilloscope2_damping");
  KILN_DRAWN({0.2, 1}, {0.5, 3}, {0.5, 3}, {0.3, 1}, {0, 1}, {0, 0.5});
  static constexpr bool weighs_depth = true;
  float separation = 1, frequency_x = pi, frequency_y = pi, amplitude = 1, perturbation = 1,
        damping = 0;

  KILN_FN Real height(Real wave, Real x) const {
    return fma(amplitude * (abs(damping) <= Real(1e-8) ? Real(1) : exp(-abs(x) * damping)), wave,
               separation);
  }
  KILN_FN Vec2 turned(const Arg& in, Real wave) const {
    const bool inside = abs(in.p.y) <= height(wave, in.p.x);
    return in.p * (inside ? -in.weight : in.weight);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return turned(in,
                  cos(fma(two_pi * frequency_x, x, perturbation * sin(two_pi * frequency_y * y))));
  }
};

/// oscilloscope2 with waves of Minkowski's question mark function.
struct Minkowskope : Oscilloscope2 {
  static constexpr auto info = describe(
      "minkowskope", "minkowskope_separation", "minkowskope_frequencyx", "minkowskope_frequencyy",
      "minkowskope_amplitude", "minkowskope_perturbation", "minkowskope_damping");

  constexpr Minkowskope() {
    separation = amplitude = Real(0.5);
    frequency_x = -2;
    frequency_y = 2;
  }
  /// The question mark function of [0, 1], to 20 bits.
  KILN_FN static Real question_mark(Real x) {
    Real p = 0, q = 1, u = 1, v = 1, d = 1, sum = 0;
    for (int i = 0; i < 20; ++i) {
      d *= Real(0.5);
      const Real m = p + u, n = q + v;
      const bool below = x * n < m;
      u = below ? m : u;
      v = below ? n : v;
      sum += below ? Real(0) : d;
      p = below ? p : m;
      q = below ? q : n;
    }
    return sum + d;
  }
  KILN_FN Real sine(Real x) const {
    const Real l = fmod(abs(x), Real(4)), from = fmod(abs(x), Real(2));
    const Real p = from > 1 ? 2 - from : from;
    const Real m = question_mark(p) - (frequency_x <= 0 ? p : Real(0));
    return (l < 2) != (x > 0) ? m : -m;
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real by = perturbation * sine(Real(0.5) * frequency_y * y);
    return turned(in, sine(fma(Real(0.5) * frequency_x, x, by) - 1));
  }
};

/// Rings as of a stone thrown into water.
struct Ripple {
  static constexpr auto info = describe("ripple", "ripple_frequency", "ripple_velocity",
                                        "ripple_amplitude", "ripple_centerx", "ripple_centery",
                                        "ripple_phase", "ripple_scale", "ripple_fixed_dist_calc");
  KILN_DRAWN({1, 3}, {0.5, 2}, {0.5, 10}, {-0.3, 0.3}, {-0.3, 0.3}, {0, 1}, {0.8, 1.2}, always(1));
  static constexpr bool weighs_depth = true;
  static constexpr i32 restarts = keeps_x | keeps_y;
  float frequency = 2, velocity = 1, amplitude = Real(0.5), center_x = 0, center_y = 0, phase = 0,
        scale = 1, fixed = 0;

  KILN_FN void prepare() {
    if (scale == 0) scale = least_divisor;
    fixed = round(fixed);
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real u = fma(scale, in.p.x, -center_x), v = fma(scale, in.p.y, center_y);
    const Real d = max(fixed != 0 ? sqrt(fma(u, u, v * v)) : abs(u * v), least_divisor);
    const Real q = fma(two_pi, phase, -pi);
    const Real c = cos(fma(5 * frequency, d, -velocity * q)) * amplitude * Real(0.01);
    const Real from = fma(c, q, d), to = fma(c, pi - q, d);
    const Real length = fma(to - from, q, from) / d;
    const Real k = in.weight / scale;
    return {k * fma(u, length, center_x), k * fma(v, length, -center_y)};
  }
};

using JWildfireWaves =
    VariationList<Waves2Wf, Waves3Wf, Waves4Wf, Waves2B, Waves2In3D, Vibration2, Waves4, Waves42,
                  Waves23, Waves2Radial, Waves3, STwin, Oscilloscope2, Minkowskope, Ripple>;

KILN_END
