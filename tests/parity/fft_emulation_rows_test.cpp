// SPDX-License-Identifier: MIT
#include "tests/parity/fft_emulation.h"

namespace kiln::test {
namespace {

TEST(FftEmulation, RowsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<
      FftShape<Radices<8, 8>, FftLayout{.threads = 8, .groups = 8, .resident = 4, .step = 1}>>(
      *device);
  check_shape<
      FftShape<Radices<8, 16>, FftLayout{.threads = 8, .groups = 8, .resident = 4, .step = 1}>>(
      *device);
  check_shape<
      FftShape<Radices<16, 16>, FftLayout{.threads = 16, .groups = 4, .resident = 4, .step = 1}>>(
      *device);
  check_shape<
      FftShape<Radices<8, 8, 8>, FftLayout{.threads = 64, .groups = 2, .resident = 4, .step = 1}>>(
      *device);
  check_shape<
      FftShape<Radices<8, 8, 16>,
               FftLayout{.threads = 64, .groups = 2, .resident = 3, .step = 1, .parts = 2}>>(
      *device);
  check_shape<FftShape<Radices<8, 16, 16>, FftLayout{.threads = 128, .resident = 4, .step = 1}>>(
      *device);
  check_shape<FftShape<Radices<16, 16, 16>, FftLayout{.threads = 256, .resident = 4, .step = 1}>>(
      *device);
  check_shape<FftShape<Radices<32, 16, 16>, FftLayout{.threads = 256, .resident = 2, .step = 1}>>(
      *device);
  check_shape<FftShape<Radices<32, 32, 16>, FftLayout{.threads = 512, .step = 1, .parts = 4}>>(
      *device);
}

}  // namespace
}  // namespace kiln::test
