// SPDX-License-Identifier: MIT
// Program::extended of flames that bring formulas along (kernels/formula.h), for who asks for no more than that.
#pragma once

#include "kernels/platform.h"

KILN_BEGIN

/// It may have several final xforms, as JWildfire's (kernels/program.h).
constexpr i32 of_formulas_list = 3;
/// A still that has nothing beside its formulas but flam3's variations, all of them added up, no final xform
/// and no xaos, with thread code of each (kernels/thread_formula.h).
constexpr i32 of_plain_formulas_list = 4;

KILN_END
