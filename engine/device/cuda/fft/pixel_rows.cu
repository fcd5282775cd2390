// SPDX-License-Identifier: MIT
// Rows of pictures of four channels: the two halves of a pixel, (r, g) and (b, a), are two lines.
#include "engine/device/cuda/fft/kernel.cuh"

KILN_BEGIN

FftVariants fft_pixel_row_variants() {
  return variants_of<
      Entry<Radices<8, 8, 8>,
            FftLayout{.threads = 64, .side_by_side = 2, .groups = 2, .resident = 4, .step = 2},
            one_way>,
      Entry<Radices<8, 8, 16>,
            FftLayout{.threads = 64, .side_by_side = 2, .groups = 2, .resident = 4, .step = 2},
            one_way>,
      Entry<Radices<8, 16, 16>,
            FftLayout{.threads = 128, .side_by_side = 2, .resident = 4, .step = 2}, one_way>,
      Entry<Radices<16, 16, 16>,
            FftLayout{.threads = 256, .side_by_side = 2, .resident = 2, .step = 2}, one_way,
            forward_use, one_way>,
      Entry<Radices<32, 16, 16>, FftLayout{.threads = 256, .side_by_side = 2, .step = 2}, one_way,
            one_way, one_way>,
      Entry<Radices<8, 12, 12>,
            FftLayout{.threads = 48, .side_by_side = 2, .groups = 2, .resident = 3, .step = 2},
            one_way>,
      Entry<Radices<16, 12, 12>,
            FftLayout{.threads = 192, .side_by_side = 2, .resident = 2, .step = 2}, one_way>,
      Entry<Radices<8, 24, 24>,
            FftLayout{.threads = 192, .side_by_side = 2, .resident = 2, .step = 2}, one_way>>();
}

KILN_END
