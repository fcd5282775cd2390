// SPDX-License-Identifier: MIT
// The plan of JWildfire's antialiasing and of the glow of its lone samples (kernels/moved_light.h), on the host in
// double.
#pragma once

#include <vector>

namespace kiln {

struct Flame;

struct AntialiasPlan {
  int radius = 0;             // buckets
  std::vector<float> shares;  // [2 radius + 1, 2 radius + 1] of sum 1; empty: the flame has none
  double glow = 0;            // MovedLight's, for each of the log scale's k2, which has the quality
  double samples = 0;         // as MovedLight has them
};

/// Whether the flame asks for one of them.
bool is_antialiased(const Flame& flame);

AntialiasPlan plan_antialias(const Flame& flame);
/// The farthest that it moves samples, in buckets.
int antialias_radius(const Flame& flame);

}  // namespace kiln
