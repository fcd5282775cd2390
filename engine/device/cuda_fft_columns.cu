// Lines whose first points are neighbours: columns of pictures and of long lines.
#include "engine/device/cuda_fft.cuh"

namespace kiln {

FftVariants fft_column_variants() {
  return variants_of<
      Used<3, FftShape<Radices<8, 8>, 8, 16, 2, 4>>,
      Used<3, FftShape<Radices<8, 16>, 8, 16, 2, 4>>,
      Used<3, FftShape<Radices<16, 16>, 16, 16, 1, 4>>,
      Used<7, FftShape<Radices<8, 8, 16>, 64, 8, 1, 2>>,
      Used<5, FftShape<Radices<8, 8, 16>, 64, 16, 1, 1>>,
      Used<7, FftShape<Radices<32, 32>, 32, 8, 1, 2>>,
      Used<4, FftShape<Radices<8, 12, 12>, 48, 8, 1, 2>>>();
}

}  // namespace kiln
