// SPDX-License-Identifier: MIT
#include "tests/parity/fft_emulation.h"

namespace kiln::test {
namespace {

TEST(FftEmulation, ForcedRadices) {
  const auto device = open_cpu(1);
  check_shape<
      FftShape<Radices<2, 2, 2, 2, 2, 2, 2, 2, 2, 2>, FftLayout{.threads = 64, .resident = 2}>>(
      *device, 2);
  check_shape<FftShape<Radices<2, 8, 8, 8>, FftLayout{.threads = 64, .resident = 2}>>(*device, 8);
  check_shape<FftShape<Radices<16, 64>, FftLayout{.threads = 16, .groups = 4}>>(*device, 64);
  check_shape<FftShape<Radices<4, 32, 32>, FftLayout{.threads = 128}>>(*device, 32);
}

}  // namespace
}  // namespace kiln::test
