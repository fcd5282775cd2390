// SPDX-License-Identifier: MIT
// CUDA twins of the Block methods of all kernels but the chaos game (cuda/pool_block.cuh): one
// thread is one lane. See kernels/block.h for what each promises.
#pragma once

#include "engine/device/cuda/pool_block.cuh"
#include "kernels/accumulate.h"
#include "kernels/kernels.h"

KILN_BEGIN

/// A block of an ordinary kernel.
struct CudaBlock {
  static constexpr bool sequential = false;
  int index;

  template <class Body>
  KILN_FN void each(Body&& body) {
    body(int(threadIdx.x));
    __syncthreads();
  }
  template <class Body>
  KILN_FN void each_alone(Body&& body) {
    body(int(threadIdx.x));
  }
  template <class Body>
  KILN_FN bool any(Body&& body) {
    return __syncthreads_or(body(int(threadIdx.x))) != 0;
  }
  template <int lanes, int cells>
  KILN_CONSTEXPR static int own_cells() {
    return (cells + lanes - 1) / lanes;
  }
  template <int lanes, int columns, int rows, class Body>
  KILN_FN void each_cell(Body&& body) {
#pragma unroll 1  // or where each cell lies is kept in registers from loop to loop
    for (int cell = int(threadIdx.x); cell < columns * rows; cell += lanes)
      body(cell % columns, cell / columns);
    __syncthreads();
  }
  template <int lanes, int columns, int rows, class Body>
  KILN_FN void each_own_cell(Body&& body) {
#pragma unroll
    for (int own = 0; own < own_cells<lanes, columns * rows>(); ++own) {
      const int cell = own * lanes + int(threadIdx.x);
      if (cell < columns * rows) body(cell % columns, cell / columns, own);
    }
    __syncthreads();
  }
  /// The lanes of the warp that say yes, a bit each; the first of them. A thread that walks what
  /// its warp found uses these; the CPU walks the list itself: they have no twin.
  KILN_FN u32 votes(bool yes) const { return __ballot_sync(0xffffffffu, yes); }
  KILN_FN static int first_bit(u32 bits) { return __ffs(int(bits)) - 1; }
  KILN_FN void add(u32& target, u32 n) { atomicAdd(&target, n); }
  KILN_FN void add(u64& target, u64 n) { add_at_once(target, n); }
};

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

/// Every warp goes through its pages of a share: body(record) for each record.
template <class Body>
KILN_FN void each_record_of_share(const PageList& list, const TileShare& share, Body&& body) {
  const int warps = int(blockDim.x) / warp_lanes, lane = int(threadIdx.x) & (warp_lanes - 1);
  for (int p = share.begin + int(threadIdx.x) / warp_lanes; p < share.end; p += warps) {
    const u32 page = list.pages[p], fill = list.fill[page];
    const uint4* rows = reinterpret_cast<const uint4*>(list.records + u64(page) * record_page);
    constexpr int row_records = warp_lanes * 4, at_once = 4;
    static_assert(record_page % (row_records * at_once) == 0);
    for (u32 first = 0; first < fill; first += row_records * at_once) {
      uint4 four[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) four[k] = rows[first / 4 + u32(k * warp_lanes + lane)];
      if (first + row_records * at_once <= fill) {
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
          body(four[k].x);
          body(four[k].y);
          body(four[k].z);
          body(four[k].w);
        }
      } else {
#pragma unroll 1
        for (int k = 0; k < at_once; ++k) {
          const u32 at = first + u32(k) * row_records + u32(lane) * 4;
          const uint4 mine = rows[at / 4];
          if (at + 0 < fill) body(mine.x);
          if (at + 1 < fill) body(mine.y);
          if (at + 2 < fill) body(mine.z);
          if (at + 3 < fill) body(mine.w);
        }
      }
    }
  }
}

/// One share of a tile for AccumulateTiles. A palette of few entries of at most 16 bits lies beside
/// the sums, 8 bytes an entry: from the L1 cache, which shares its way with the sums, its two
/// entries of a record cost as much as the four additions.
struct CudaTileBlock {
  PageList list;
  const Increment* entries;
  u32 index;                      // of the share
  const uint2* packed = nullptr;  // [entries + 1]; null: entries are read where they are
  TileShare share{};

  /// Packs the palette into shared memory; call it before the first wait().
  KILN_FN void pack_palette(int count, uint2* memory) {
    each_strided(count + 1, [&](int i) KILN_INLINE {
      const Increment e = entries[i < count ? i : count - 1];
      memory[i] = {e.v[0] | e.v[1] << 16, e.v[2] | e.v[3] << 16};
    });
    packed = memory;
  }

  KILN_FN int tile() {
    if (index >= *list.share_count) return -1;
    share = list.shares[index];
    return share.tile;
  }
  template <class Body>
  KILN_FN void each_strided(int count, Body&& body) {
    for (int i = int(threadIdx.x); i < count; i += int(blockDim.x)) body(i);
  }
  KILN_FN void wait() { __syncthreads(); }
  KILN_FN void add_shared(u32& target, u32 n) { atomicAdd(&target, n); }
  KILN_FN void add(u64& target, u64 n) { add_at_once(target, n); }
  /// sums: [pixel][4], the four of a pixel in an order that turns with the pixel, so that lanes
  /// spread over the banks.
  KILN_FN static int sum_at(int pixel, int channel) {
    return pixel * 4 + ((channel + (pixel >> 3)) & 3);
  }
  KILN_FN void add_increment(u32* sums, int pixel, const Increment& increment) {
#pragma unroll
    for (int c = 0; c < 4; ++c) add_shared(sums[sum_at(pixel, c)], increment.v[c]);
  }
  KILN_FN void add_between(u32* sums, int pixel, const PalettePlace& place, i32 fraction_bits) {
    const Increment low = increment_at(place.low), high = increment_at(place.high);
#pragma unroll
    for (int c = 0; c < 4; ++c)
      add_shared(sums[sum_at(pixel, c)], between<u32>(low.v[c], high.v[c], place, fraction_bits));
  }
  KILN_FN Increment increment_at(const Increment* entry) const {
    if (!packed) return *entry;
    const uint2 e = packed[entry - entries];
    return {{e.x & 0xffffu, e.x >> 16, e.y & 0xffffu, e.y >> 16}};
  }
  KILN_FN void fold(u32* sums, u32* hits, const TileInFrame& place) {
    each_strided(place.rows << place.tiling.x_bits, [&](int pixel) KILN_INLINE {
      if ((pixel & (place.tiling.columns() - 1)) >= place.columns) return;
      u64* target = place.pixel(pixel);
      for (int c = 0; c < 4; ++c) {
        const u32 sum = sums[sum_at(pixel, c)];
        if (sum) add(target[c], u64(sum));
      }
      if (place.channels == 5) {
        const u32 sum = hits[pixel];
        if (sum) add(target[4], u64(sum));
      }
    });
  }
  /// A share never has more records than one sum can take (plan_shares).
  template <class Body, class Fold>
  KILN_FN void each_record(u32, Body&& body, Fold&&) {
    each_record_of_share(list, share, body);
  }
};

/// AccumulateTiles for narrow palettes: entries of at most 8 bits, all of one visibility. Red and
/// green share a word of shared memory, blue and alpha another: two additions a record instead of
/// four; hits that differ from alpha (Hits) have a word of their own. What overflows a half is
/// noticed by the addition that does it, since it sees the word as it was: a carry out of the lower
/// half (255 + 1 times too much in the upper one) and one out of the word are put right in the
/// frame, so the sums stay exact whatever the order.
template <bool Hits>
struct SumNarrowTiles {
  static constexpr int channels = Hits ? 5 : 4;
  static constexpr int pixel_bytes = Hits ? 12 : 8;

  const Increment* entries;  // [rows][256]
  i32 rows;
  u64* histogram;  // [height][width][channels]
  i32 width, height;
  Tiling tiling;
  PageList list;

  /// Share `index` of the list.
  KILN_FN void operator()(u32 index, u32* memory) const {
    if (index >= *list.share_count) return;
    const TileShare share = list.shares[index];
    const int pixels = tiling.pixels(), pixel_bits = tiling.pixel_bits();
    u32 *red_green = memory, *blue_alpha = memory + pixels;
    u32* const hits = memory + 2 * pixels;
    uint2* palette = reinterpret_cast<uint2*>(memory + pixels * (pixel_bytes / 4));
    for (int i = int(threadIdx.x); i < pixels * (pixel_bytes / 4); i += int(blockDim.x))
      memory[i] = 0;
    for (int i = int(threadIdx.x); i < 256 * rows; i += int(blockDim.x)) {
      const Increment e = entries[i];
      palette[i] = {e.v[0] | e.v[1] << 16, e.v[2] | e.v[3] << 16};
    }
    __syncthreads();
    const int x0 = (share.tile % tiling.tiles_x) << tiling.x_bits,
              y0 = (share.tile / tiling.tiles_x) << tiling.y_bits;
    const auto target_of = [&](int pixel) {
      const int x = x0 + (pixel & (tiling.columns() - 1)), y = y0 + (pixel >> tiling.x_bits);
      return histogram + (u64(y) * u64(width) + u64(x)) * channels;
    };
    const u32 pixel_mask = u32(pixels - 1);
    each_record_of_share(list, share, [&](u32 record) {
      const u32 pixel = record & pixel_mask;
      const uint2 more = palette[record >> pixel_bits];
      const u32 old0 = atomicAdd(&red_green[pixel], more.x), new0 = old0 + more.x;
      const u32 old1 = atomicAdd(&blue_alpha[pixel], more.y), new1 = old1 + more.y;
      if constexpr (Hits) atomicAdd(&hits[pixel], 1u);
      const u32 carries = ((old0 ^ more.x ^ new0) | (old1 ^ more.y ^ new1)) & 0x10000u;
      if (carries || new0 < old0 || new1 < old1) {
        u64* target = target_of(int(pixel));
        put_right(target, old0, more.x);
        put_right(target + 2, old1, more.y);
      }
    });
    __syncthreads();
    for (int pixel = int(threadIdx.x); pixel < pixels; pixel += int(blockDim.x)) {
      const int x = x0 + (pixel & (tiling.columns() - 1)), y = y0 + (pixel >> tiling.x_bits);
      const u32 rg = red_green[pixel], bh = blue_alpha[pixel];
      if (x >= width || y >= height || !(rg | bh | (Hits ? hits[pixel] : 0))) continue;
      u64* target = histogram + (u64(y) * u64(width) + u64(x)) * channels;
      if constexpr (Hits) add_at_once(target[4], u64(hits[pixel]) * 255);
      const u64 sums[4] = {rg & 0xffffu, rg >> 16, bh & 0xffffu, bh >> 16};
      if (!Hits && share.alone) {
        ulonglong2* pairs = reinterpret_cast<ulonglong2*>(target);
        ulonglong2 low = __ldcg(pairs), high = __ldcg(pairs + 1);
        low.x += sums[0];
        low.y += sums[1];
        high.x += sums[2];
        high.y += sums[3];
        __stcg(pairs, low);
        __stcg(pairs + 1, high);
      } else {
#pragma unroll
        for (int c = 0; c < 4; ++c) {
          if (sums[c]) add_at_once(target[c], sums[c]);
        }
      }
    }
  }

 private:
  KILN_FN static void put_right(u64* pair, u32 old, u32 more) {
    const u32 sum = old + more;
    if ((old ^ more ^ sum) & 0x10000u) {
      add_at_once(pair[0], 65536);
      add_at_once(pair[1], ~u64(0));
    }
    if (sum < old) add_at_once(pair[1], 65536);
  }
};

KILN_END
