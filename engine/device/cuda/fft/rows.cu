// Lines whose points are neighbours in memory.
#include "engine/device/cuda/fft/kernel.cuh"

KILN_BEGIN

FftVariants fft_row_variants() {
  // Radices, threads a line, lines side by side, groups, resident blocks, step, parts
  return variants_of<
      Entry<FftShape<Radices<8, 8, 8>, 64, 1, 2, 8, 1>, any_use, any_use, any_use>,
      Entry<FftShape<Radices<8, 8, 16>, 128, 1, 2, 4, 1>, forward_use, 0, 0, small_jobs>,
      Entry<FftShape<Radices<8, 8, 16>, 64, 1, 2, 8, 1>, any_use, one_way, one_way>,
      Entry<FftShape<Radices<8, 16, 16>, 128, 1, 2, 4, 1>, any_use, one_way, one_way>,
      Entry<FftShape<Radices<16, 16, 16>, 256, 1, 1, 4, 1>, any_use, any_use, any_use>,
      Entry<FftShape<Radices<32, 16, 16>, 256, 1, 1, 2, 1>, any_use, any_use, any_use>,
      Entry<FftShape<Radices<32, 32, 16>, 512, 1, 1, 1, 1>, forward_use | there_and_back, any_use,
            any_use>,
      // 35 KB of shared memory, for GPUs whose blocks get less than 139
      Entry<FftShape<Radices<32, 32, 16>, 512, 1, 1, 1, 1, 4>, any_use, 0, any_use>,
      Entry<FftShape<Radices<8, 12, 12>, 48, 1, 4, 3, 1>, forward_use>,
      Entry<FftShape<Radices<16, 12, 12>, 192, 1, 1, 5, 1>, forward_use>,
      Entry<FftShape<Radices<8, 24, 24>, 192, 1, 1, 3, 1>, forward_use>>();
}

KILN_END
