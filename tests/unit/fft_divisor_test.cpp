// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <initializer_list>

#include "engine/device/cuda/fft/shape.h"

namespace kiln::test {
namespace {

TEST(FftDivisor, DividesAsIntegersDo) {
  constexpr i32 most = 0x7fffffff;
  for (i32 by = 1; by > 0 && by < most / 2; by = by < 5000 ? by + 1 : by + by / 7 + 1) {
    const FftDivisor divisor = fft_divisor(by);
    const i32 last = most / by * by;  // quotients change here
    for (const i32 a : {0, 1, by - 1, by, by + 1, 2 * (by / 2) + 1, last - 1, last, most}) {
      ASSERT_EQ(divisor.quotient(a), a / by) << a << " by " << by;
    }
  }
  for (const i32 by : {1 << 30, (1 << 30) + 1, most - 1, most}) {
    const FftDivisor divisor = fft_divisor(by);
    for (const i32 a : {0, by - 1, by, most}) ASSERT_EQ(divisor.quotient(a), a / by) << by;
  }
}

}  // namespace
}  // namespace kiln::test
