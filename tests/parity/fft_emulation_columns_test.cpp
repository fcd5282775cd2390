// SPDX-License-Identifier: MIT
#include "tests/parity/fft_emulation.h"

// after it: threads are emulated
#include "engine/device/cuda/fft/thread.cuh"

namespace kiln::test {
namespace {

TEST(FftEmulation, ColumnsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<
      FftShape<Radices<8, 8, 16>, FftLayout{.threads = 64, .side_by_side = 4, .resident = 2}>>(
      *device);
  check_shape<
      FftShape<Radices<8, 16, 16>, FftLayout{.threads = 64, .side_by_side = 4, .resident = 2}>>(
      *device);
  check_shape<
      FftShape<Radices<8, 12, 12>, FftLayout{.threads = 32, .side_by_side = 4, .resident = 2}>>(
      *device);  // threads with unequal shares
  check_shape<
      FftShape<Radices<16, 12, 12>, FftLayout{.threads = 48, .side_by_side = 2, .resident = 2}>>(
      *device);
  check_shape<
      FftShape<Radices<8, 24, 24>, FftLayout{.threads = 192, .side_by_side = 2, .resident = 2}>>(
      *device);
  // within warps: more points of a first butterfly than lanes, and two groups
  check_shape<FftShape<Radices<32, 16, 16>, FftLayout{.threads = 256, .side_by_side = 2}>>(*device);
  check_shape<
      FftShape<Radices<8, 8, 16>, FftLayout{.threads = 64, .side_by_side = 4, .groups = 2}>>(
      *device);
  check_shape<
      FftShape<Radices<32, 32>, FftLayout{.threads = 32, .side_by_side = 8, .resident = 2}>>(
      *device, 32);
  check_shape<
      FftShape<Radices<32, 32>, FftLayout{.threads = 32, .side_by_side = 4, .resident = 2}>>(
      *device, 32);
  check_shape<FftShape<Radices<16, 16>,
                       FftLayout{.threads = 16, .side_by_side = 8, .resident = 2, .sum = true}>>(
      *device);
  check_shape<FftShape<Radices<8, 12, 12>,
                       FftLayout{.threads = 48, .side_by_side = 4, .resident = 2, .sum = true}>>(
      *device);
}

TEST(FftEmulation, PairsOfColumnsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<FftShape<
      Radices<8, 8>,
      FftLayout{.threads = 8, .side_by_side = 8, .groups = 2, .resident = 4, .carried = 2}>>(
      *device);
  check_shape<FftShape<Radices<8, 8, 16>,
                       FftLayout{.threads = 64, .side_by_side = 4, .resident = 2, .carried = 2}>>(
      *device);
  check_shape<FftShape<Radices<8, 12, 12>,
                       FftLayout{.threads = 48, .side_by_side = 4, .resident = 2, .carried = 2}>>(
      *device);
  check_shape<FftShape<
      Radices<8, 8, 16>,
      FftLayout{
          .threads = 64, .side_by_side = 2, .resident = 2, .carried = 2, .within_warps = false}>>(
      *device);
}

}  // namespace
}  // namespace kiln::test
