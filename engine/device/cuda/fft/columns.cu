// SPDX-License-Identifier: MIT
// Lines whose first points are neighbors: columns of pictures and of long lines.
#include "engine/device/cuda/fft/kernel.cuh"

KILN_BEGIN

FftVariants fft_column_variants() {
  return variants_of<
      // of long lines
      Entry<Radices<8, 8>, FftLayout{.threads = 8, .side_by_side = 16, .groups = 2, .resident = 4},
            one_way, one_way, one_way>,
      Entry<Radices<16, 16>, FftLayout{.threads = 8, .side_by_side = 16, .resident = 4}, one_way, 0,
            one_way, far_apart>,
      Entry<Radices<16, 16>, FftLayout{.threads = 16, .side_by_side = 16, .resident = 4}, one_way>,
      Entry<Radices<8, 8, 16>, FftLayout{.threads = 32, .side_by_side = 16}, one_way, one_way,
            one_way, far_apart>,
      // of complex pictures, and of the estimator's kernels
      Entry<Radices<8, 8, 8>, FftLayout{.threads = 32, .side_by_side = 16, .resident = 2},
            forward_use, 0, forward_use>,
      Entry<Radices<8, 8, 16>, FftLayout{.threads = 128, .side_by_side = 4, .resident = 2},
            forward_use, 0, 0, small_jobs>,
      Entry<Radices<8, 8, 16>, FftLayout{.threads = 32, .side_by_side = 8, .resident = 2},
            forward_use, forward_use, forward_use>,
      Entry<Radices<8, 16, 16>, FftLayout{.threads = 128, .side_by_side = 8}, forward_use,
            forward_use, forward_use>,
      Entry<Radices<16, 16, 16>,
            FftLayout{.threads = 128, .side_by_side = 4, .within_warps = false}, forward_use, 0,
            forward_use>,
      Entry<Radices<8, 12, 12>, FftLayout{.threads = 48, .side_by_side = 8, .resident = 2},
            forward_use>,
      Entry<Radices<16, 12, 12>, FftLayout{.threads = 192, .side_by_side = 4}, forward_use>,
      Entry<Radices<8, 24, 24>, FftLayout{.threads = 192, .side_by_side = 4}, forward_use>,
      // of convolutions
      Entry<Radices<8, 8, 8>, FftLayout{.threads = 64, .side_by_side = 8, .resident = 2},
            there_and_back>,
      Entry<Radices<32, 32>, FftLayout{.threads = 32, .side_by_side = 8, .resident = 2},
            there_and_back>,
      Entry<Radices<8, 12, 12>,
            FftLayout{.threads = 48, .side_by_side = 4, .resident = 2, .carried = 2},
            there_and_back>,
      Entry<Radices<8, 16, 16>,
            FftLayout{.threads = 128, .side_by_side = 2, .resident = 2, .carried = 2},
            there_and_back, there_and_back, there_and_back, tiles>,
      Entry<Radices<8, 16, 16>, FftLayout{.threads = 128, .side_by_side = 4, .carried = 2},
            there_and_back, there_and_back>,
      Entry<Radices<16, 12, 12>, FftLayout{.threads = 48, .side_by_side = 4, .resident = 2},
            there_and_back>,
      Entry<Radices<16, 16, 16>,
            FftLayout{.threads = 256, .side_by_side = 2, .carried = 2, .within_warps = false},
            there_and_back, there_and_back, there_and_back>,
      Entry<Radices<8, 24, 24>, FftLayout{.threads = 96, .side_by_side = 4, .within_warps = false},
            there_and_back, there_and_back, there_and_back>,
      // too long for AnyLine's shared memory
      Entry<Radices<32, 16, 16>, FftLayout{.threads = 256, .side_by_side = 2},
            forward_use | there_and_back>,
      Entry<Radices<32, 32, 16>, FftLayout{.threads = 512, .parts = 4}, any_use>>();
}

KILN_END
