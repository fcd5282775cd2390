// The divergent reference (kernels/divergent.h) on the CPU, compiled once per instruction set.
#pragma once

#include "engine/device/cpu/kernels.h"

namespace kiln {

struct CpuDivergent {
  std::size_t scratch_bytes;  // of a worker
  /// Runs units [first, last) of the ChaosGame at `game`: warms them up or records their samples.
  void (*warm_up)(const void* game, int first, int last, const CpuWorker& worker);
  void (*iterate)(const void* game, int first, int last, const CpuWorker& worker);
};

}  // namespace kiln
