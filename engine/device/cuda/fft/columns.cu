// Lines whose first points are neighbours: columns of pictures and of long lines.
#include "engine/device/cuda/fft/kernel.cuh"

KILN_BEGIN

FftVariants fft_column_variants() {
  return variants_of<
      // of long lines
      Entry<FftShape<Radices<8, 8>, 8, 16, 2, 4>, one_way, one_way, one_way>,
      Entry<FftShape<Radices<16, 16>, 8, 16, 1, 4>, one_way, 0, one_way, far_apart>,
      Entry<FftShape<Radices<16, 16>, 16, 16, 1, 4>, one_way>,
      Entry<FftShape<Radices<8, 8, 16>, 32, 16, 1, 1>, one_way, one_way, one_way, far_apart>,
      // of complex pictures, and of the estimator's kernels
      Entry<FftShape<Radices<8, 8, 8>, 32, 16, 1, 2>, forward_use, 0, forward_use>,
      Entry<FftShape<Radices<8, 8, 16>, 128, 4, 1, 2>, forward_use, 0, 0, small_jobs>,
      Entry<FftShape<Radices<8, 8, 16>, 32, 8, 1, 2>, forward_use, forward_use, forward_use>,
      Entry<FftShape<Radices<8, 16, 16>, 128, 8, 1, 1>, forward_use, forward_use, forward_use>,
      Entry<FftWide<Radices<16, 16, 16>, 128, 4, 1, 1>, forward_use, 0, forward_use>,
      Entry<FftShape<Radices<8, 12, 12>, 48, 8, 1, 2>, forward_use>,
      Entry<FftShape<Radices<16, 12, 12>, 192, 4, 1, 1>, forward_use>,
      Entry<FftShape<Radices<8, 24, 24>, 192, 4, 1, 1>, forward_use>,
      // of convolutions
      Entry<FftShape<Radices<8, 8, 8>, 64, 8, 1, 2>, there_and_back>,
      Entry<FftShape<Radices<32, 32>, 32, 8, 1, 2>, there_and_back>,
      Entry<FftPairs<Radices<8, 12, 12>, 48, 4, 1, 2>, there_and_back>,
      Entry<FftPairs<Radices<8, 16, 16>, 128, 2, 1, 2>, there_and_back, there_and_back,
            there_and_back, tiles>,
      Entry<FftPairs<Radices<8, 16, 16>, 128, 4, 1, 1>, there_and_back, there_and_back>,
      Entry<FftShape<Radices<16, 12, 12>, 48, 4, 1, 2>, there_and_back>,
      Entry<FftPairs<Radices<16, 16, 16>, 256, 2, 1, 1, false>, there_and_back, there_and_back,
            there_and_back>,
      Entry<FftWide<Radices<8, 24, 24>, 96, 4, 1, 1>, there_and_back, there_and_back,
            there_and_back>,
      // too long for AnyLine's shared memory
      Entry<FftShape<Radices<32, 16, 16>, 256, 2, 1, 1>, forward_use | there_and_back>,
      Entry<FftShape<Radices<32, 32, 16>, 512, 1, 1, 1, 0, 4>, any_use>>();
}

KILN_END
