// Where the CPU device keeps recorded points until their tile is summed: 4 KB pages, a chain of
// them a tile. Appending writes straight to the tile's open page; there is no stage to flush, so
// the only branch is the end of a page. Pages come from a pool that grows as needed: no flame can
// overflow a bin. Plain data: used by code of every instruction set.
//
// Cost a record: 4 bytes written, and read once by AccumulateTiles. The lines that are open at once
// (one a tile) stay in the L2 cache; a line is asked for one line ahead of the records.
#pragma once

#include <cstdint>

namespace kiln {

constexpr int page_records = 1022;  // 4 KB with the link

struct alignas(4096) BinPage {
  BinPage* previous;  // the page of the same tile that was filled before this one
  std::uint32_t records[page_records];
};
static_assert(sizeof(BinPage) == 4096);

/// The bins of one worker. The tile after the last takes the points outside the picture, which
/// nobody reads.
struct Bins {
  std::uint32_t** cursor;  // [tiles + 1] where the next record goes; at the end of a page, or null
                           // without one, a page is taken first
  int tile_count;
  void* pool;
  BinPage* (*new_page)(void* pool);

  inline __attribute__((always_inline)) void append(int tile, std::uint32_t record) {
    std::uint32_t* at = cursor[tile];
    if (__builtin_expect((reinterpret_cast<std::uintptr_t>(at) & (sizeof(BinPage) - 1)) == 0, 0)) {
      at = open_page(tile);
    }
    __builtin_prefetch(at + 16, 1);
    *at = record;
    cursor[tile] = at + 1;
  }
  /// Where the records of a tile end, and the page they are in; null if it has none.
  inline BinPage* last_page(int tile) const {
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(cursor[tile]);
    return end ? reinterpret_cast<BinPage*>((end - 1) & ~std::uintptr_t(sizeof(BinPage) - 1))
               : nullptr;
  }

 private:
  __attribute__((noinline)) std::uint32_t* open_page(int tile) {
    BinPage* full = last_page(tile);
    if (tile == tile_count && full) return full->records;  // written over and over
    BinPage* fresh = new_page(pool);
    fresh->previous = full;
    __builtin_prefetch(fresh->records + 16, 1);
    return fresh->records;
  }
};

}  // namespace kiln
