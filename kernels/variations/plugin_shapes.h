// SPDX-License-Identifier: MIT
// Blurred polygons and superposed curves.
#pragma once

#include "kernels/variations/angular.h"
#include "kernels/variations/extended.h"

KILN_BEGIN

/// A regular polygon, blurred, with stripes and a hole.
struct NBlur {
  static constexpr auto info =
      describe("nBlur", "nBlur_numEdges", "nBlur_numStripes", "nBlur_ratioStripes",
               "nBlur_ratioHole", "nBlur_circumCircle", "nBlur_adjustToLinear", "nBlur_equalBlur",
               "nBlur_exactCalc", "nBlur_highlightEdges");
  KILN_DRAWN(whole(3, 8), whole(0, 3), {0.5, 1.5}, {0, 0.8}, whole(0, 1), whole(0, 1), whole(0, 1),
             always(0), {0.5, 2});
  static constexpr bool random_draws = true;
  float edges = 3, stripes = 0, ratio_stripes = 1, ratio_hole = 0, circum_circle = 0, adjusts = 1,
        equal_blur = 1, exact = 0, highlight = 1;
  float middle = 1, bend = 1, bend_range = 1, slope = 1, size = 1, stripe = 0, last = 0,
        half_cos = 1, half_sin = 0, odd_ones = 0, share = 1;

  KILN_FN static Real flag(Real v) { return v >= Real(0.5) ? 1 : 0; }
  KILN_FN void prepare() {
    edges = max(floor(edges + Real(0.5)), Real(3));
    stripes = floor(stripes + Real(0.5));
    ratio_stripes = min(max(ratio_stripes, Real(0)), Real(2));
    ratio_hole = min(max(ratio_hole, Real(0)), Real(1));
    circum_circle = flag(circum_circle);
    adjusts = flag(adjusts);
    equal_blur = flag(equal_blur);
    exact = circum_circle != 0 ? Real(0) : flag(exact);
    highlight = circum_circle != 0 ? Real(0.1) : max(highlight, Real(0.1));
    if (exact != 0) ratio_hole = min(ratio_hole, Real(0.95));
    middle = two_pi / edges;
    bend = highlight * (stripes < 0 ? Real(7.5) : Real(13)) / pow(edges, Real(1.3));
    bend_range = 2 * atan(bend / -2);
    slope = tan(half_pi + middle / 2);
    const Real across = trunc(edges / 4) * 4 == edges ? edges / 2 - 1 : floor(edges / 2);
    const Real width = sqrt(2 - 2 * cos(middle * across)) / 2;
    size = adjusts != 0 ? 1 / nonzero(width) : Real(1);
    last = 2 * abs(stripes);
    stripe = stripes == 0 ? Real(0) : middle / last;
    odd_ones = stripes < 0 ? 1 : 0;
    share = stripes < 0 ? 2 - ratio_stripes : ratio_stripes;
    half_sin = sin(middle / 2);
    half_cos = cos(middle / 2);
  }
  KILN_FN Real drawn_radius(Random& rng) const {
    const Real u = rng.uniform();
    return equal_blur != 0 ? sqrt(u) : u;
  }
  struct Direction {
    Real angle, within;  // of the polygon's side
  };
  KILN_FN Direction drawn_direction(Random& rng) const {
    const Real u = rng.uniform(), side = floor(rng.uniform() * edges);
    const Real bent = atan(bend * (u - Real(0.5))) / bend_range + Real(0.5);
    const Real angle = exact != 0 ? two_pi * u : middle * (bent + side);
    const Real turns = floor(angle / middle);
    const Real within = fma(-turns, middle, angle);
    return {angle, within <= 0 && angle > 0 ? within + middle : within};
  }
  /// The direction moved out of the stripes that shall be empty.
  KILN_FN Direction in_stripe(Direction at) const {
    if (stripes == 0) return at;
    const Real c = min(max(ceil(at.within / stripe - Real(0.5)), Real(0)), last);
    Real center = c * stripe;
    const bool is_odd = c - 2 * floor(c / 2) != 0;
    if (is_odd != (odd_ones != 0)) {
      const bool up = at.within > center && c != last;
      const Real by = up ? stripe : -stripe;
      at.within += by / 2;
      at.angle += by / 2;
      center += by;
    }
    const Real from = at.within - center, half = share * stripe / 2;
    const Real squeezed = copysign((abs(from) - half) * half / (stripe / 2 - half), from);
    const Real placed = share > 1 ? share * from : share < 1 && abs(from) > half ? squeezed : from;
    return {at.angle + placed - from, center + placed};
  }
  KILN_FN static Real ceil(Real t) { return -floor(-t); }

  KILN_FN Vec2 operator()(const Arg& in) const {
    constexpr int most_tries = 32;  // so that a hole which is nearly all ends
    Direction at{};
    Real q = 0;
    for (int t = 0; t < most_tries; ++t) {
      at = in_stripe(drawn_direction(in.rng));
      const Real slant = tan(at.within);
      const Real border = abs(slope / (slope - slant)) * sqrt(fma(slant, slant, Real(1)));
      const Real hole = ratio_hole * border;
      q = drawn_radius(in.rng);
      if (exact == 0) {
        q = circum_circle == 0 ? q * border : q;
        const Real room = circum_circle != 0 ? 1 - hole : border - hole;
        if (q < hole) q = fma(in.rng.uniform(), room, hole);
        break;
      }
      if (!(q < hole) && !(q > border)) break;
    }
    const auto [s, c] = sincos(at.angle);
    const Real u = q * s, v = q * c;
    return Vec2{fma(u, half_cos, -(v * half_sin)), fma(u, half_sin, v * half_cos)} *
           (in.weight * size);
  }
};

/// Radial curves, summed: hypergon, star, lituus and superformula.
struct YCurves {
  static constexpr auto info = describe(
      "y", "y_hypergon", "y_hypergon_n", "y_hypergon_r", "y_star", "y_star_n", "y_star_slope",
      "y_lituus", "y_lituus_a", "y_super", "y_super_m", "y_super_n1", "y_super_n2", "y_super_n3");
  KILN_DRAWN({0.2, 1}, whole(3, 7), {0.6, 1.5}, {0, 0.6}, whole(3, 8), {0.5, 1.5}, {0, 0.4},
             {-1, 1}, {0, 1}, whole(2, 8), {0.5, 2}, {0.5, 2}, {0.5, 2});
  float hypergon = 0, hypergon_n = 4, hypergon_r = 1, star = 0, star_n = 5, star_slope = half_pi,
        lituus = 0, lituus_a = 1, super = 0, super_m = 1, super_n1 = 1, super_n2 = 1, super_n3 = 1;
  float hypergon_d = 1, star_tan = 1;

  KILN_FN void prepare() {
    hypergon_n = max(floor(hypergon_n + Real(0.5)), Real(3));
    star_n = max(floor(star_n + Real(0.5)), Real(3));
    star_slope = min(max(star_slope, tiny), half_pi);
    hypergon_d = sqrt(1 + hypergon_r * hypergon_r);
    star_tan = tan(half_pi - star_slope < Real(1e-6f) ? star_slope - Real(0.05) : star_slope);
  }
  KILN_FN Real of_hypergon(Real a) const {
    const Real t = tan(fmod(abs(a), two_pi / hypergon_n) - pi / hypergon_n);
    const Real v = fma(t, t, Real(1)), d2 = hypergon_d * hypergon_d;
    return v >= d2 ? hypergon : hypergon * (hypergon_d - sqrt(d2 - v)) / sqrt(v);
  }
  KILN_FN Real of_star(Real a) const {
    const Real u = tan(abs(fmod(abs(a), two_pi / star_n) - pi / star_n));
    return star * sqrt(star_tan * star_tan * fma(u, u, Real(1))) / abs(u + star_tan);
  }
  KILN_FN Real of_super(Real a) const {
    const auto [s, c] = sincos(a * super_m / 4);
    return super * pow(pow(abs(c), super_n2) + pow(abs(s), super_n3), -1 / nonzero(super_n1));
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const Real a = in.phi();
    Real sum = 0;
    if (hypergon != 0) sum += of_hypergon(a);
    if (star != 0) sum += of_star(a);
    if (lituus != 0) sum += lituus * pow(abs(a * inverse_pi + 1), -lituus_a);
    if (super != 0) sum += of_super(a);
    const Real r = in.r();
    return in.p * (in.weight * sum * sum / (r * r));
  }
};

using PluginShapes = VariationList<NBlur, YCurves>;

KILN_END
