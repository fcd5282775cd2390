// SPDX-License-Identifier: MIT
// CUDA twins of the Block methods of all kernels but the chaos game (cuda/pool_block.cuh): one
// thread is one lane. See kernels/block.h for what each promises.
#pragma once

#include "engine/device/cuda/pool_block.cuh"
#include "engine/device/cuda/records.h"
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

KILN_END
