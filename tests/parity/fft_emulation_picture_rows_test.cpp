#include "tests/parity/fft_emulation.h"

namespace kiln::test {
namespace {

TEST(FftEmulation, PictureRowsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 2, 2, 4, 2>>(*device);
  check_shape<FftShape<Radices<8, 12, 12>, 48, 2, 2, 3, 2>>(*device);
  check_shape<FftShape<Radices<16, 12, 12>, 192, 2, 1, 2, 2>>(*device);
  check_shape<FftShape<Radices<8, 24, 24>, 192, 2, 1, 2, 2>>(*device);
}

}  // namespace
}  // namespace kiln::test
