// SPDX-License-Identifier: MIT
/// The distance between two renderers in units of the reference's own noise.
///
/// Both renderers draw the same flame with n seeds each. Their pictures X_i (ours) and A_i (the
/// reference's) give, per value, the noise of ours s_x^2 and of the reference s_a^2 (sample
/// variances) and the bias
///   b^2 = (mean X - mean A)^2 - s_x^2 / n - s_a^2 / n,
/// whose expectation is the squared true difference: noise does not add to it (it can be negative).
/// Averaged over all n^2 pairs, the mean of (X_i - A_j)^2 is exactly s_x^2 + s_a^2 + b^2, and of
/// (A_i - A_j)^2 2 s_a^2; with n = 2, b^2 is the mean of (X_1 - A_1)(X_2 - A_2) over both ways to
/// pair the seeds. All pairs cost no render more than one pair and have half its spread.
#pragma once
#include <string>
#include <vector>

#include "tests/conformance/picture.h"

namespace conformance {

/// What is allowed. A renderer that draws the reference's distribution has 1, 1, 0 and 0.
struct Limits {
  double pixel_ratio = 1.05;  // rms(X - A) / rms(A - B), pixel by pixel
  double box_ratio = 1.10;    // the same of 8x8 box averages
  double bias = 0.05;         // b^2 / s_a^2
  double light = 0.002;       // |mean X - mean A| / mean A

  /// Of pictures of a part of the samples, which have more noise: the same differences are let through.
  Limits of_part(double part) const;
};

/// The measured distance of one flame.
struct Distance {
  double mean = 0;         // of the reference, 0..255
  double noise = 0;        // s_a, 0..255
  double pixel_ratio = 1;  // as in Limits
  double box_ratio = 1;
  double bias = 0;
  double light = 0;  // signed

  bool within(const Limits& limits) const;
  /// Whether it is not surely outside: less than two of its standard errors beyond the limits.
  bool within(const Limits& limits, const Distance& error) const;
  /// Whether more seeds could still bring it within the limits: a gross difference does not need
  /// them.
  bool hopeful() const;
};

/// Distance between pictures of n seeds of ours and n of the reference, n >= 2, all of one size.
Distance measure(const std::vector<Plane>& ours, const std::vector<Plane>& reference);

/// Standard errors of that distance, by leaving out one seed after the other (jackknife).
Distance standard_error(const std::vector<Plane>& ours, const std::vector<Plane>& reference);

}  // namespace conformance
