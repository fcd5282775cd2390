// Memory of the CPU device.
#pragma once

#include <cstddef>
#include <memory>

namespace kiln {

struct AlignedFree {
  std::size_t mapped = 0;  // bytes from the system; 0: of the heap
  void operator()(void* memory) const;
};
using AlignedMemory = std::unique_ptr<void, AlignedFree>;

constexpr std::size_t huge_page = std::size_t(2) << 20;

/// 64-byte aligned. Large blocks lie on huge pages where the machine has them: records and sums are
/// touched all over, and 4 KB pages would miss the TLB at every record. They come from the system and
/// go back to it: in the heap they would stay wherever something small lies behind them. Throws
/// std::bad_alloc.
AlignedMemory aligned_memory(std::size_t bytes);

}  // namespace kiln
