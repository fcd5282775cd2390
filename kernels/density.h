// SPDX-License-Identifier: MIT
// Density estimation: flam3's adaptive blur (flam3-pipeline.md section 9). A bucket with few hits
// is spread over a wide Gaussian, one with many stays sharp. The width belongs to the source (its
// own hits choose it) and nothing is renormalized at the destination.
//
// SelectWidth log-scales each source and picks its width by comparing integer hits with integer
// thresholds: exact, no power function. GatherDensity gives each tile of destinations to one block
// and adds to every destination the sources that reach it in one fixed order: no atomics, and one
// order of additions on every device. It sums all widths, or those from `split` on where the wider
// ones went through the FFT (kernels/density_far.h).
//
// What keeps it cheap: each 16 x 16 cell of sources records its widest width, so cells out of reach
// cost nothing. On the CPU the loop runs over sources, and an empty or narrow one costs one test;
// on CUDA a cell is staged in shared memory and each thread walks those near its warp. Skipped
// products are exact zeros; the sum is the same to the last bit whatever is skipped. Cost of two million buckets on one core,
// widths up to 6: 0.09 s for a typical picture, 0.11 s for thin noise everywhere.
#pragma once

#include "kernels/log_scale.h"
#include "kernels/math.h"
#include "kernels/platform.h"

KILN_BEGIN

constexpr int density_tile = 16;  // side of a tile of destinations and of a cell of sources
constexpr int density_run = 8;    // destinations of a row that a CPU adds to at once

/// One kernel: coefficients [reach + 1, 2 * reach + 1] by |dy| and dx + reach, from `first` on.
struct DensityKernel {
  u32 first;
  i32 reach;
};

/// flam3's kernel set. Widths are numbered from the widest, 0, to the narrowest, `last`; last + 1
/// marks a source without light.
struct DensityTable {
  // [last] width number of a source = how many thresholds its hits exceed
  const u64* thresholds = nullptr;
  const DensityKernel* kernels = nullptr;  // [last + 1] by width number; reaches fall
  // of all kernels, one after the other, between density_run others each, which are read and not used
  const float* coefficients = nullptr;
  i32 last = 0;  // flam3's K
};

/// The sources: the buffer with a margin of empty cells, wide enough that a gather never leaves it.
struct DensityGrid {
  i32 width = 0, height = 0;     // of the buffer, in buckets
  i32 tiles_x = 0, tiles_y = 0;  // tiles that cover it
  i32 margin = 0;                // cells on each side: ceil(reach / density_tile)
  i32 hidden = 0;  // buckets on each side that nothing reads: tiles of them alone stay dark

  KILN_FN i32 cells_x() const { return tiles_x + 2 * margin; }
  KILN_FN i64 stride() const { return i64(cells_x()) * density_tile; }
  KILN_FN bool is_seen(int x, int y) const {
    return x >= hidden && x < width - hidden && y >= hidden && y < height - hidden;
  }
  KILN_FN bool is_tile_seen(int tile_x, int tile_y) const {
    const int x = tile_x * density_tile, y = tile_y * density_tile;
    return x + density_tile > hidden && x < width - hidden && y + density_tile > hidden &&
           y < height - hidden;
  }
};

/// Log scales every source and chooses its width. Blocks: block_count(), one a cell of the grid,
/// margin included.
struct SelectWidth {
  static constexpr int lanes = density_tile * density_tile;
  struct Shared {
    u16 widths[lanes], near[lanes];
    u64 pairs[lanes];
    u16 far[lanes];
    u8 channels[lanes];
  };

  Buckets histogram;
  DensityGrid grid;
  DensityTable table;
  LogCurve curve;
  i32 supersample = 1;     // hits are counted over its neighborhood; a frame of supersample - 1
                           // buckets is no source
  Vec4* scaled = nullptr;  // [cells_y * 16, cells_x * 16] log-scaled sources, 0 where there is none
  u16* widths = nullptr;   // [cells_y * 16, cells_x * 16] width number of each source
  u16* cell_widths = nullptr;  // [cells_y, cells_x] widest width (smallest number) in each cell
  i32 split = 0;             // above 0: widths below it are far ones, and the following are filled
  u16* cell_near = nullptr;  // [cells_y, cells_x] widest width from `split` on
  u16* cell_far = nullptr;   // [cells_y, cells_x] how many far sources
  u64* totals = nullptr;     // [4] of the far sources: products of a direct sum, how many have red,
                             // green, blue; added to what is there

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
      if (split > 0) describe_far(shared, lane, width, light);
    });
    block.each([&](int lane) KILN_INLINE {  // of each row of the cell
      if (lane % density_tile != 0) return;
      for (int i = 1; i < density_tile; ++i) add_up(shared, lane, lane + i);
    });
    block.each([&](int lane) KILN_INLINE {
      if (lane != 0) return;
      for (int i = density_tile; i < lanes; i += density_tile) add_up(shared, 0, i);
      cell_widths[block.index] = shared.widths[0];
      if (split > 0) {
        cell_near[block.index] = shared.near[0];
        cell_far[block.index] = shared.far[0];
      }
    });
    if (split > 0) {
      block.each([&](int lane) KILN_INLINE {
        if (lane >= 4 || shared.pairs[0] == 0) return;
        const u64 count = lane == 0 ? shared.pairs[0] : u64(shared.channels[0] >> (lane - 1) & 1);
        if (count > 0) block.add(totals[lane], count);
      });
    }
  }

 private:
  KILN_FN static void keep_smaller(u16& a, u16 b) { a = b < a ? b : a; }
  KILN_FN void describe_far(Shared& shared, int lane, int width, Vec4 light) const {
    const bool far = width < split;
    const u64 side = far ? u64(2 * table.kernels[width].reach + 1) : 0;
    shared.near[lane] = u16(far ? table.last + 1 : width);
    shared.pairs[lane] = side * side;
    shared.far[lane] = far;
    shared.channels[lane] =
        u8(far ? int(light.r > 0) | int(light.g > 0) << 1 | int(light.b > 0) << 2 : 0);
  }
  KILN_FN void add_up(Shared& shared, int to, int from) const {
    keep_smaller(shared.widths[to], shared.widths[from]);
    if (split == 0) return;
    keep_smaller(shared.near[to], shared.near[from]);
    shared.pairs[to] += shared.pairs[from];
    shared.far[to] = u16(shared.far[to] + shared.far[from]);
    shared.channels[to] = u8(shared.channels[to] | shared.channels[from]);
  }

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
  /// The number of thresholds that the hits exceed, by halving: the thresholds ascend.
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

/// Sums the spread sources at every bucket. Blocks: block_count(), one a tile of 16 x 16
/// destinations.
struct GatherDensity {
  static constexpr int lanes = density_tile * density_tile;
  struct Shared {
    union {
      Vec4 values[lanes];    // CUDA: the light of a cell's sources
      float sums[4][lanes];  // CPU: the tile's, channel by channel
    };
    DensityKernel kernels[lanes];  // CUDA: theirs
    u32 present[lanes / 32];       // CUDA: which there are, 32 a word, so two rows of the cell
  };

  DensityGrid grid;
  DensityTable table;
  const Vec4* scaled = nullptr;      // [cells_y * 16, cells_x * 16]
  const u16* widths = nullptr;       // [cells_y * 16, cells_x * 16]
  const u16* cell_widths = nullptr;  // [cells_y, cells_x] the widest of all
  Vec4* density = nullptr;           // [height, width] linear light
  i32 accumulate = 0;                // 1: add to density (passes after the first)
  i32 split = 0;                     // above 0: widths below it come from `far`
  const u16* cell_near = nullptr;    // [cells_y, cells_x] the widest from `split` on
  const Vec4* far = nullptr;         // [height, width]; may be `density`
  const u8* unsure = nullptr;        // [tiles_y, tiles_x] 1: `far` is not good enough there

  constexpr int block_count() const { return grid.tiles_x * grid.tiles_y; }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const int tile_x = block.index % grid.tiles_x, tile_y = block.index / grid.tiles_x;
    const bool seen = grid.is_tile_seen(tile_x, tile_y);
    const bool whole = !seen || split == 0 || unsure[block.index];
    const Part part = {whole ? cell_widths : cell_near, whole ? 0 : split, tile_x, tile_y,
                       whole ? grid.margin : near_margin()};
    if (!seen) {
      block.each([&](int lane) KILN_INLINE {
        store(part, whole, lane % density_tile, lane / density_tile, {0, 0, 0, 0});
      });
      return;
    }
    if constexpr (!Block::sequential) gather_by_destination(block, shared, part, whole);
#if !KILN_CUDA_CODE
    if constexpr (Block::sequential) gather_by_source(block, shared, part, whole);
#endif
  }

 private:
  /// The part of the sum that a block makes: a tile, and the widths from `first` on.
  struct Part {
    const u16* cells;
    i32 first, tile_x, tile_y;
    i32 margin;  // cells away that its widest width reaches
  };
  /// A cell that comes within its own reach of the tile; in buckets from the tile's corner.
  struct NearCell {
    i32 left, top, reach;
    TilePart sources;  // those that do
  };

  KILN_FN int near_margin() const {
    return (table.kernels[split].reach + density_tile - 1) / density_tile;
  }
  KILN_FN void store(const Part& part, bool whole, int tile_x, int tile_y, Vec4 sum) const {
    const int x = part.tile_x * density_tile + tile_x, y = part.tile_y * density_tile + tile_y;
    if (x >= grid.width || y >= grid.height) return;
    const i64 i = i64(y) * grid.width + x;
    const Vec4 light = whole ? sum : far[i] + sum;
    density[i] = accumulate ? density[i] + light : light;
  }
  /// body(cell) for each cell near the tile, row by row.
  template <class Body>
  KILN_FN void each_cell(const Part& part, Body&& body) const {
    for (int j = -part.margin; j <= part.margin; ++j) {
      for (int i = -part.margin; i <= part.margin; ++i) {
        const int widest = part.cells[i64(part.tile_y + grid.margin + j) * grid.cells_x() +
                                      part.tile_x + grid.margin + i];
        if (widest > table.last) continue;
        const int left = i * density_tile, top = j * density_tile;
        const int reach = table.kernels[widest].reach;
        const NearCell cell = {left, top, reach, covered(left, top, reach)};
        if (cell.sources.first_x <= cell.sources.last_x &&
            cell.sources.first_y <= cell.sources.last_y)
          body(cell);
      }
    }
  }
  /// The index of the tile's corner in `scaled`.
  KILN_FN i64 corner(const Part& part) const {
    return i64(part.tile_y + grid.margin) * density_tile * grid.stride() +
           (part.tile_x + grid.margin) * density_tile;
  }
  /// The sources of a cell whose corner lies at (x, y) from the tile's that come within reach of
  /// the tile.
  KILN_FN static TilePart covered(int x, int y, int reach) {
    return {first_near(x, 0, reach), smaller(x + density_tile - 1, density_tile - 1 + reach),
            first_near(y, 0, reach), smaller(y + density_tile - 1, density_tile - 1 + reach)};
  }
  /// The larger of x and at - reach. Not written so: ptxas 13.0 for sm_90 drops the minus sign
  /// where the loop's trip count makes a maximum of three of it.
  KILN_FN static int first_near(int x, int at, int reach) { return larger(x + reach, at) - reach; }

#if !KILN_CUDA_CODE
  /// density_run values of a row, wherever they lie.
  template <class T>
  using Run __attribute__((vector_size(4 * density_run), aligned(4), may_alias)) = T;
  KILN_FN static Run<float>& run_at(float* sums) { return reinterpret_cast<Run<float>&>(*sums); }

  template <class Block>
  KILN_FN void gather_by_source(Block& block, Shared& shared, const Part& part, bool whole) const {
    for (auto& channel : shared.sums) block.each([&](int lane) KILN_INLINE { channel[lane] = 0; });
    each_cell(part, [&](const NearCell& cell) KILN_INLINE {
      const TilePart sources = cell.sources;
      const i64 origin = corner(part);
      for (int y = sources.first_y; y <= sources.last_y; ++y) {
        for (int x = sources.first_x; x <= sources.last_x; ++x)
          add_source(shared, part.first, origin + y * grid.stride() + x, x, y);
      }
    });
    block.each([&](int lane) KILN_INLINE {
      const Vec4 sum = {shared.sums[0][lane], shared.sums[1][lane], shared.sums[2][lane],
                        shared.sums[3][lane]};
      store(part, whole, lane % density_tile, lane / density_tile, sum);
    });
  }
  /// Adds one source, at (x, y) from the tile's corner, to the destinations it covers.
  KILN_FN void add_source(Shared& shared, int first, i64 source, int x, int y) const {
    const int width = widths[source];
    if (width > table.last || width < first) return;
    const DensityKernel kernel = table.kernels[width];
    const int reach = kernel.reach;
    const TilePart part = {larger(x - reach, 0), smaller(x + reach, density_tile - 1),
                           larger(y - reach, 0), smaller(y + reach, density_tile - 1)};
    if (part.first_x > part.last_x || part.first_y > part.last_y) return;
    const Vec4 light = scaled[source];
    const float* center = table.coefficients + kernel.first + reach - x;
    for (int at = part.first_x; at <= part.last_x;) {
      const int begin = smaller(at, density_tile - density_run);
      Run<u32> within;  // what lies beside the kernel's row is another one's
      for (int i = 0; i < density_run; ++i)
        within[i] = -u32(begin + i >= at && begin + i <= part.last_x);
      at = begin + density_run;
      for (int to_y = part.first_y; to_y <= part.last_y; ++to_y) {
        const int dy = to_y > y ? to_y - y : y - to_y;
        const float* row = center + dy * (2 * reach + 1) + begin;
        const auto weights = Run<float>(reinterpret_cast<const Run<u32>&>(*row) & within);
        const int to = to_y * density_tile + begin;
        run_at(shared.sums[0] + to) += light.r * weights;
        run_at(shared.sums[1] + to) += light.g * weights;
        run_at(shared.sums[2] + to) += light.b * weights;
        run_at(shared.sums[3] + to) += light.a * weights;
      }
    }
  }
#endif

  /// CUDA: a thread owns a destination, a warp a patch of 8 x 4, and walks the sources of each cell
  /// in the same order.
  template <class Block>
  KILN_FN void gather_by_destination(Block& block, Shared& shared, const Part& part,
                                     bool whole) const {
    Vec4 sum = {0, 0, 0, 0};  // of this thread
    each_cell(part, [&](const NearCell& cell) KILN_INLINE {
      const i64 first = corner(part) + cell.top * grid.stride() + cell.left;
      block.each([&](int lane) KILN_INLINE {
        const i64 source = first + lane / density_tile * grid.stride() + lane % density_tile;
        const int width = widths[source];
        const bool present = width <= table.last && width >= part.first;
        if (present) {
          shared.kernels[lane] = table.kernels[width];
          shared.values[lane] = scaled[source];
        }
        const u32 votes = block.votes(present);
        if (lane % 32 == 0) shared.present[lane / 32] = votes;
      });
      block.each([&](int lane) KILN_INLINE {
        const TilePart near = {first_near(cell.sources.first_x, patch_x(lane), cell.reach),
                               smaller(cell.sources.last_x, patch_x(lane) + 7 + cell.reach),
                               first_near(cell.sources.first_y, patch_y(lane), cell.reach),
                               smaller(cell.sources.last_y, patch_y(lane) + 3 + cell.reach)};
        add_staged<Block>(shared, near, cell.left, cell.top, patch_x(lane) + lane % 8,
                          patch_y(lane) + lane / 8 % 4, sum);
      });
    });
    block.each([&](int lane) KILN_INLINE {
      store(part, whole, patch_x(lane) + lane % 8, patch_y(lane) + lane / 8 % 4, sum);
    });
  }
  KILN_FN static int patch_x(int lane) { return lane / 32 % 2 * 8; }
  KILN_FN static int patch_y(int lane) { return lane / 64 * 4; }
  /// Adds the staged sources of a part of the cell at (cell_x, cell_y) to the destination (to_x,
  /// to_y), all counted from the tile's corner.
  template <class Block>
  KILN_FN void add_staged(const Shared& shared, TilePart part, int cell_x, int cell_y, int to_x,
                          int to_y, Vec4& sum) const {
    if (part.first_x > part.last_x) return;
    const u32 columns = (2u << (part.last_x - cell_x)) - (1u << (part.first_x - cell_x));
    for (int y = part.first_y; y <= part.last_y; ++y) {
      const int row = y - cell_y, dy = to_y > y ? to_y - y : y - to_y;
      u32 left = shared.present[row / 2] >> (row % 2 * density_tile) & columns;
      while (left != 0) {
        const int x = Block::first_bit(left);
        left &= left - 1;
        const DensityKernel kernel = shared.kernels[row * density_tile + x];
        const int side = 2 * kernel.reach + 1, column = to_x - cell_x - x + kernel.reach;
        const bool within = dy <= kernel.reach && u32(column) < u32(side);
        // beyond its reach a product is 0, which changes no sum and costs less than a branch
        const float weight =
            within ? table.coefficients[kernel.first + u32(dy * side + column)] : 0;
        sum = sum + shared.values[row * density_tile + x] * weight;
      }
    }
  }
  KILN_FN static int larger(int a, int b) { return a > b ? a : b; }
  KILN_FN static int smaller(int a, int b) { return a < b ? a : b; }
};

KILN_END
