// SPDX-License-Identifier: MIT
// The spatial filter's taps, on the host in double (flam3-pipeline.md section 10). The names of the
// shapes are flam3's, and so is what they evaluate: several names stand for another kernel than
// they say, in every picture flam3 ever made, so that is what a file means.
#pragma once

#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// Taps of one output pixel: the F x F table is the product x[i] * y[j].
struct FilterPlan {
  int size = 1;             // F, in buckets; as odd or even as the supersample factor
  std::vector<float> x, y;  // [F] each of sum 1
  std::vector<float>
      table;  // JWildfire's: [2][F, F] of colors and of opacity, each of sum 1; else empty
};

/// Taps of a shape and radius (output pixels). Throws if they sum to 0.
FilterPlan plan_filter(FilterShape shape, double radius_px, int supersample, double pixel_aspect);

/// F alone: the gutter needs it before the taps are made.
int filter_size(FilterShape shape, double radius_px, int supersample, double pixel_aspect);

/// The kernel that flam3 evaluates under this name; not normalized.
double filter_value(FilterShape shape, double x);
/// The argument that a distance of the filter's radius corresponds to.
double filter_support(FilterShape shape);

/// JWildfire's kernel of this name at a distance; its support.
double filter_value(FilterKernel kernel, double distance);
double filter_support(FilterKernel kernel);

/// Whether a filter of JWildfire's is a table: one of less than a bucket is none, and flam3's of that radius is the
/// mean of a pixel's buckets as well.
bool is_table(const Flame& flame);

/// Taps of a flame's filter; in an animation the first key's, as in flam3.
FilterPlan plan_filter(const Flame& flame);

/// Buckets of the taps that lie before those of a pixel, and behind them. Before them negative for a narrow
/// filter. Exact but for a filter made for an odd supersample in a frame of an even one, or the other way
/// round: then the picture is half a bucket off, as in flam3, and needs a bucket more on the far side (flam3
/// reads those of the next row).
int taps_before(const Flame& flame);
int taps_behind(const Flame& flame);

}  // namespace kiln
