#include "tests/parity/fft_emulation.h"

// after it: threads are emulated
#include "engine/device/cuda/fft/thread.cuh"

namespace kiln::test {
namespace {

TEST(FftEmulation, ColumnsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 4, 1, 2>>(*device);
  check_shape<FftShape<Radices<8, 16, 16>, 64, 4, 1, 2>>(*device);
  check_shape<FftShape<Radices<8, 12, 12>, 32, 4, 1, 2>>(*device);  // threads with unequal shares
  check_shape<FftShape<Radices<16, 12, 12>, 48, 2, 1, 2>>(*device);
  check_shape<FftShape<Radices<8, 24, 24>, 192, 2, 1, 2>>(*device);
  // within warps: more points of a first butterfly than lanes, and two groups
  check_shape<FftShape<Radices<32, 16, 16>, 256, 2, 1, 1>>(*device);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 4, 2, 1>>(*device);
  check_shape<FftShape<Radices<32, 32>, 32, 8, 1, 2>>(*device, 32);
  check_shape<FftShape<Radices<32, 32>, 32, 4, 1, 2>>(*device, 32);
  check_shape<FftShape<Radices<16, 16>, 16, 8, 1, 2, 0, 1, true>>(*device);
  check_shape<FftShape<Radices<8, 12, 12>, 48, 4, 1, 2, 0, 1, true>>(*device);
}

TEST(FftEmulation, PairsOfColumnsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<FftShape<Radices<8, 8>, 8, 8, 2, 4, 0, 1, false, 2>>(*device);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 4, 1, 2, 0, 1, false, 2>>(*device);
  check_shape<FftShape<Radices<8, 12, 12>, 48, 4, 1, 2, 0, 1, false, 2>>(*device);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 2, 1, 2, 0, 1, false, 2, false>>(*device);
}

}  // namespace
}  // namespace kiln::test
