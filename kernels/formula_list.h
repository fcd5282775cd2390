// SPDX-License-Identifier: MIT
// Program::extended of a flame that brings formulas along (kernels/formula.h), for who asks for no more than that.
#pragma once

#include "kernels/platform.h"

KILN_BEGIN

/// It may have several final xforms, as JWildfire's (kernels/program.h).
constexpr i32 of_formulas_list = 3;

KILN_END
