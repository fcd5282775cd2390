// From records to the integer histogram: the records of one tile are summed in on-chip memory and
// added to the frame once. Integer sums, so the order of records, tiles and batches does not
// matter. flam3's five channels R G B A hits (flam3-pipeline.md section 7); where the palette is
// opaque A equals hits and four suffice.
#pragma once

#include "kernels/platform.h"
#include "kernels/program.h"

KILN_BEGIN

/// The increment of one record: r g b and hits or a. Aligned: one load.
struct alignas(16) Increment {
  u32 v[4];
};

/// Integer palettes, one row a visibility class: palette * 255 * visibility in units of 2^-q.
struct PaletteTable {
  const Increment* entries;  // [rows][256] r g b and: hits (opaque palettes) or a
  const u32* hits;           // [rows] 255 * visibility
  i32 index_bits, fraction_bits;
  i32 opaque;  // 1: four channels, A = hits
  i32 wide;    // 1: an entry may exceed 16 bits; sums go straight into the 64-bit frame
};

KILN_FN Increment increment_of(const PaletteTable& table, u32 row, u32 index) {
  const u32 entry = index >> table.fraction_bits;
  const Increment* at = table.entries + row * 256 + entry;
  const Increment a = at[0];
  if (table.fraction_bits == 0) return a;
  const u32 one = 1u << table.fraction_bits, fraction = index & (one - 1);
  const Increment b = at[fraction ? 1 : 0];  // the last entry has no neighbour and no fraction
  Increment out;
  for (int c = 0; c < 4; ++c) {
    out.v[c] = u32((u64(a.v[c]) * (one - fraction) + u64(b.v[c]) * fraction + one / 2) >>
                   table.fraction_bits);
  }
  return out;
}

/// Adds the waiting records of the tiles to the frame. One block: one tile (CPU), one share of a
/// tile's records (CUDA).
struct AccumulateTiles {
  static constexpr int lanes = 512;
  static constexpr bool sums_records = true;

  struct Shared {
    u32 sums[tile_pixels * 4];  // r g b last of each pixel, in the order of Block::sum_index
    u32 hits[tile_pixels];      // only where palettes have alpha
  };

  PaletteTable palette;
  u64* frame;  // [height][width][opaque ? 4 : 5]
  i32 width, height, tiles_x;
  u32 record_limit;  // records that one u32 sum can take: (2^32 - 1) / largest increment, at least
                     // 65536

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const int tile = block.tile();
    if (tile < 0) return;
    const int x0 = (tile % tiles_x) * tile_side, y0 = (tile / tiles_x) * tile_side;
    const int channels = palette.opaque ? 4 : 5;
    const u32 index_mask = (1u << palette.index_bits) - 1;
    if (palette.wide) {
      block.each_record(
          record_limit,
          [&](u32 record) KILN_INLINE {
            const u32 pixel = record & (tile_pixels - 1), color = record >> 12,
                      row = color >> palette.index_bits;
            const Increment add = increment_of(palette, row, color & index_mask);
            u64* target =
                frame + (u64(y0 + int(pixel >> 6)) * width + (x0 + int(pixel & 63))) * channels;
            for (int c = 0; c < 4; ++c) block.add(target[c], u64(add.v[c]));
            if (!palette.opaque) block.add(target[4], u64(palette.hits[row]));
          },
          [] {});
      return;
    }
    block.each_strided(tile_pixels * 4, [&](int i) KILN_INLINE { shared.sums[i] = 0; });
    if (!palette.opaque)
      block.each_strided(tile_pixels, [&](int i) KILN_INLINE { shared.hits[i] = 0; });
    block.wait();
    const auto fold = [&]() KILN_INLINE {
      block.wait();
      block.each_strided(tile_pixels, [&](int pixel) KILN_INLINE {
        const int x = x0 + (pixel & 63), y = y0 + (pixel >> 6);
        if (x < width && y < height) {
          u64* target = frame + (u64(y) * width + x) * channels;
          for (int c = 0; c < 4; ++c) {
            u32& sum = shared.sums[block.sum_index(pixel, c)];
            if (sum) block.add_to_frame(target[c], u64(sum));
            sum = 0;
          }
          if (!palette.opaque) {
            block.add_to_frame(target[4], u64(shared.hits[pixel]));
            shared.hits[pixel] = 0;
          }
        }
      });
      block.wait();
    };
    block.each_record(
        record_limit,
        [&](u32 record) KILN_INLINE {
          const u32 pixel = record & (tile_pixels - 1), color = record >> 12,
                    row = color >> palette.index_bits;
          const Increment add = increment_of(palette, row, color & index_mask);
          for (int c = 0; c < 4; ++c)
            block.add_shared(shared.sums[block.sum_index(int(pixel), c)], add.v[c]);
          if (!palette.opaque) block.add_shared(shared.hits[pixel], palette.hits[row]);
        },
        fold);
    fold();
  }
};

KILN_END
