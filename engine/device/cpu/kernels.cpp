// Compiled once per instruction set (KILN_ISA = v2, v3, v4). Only kernels and plain data in here:
// nothing of the standard library may be instantiated with instructions that another machine lacks.
#include "engine/device/cpu/run_kernel.h"

KILN_BEGIN

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
  if (kernel < Kernels::size) return run_listed(Kernels{}, kernel, arguments, first, last, worker);
  run_wide_by_number(kernel - Kernels::size, arguments, first, last, worker);
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
