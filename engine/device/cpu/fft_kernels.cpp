// SPDX-License-Identifier: MIT
// Compiled once per instruction set (KILN_ISA = v2, v3, v4), like cpu/kernels.cpp.
#include "engine/device/cpu/kernels.h"
#include "kernels/fft_block_cpu.h"

KILN_BEGIN

const FftLines& fft_job(const void* job) { return *static_cast<const FftLines*>(job); }
std::size_t fft_scratch_bytes(const void* job) {
  return std::size_t(FftBlockCpu::scratch_points(fft_job(job))) * sizeof(LanePoint);
}
int fft_blocks(const void* job) { return FftBlockCpu::blocks(fft_job(job)); }
void fft_run(const void* job, int first, int last, void* scratch) {
  FftBlockCpu block(fft_job(job), static_cast<LanePoint*>(scratch));
  for (int index = first; index < last; ++index) block.run(index);
}

KILN_END

namespace kiln {

const CpuFft& KILN_OF_ISA(cpu_fft_)() {
  static constexpr CpuFft fft{&fft_scratch_bytes, &fft_blocks, &fft_run};
  return fft;
}

}  // namespace kiln
