// SPDX-License-Identifier: MIT
// Where the CPU device keeps recorded points until their tile is summed: 4 KB pages, a chain of
// them a tile. Appending writes straight to the tile's open page; there is no stage to flush, so
// the only branch is the end of a page. Pages come from a pool that grows as needed: no flame can
// overflow a bin. Plain data: used by code of every instruction set.
//
// Cost a record: 4 bytes written, and read once by AccumulateTiles. The lines that are open at once
// (one a tile) stay in the L2 cache.
#pragma once

#include <cstdint>

namespace kiln {

constexpr int page_records = (4096 - sizeof(void*)) / 4;  // 4 KB with the link

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
  /// Starts a page for `tile`, whose last one, if any, is full; returns its first place. A pointer:
  /// a function of this header would exist once, with the instructions of whichever instruction set
  /// the linker takes it from.
  std::uint32_t* (*open_page)(const Bins& bins, int tile);
  /// A flag, not 0 when somebody asked for the end of the launch: units may be left unfinished.
  const std::uint32_t* stop_asked;

  inline __attribute__((always_inline)) void append(int tile, std::uint32_t record) {
    std::uint32_t* at = cursor[tile];
    if (__builtin_expect((reinterpret_cast<std::uintptr_t>(at) & page_mask) == 0, 0)) {
      at = open_page(*this, tile);
    }
    *at = record;
    cursor[tile] = at + 1;
  }
  /// Four records at once: all cursors are read before one is written, and equal tiles are told
  /// apart by comparing. One by one, each load waits for the store before it, which often went to
  /// the same cursor: 1.4 ns a record instead of 2.5 to 3.
  inline __attribute__((always_inline)) void append4(const std::int32_t* tile,
                                                     const std::uint32_t* record) {
    const int t0 = tile[0], t1 = tile[1], t2 = tile[2], t3 = tile[3];
    std::uint32_t *a0 = cursor[t0], *a1 = cursor[t1], *a2 = cursor[t2], *a3 = cursor[t3];
    a1 = behind(a1, t1 == t0);
    a2 = behind(a2, (t2 == t0) + (t2 == t1));
    a3 = behind(a3, (t3 == t0) + (t3 == t1) + (t3 == t2));
    if (__builtin_expect(has_place(a0) & has_place(a1) & has_place(a2) & has_place(a3), 1)) {
      const std::uint32_t r0 = record[0], r1 = record[1], r2 = record[2], r3 = record[3];
      *a0 = r0;
      cursor[t0] = a0 + 1;
      *a1 = r1;
      cursor[t1] = a1 + 1;
      *a2 = r2;
      cursor[t2] = a2 + 1;
      *a3 = r3;
      cursor[t3] = a3 + 1;
    } else {
      for (int i = 0; i < 4; ++i) append(tile[i], record[i]);
    }
  }
  /// The page that the records of a tile end in; null if it has none.
  inline __attribute__((always_inline)) BinPage* last_page(int tile) const {
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(cursor[tile]);
    return end ? reinterpret_cast<BinPage*>((end - 1) & ~page_mask) : nullptr;
  }

 private:
  static constexpr std::uintptr_t page_mask = sizeof(BinPage) - 1;

  /// The place so many records further; by numbers, as a tile may have no page and a null cursor.
  static inline __attribute__((always_inline)) std::uint32_t* behind(std::uint32_t* at,
                                                                     int records) {
    return reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::uintptr_t>(at) +
                                            std::uintptr_t(records) * sizeof *at);
  }
  /// Whether it is not at a page's end, not null, and not just past either (append4 adds to it).
  static inline __attribute__((always_inline)) bool has_place(const std::uint32_t* at) {
    return (reinterpret_cast<std::uintptr_t>(at) & page_mask) >= sizeof(BinPage*) + 16;
  }
};

}  // namespace kiln
