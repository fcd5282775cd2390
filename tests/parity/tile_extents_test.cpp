// SPDX-License-Identifier: MIT
// Blocks wait for whoever opens a tile's next extent of pages. Above pool_lanes (512) tiles a lane
// has several, and blocks that open extents in different orders would wait for each other.
#include "tests/parity/tile_extents.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace kiln::test {
namespace {

TEST(TileExtents, BlocksThatEndAndBlocksThatRunNeverWaitForEachOther) {
  for (const int tiles : {5, 512, 527, 1200, 2040}) {
    TileExtents result;
    if (!write_tile_extents(tiles, 100, result)) {
      std::puts("skipped: no CUDA device");
      return;
    }
    EXPECT_EQ(result.failure, "") << tiles << " tiles, launch " << result.launches;
    EXPECT_EQ(result.wrong, 0) << tiles << " tiles";
  }
}

}  // namespace
}  // namespace kiln::test
