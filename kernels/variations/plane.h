// SPDX-License-Identifier: MIT
// Bends, folds and waves of the plane, axis by axis (flam3 54, 60, 67, 69, 71, 73-75, 81, 96), and
// pre_blur, which displaces the point before the others see it. Signs and sides are selects, so
// every lane does the same work.
#pragma once

#include "kernels/math.h"
#include "kernels/variations/blurs.h"
#include "kernels/variations/variation.h"

KILN_BEGIN

/// The negative half of each axis has its own scale.
struct Bent2 {
  static constexpr auto info = describe("bent2", "bent2_x", "bent2_y");
  KILN_DRAWN(either_sign(0.5, 1.5), either_sign(0.5, 1.5));
  float left = 1, below = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{x < 0 ? x * left : x, y < 0 ? y * below : y} * in.weight;
  }
};

/// A Gaussian bump along each axis.
struct Curve {
  static constexpr auto info =
      describe("curve", "curve_xamp", "curve_yamp", "curve_xlength", "curve_ylength");
  KILN_DRAWN(either_sign(0.2, 1), either_sign(0.2, 1), {0.3, 1.5}, {0.3, 1.5});
  float xamp = 0, yamp = 0, xlength = 1, ylength = 1;
  float x_steepness = 1, y_steepness = 1;

  KILN_FN void prepare() {
    x_steepness = 1 / max(xlength * xlength, Real(1e-20f));
    y_steepness = 1 / max(ylength * ylength, Real(1e-20f));
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{fma(xamp, exp(-(y * y) * x_steepness), x),
                fma(yamp, exp(-(x * x) * y_steepness), y)} *
           in.weight;
  }
};

/// The point itself, displaced: a soft round spot of the size of the weight. The angle is the last
/// draw.
struct PreBlur {
  static constexpr auto info = describe("pre_blur");
  static constexpr bool random_draws = true;
  static constexpr bool runs_before_others = true;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real offset = in.weight * sum_of_four(in.rng);
    const auto [s, c] = sincospi(2 * in.rng.uniform());
    return {fma(offset, c, in.p.x), fma(offset, s, in.p.y)};
  }
  template <class Extended>
  KILN_FN Real depth(const Extended& in) const {  // Ember's, as it adds weight * z
    return fma(in.weight, in.z, in.z);
  }
};

/// y changes sign where it lies under a damped cosine of x.
struct Oscilloscope {
  static constexpr auto info =
      describe("oscilloscope", "oscilloscope_separation", "oscilloscope_frequency",
               "oscilloscope_amplitude", "oscilloscope_damping");
  KILN_DRAWN({0.4, 1.2}, {2, 8}, {0.3, 1.2}, {0, 1.5});
  float separation = 1, frequency = pi, amplitude = 1, damping = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real height =
        amplitude * exp(-abs(x) * damping);  // exp(0) is exactly 1: flam3's undamped form
    const Real threshold = fma(height, cospi(2 * frequency * x), separation);
    return Vec2{x, abs(y) <= threshold ? -y : y} * in.weight;
  }
};

/// Popcorn with its own numbers instead of the affine's.
struct Popcorn2 {
  static constexpr auto info = describe("popcorn2", "popcorn2_x", "popcorn2_y", "popcorn2_c");
  KILN_DRAWN(either_sign(0.1, 0.6), either_sign(0.1, 0.6), {1, 4});
  float px = 0, py = 0, c = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{fma(px, sin(tan(c * y)), x), fma(py, sin(tan(c * x)), y)} * in.weight;
  }
};

/// Each axis opens along a hyperbola around 0.
struct Separation {
  static constexpr auto info = describe("separation", "separation_x", "separation_xinside",
                                        "separation_y", "separation_yinside");
  KILN_DRAWN({0.2, 0.8}, {-0.3, 0.3}, {0.2, 0.8}, {-0.3, 0.3});
  static constexpr bool weighs_depth = true;
  float gap_x = 0, inside_x = 0, gap_y = 0, inside_y = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{open(x, gap_x, inside_x), open(y, gap_y, inside_y)} * in.weight;
  }
  KILN_FN static Real open(Real t, Real gap, Real inside) {
    const Real outward = sqrt(fma(t, t, gap * gap)) - abs(t) * inside;
    return t > 0 ? outward : -outward;
  }
};

/// The sign of a cosine of x mirrors y, and the other way round.
struct Split {
  static constexpr auto info = describe("split", "split_xsize", "split_ysize");
  KILN_DRAWN({0.3, 1.2}, {0.3, 1.2});
  float xsize = 0, ysize = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{is_up(ysize * y) ? x : -x, is_up(xsize * x) ? y : -y} * in.weight;
  }
  /// cos(pi t) >= 0, by the distance of t from the next even number.
  KILN_FN static bool is_up(Real t) { return abs(fma(Real(-2), rint(t / 2), t)) <= Real(0.5); }
};

/// The four quadrants move apart.
struct Splits {
  static constexpr auto info = describe("splits", "splits_x", "splits_y");
  KILN_DRAWN(either_sign(0.2, 0.8), either_sign(0.2, 0.8));
  static constexpr bool weighs_depth = true;
  float dx = 0, dy = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{x >= 0 ? x + dx : x - dx, y >= 0 ? y + dy : y - dy} * in.weight;
  }
};

/// Sine waves of either axis over the other.
struct Waves2 {
  static constexpr auto info =
      describe("waves2", "waves2_freqx", "waves2_scalex", "waves2_freqy", "waves2_scaley");
  KILN_DRAWN({1, 6}, either_sign(0.05, 0.4), {1, 6}, either_sign(0.05, 0.4));
  static constexpr bool weighs_depth = true;
  float freqx = 0, scalex = 0, freqy = 0, scaley = 0;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    return Vec2{fma(scalex, sin(y * freqx), x), fma(scaley, sin(x * freqy), y)} * in.weight;
  }
};

/// Waves that grow with the distance from the axes; sym mixes the one along x in.
struct Auger {
  static constexpr auto info =
      describe("auger", "auger_sym", "auger_weight", "auger_freq", "auger_scale");
  KILN_DRAWN({0, 1}, {0.2, 0.8}, {1, 5}, {0.3, 1});
  static constexpr bool weighs_depth = true;
  float sym = 0, strength = 0.5f, freq = 1, scale = 1;

  KILN_FN Vec2 operator()(const Arg& in) const {
    const auto [x, y] = in.p;
    const Real dx = strength * sin(freq * y) * fma(scale, Real(0.5), abs(x));
    const Real dy = strength * sin(freq * x) * fma(scale, Real(0.5), abs(y));
    return Vec2{fma(sym, dx, x), y + dy} * in.weight;
  }
};

KILN_END
