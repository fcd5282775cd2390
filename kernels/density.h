// Density estimation: flam3's adaptive blur (flam3-pipeline.md section 9). A bucket with few hits
// is spread over a wide Gaussian, one with many stays sharp. The width belongs to the source (its
// own hits choose it) and nothing is renormalised at the destination.
//
// Two kernels. SelectWidth log-scales each source and picks its width by comparing integer hits
// with integer thresholds: exact, no power function. GatherDensity gives each tile of destinations
// to one block, which walks the sources that reach the tile in one fixed order and adds each to the
// destinations it covers: no atomics, and one order of additions on every device. It is the direct
// form, and the oracle of any faster one.
//
// What keeps it cheap: the loop runs over sources, which the whole block shares, so an empty or
// narrow source costs one test and not a product for every destination near it. Each 16 x 16 cell
// of sources also records its widest width, so cells out of reach cost nothing. Skipped products
// are exact zeros; the sum is the same to the last bit whatever is skipped.
// Cost, 1920x1080 on one AVX2 core: 0.36 s for a typical picture, 0.6 s for thin noise everywhere
// (radius 9, supersample 1); 1.6 s at supersample 2.
#pragma once

#include "kernels/log_scale.h"
#include "kernels/math.h"
#include "kernels/platform.h"

KILN_BEGIN

constexpr int density_tile = 16;  // side of a tile of destinations and of a cell of sources

/// One kernel: coefficients [reach + 1, 2 * reach + 1] by |dy| and dx + reach, from `first` on.
struct DensityKernel {
  u32 first;
  i32 reach;
};

/// flam3's kernel set. Widths are numbered from the widest, 0, to the narrowest, `last`; last + 1
/// marks a source without light.
struct DensityTable {
  const u64* thresholds =
      nullptr;  // [last] width number of a source = how many thresholds its hits exceed
  const DensityKernel* kernels = nullptr;  // [last + 1] by width number; reaches fall
  const float* coefficients = nullptr;     // of all kernels, one after the other
  i32 last = 0;                            // flam3's K
};

/// The sources: the buffer with a margin of empty cells, wide enough that a gather never leaves it.
struct DensityGrid {
  i32 width = 0, height = 0;     // of the buffer, in buckets
  i32 tiles_x = 0, tiles_y = 0;  // tiles that cover it
  i32 margin = 0;                // cells on each side: ceil(reach / density_tile)

  KILN_FN i32 cells_x() const { return tiles_x + 2 * margin; }
  KILN_FN i64 stride() const { return i64(cells_x()) * density_tile; }
};

/// Log scales every source and chooses its width. Blocks: block_count(), one a cell of the grid,
/// margin included.
struct SelectWidth {
  static constexpr int lanes = density_tile * density_tile;
  struct Shared {
    u16 widths[lanes];
  };

  Buckets histogram;
  DensityGrid grid;
  DensityTable table;
  LogCurve curve;
  i32 supersample = 1;     // hits are counted over its neighbourhood; a frame of supersample - 1
                           // buckets is no source
  Vec4* scaled = nullptr;  // [cells_y * 16, cells_x * 16] log-scaled sources, 0 where there is none
  u16* widths = nullptr;   // [cells_y * 16, cells_x * 16] width number of each source
  u16* cell_widths = nullptr;  // [cells_y, cells_x] widest width (smallest number) in each cell

  constexpr int block_count() const {
    return (grid.tiles_x + 2 * grid.margin) * (grid.tiles_y + 2 * grid.margin);
  }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const int cell_x = block.index % grid.cells_x(), cell_y = block.index / grid.cells_x();
    block.each([&](int lane) KILN_INLINE {
      const int grid_x = cell_x * density_tile + lane % density_tile;
      const int grid_y = cell_y * density_tile + lane / density_tile;
      const int x = grid_x - grid.margin * density_tile, y = grid_y - grid.margin * density_tile;
      Vec4 light = {0, 0, 0, 0};
      int width = table.last + 1;
      if (is_source(x, y)) {
        const Vec4 bucket = histogram[i64(y) * grid.width + x];
        if (bucket.a > 0) {
          light = bucket * curve(bucket.a);
          width = width_of(hits_around(x, y));
        }
      }
      const i64 i = grid_y * grid.stride() + grid_x;
      scaled[i] = light;
      widths[i] = u16(width);
      shared.widths[lane] = u16(width);
    });
    block.each([&](int lane) KILN_INLINE {  // the smallest of each row of the cell
      if (lane % density_tile != 0) return;
      for (int i = 1; i < density_tile; ++i)
        keep_smaller(shared.widths[lane], shared.widths[lane + i]);
    });
    block.each([&](int lane) KILN_INLINE {
      if (lane != 0) return;
      for (int i = density_tile; i < lanes; i += density_tile)
        keep_smaller(shared.widths[0], shared.widths[i]);
      cell_widths[block.index] = shared.widths[0];
    });
  }

 private:
  KILN_FN static void keep_smaller(u16& a, u16 b) { a = b < a ? b : a; }

  /// flam3's range of sources; its row past the end of the buffer (supersample 1) is left out.
  KILN_FN bool is_source(int x, int y) const {
    const int frame = supersample - 1;
    if (x < frame || x >= grid.width - frame || y < frame || y > grid.height - supersample + 1 ||
        y >= grid.height)
      return false;
    return histogram.hits(i64(y) * grid.width + x) != 0;
  }
  KILN_FN u64 hits_around(int x, int y) const {
    const int q = supersample / 2;
    u64 sum = 0;
    for (int j = y - q; j <= y + q; ++j) {
      for (int i = x - q; i <= x + q; ++i) {
        if (i >= 0 && i < grid.width && j >= 0 && j < grid.height)
          sum += histogram.hits(i64(j) * grid.width + i);
      }
    }
    return sum;
  }
  /// How many thresholds the hits exceed, by halving: the thresholds ascend.
  KILN_FN int width_of(u64 hits) const {
    int begin = 0, count = table.last;
    while (count > 0) {
      const int half = count / 2;
      const bool above = hits > table.thresholds[begin + half];
      begin = above ? begin + half + 1 : begin;
      count = above ? count - half - 1 : half;
    }
    return begin;
  }
};

/// A part of a tile, both ends included. Empty if a last is below its first.
struct TilePart {
  int first_x, last_x, first_y, last_y;
};

/// body(x, y) for every lane of a part of the tile. The CPU visits only these; on CUDA each thread
/// asks whether it is one of them.
template <class Block, class Body>
KILN_FN void each_in(Block& block, TilePart part, Body&& body) {
  if constexpr (KILN_CUDA_CODE) {
    block.each([&](int lane) KILN_INLINE {
      const int x = lane % density_tile, y = lane / density_tile;
      if (x >= part.first_x && x <= part.last_x && y >= part.first_y && y <= part.last_y)
        body(x, y);
    });
  } else {
    for (int y = part.first_y; y <= part.last_y; ++y) {
      for (int x = part.first_x; x <= part.last_x; ++x) body(x, y);
    }
  }
}

/// Sums the spread sources at every bucket. Blocks: block_count(), one a tile of 16 x 16
/// destinations.
struct GatherDensity {
  static constexpr int lanes = density_tile * density_tile;
  struct Shared {
    Vec4 sums[lanes];
  };

  DensityGrid grid;
  DensityTable table;
  const Vec4* scaled = nullptr;      // [cells_y * 16, cells_x * 16]
  const u16* widths = nullptr;       // [cells_y * 16, cells_x * 16]
  const u16* cell_widths = nullptr;  // [cells_y, cells_x]
  Vec4* density = nullptr;           // [height, width] linear light
  i32 accumulate = 0;                // 1: add to density (passes after the first)

  constexpr int block_count() const { return grid.tiles_x * grid.tiles_y; }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const int tile_x = block.index % grid.tiles_x, tile_y = block.index / grid.tiles_x;
    block.each([&](int lane) KILN_INLINE { shared.sums[lane] = {0, 0, 0, 0}; });
    for (int j = -grid.margin; j <= grid.margin; ++j) {
      for (int i = -grid.margin; i <= grid.margin; ++i) {
        add_cell(block, shared, tile_x + grid.margin, tile_y + grid.margin, i, j);
      }
    }
    block.each([&](int lane) KILN_INLINE {
      const int x = tile_x * density_tile + lane % density_tile;
      const int y = tile_y * density_tile + lane / density_tile;
      if (x >= grid.width || y >= grid.height) return;
      const i64 i = i64(y) * grid.width + x;
      density[i] = accumulate ? density[i] + shared.sums[lane] : shared.sums[lane];
    });
  }

 private:
  /// Adds the sources of the cell (i, j) cells away from the tile, row by row; only rows and
  /// columns near enough to matter.
  template <class Block>
  KILN_FN void add_cell(Block& block, Shared& shared, int tile_x, int tile_y, int i, int j) const {
    const int widest = cell_widths[i64(tile_y + j) * grid.cells_x() + tile_x + i];
    if (widest > table.last) return;
    const TilePart part = covered(i * density_tile, j * density_tile, table.kernels[widest].reach);
    const int left = tile_x * density_tile, top = tile_y * density_tile;
    for (int y = part.first_y; y <= part.last_y; ++y) {
      for (int x = part.first_x; x <= part.last_x; ++x) {
        add_source(block, shared, (top + y) * grid.stride() + left + x, x, y);
      }
    }
  }
  /// The sources of a cell whose corner lies at (x, y) from the tile's that come within reach of
  /// the tile.
  KILN_FN static TilePart covered(int x, int y, int reach) {
    return {first_near(x, reach), smaller(x + density_tile - 1, density_tile - 1 + reach),
            first_near(y, reach), smaller(y + density_tile - 1, density_tile - 1 + reach)};
  }
  /// The larger of x and -reach. Not written so: ptxas 13.0 for sm_90 drops the minus sign where
  /// the loop's trip count makes a maximum of three of it.
  KILN_FN static int first_near(int x, int reach) { return larger(x + reach, 0) - reach; }
  /// Adds one source, at (x, y) from the tile's corner, to the destinations it covers.
  template <class Block>
  KILN_FN void add_source(Block& block, Shared& shared, i64 source, int x, int y) const {
    const int width = widths[source];
    if (width > table.last) return;
    const DensityKernel kernel = table.kernels[width];
    const int reach = kernel.reach;
    const TilePart part = {larger(x - reach, 0), smaller(x + reach, density_tile - 1),
                           larger(y - reach, 0), smaller(y + reach, density_tile - 1)};
    if (part.first_x > part.last_x || part.first_y > part.last_y) return;
    const Vec4 light = scaled[source];
    const float* centre = table.coefficients + kernel.first + reach;
    each_in(block, part, [&](int to_x, int to_y) KILN_INLINE {
      const int dy = to_y > y ? to_y - y : y - to_y;
      Vec4& sum = shared.sums[to_y * density_tile + to_x];
      sum = sum + light * centre[dy * (2 * reach + 1) + to_x - x];
    });
  }
  KILN_FN static int larger(int a, int b) { return a > b ? a : b; }
  KILN_FN static int smaller(int a, int b) { return a < b ? a : b; }
};

KILN_END
