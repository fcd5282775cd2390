// Columns of 2048 points and more.
#include "engine/device/cuda_fft.cuh"

namespace kiln {

FftVariants fft_tall_column_variants() {
  return variants_of<
      Used<7, FftShape<Radices<8, 16, 16>, 128, 8, 1, 1>>,
      Used<4, FftShape<Radices<8, 16, 16>, 128, 4, 1, 2>>,
      Used<7, FftShape<Radices<16, 16, 16>, 128, 4, 1, 1>>,
      Used<4, FftShape<Radices<16, 16, 16>, 256, 4, 1, 1>>,
      Used<4, FftShape<Radices<8, 12, 24>, 96, 4, 1, 2>>,
      Used<4, FftShape<Radices<8, 12, 24>, 96, 8, 1, 1>>,
      Used<4, FftShape<Radices<8, 24, 24>, 192, 4, 1, 1>>>();
}

}  // namespace kiln
