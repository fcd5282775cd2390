// SPDX-License-Identifier: MIT
#include "engine/device/cpu/family.h"

namespace kiln {

const std::string_view cpu_family = "arm64";

/// Vectors of four floats and fma belong to every processor of 64 bits.
bool machine_runs(std::string_view isa) { return isa == "neon"; }

}  // namespace kiln
