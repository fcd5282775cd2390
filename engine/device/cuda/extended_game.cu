// SPDX-License-Identifier: MIT
#include "engine/device/cuda/interpreters.cuh"
#include "kernels/extended_xform.h"
#include "kernels/variations/all.h"

namespace kiln {
using Extended = ExtendedInterpreter<ExtendedVariations>;
}

KILN_UNITS_KERNEL(kiln_warm_extended, kiln::Extended, false)
KILN_UNITS_KERNEL(kiln_play_extended, kiln::Extended, true)
KILN_MANY_UNITS_KERNEL(kiln_many_extended, kiln::Extended)
