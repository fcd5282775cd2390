// How often each xform is drawn: cumulative shares of the weights, and with xaos a row for every
// xform that a point may come from (kernels/program.h).
#pragma once

#include "engine/program/compiled_flame.h"

namespace kiln {

/// Appends the rows of one moment to `out.cumulative`; an xform that it lacks has weight 0. Throws
/// Error of kind input where a row leads nowhere.
void compile_selection(const Flame& flame, CompiledFlame& out);

}  // namespace kiln
