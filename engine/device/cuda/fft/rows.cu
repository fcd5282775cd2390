// SPDX-License-Identifier: MIT
// Lines whose points are neighbors in memory.
#include "engine/device/cuda/fft/kernel.cuh"

KILN_BEGIN

FftVariants fft_row_variants() {
  return variants_of<
      Entry<Radices<8, 8, 8>, FftLayout{.threads = 64, .groups = 2, .resident = 8, .step = 1},
            any_use, any_use, any_use>,
      Entry<Radices<8, 8, 16>, FftLayout{.threads = 128, .groups = 2, .resident = 4, .step = 1},
            forward_use, 0, 0, small_jobs>,
      Entry<Radices<8, 8, 16>, FftLayout{.threads = 64, .groups = 2, .resident = 8, .step = 1},
            any_use, one_way, one_way>,
      Entry<Radices<8, 16, 16>, FftLayout{.threads = 128, .groups = 2, .resident = 4, .step = 1},
            any_use, one_way, one_way>,
      Entry<Radices<16, 16, 16>, FftLayout{.threads = 256, .resident = 4, .step = 1}, any_use,
            any_use, any_use>,
      Entry<Radices<32, 16, 16>, FftLayout{.threads = 256, .resident = 2, .step = 1}, any_use,
            any_use, any_use>,
      Entry<Radices<32, 32, 16>, FftLayout{.threads = 512, .step = 1}, forward_use | there_and_back,
            any_use, any_use>,
      // 35 KB of shared memory, for GPUs whose blocks get less than 139
      Entry<Radices<32, 32, 16>, FftLayout{.threads = 512, .step = 1, .parts = 4}, any_use, 0,
            any_use>,
      Entry<Radices<8, 12, 12>, FftLayout{.threads = 48, .groups = 4, .resident = 3, .step = 1},
            forward_use>,
      Entry<Radices<16, 12, 12>, FftLayout{.threads = 192, .resident = 5, .step = 1}, forward_use>,
      Entry<Radices<8, 24, 24>, FftLayout{.threads = 192, .resident = 3, .step = 1},
            forward_use>>();
}

KILN_END
