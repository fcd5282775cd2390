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
};

/// Taps of a shape and radius (output pixels). Throws if they sum to 0.
FilterPlan plan_filter(FilterShape shape, double radius_px, int supersample, double pixel_aspect);

/// F alone: the gutter needs it before the taps are made.
int filter_size(FilterShape shape, double radius_px, int supersample, double pixel_aspect);

/// The kernel that flam3 evaluates under this name; not normalised.
double filter_value(FilterShape shape, double x);
/// The argument that a distance of the filter's radius corresponds to.
double filter_support(FilterShape shape);

}  // namespace kiln
