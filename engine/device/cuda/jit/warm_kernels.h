// SPDX-License-Identifier: MIT
// Kernels of flames brought into the disk cache before anybody renders them (`kiln warm`).
#pragma once

#include <optional>

#include "engine/program/compiled_flame.h"

namespace kiln {

struct WarmedKernel {
  bool was_there = false;  // in the cache
  double seconds = 0;
};

/// The kernel of a flame of this structure, still or moving, for GPUs of compute capability `arch`
/// (90). Needs NVRTC, no GPU. Nothing where the flame gets no kernel of its own. Throws Error
/// (device) if it cannot be compiled or kept.
std::optional<WarmedKernel> warm_kernel(const CompiledFlame& flame, bool moving, int arch);

}  // namespace kiln
