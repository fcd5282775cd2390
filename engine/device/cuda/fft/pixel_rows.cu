// Rows of pictures of four channels: the two halves of a pixel, (r, g) and (b, a), are two lines.
#include "engine/device/cuda/fft/kernel.cuh"

KILN_BEGIN

FftVariants fft_pixel_row_variants() {
  return variants_of<
      Entry<FftShape<Radices<8, 8, 8>, 64, 2, 2, 4, 2>, one_way>,
      Entry<FftShape<Radices<8, 8, 16>, 64, 2, 2, 4, 2>, one_way>,
      Entry<FftShape<Radices<8, 16, 16>, 128, 2, 1, 4, 2>, one_way>,
      Entry<FftShape<Radices<16, 16, 16>, 256, 2, 1, 2, 2>, one_way, forward_use, one_way>,
      Entry<FftShape<Radices<32, 16, 16>, 256, 2, 1, 1, 2>, one_way, one_way, one_way>,
      Entry<FftShape<Radices<8, 12, 12>, 48, 2, 2, 3, 2>, one_way>,
      Entry<FftShape<Radices<16, 12, 12>, 192, 2, 1, 2, 2>, one_way>,
      Entry<FftShape<Radices<8, 24, 24>, 192, 2, 1, 2, 2>, one_way>>();
}

KILN_END
