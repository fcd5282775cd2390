// SPDX-License-Identifier: MIT
// The chaos game of flames that use JWildfire's variations. Its list is the longest, so its code
// stands once, in the kernel that plays many flames, of which one is enough.
#define KILN_JWILDFIRE_VARIATIONS  // which flames' own kernels leave out, and NVRTC then here, too

#include "engine/device/cuda/interpreters.cuh"
#include "kernels/extended_xform.h"
#include "kernels/variations/all.h"

namespace kiln {
static_assert(AllVariations::size > ExtendedVariations::size);
using JWildfire = JWildfireInterpreter<AllVariations>;
}  // namespace kiln

KILN_MANY_UNITS_KERNEL(kiln_many_jwildfire, kiln::JWildfire)
