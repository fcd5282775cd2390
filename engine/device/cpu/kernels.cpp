// Compiled once per instruction set (KILN_ISA = v2, v3, v4). Only kernels and plain data in here:
// nothing of the standard library may be instantiated with instructions that another machine lacks.
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

template <class K>
constexpr std::size_t shared_bytes() {
  if constexpr (PlaysChaosGame<K>) {
    return sizeof(CpuPoolShared);
  } else {
    return sizeof(typename K::Shared);
  }
}

template <class... Ks>
constexpr std::size_t largest_shared(KernelList<Ks...>) {
  std::size_t largest = 0;
  ((largest = largest > shared_bytes<Ks>() ? largest : shared_bytes<Ks>()), ...);
  return largest;
}

void run_by_number(int kernel, const void* arguments, int first, int last,
                   const CpuWorker& worker) {
  run_listed(Kernels{}, kernel, arguments, first, last, worker);
}

KILN_END

#define KILN_TEXT2(x) #x
#define KILN_TEXT(x) KILN_TEXT2(x)

namespace kiln {

const CpuKernels& KILN_OF_ISA(cpu_kernels_)() {
  static constexpr CpuKernels kernels{"x86-64-" KILN_TEXT(KILN_ISA), largest_shared(Kernels{}),
                                      &run_by_number};
  return kernels;
}

}  // namespace kiln
