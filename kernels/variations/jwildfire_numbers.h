// SPDX-License-Identifier: MIT
// Numbers and functions that JWildfire's variations share.
#pragma once

#include "kernels/fine_math.h"
#include "kernels/variations/extended.h"

KILN_BEGIN

/// A number that JWildfire adds to a divisor that may be 0. In double it is 1e-300.
constexpr Real least_divisor = Real(0x1p-126f);

/// x^y of any x: of a negative one where y is whole.
KILN_FN Real signed_power(Real x, Real y) {
  const Real size = pow(abs(x), y);
  const bool is_whole = y == trunc(y), is_odd = is_whole & (y - 2 * trunc(y / 2) != 0);
  const Real of_negative = is_odd ? -size : is_whole ? size : not_a_number;
  return x < 0 ? of_negative : size;
}

KILN_END
