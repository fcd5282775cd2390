// SPDX-License-Identifier: MIT
// The CPU device's side of the kernels: the same functions compiled for several instruction sets,
// chosen at start.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/bins.h"

namespace kiln {

/// The kernels of kernels/kernels.h. `scratch`: a worker's, at least scratch_bytes, 64-byte aligned.
struct CpuKernels {
  const char* name;  // "x86-64-v3", "arm64-neon"
  std::size_t scratch_bytes;
  /// Runs blocks [first, last) of kernel number `kernel`, whose bytes are at `arguments`.
  void (*run)(int kernel, const void* arguments, int first, int last, void* scratch);
  /// Sums tiles [first, last) of the AccumulateTiles at `sums` from the bins of so many workers. `is_shared`: others
  /// sum the same tiles from bins of other workers meanwhile.
  void (*add_tiles)(const void* sums, int first, int last, void* scratch, Bins* bins,
                    int worker_count, bool is_shared);
};

/// Points of the chaos game, as many as there is room for.
struct PointList {
  float* points;          // [room][4] x y z color
  std::uint16_t* xforms;  // [room] whose image each is
  std::uint32_t room, count;
  // [room][4] x y before the xform and after it, also of invisible xforms; of a steered game the first is the point's
  // light (kernels/steering.h). Null: not wanted
  float* ways = nullptr;
};

/// The chaos game with one kind of code. The first two run units [first, last) of the ChaosGame at `game`;
/// what they record goes to the worker's bins.
struct CpuGameKernels {
  std::size_t scratch_bytes;  // of a worker
  void (*warm_up)(const void* game, int first, int last, void* scratch, Bins* bins);
  void (*iterate)(const void* game, int first, int last, void* scratch, Bins* bins);
  /// Goes on with one unit and adds its points to the list, until either is complete (points_block.h); null:
  /// this code gives none.
  void (*points)(const void* game, int unit, PointList* list, void* scratch) = nullptr;
};

/// The FFT. `job` points to an FftLines (kernels/fft.h).
struct CpuFft {
  std::size_t (*scratch_bytes)(const void* job);  // of one thread, 64-byte aligned
  int (*blocks)(const void* job);
  void (*run)(const void* job, int first, int last, void* scratch);
};

}  // namespace kiln
