// SPDX-License-Identifier: MIT
// What the host hands to the kernels that sort records and add them to the histogram (record_kernels.cu,
// sums.cuh): read by both compilers.
#pragma once

#include "engine/device/cuda/pool_arguments.h"
#include "kernels/accumulate.h"

KILN_BEGIN

/// A share of one tile's pages: [begin, end) of the page list. alone: the tile has no other share
/// in this launch, so nobody else adds to its part of the frame.
struct TileShare {
  i32 tile, begin, end, alone;
};

/// The pages of a launch, ordered by tile.
struct PageList {
  const u32* pages;  // [pages taken]
  const u32* fill;   // [pages] records in each page
  const u32* records;
  const TileShare* shares;
  const u32* share_count;
};

/// The arrays made of a store: the list of its pages by tile, and the shares.
struct ListOfStore {
  RecordStore store;
  int pages_a_share;
  u32* list_begin;
  TileShare* shares;
  u32* share_count;
  u32* pages;

  PageList list() const { return {pages, store.page_fill, store.records, shares, share_count}; }
};

/// A store to be emptied, and the count of units that goes with it.
struct StoreToReset {
  RecordStore store;
  u32 pages;
  u32* unfinished;
};

constexpr int reset_blocks = 8, list_blocks = 4;  // of a store, where many have a launch

constexpr int most_parts = 1024;  // tiles in a coarse one

/// A share of a coarse tile's records goes to the stores of its tiles. A block counts first, and
/// reserves one run a tile.
struct RecordsToSplit {
  static constexpr int lanes = 512;

  PageList list;
  int portion, portions;  // of the list's shares
  Tiling coarse, fine;
  RecordStore store;
};

/// The arguments of AccumulateTiles for narrow palettes: entries of at most 8 bits, all of one visibility. Red and
/// green share a word of shared memory, blue and alpha another: two additions a record instead of
/// four; hits that differ from alpha (Hits) have a word of their own. What overflows a half is
/// noticed by the addition that does it, since it sees the word as it was: a carry out of the lower
/// half (255 + 1 times too much in the upper one) and one out of the word are put right in the
/// frame, so the sums stay exact whatever the order.
struct NarrowSums {
  const Increment* entries;  // [rows][256]
  i32 rows;
  u64* histogram;  // [height][width][channels]
  i32 width, height;
  Tiling tiling;
  PageList list;
};
/// Bytes of shared memory for the sums of a pixel; `hits`: with a word for them.
KILN_CONSTEXPR int narrow_pixel_bytes(bool hits) { return hits ? 12 : 8; }

/// Some units of one of many flames.
struct UnitsOfOne {
  PoolArguments arguments;
  i32 warms_up;  // the steps that nobody sees come first; units that are not counted stay there
};

KILN_END
