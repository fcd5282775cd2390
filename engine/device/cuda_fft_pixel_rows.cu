// Rows of pictures of four channels: the two halves of a pixel, (r, g) and (b, a), are two lines.
#include "engine/device/cuda_fft.cuh"

namespace kiln {

FftVariants fft_pixel_row_variants() {
  return variants_of<
      Used<3, FftShape<Radices<8, 16, 16>, 128, 2, 1, 4, 2>>,
      Used<3, FftShape<Radices<16, 16, 16>, 256, 2, 1, 2, 2>>,
      Used<3, FftShape<Radices<32, 16, 16>, 256, 2, 1, 1, 2>>>();
}

}  // namespace kiln
