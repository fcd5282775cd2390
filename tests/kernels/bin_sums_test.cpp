// SPDX-License-Identifier: MIT
// A histogram in larger buckets, against a plain loop over the small ones.
#include "kernels/bin_sums.h"

#include <gtest/gtest.h>

#include "tests/devices.h"
#include "tests/kernels/output_reference.h"

namespace kiln {
namespace {

using namespace kiln::testing;

struct Grid {
  int width, height, channels, side, from, bins_x, bins_y;
};

/// Each bucket added to the bin that it lies in, if it lies in one.
std::vector<u64> binned(const TestHistogram& h, const Grid& g) {
  std::vector<u64> bins(std::size_t(g.bins_x) * std::size_t(g.bins_y) * std::size_t(g.channels));
  for (int y = 0; y < g.height; ++y) {
    for (int x = 0; x < g.width; ++x) {
      const int right = x - g.from, down = y - g.from;
      if (right < 0 || down < 0 || right / g.side >= g.bins_x || down / g.side >= g.bins_y)
        continue;
      const int bin = down / g.side * g.bins_x + right / g.side;
      for (int c = 0; c < g.channels; ++c)
        bins[std::size_t(bin * g.channels + c)] +=
            h.sums[std::size_t((y * g.width + x) * g.channels + c)];
    }
  }
  return bins;
}

TEST_ON_EVERY_DEVICE(BinSums, are_those_of_a_plain_loop) {
  // sizes 1, odd, prime, just past a block; margins beyond the histogram, and bins that leave some out
  const Grid grids[] = {{1, 1, 4, 1, 0, 1, 1},       {7, 5, 5, 2, 0, 4, 3},
                        {131, 67, 4, 3, -6, 48, 27}, {130, 9, 5, 2, 3, 65, 3},
                        {64, 64, 4, 64, 0, 1, 1},    {9, 9, 4, 4, -40, 30, 30}};
  for (const Grid& g : grids) {
    const TestHistogram h = random_histogram(g.width, g.height, g.channels, 1 / 256.0f, 7);
    const std::vector<u64> expected = binned(h, g);
    const DeviceArray<u64> sums(device, h.sums);
    const DeviceArray<u64> bins(device, std::vector<u64>(expected.size(), 77));
    const BinSums kernel{sums.data(), g.width, g.height,    g.channels, g.side,
                         g.from,      g.from,  bins.data(), g.bins_x,   g.bins_y};
    device.launch(kernel, kernel.block_count());
    EXPECT_EQ(bins.download(), expected) << g.width << " x " << g.height << ", side " << g.side;
  }
}

}  // namespace
}  // namespace kiln
