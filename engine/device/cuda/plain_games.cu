// SPDX-License-Identifier: MIT
// The chaos game of flam3's flames by the interpreter, with the features that a flame has.
#include "engine/device/cuda/interpreters.cuh"
#include "kernels/variations/all.h"

namespace kiln {

template <bool has_xaos, bool has_final>
using With = Interpreter<Flam3Variations, Features{has_xaos, has_final}>;
using Any = Interpreter<Flam3Variations, any_features>;
using Plain = With<false, false>;
using WithFinal = With<false, true>;
using WithXaos = With<true, false>;
using WithBoth = With<true, true>;

}  // namespace kiln

KILN_UNITS_KERNEL(kiln_warm_any, kiln::Any, false)
KILN_UNITS_KERNEL(kiln_play_any, kiln::Any, true)
KILN_UNITS_KERNEL(kiln_play_plain, kiln::Plain, true)
KILN_UNITS_KERNEL(kiln_play_final, kiln::WithFinal, true)
KILN_UNITS_KERNEL(kiln_play_xaos, kiln::WithXaos, true)
KILN_UNITS_KERNEL(kiln_play_xaos_final, kiln::WithBoth, true)
KILN_MANY_UNITS_KERNEL(kiln_many_any, kiln::Any)
KILN_MANY_UNITS_KERNEL(kiln_many_plain, kiln::Plain)
