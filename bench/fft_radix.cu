// One radix for all passes, as far as the length allows: what `fft_bench --radix` compares.
#include "bench/fft_radix.h"
#include "engine/device/cuda/fft/kernel.cuh"

KILN_BEGIN

void use_radix_kernels() {
  more_fft_variants() = variants_of<
      Entry<FftShape<Radices<2, 2, 2, 2, 2, 2, 2, 2, 2, 2>, 64, 1, 4, 2>, any_use>,         //
      Entry<FftShape<Radices<4, 4, 4, 4, 4>, 64, 1, 4, 2>, any_use>,                        //
      Entry<FftShape<Radices<2, 8, 8, 8>, 64, 1, 4, 2>, any_use>,                           //
      Entry<FftShape<Radices<4, 16, 16>, 64, 1, 4, 2>, any_use>,                            //
      Entry<FftShape<Radices<32, 32>, 32, 1, 8, 1>, any_use>,                               //
      Entry<FftShape<Radices<16, 64>, 16, 1, 8, 1>, any_use>,                               //
      Entry<FftShape<Radices<2, 2, 2, 2, 2, 2, 2, 2, 2, 2>, 64, 8, 1, 1>, any_use>,         //
      Entry<FftShape<Radices<4, 4, 4, 4, 4>, 64, 8, 1, 1>, any_use>,                        //
      Entry<FftShape<Radices<2, 8, 8, 8>, 64, 8, 1, 1>, any_use>,                           //
      Entry<FftShape<Radices<4, 16, 16>, 64, 8, 1, 1>, any_use>,                            //
      Entry<FftShape<Radices<16, 64>, 16, 8, 1, 1>, any_use>,                               //
      Entry<FftShape<Radices<2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2>, 256, 1, 1, 2>, any_use>,  //
      Entry<FftShape<Radices<4, 4, 4, 4, 4, 4>, 256, 1, 1, 2>, any_use>,                    //
      Entry<FftShape<Radices<8, 8, 8, 8>, 256, 1, 1, 2>, any_use>,                          //
      Entry<FftShape<Radices<4, 32, 32>, 128, 1, 2, 1>, any_use>,                           //
      Entry<FftShape<Radices<64, 64>, 64, 1, 2, 1>, any_use>>();
}

KILN_END
