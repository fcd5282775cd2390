// Lines whose points are neighbours in memory.
#include "engine/device/cuda_fft.cuh"

namespace kiln {

FftVariants fft_row_variants() {
  return variants_of<
      Used<5, FftShape<Radices<8, 8, 8>, 64, 1, 2, 8, 1>>,
      Used<5, FftShape<Radices<8, 8, 8>, 32, 1, 4, 8, 1>>,
      Used<5, FftShape<Radices<8, 8, 16>, 64, 1, 2, 8, 1>>,
      Used<5, FftShape<Radices<32, 32>, 32, 1, 4, 4, 1>>,
      Used<5, FftShape<Radices<8, 16, 16>, 128, 1, 2, 4, 1>>,
      Used<5, FftShape<Radices<16, 16, 16>, 256, 1, 1, 4, 1>>,
      Used<5, FftShape<Radices<32, 16, 16>, 256, 1, 1, 2, 1>>,
      Used<5, FftShape<Radices<32, 32, 16>, 512, 1, 1, 1, 1>>,
      Used<1, FftShape<Radices<32, 32, 16>, 512, 1, 1, 1, 1, 4>>>();
}

}  // namespace kiln
