// SPDX-License-Identifier: MIT
#include "tests/parity/fft_emulation.h"

namespace kiln::test {
namespace {

TEST(FftEmulation, PictureRowsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<
      FftShape<Radices<8, 8, 16>,
               FftLayout{.threads = 64, .side_by_side = 2, .groups = 2, .resident = 4, .step = 2}>>(
      *device);
  check_shape<
      FftShape<Radices<8, 12, 12>,
               FftLayout{.threads = 48, .side_by_side = 2, .groups = 2, .resident = 3, .step = 2}>>(
      *device);
  check_shape<FftShape<Radices<16, 12, 12>,
                       FftLayout{.threads = 192, .side_by_side = 2, .resident = 2, .step = 2}>>(
      *device);
  check_shape<FftShape<Radices<8, 24, 24>,
                       FftLayout{.threads = 192, .side_by_side = 2, .resident = 2, .step = 2}>>(
      *device);
}

}  // namespace
}  // namespace kiln::test
