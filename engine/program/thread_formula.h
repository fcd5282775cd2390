// SPDX-License-Identifier: MIT
// The code of a formula's term for threads of a GPU (kernels/thread_formula.h).
#pragma once

#include <vector>

#include "engine/model/formula.h"
#include "kernels/thread_formula.h"

namespace kiln {

struct ThreadFormula {
  std::vector<ThreadInstruction> code;
  ThreadFormulaHead head;
};

/// `scalars`: those of the term, as FormulaProgram::append_scalars gives them. False where threads have not got
/// what it takes: too few registers, depth, or a color of its own.
bool make_thread_formula(const FormulaProgram& program, const float* scalars, ThreadFormula& made);

}  // namespace kiln
