// SPDX-License-Identifier: MIT
// Columns with several products and one inverse: twice the registers a point.
#include "engine/device/cuda/fft/kernel.cuh"

KILN_BEGIN

FftVariants fft_sum_variants() {
  return variants_of<
      Entry<Radices<8, 8, 8>,
            FftLayout{.threads = 64, .side_by_side = 4, .resident = 2, .sum = true},
            there_and_back>,
      Entry<Radices<8, 8, 16>,
            FftLayout{.threads = 64, .side_by_side = 4, .resident = 2, .sum = true},
            there_and_back>,
      Entry<Radices<8, 16, 16>, FftLayout{.threads = 128, .side_by_side = 4, .sum = true},
            there_and_back>,
      Entry<Radices<16, 16, 16>, FftLayout{.threads = 256, .side_by_side = 2, .sum = true},
            there_and_back>,
      Entry<Radices<8, 12, 12>,
            FftLayout{.threads = 48, .side_by_side = 4, .resident = 2, .sum = true},
            there_and_back>,
      Entry<Radices<16, 12, 12>, FftLayout{.threads = 192, .side_by_side = 2, .sum = true},
            there_and_back>,
      Entry<Radices<8, 24, 24>, FftLayout{.threads = 192, .side_by_side = 2, .sum = true},
            there_and_back>>();
}

KILN_END
