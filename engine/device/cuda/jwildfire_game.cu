// SPDX-License-Identifier: MIT
// The chaos game of flames that use JWildfire's variations. Its list is the longest, so its code
// stands once, in the kernel that plays many flames, of which one is enough.
#include "engine/device/cuda/interpreters.cuh"
#include "kernels/extended_xform.h"
#include "kernels/variations/all.h"

namespace kiln {
using JWildfire = JWildfireInterpreter<AllVariations>;
}

KILN_MANY_UNITS_KERNEL(kiln_many_jwildfire, kiln::JWildfire)
