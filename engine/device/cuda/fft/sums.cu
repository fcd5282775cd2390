// Columns with several products and one inverse: twice the registers a point.
#include "engine/device/cuda/fft/kernel.cuh"

KILN_BEGIN

FftVariants fft_sum_variants() {
  return variants_of<
      Entry<FftShape<Radices<8, 8, 8>, 64, 4, 1, 2, 0, 1, true>, there_and_back>,
      Entry<FftShape<Radices<8, 8, 16>, 64, 4, 1, 2, 0, 1, true>, there_and_back>,
      Entry<FftShape<Radices<8, 16, 16>, 128, 4, 1, 1, 0, 1, true>, there_and_back>,
      Entry<FftShape<Radices<16, 16, 16>, 256, 2, 1, 1, 0, 1, true>, there_and_back>,
      Entry<FftShape<Radices<8, 12, 12>, 48, 4, 1, 2, 0, 1, true>, there_and_back>,
      Entry<FftShape<Radices<16, 12, 12>, 192, 2, 1, 1, 0, 1, true>, there_and_back>,
      Entry<FftShape<Radices<8, 24, 24>, 192, 2, 1, 1, 0, 1, true>, there_and_back>>();
}

KILN_END
