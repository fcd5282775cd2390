// Where the CPU device keeps recorded points until their tile is summed: a 64-byte stage per tile,
// full stages go to 4 KB pages of the tile. Pages come from a pool that grows as needed, so no
// flame can overflow a bin. Plain data: used by code of every instruction set.
#pragma once

#include <cstdint>

namespace kiln {

constexpr int stage_records = 16;  // one cache line
constexpr int page_records = 1024;

struct BinPage {
  std::uint32_t records[page_records];
  BinPage* previous;  // the page of the same tile that was filled before this one
};

/// The bins of one worker. The tile after the last takes the points outside the picture, which
/// nobody reads.
struct Bins {
  std::uint32_t* stage;    // [tiles + 1][stage_records]
  std::uint8_t* staged;    // [tiles + 1] records in the stage
  std::uint32_t** cursor;  // [tiles + 1] next free place in the page
  BinPage** page;          // [tiles + 1] current page
  int tile_count;
  void* pool;
  BinPage* (*new_page)(void* pool);

  /// Only when the stage of `tile` is full.
  inline __attribute__((always_inline)) void flush(int tile) {
    std::uint32_t* from = stage + std::int64_t(tile) * stage_records;
    if (tile == tile_count) return;
    if (!page[tile] || cursor[tile] == page[tile]->records + page_records) {
      BinPage* fresh = new_page(pool);
      fresh->previous = page[tile];
      page[tile] = fresh;
      cursor[tile] = fresh->records;
    }
    for (int i = 0; i < stage_records; ++i) cursor[tile][i] = from[i];
    cursor[tile] += stage_records;
  }
};

}  // namespace kiln
