// SPDX-License-Identifier: MIT
// Blocks that write records to the tiles' extents of pages and end at different times, on a GPU and
// without the chaos game: waits among blocks are frequent.
#pragma once

#include <cstdint>
#include <string>

namespace kiln::test {

struct TileExtents {
  int launches = 0;
  /// Records that are in another tile's page, or too few or too many in a tile.
  std::int64_t wrong = 0;
  std::string failure;  // of CUDA
};

/// Two blocks a multiprocessor, each with 1 to 6 steps of random records in `tiles` tiles. False
/// without a GPU. A launch that does not end ends the process.
bool write_tile_extents(int tiles, int launches, TileExtents& result);

}  // namespace kiln::test
