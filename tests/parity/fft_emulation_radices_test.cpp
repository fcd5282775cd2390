#include "tests/parity/fft_emulation.h"

namespace kiln::test {
namespace {

TEST(FftEmulation, ForcedRadices) {
  const auto device = open_cpu(1);
  check_shape<FftShape<Radices<2, 2, 2, 2, 2, 2, 2, 2, 2, 2>, 64, 1, 1, 2>>(*device, 2);
  check_shape<FftShape<Radices<2, 8, 8, 8>, 64, 1, 1, 2>>(*device, 8);
  check_shape<FftShape<Radices<16, 64>, 16, 1, 4, 1>>(*device, 64);
  check_shape<FftShape<Radices<4, 32, 32>, 128, 1, 1, 1>>(*device, 32);
}

}  // namespace
}  // namespace kiln::test
