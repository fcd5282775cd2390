// SPDX-License-Identifier: MIT
// Compiled once per instruction set (KILN_ISA = v2, v3, v4; neon). Only kernels and plain data in here:
// nothing of the standard library may be instantiated with instructions that another machine lacks.
#include "engine/device/cpu/kernels.h"

#include "kernels/block.h"
#include "kernels/kernels.h"
#include "kernels/tile_block_cpu.h"

KILN_BEGIN

template <class... Ks>
constexpr std::size_t largest_shared(KernelList<Ks...>) {
  std::size_t largest = sizeof(AccumulateTiles::Shared);
  ((largest = largest > sizeof(typename Ks::Shared) ? largest : sizeof(typename Ks::Shared)), ...);
  return largest;
}

template <class Kernel>
void run_kernel(const void* arguments, int first, int last, void* scratch) {
  Kernel kernel;
  __builtin_memcpy(static_cast<void*>(&kernel), arguments, sizeof kernel);
  for (int index = first; index < last; ++index) {
    CpuBlock<Kernel::lanes> block{index};
    kernel(block, *static_cast<typename Kernel::Shared*>(scratch));
  }
}

template <class... Ks>
void run_listed(KernelList<Ks...>, int kernel, const void* arguments, int first, int last,
                void* scratch) {
  using Run = void (*)(const void*, int, int, void*);
  static constexpr Run table[] = {&run_kernel<Ks>...};
  table[kernel](arguments, first, last, scratch);
}

void run_by_number(int kernel, const void* arguments, int first, int last, void* scratch) {
  run_listed(Kernels{}, kernel, arguments, first, last, scratch);
}

template <bool is_shared>
void add_tiles_of(const void* arguments, int first, int last, void* scratch, Bins* bins,
                  int worker_count) {
  AccumulateTiles sums;
  __builtin_memcpy(static_cast<void*>(&sums), arguments, sizeof sums);
  for (int index = first; index < last; ++index) {
    CpuTileBlock<is_shared> block{index, bins, worker_count};
    if (block.is_empty()) continue;
    sums(block, *static_cast<AccumulateTiles::Shared*>(scratch));
  }
}
void add_tiles(const void* arguments, int first, int last, void* scratch, Bins* bins,
               int worker_count, bool is_shared) {
  const auto add = is_shared ? &add_tiles_of<true> : &add_tiles_of<false>;
  add(arguments, first, last, scratch, bins, worker_count);
}

KILN_END

#define KILN_TEXT2(x) #x
#define KILN_TEXT(x) KILN_TEXT2(x)

namespace kiln {

const CpuKernels& KILN_OF_ISA(cpu_kernels_)() {
  static constexpr CpuKernels kernels{KILN_CPU_FAMILY "-" KILN_TEXT(KILN_ISA),
                                      largest_shared(Kernels{}), &run_by_number, &add_tiles};
  return kernels;
}

}  // namespace kiln
