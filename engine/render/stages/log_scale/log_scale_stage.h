// SPDX-License-Identifier: MIT
// The logarithm of the density (kernels/log_scale.h): light where nothing else makes it.
//
//   LogScale   sums -> light [BH, BW]
#pragma once

#include "engine/model/flame.h"
#include "kernels/log_scale.h"

namespace kiln {

/// The log scale's k1 and k2 (section 8).
LogCurve plan_log_curve(const Flame& flame, double temporal_weight);

}  // namespace kiln
