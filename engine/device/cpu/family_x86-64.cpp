// SPDX-License-Identifier: MIT
#include "engine/device/cpu/family.h"

namespace kiln {

const std::string_view cpu_family = "x86-64";

bool machine_runs(std::string_view isa) {
  __builtin_cpu_init();
  if (isa == "v2") return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  if (isa == "v3") {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
  }
  return isa == "v4" && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}

}  // namespace kiln
