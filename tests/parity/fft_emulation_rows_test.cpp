#include "tests/parity/fft_emulation.h"

namespace kiln::test {
namespace {

TEST(FftEmulation, RowsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<FftShape<Radices<8, 8>, 8, 1, 8, 4, 1>>(*device);
  check_shape<FftShape<Radices<8, 16>, 8, 1, 8, 4, 1>>(*device);
  check_shape<FftShape<Radices<16, 16>, 16, 1, 4, 4, 1>>(*device);
  check_shape<FftShape<Radices<8, 8, 8>, 64, 1, 2, 4, 1>>(*device);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 1, 2, 3, 1, 2>>(*device);
  check_shape<FftShape<Radices<8, 16, 16>, 128, 1, 1, 4, 1>>(*device);
  check_shape<FftShape<Radices<16, 16, 16>, 256, 1, 1, 4, 1>>(*device);
  check_shape<FftShape<Radices<32, 16, 16>, 256, 1, 1, 2, 1>>(*device);
  check_shape<FftShape<Radices<32, 32, 16>, 512, 1, 1, 1, 1, 4>>(*device);
}

}  // namespace
}  // namespace kiln::test
