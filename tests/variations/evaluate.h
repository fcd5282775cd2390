// SPDX-License-Identifier: MIT
// One variation on one point: what the tests of the variations call, whichever device answers.
//
// The order is that of an xform: the affine in float, pre_blur if that is the variation (its result
// is the displaced point), else the variation's contribution; no post affine, no replacement of bad
// values. Repeat r of the i-th evaluation draws from its own generator, seeded with philox(i, r, 0,
// 0; seed): scripts/make_variation_vectors.py computes the same draws.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/platform.h"

namespace kiln::test {

struct Evaluation {
  int variation;  // index in AllVariations
  double weight;
  std::vector<double> params;  // of that variation, registry order
  Affine coefs;
  float x, y;  // before the affine
};

struct Result {
  float x, y;
  bool bad;  // flam3's test: NaN, or beyond 1e10
};

/// Results of all repeats: [evaluations.size()][repeats].
std::vector<Result> evaluate(const std::vector<Evaluation>& evaluations, int repeats,
                             std::uint64_t seed);

}  // namespace kiln::test
