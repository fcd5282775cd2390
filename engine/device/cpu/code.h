// The kernels of the CPU device as this program has them: one set for each instruction set of the
// build (CMake: KILN_CPU_ISAS), of which the best that the machine has runs. All give the same
// bits.
#pragma once

#include <span>
#include <string_view>

#include "engine/device/cpu/kernels.h"

namespace kiln {

/// All kernels for one instruction set.
struct CpuCode {
  const char* isa;  // "v2", "v3" or "v4", the level of x86-64
  const CpuKernels& kernels;
  const CpuGameKernels &plain_game, &extended_game, &divergent_game;
  const CpuFft& fft;
};

/// What this program was built with, in the order of KILN_CPU_ISAS.
std::span<const CpuCode> cpu_codes();

/// Whether this machine runs an instruction set; false for unknown names.
bool machine_runs(std::string_view isa);

/// The highest of `codes` that `runs` accepts, or the one that `forced` names if that isn't null.
/// Throws Error (device) with the remedy when there is none.
const CpuCode& choose_cpu_code(std::span<const CpuCode> codes, bool (*runs)(std::string_view isa),
                               const char* forced);

/// choose_cpu_code of this program on this machine; the environment's KILN_ISA forces one.
const CpuCode& best_cpu_code();

}  // namespace kiln
