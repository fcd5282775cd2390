// Runs the blocks of a kernel on the CPU. For the files that are compiled once per instruction set:
// only kernels and plain data in here.
#pragma once

#include "engine/device/cpu/kernels.h"
#include "kernels/block.h"
#include "kernels/kernels.h"
#include "kernels/pool_block_cpu.h"
#include "kernels/tile_block_cpu.h"

KILN_BEGIN

template <class Kernel>
void run_kernel(const void* arguments, int first, int last, const CpuWorker& worker) {
  Kernel kernel;
  __builtin_memcpy(static_cast<void*>(&kernel), arguments, sizeof kernel);
  for (int index = first; index < last; ++index) {
    if constexpr (PlaysChaosGame<Kernel>) {
      CpuPoolShared& shared = *static_cast<CpuPoolShared*>(worker.scratch);
      CpuPoolBlock block(index, shared, worker.bins);
      kernel(block, shared);
    } else {
      auto& shared = *static_cast<typename Kernel::Shared*>(worker.scratch);
      if constexpr (SumsRecords<Kernel>) {
        CpuTileBlock block{index, worker.all_bins, worker.worker_count};
        kernel(block, shared);
      } else {
        CpuBlock<Kernel::lanes> block{index};
        kernel(block, shared);
      }
    }
  }
}

template <class... Ks>
void run_listed(KernelList<Ks...>, int kernel, const void* arguments, int first, int last,
                const CpuWorker& worker) {
  using Run = void (*)(const void*, int, int, const CpuWorker&);
  static constexpr Run table[] = {&run_kernel<Ks>...};
  table[kernel](arguments, first, last, worker);
}

/// Kernels of WideKernels by their place in it (engine/device/cpu/wide_kernels.cpp).
void run_wide_by_number(int kernel, const void* arguments, int first, int last,
                        const CpuWorker& worker);

KILN_END
