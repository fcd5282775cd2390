// SPDX-License-Identifier: MIT
// The sums of narrow palettes (NarrowSums in records.h says how they are packed).
#pragma once

#include "engine/device/cuda/block.cuh"
#include "engine/device/cuda/records.h"

KILN_BEGIN

KILN_FN void put_right(u64* pair, u32 old, u32 more) {
  const u32 sum = old + more;
  if ((old ^ more ^ sum) & 0x10000u) {
    add_at_once(pair[0], 65536);
    add_at_once(pair[1], ~u64(0));
  }
  if (sum < old) add_at_once(pair[1], 65536);
}

/// Adds share `index` of the list to the histogram.
template <bool Hits>
KILN_FN void sum_narrow_tiles(const NarrowSums& of, u32 index, u32* memory) {
  if (index >= *of.list.share_count) return;
  const TileShare share = of.list.shares[index];
  const int pixels = of.tiling.pixels(), pixel_bits = of.tiling.pixel_bits();
  u32 *red_green = memory, *blue_alpha = memory + pixels;
  u32* const hits = memory + 2 * pixels;
  uint2* palette = reinterpret_cast<uint2*>(memory + pixels * (narrow_pixel_bytes(Hits) / 4));
  for (int i = int(threadIdx.x); i < pixels * (narrow_pixel_bytes(Hits) / 4); i += int(blockDim.x))
    memory[i] = 0;
  for (int i = int(threadIdx.x); i < 256 * of.rows; i += int(blockDim.x)) {
    const Increment e = of.entries[i];
    palette[i] = {e.v[0] | e.v[1] << 16, e.v[2] | e.v[3] << 16};
  }
  __syncthreads();
  const int x0 = (share.tile % of.tiling.tiles_x) << of.tiling.x_bits,
            y0 = (share.tile / of.tiling.tiles_x) << of.tiling.y_bits;
  const auto target_of = [&](int pixel) {
    const int x = x0 + (pixel & (of.tiling.columns() - 1)), y = y0 + (pixel >> of.tiling.x_bits);
    return of.histogram + (u64(y) * u64(of.width) + u64(x)) * (Hits ? 5 : 4);
  };
  const u32 pixel_mask = u32(pixels - 1);
  each_record_of_share(of.list, share, [&](u32 record) {
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
    const int x = x0 + (pixel & (of.tiling.columns() - 1)), y = y0 + (pixel >> of.tiling.x_bits);
    const u32 rg = red_green[pixel], bh = blue_alpha[pixel];
    if (x >= of.width || y >= of.height || !(rg | bh | (Hits ? hits[pixel] : 0))) continue;
    u64* target = of.histogram + (u64(y) * u64(of.width) + u64(x)) * (Hits ? 5 : 4);
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

KILN_END
