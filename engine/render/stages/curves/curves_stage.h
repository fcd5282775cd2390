// SPDX-License-Identifier: MIT
// The curves of other programs' flames, in place on the picture (kernels/curves.h).
//
// The tables of a flame's curves (engine/model/curves.h) as kernels/curves.h reads them: for each
// channel one that goes through both its curves, the one of all channels and its own. Made on the
// host in double, so every device looks up the same numbers.
#pragma once

#include <vector>

#include "engine/model/curves.h"

namespace kiln {

/// [3][curve_steps] of red, green and blue, 0..1; empty for a flame without curves.
std::vector<float> plan_curves(const CurveMix& mix);

}  // namespace kiln
