// SPDX-License-Identifier: MIT
#include "engine/device/cuda/interpreters.cuh"
#include "kernels/fine_xform.h"
#include "kernels/variations/all.h"

namespace kiln {
using Fine = FineInterpreter<Flam3Variations>;
}

KILN_UNITS_KERNEL(kiln_warm_fine, kiln::Fine, false)
KILN_UNITS_KERNEL(kiln_play_fine, kiln::Fine, true)
KILN_MANY_UNITS_KERNEL(kiln_many_fine, kiln::Fine)
