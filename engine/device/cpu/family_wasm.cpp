// SPDX-License-Identifier: MIT
#include "engine/device/cpu/family.h"

namespace kiln {

const std::string_view cpu_family = "wasm";

/// A browser that does not know a program's vectors refuses it as a whole, so "simd128" runs wherever
/// it is asked. "relaxed" multiplies and adds with one rounding where the processor can (two where it
/// cannot): the page looks at what two numbers give (view/web/fuses.cpp).
bool machine_runs(std::string_view isa) { return isa == "simd128" || isa == "relaxed"; }

}  // namespace kiln
