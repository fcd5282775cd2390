// SPDX-License-Identifier: MIT
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
  // [rows][2^(index_bits - fraction_bits)], 256 of each row or more: r g b and hits (opaque
  // palettes) or a
  const Increment* entries;
  const u32* hits;  // [rows] 255 * visibility
  i32 index_bits, fraction_bits;
  i32 opaque;  // 1: four channels, A = hits
  i32 narrow;  // 1: at most most_narrow_rows rows of 256, no fraction, entries of at most 8 bits,
               // hits 255
  i32 wide;    // 1: an entry may exceed 16 bits: halves of 16 bits are summed apart
  i32 rows;
};

constexpr int most_narrow_rows = 16;  // 32 KB of a GPU's shared memory

/// The place of a color index in the palette: at an entry, or `fraction` of `1 << fraction_bits`
/// from it to the next.
struct PalettePlace {
  const Increment *low, *high;
  u32 fraction;
};
KILN_FN PalettePlace place_in(const PaletteTable& table, u32 row, u32 index) {
  const u32 fraction = index & ((1u << table.fraction_bits) - 1);
  const Increment* at = table.entries + (row << (table.index_bits - table.fraction_bits)) +
                        (index >> table.fraction_bits);
  return {at, at + (fraction ? 1 : 0), fraction};  // the last entry has no neighbor, no fraction
}
/// The increment there, rounded. `Word` holds the products: u32 where entries stay below 2^16
/// (fraction_bits is at most 8), else u64; or a vector of either.
template <class Word>
KILN_FN Word between(Word low, Word high, const PalettePlace& place, i32 fraction_bits) {
  const u32 one = 1u << fraction_bits;
  return (low * (one - place.fraction) + high * place.fraction + one / 2) >> fraction_bits;
}

/// The place of a tile in the frame; tiles at the right and the lower edge may be cut.
struct TileInFrame {
  Tiling tiling;
  u64* first;  // its upper left pixel
  i64 stride;  // sums a row of the frame
  i32 columns, rows, channels;

  KILN_FN u64* pixel(int i) const {
    return first + i64(i >> tiling.x_bits) * stride + (i & (tiling.columns() - 1)) * channels;
  }
};

/// True if a block can sum the halves of wide entries for a whole tile.
KILN_SHARED_FN bool holds_halves(const Tiling& tiling, const PaletteTable& palette) {
  return tiling.pixels() * (palette.opaque ? 8 : 10) <= most_narrow_tile_pixels * 4;
}

/// The number of records that one u32 sum takes.
KILN_SHARED_FN u32 records_of_a_sum(const PaletteTable& palette, u32 largest_increment) {
  return palette.wide ? 65536 : 0xffffffffu / largest_increment;
}

/// Adds the waiting records of the tiles to the frame. One block: one tile (CPU), one share of a
/// tile's records (CUDA).
struct AccumulateTiles {
  struct Shared {
    /// r g b last of each pixel, in the order of Block::add_increment; then, only where palettes
    /// have alpha, the hits of each pixel.
    u32 sums[most_narrow_tile_pixels * 4 > most_tile_pixels * 5 ? most_narrow_tile_pixels * 4
                                                                : most_tile_pixels * 5];
  };

  PaletteTable palette;
  u64* histogram;  // [height][width][opaque ? 4 : 5]
  i32 width, height;
  Tiling tiling;
  u32 record_limit;  // records that one u32 sum can take, at least 65536 (records_of_a_sum)
  i32 halves;        // wide palettes: 1: a block holds the sums of a tile, holds_halves

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const int tile = block.tile();
    if (tile < 0) return;
    if (palette.wide && !halves) {
      add_to_histogram(block, tile);
      return;
    }
    if (palette.wide) {
      add_halves(block, shared, tile);
      return;
    }
    u32* const hits = shared.sums + tiling.pixels() * 4;
    block.each_strided(tiling.pixels() * (palette.opaque ? 4 : 5),
                       [&](int i) KILN_INLINE { shared.sums[i] = 0; });
    block.wait();
    const TileInFrame place = place_of(tile);
    const auto fold = [&]() KILN_INLINE {
      block.wait();
      block.fold(shared.sums, hits, place);
      block.wait();
    };
    const PaletteTable table = palette;
    const int pixel_bits = tiling.pixel_bits();
    const u32 pixel_mask = u32(tiling.pixels() - 1);
    if (table.opaque && table.fraction_bits == 0) {  // the usual palette: one load and one addition
      block.each_record(
          record_limit,
          [&](u32 record) KILN_INLINE {
            const u32 pixel = record & pixel_mask, entry = record >> pixel_bits;
            block.add_increment(shared.sums, int(pixel), table.entries[entry]);
          },
          fold);
    } else {
      const u32 index_mask = (1u << table.index_bits) - 1;
      block.each_record(
          record_limit,
          [&](u32 record) KILN_INLINE {
            const u32 pixel = record & pixel_mask, color = record >> pixel_bits,
                      row = color >> table.index_bits;
            block.add_between(shared.sums, int(pixel), place_in(table, row, color & index_mask),
                              table.fraction_bits);
            if (!table.opaque) block.add_shared(hits[pixel], table.hits[row]);
          },
          fold);
    }
    fold();
  }

 private:
  KILN_FN TileInFrame place_of(int tile) const {
    const int x = (tile % tiling.tiles_x) * tiling.columns(),
              y = (tile / tiling.tiles_x) * tiling.rows();
    const int channels = palette.opaque ? 4 : 5;
    return {tiling,
            histogram + (u64(y) * u64(width) + u64(x)) * u64(channels),
            i64(width) * channels,
            width - x < tiling.columns() ? width - x : tiling.columns(),
            height - y < tiling.rows() ? height - y : tiling.rows(),
            channels};
  }
  /// Entries beyond 16 bits: their halves are summed apart. Most of what is that wide is weights of
  /// an exp filter, whose dim time samples have nothing in the upper half.
  template <class Block>
  KILN_FN void add_halves(Block& block, Shared& shared, int tile) const {
    const int channels = palette.opaque ? 4 : 5, pixels = tiling.pixels();
    u32* const upper = shared.sums + channels * pixels;  // each [channels][pixels]
    block.each_strided(2 * channels * pixels, [&](int i) KILN_INLINE { shared.sums[i] = 0; });
    block.wait();
    const TileInFrame place = place_of(tile);
    const auto fold = [&]() KILN_INLINE {
      block.wait();
      block.each_strided(place.rows << tiling.x_bits, [&](int pixel) KILN_INLINE {
        if ((pixel & (tiling.columns() - 1)) >= place.columns) return;
        for (int c = 0; c < channels; ++c) {
          const int at = c * pixels + pixel;
          const u64 sum = shared.sums[at] + (u64(upper[at]) << 16);
          if (sum) block.add(place.pixel(pixel)[c], sum);
          shared.sums[at] = upper[at] = 0;
        }
      });
      block.wait();
    };
    const auto add = [&](int at, u32 n) KILN_INLINE {
      block.add_shared(shared.sums[at], n & 0xffffu);
      if (n >> 16) block.add_shared(upper[at], n >> 16);
    };
    const bool stepped = palette.fraction_bits == 0;
    each_place(block, fold, [&](int pixel, u32 row, const PalettePlace& at) KILN_INLINE {
      for (int c = 0; c < 4; ++c)
        add(c * pixels + pixel,
            stepped ? at.low->v[c]
                    : u32(between<u64>(at.low->v[c], at.high->v[c], at, palette.fraction_bits)));
      if (!palette.opaque) add(4 * pixels + pixel, palette.hits[row]);
    });
    fold();
  }
  /// Straight into the 64-bit sums of the frame, where a tile is too large for that.
  template <class Block>
  KILN_FN void add_to_histogram(Block& block, int tile) const {
    const TileInFrame place = place_of(tile);
    each_place(
        block, [] {},
        [&](int pixel, u32 row, const PalettePlace& at) KILN_INLINE {
          u64* target = place.pixel(pixel);
          for (int c = 0; c < 4; ++c) {
            block.add(target[c],
                      between<u64>(at.low->v[c], at.high->v[c], at, palette.fraction_bits));
          }
          if (!palette.opaque) block.add(target[4], u64(palette.hits[row]));
        });
  }
  /// body(pixel, row, place in the palette) of each record of the tile.
  template <class Block, class Fold, class Body>
  KILN_FN void each_place(Block& block, Fold&& fold, const Body& body) const {
    const int pixel_bits = tiling.pixel_bits();
    const u32 pixel_mask = u32(tiling.pixels() - 1), index_mask = (1u << palette.index_bits) - 1;
    block.each_record(
        record_limit,
        [&](u32 record) KILN_INLINE {
          const u32 color = record >> pixel_bits, row = color >> palette.index_bits;
          body(int(record & pixel_mask), row, place_in(palette, row, color & index_mask));
        },
        fold);
  }
};

KILN_END
