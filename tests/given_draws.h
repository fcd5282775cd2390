// SPDX-License-Identifier: MIT
// Formulas of kernels/variations/ with random numbers that are given, in float and in double: in
// the latter "float" means double throughout the kernels' headers. tests/given_draws.cpp is compiled
// once for each. Plain data: nothing else may have one name and two meanings.
#pragma once

#include <cstdint>
#include <vector>

namespace kiln::test {

/// One form of an xform. `variation` counts those of JWildfireVariations; -1 is linear.
struct GivenForm {
  int stage, variation;
  double weight;
  std::vector<double> parameters;  // NaN: the usual value
};
struct GivenPlace {
  double x, y, z, color;
  bool hidden = false;
};

/// The xform without affines of these forms, in their order. `keeps_depth`: regular variations of the
/// plane pass z on.
GivenPlace made_in_float(const std::vector<GivenForm>& forms, bool keeps_depth, GivenPlace at,
                         const std::vector<std::uint32_t>& draws);
GivenPlace made_in_double(const std::vector<GivenForm>& forms, bool keeps_depth, GivenPlace at,
                          const std::vector<std::uint32_t>& draws);

}  // namespace kiln::test
