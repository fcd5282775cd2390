// Lines whose first points are neighbours: columns of pictures and of long lines.
#include "engine/device/cuda_fft.cuh"

namespace kiln {

FftVariants fft_column_variants() {
  return variants_of<
      Entry<FftShape<Radices<8, 8>, 8, 16, 2, 4>, any_use, one_way>,
      Entry<FftShape<Radices<8, 16>, 8, 16, 2, 4>, any_use>,
      Entry<FftShape<Radices<16, 16>, 16, 16, 1, 4>, any_use>,
      Entry<FftShape<Radices<8, 8, 8>, 64, 8, 1, 2>, any_use>,
      Entry<FftShape<Radices<8, 8, 16>, 64, 8, 1, 2>, any_use>,
      Entry<FftShape<Radices<8, 16, 16>, 128, 8, 1, 1>, any_use, forward_use | there_and_back>,
      Entry<FftShape<Radices<16, 16, 16>, 128, 4, 1, 1>, any_use, there_and_back>,
      Entry<FftShape<Radices<32, 16, 16>, 256, 2, 1, 1>, any_use>,
      Entry<FftShape<Radices<32, 32, 16>, 512, 1, 1, 1>, any_use>,
      Entry<FftShape<Radices<32, 32, 16>, 512, 1, 1, 1, 0, 4>, any_use>,
      Entry<FftShape<Radices<8, 12, 12>, 48, 8, 1, 2>, any_use>,
      Entry<FftShape<Radices<16, 12, 12>, 192, 4, 1, 1>, any_use>,
      Entry<FftShape<Radices<8, 24, 24>, 192, 4, 1, 1>, any_use>>();
}

}  // namespace kiln
