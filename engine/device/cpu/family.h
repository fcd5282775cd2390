// SPDX-License-Identifier: MIT
// What differs by family of processors. CMake takes the file of the one that is built for:
// family_x86-64.cpp, family_arm64.cpp (KILN_CPU_FAMILY; engine/CMakeLists.txt has their options).
#pragma once

#include <string_view>

namespace kiln {

extern const std::string_view cpu_family;  // "x86-64", "arm64"

/// Whether this machine runs an instruction set; false for unknown names.
bool machine_runs(std::string_view isa);

}  // namespace kiln
