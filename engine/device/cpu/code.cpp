// SPDX-License-Identifier: MIT
// Which code this processor runs, of the instruction sets that were built (device.h).
#include <cstdlib>
#include <string>

#include "engine/base/error.h"
#include "engine/device/cpu/device.h"
#include "engine/device/cpu/family.h"

namespace kiln {

// KILN_CPU_ISA_LIST, from CMake: KILN_ISA_ENTRY(v2) KILN_ISA_ENTRY(v3) ...
#define KILN_ISA_ENTRY(isa)                         \
  const CpuKernels& cpu_kernels_##isa();            \
  const CpuGameKernels& cpu_plain_game_##isa();     \
  const CpuGameKernels& cpu_extended_game_##isa();  \
  const CpuGameKernels& cpu_jwildfire_game_##isa(); \
  const CpuGameKernels& cpu_formula_game_##isa();   \
  const CpuGameKernels& cpu_fine_game_##isa();      \
  const CpuGameKernels& cpu_divergent_game_##isa(); \
  const CpuFft& cpu_fft_##isa();
KILN_CPU_ISA_LIST
#undef KILN_ISA_ENTRY

namespace {

std::string names_of(std::span<const CpuCode> codes) {
  std::string names;
  for (const CpuCode& code : codes) {
    if (!names.empty()) names += ", ";
    names += code.isa;
  }
  return names;
}

}  // namespace

std::span<const CpuCode> cpu_codes() {
#define KILN_ISA_ENTRY(isa)    \
  {#isa,                       \
   cpu_kernels_##isa(),        \
   cpu_plain_game_##isa(),     \
   cpu_extended_game_##isa(),  \
   cpu_jwildfire_game_##isa(), \
   cpu_formula_game_##isa(),   \
   cpu_fine_game_##isa(),      \
   cpu_divergent_game_##isa(), \
   cpu_fft_##isa()},
  static const CpuCode codes[] = {KILN_CPU_ISA_LIST};
#undef KILN_ISA_ENTRY
  return codes;
}

const CpuCode& choose_cpu_code(std::span<const CpuCode> codes, bool (*runs)(std::string_view isa),
                               const char* forced) {
  const CpuCode* best = nullptr;
  for (const CpuCode& code : codes) {
    const bool wanted = forced ? code.isa == std::string_view(forced)
                               : !best || code.isa > std::string_view(best->isa);
    if (wanted && runs(code.isa)) best = &code;
  }
  if (best) return *best;
  if (forced) {
    fail(ErrorKind::device,
         "KILN_ISA={}: this program has kernels for {} {}; name one that this machine runs, or "
         "unset KILN_ISA",
         forced, cpu_family, names_of(codes));
  }
  fail(
      ErrorKind::device,
      "this program has CPU kernels for {} {} only, which this machine does not run; build it with "
      "-DKILN_CPU_ISAS=native here, or with -DKILN_CPU_ISAS=all",
      cpu_family, names_of(codes));
}

const CpuCode& best_cpu_code() {
  return choose_cpu_code(cpu_codes(), &machine_runs, std::getenv("KILN_ISA"));
}

}  // namespace kiln
