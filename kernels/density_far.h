// SPDX-License-Identifier: MIT
// The far part of density estimation: sources whose kernel is wider than `split`
// (kernels/density.h) are summed by the FFT, at a cost that does not depend on the width.
//
// The estimator is linear after the log scale, so the light of width w is the convolution of the
// sources of that width with its kernel, and the sum over widths is one inverse transform of a sum
// of products. Neighboring kernels are nearly multiples of each other: each is mixed from a few
// (engine/render/stages/density/density_stage.h), and a source gives each of those its share.
//
//   WeighSources        the sources times their share of each kernel: one picture a kernel
//   PlaceKernels        two tabulated kernels, one as real and one as imaginary part
//   MirrorRows          their lower half, from the upper one
//   SpreadSpectrum      their two real spectra, as the columns read them
//   AddLight            sums groups of kernels, where not all fit the memory at once
//                       (the widest kernels work on coarser cells: kernels/density_coarse.h)
//   MaskFar             what a transform cannot: exact darkness, and which tiles are to be trusted
//
// A float transform leaks about 1e-7 of the light everywhere, and mixed kernels end a little later
// than their width. MaskFar therefore sets what no far source reaches to exactly 0, by the sources
// themselves: a tile near a contour asks them, others are covered by a cell that is near enough.
// And a tile with covered buckets that are too dim for a transform goes to GatherDensity as a
// whole: few sources reach it, so that is cheap.
#pragma once

#include "kernels/density_coarse.h"

KILN_BEGIN

/// The far sources, times what each kernel of a group gets of them. Blocks: block_count().
struct WeighSources {
  static constexpr int lanes = 256;
  struct Shared {};

  DensityGrid grid;
  const Vec4* scaled = nullptr;              // [cells_y * 16, cells_x * 16]
  const u16* widths = nullptr;               // [cells_y * 16, cells_x * 16]
  i32 split = 0;                             // widths below it are far
  i32 terms = 1;                             // kernels of the group
  const float* shares[fft_most_terms] = {};  // [split] of one kernel, by width
  Vec4* pictures[fft_most_terms] = {};       // [height, pitch]; [width, pitch) is left alone
  i32 pitch = 0;
  i32 from_x = 0, from_y = 0;  // the part of the buffer that they show
  i32 width = 0, height = 0;

  constexpr int block_count() const { return row_blocks() * height; }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    const int y = block.index / row_blocks(), first = block.index % row_blocks() * lanes;
    const i64 margin = i64(grid.margin) * density_tile;
    const i64 source = (from_y + y + margin) * grid.stride() + from_x + margin;
    const i64 row = i64(y) * pitch;
    block.each([&](int lane) KILN_INLINE {
      const int x = first + lane;
      if (x >= width) return;
      const int source_width = widths[source + x];
      const bool is_far = source_width < split;
      const Vec4 light = is_far ? scaled[source + x] : Vec4{0, 0, 0, 0};
      for (int term = 0; term < terms; ++term)
        pictures[term][row + x] = light * (is_far ? shares[term][source_width] : 0.0f);
    });
  }

 private:
  KILN_CONSTEXPR int row_blocks() const { return (width + lanes - 1) / lanes; }
};

/// Rows 0 .. row_count - 1 of two kernels in a circular picture, center at (0, 0): the first as
/// real part, the second as imaginary part. Both are symmetric, so their spectra are real and stay
/// apart.
struct PlaceKernels {
  static constexpr int lanes = 256;
  struct Shared {};

  const float* coefficients = nullptr;  // of all kernels, as DensityKernel says
  DensityKernel first, second;          // reach -1: none
  Complex* rows = nullptr;              // [row_count, points]
  i32 points = 0, row_count = 0;

  constexpr int block_count() const { return blocks_of(i64(points) * row_count, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_pixel<lanes>(block, points, row_count, [&](int x, int y, i64 i) KILN_INLINE {
      const int dx = 2 * x > points ? points - x : x;
      rows[i] = {value(first, dx, y), value(second, dx, y)};
    });
  }

 private:
  KILN_FN float value(DensityKernel kernel, int dx, int dy) const {
    const int reach = kernel.reach;
    if (dx > reach || dy > reach) return 0;
    return coefficients[i64(kernel.first) + i64(dy) * (2 * reach + 1) + reach + dx];
  }
};

/// The left columns of a circular picture that is symmetric in y and has no more than row_count
/// rows above its middle.
struct MirrorRows {
  static constexpr int lanes = 256;
  struct Shared {};

  const Complex* rows = nullptr;  // [row_count, points]
  Complex* picture = nullptr;     // [height, columns]
  i32 points = 0, row_count = 0, columns = 0, height = 0;

  constexpr int block_count() const { return blocks_of(i64(columns) * height, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_pixel<lanes>(block, columns, height, [&](int x, int y, i64 i) KILN_INLINE {
      const int row = 2 * y > height ? height - y : y;
      picture[i] = row < row_count ? rows[i64(row) * points + x] : Complex{0, 0};
    });
  }
};

/// Two real spectra that are symmetric in x, in the tiles of Spectrum (kernels/fft.h).
struct SpreadSpectrum {
  static constexpr int lanes = 256;
  static constexpr i32 tile = 4;
  struct Shared {};

  const Complex* picture = nullptr;           // [height, columns]
  float *first = nullptr, *second = nullptr;  // [points / tile, height, tile]; second may be null
  float scale = 1;
  i32 points = 0, columns = 0, height = 0;

  constexpr int block_count() const { return blocks_of(i64(points) * height, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_element<lanes>(block, i64(points) * height, [&](i64 i) KILN_INLINE {
      const int tile_x = int(i / (i64(tile) * height)), rest = int(i % (i64(tile) * height));
      const int x = tile_x * tile + rest % tile, y = rest / tile;
      const Complex value = picture[i64(y) * columns + (2 * x > points ? points - x : x)];
      first[i] = value.re * scale;
      if (second) second[i] = value.im * scale;
    });
  }
};

/// sum = light, or that much more.
struct AddLight {
  static constexpr int lanes = 256;
  struct Shared {};

  const Vec4* light = nullptr;  // [height, light_pitch]
  Vec4* sum = nullptr;          // [height, sum_pitch]
  i32 width = 0, height = 0, light_pitch = 0, sum_pitch = 0;
  i32 accumulate = 0;  // 1: add to sum

  constexpr int block_count() const { return blocks_of(i64(width) * height, lanes); }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared&) const {
    each_pixel<lanes>(block, width, height, [&](int x, int y, i64) KILN_INLINE {
      const i64 to = i64(y) * sum_pitch + x;
      const Vec4 more = light[i64(y) * light_pitch + x];
      sum[to] = accumulate ? sum[to] + more : more;
    });
  }
};

/// Cuts the far light to where far sources reach and to what is not negative, and marks the tiles
/// where it is too small to be trusted. Blocks: block_count(), one a tile.
struct MaskFar {
  static constexpr int lanes = density_tile * density_tile;
  struct Shared {
    u32 sources[lanes];
    u8 covered[lanes];
    u16 widths[lanes];          // of a cell's far sources that may matter; others: `split`
    u8 row_near[density_tile];  // the cell's rows that have such
    u8 row_bare[density_tile];  // the tile's rows and columns that are not all covered
    u8 column_bare[density_tile];
  };
  /// The reach of a width: dx^2 + dy^2 <= square, |dx| and |dy| <= reach.
  struct Span {
    i32 square, reach;
  };

  DensityGrid grid;
  i32 split = 0;
  const Span* spans = nullptr;       // [split]
  const u16* widths = nullptr;       // [cells_y * 16, cells_x * 16]
  const u16* cell_widths = nullptr;  // [cells_y, cells_x] the widest
  const u16* cell_far = nullptr;     // [cells_y, cells_x] how many far sources
  i32 most_sources = 0;              // near a tile that is summed directly
  const u64* totals = nullptr;       // SelectWidth's: a color that no far source has is 0
  float trusted = 0;                 // far alpha below it is not, if covered
  CoarseLight coarse;                // that is still to be added; its (x, y) in buckets
  i32 fine = 1;                      // 0: all light is coarse, and `far` holds nothing yet
  Vec4* far = nullptr;               // [height, width]
  u8* unsure = nullptr;              // [tiles_y, tiles_x]

  constexpr int block_count() const { return grid.tiles_x * grid.tiles_y; }

  template <class Block>
  KILN_FN void operator()(Block& block, Shared& shared) const {
    const int tile_x = block.index % grid.tiles_x, tile_y = block.index / grid.tiles_x;
    if (!grid.is_tile_seen(tile_x, tile_y)) {
      block.each([&](int lane) KILN_INLINE {
        if (lane == 0) unsure[block.index] = 0;
      });
      return;
    }
    const int side = 2 * grid.margin + 1;
    const i64 cells = i64(tile_y) * grid.cells_x() + tile_x;
    // a cell so near that any of its sources covers all
    const bool surely = block.any([&](int lane) KILN_INLINE {
      bool found = false;
      for (int c = lane; c < side * side; c += lanes) {
        const int i = c % side - grid.margin, j = c / side - grid.margin;
        const int width =
            cell_widths[cells + i64(j + grid.margin) * grid.cells_x() + i + grid.margin];
        found |=
            width < split && reaches(spans[width < split ? width : 0], farthest(i), farthest(j));
      }
      return found;
    });
    if (!surely) ask_sources(block, shared, tile_x, tile_y);
    const bool red = totals[1] > 0, green = totals[2] > 0, blue = totals[3] > 0;
    const bool too_dim = block.any([&](int lane) KILN_INLINE {
      const int x = tile_x * density_tile + lane % density_tile;
      const int y = tile_y * density_tile + lane / density_tile;
      if (x >= grid.width || y >= grid.height) return false;
      Vec4& light = far[i64(y) * grid.width + x];
      const bool seen = grid.is_seen(x, y);
      Vec4 value = fine && seen ? light : Vec4{0, 0, 0, 0};
      if (coarse.cells && seen) value = value + coarse.refined(x, y);
      const bool covered = seen && (surely || shared.covered[lane]);
      light = {positive(value.r, covered && red), positive(value.g, covered && green),
               positive(value.b, covered && blue), positive(value.a, covered)};
      return covered && value.a < trusted;
    });
    block.each([&](int lane) KILN_INLINE {
      shared.sources[lane] = 0;
      for (int c = too_dim ? lane : side * side; c < side * side; c += lanes)
        shared.sources[lane] += cell_far[cells + i64(c / side) * grid.cells_x() + c % side];
    });
    block.each([&](int lane) KILN_INLINE {
      if (lane != 0) return;
      u32 sources = 0;
      for (int i = 0; too_dim && i < lanes; ++i) sources += shared.sources[i];
      unsure[block.index] = too_dim && sources <= u32(most_sources);
    });
  }

 private:
  KILN_FN static float positive(float value, bool wanted) {
    return wanted && value > 0 ? value : 0;
  }
  KILN_FN static int distance(int cells) { return cells < 0 ? -cells : cells; }
  /// The longest and the shortest way along an axis between buckets of cells so many cells apart.
  KILN_FN static int farthest(int cells) { return (distance(cells) + 1) * density_tile - 1; }
  KILN_FN static int nearest(int cells) {
    return cells == 0 ? 0 : (distance(cells) - 1) * density_tile + 1;
  }
  KILN_FN static bool reaches(Span span, int dx, int dy) {
    return dx <= span.reach && dy <= span.reach && i64(dx) * dx + i64(dy) * dy <= span.square;
  }

  /// Fills `covered` by the sources of the cells that may reach the tile, the nearest cells first.
  template <class Block>
  KILN_FN void ask_sources(Block& block, Shared& shared, int tile_x, int tile_y) const {
    block.each([&](int lane) KILN_INLINE {
      const int x = tile_x * density_tile + lane % density_tile;
      const int y = tile_y * density_tile + lane / density_tile;
      const i64 margin = i64(grid.margin) * density_tile;
      const bool itself = widths[(y + margin) * grid.stride() + x + margin] < split;
      shared.covered[lane] = itself || !grid.is_seen(x, y);  // nobody asks beyond
    });
    if (!block.any([&](int lane) KILN_INLINE { return !shared.covered[lane]; })) return;
    TilePart bare = {0, density_tile - 1, 0, density_tile - 1};
    for (int ring = 0; ring <= grid.margin; ++ring) {
      for (int j = -ring; j <= ring; ++j) {
        const int step = j == -ring || j == ring || ring == 0 ? 1 : 2 * ring;
        for (int i = -ring; i <= ring; i += step) {
          const i64 cell =
              i64(tile_y + grid.margin + j) * grid.cells_x() + tile_x + grid.margin + i;
          const int width = cell_widths[cell];
          if (width >= split || !reaches(spans[width], nearest(i), nearest(j))) continue;
          if (!ask_cell(block, shared, tile_x + grid.margin, tile_y + grid.margin, i, j, bare))
            continue;
          bare = still_bare(block, shared);
          if (bare.first_x > bare.last_x) return;
        }
      }
    }
  }
  /// Whether some source of the cell reaches the bare part of the tile.
  template <class Block>
  KILN_FN bool ask_cell(Block& block, Shared& shared, int tile_x, int tile_y, int i, int j,
                        TilePart bare) const {
    const i64 corner =
        i64(tile_y + j) * density_tile * grid.stride() + i64(tile_x + i) * density_tile;
    const int left = i * density_tile, top = j * density_tile;
    const bool any = block.any([&](int lane) KILN_INLINE {
      const int x = lane % density_tile, y = lane / density_tile;
      const int width = widths[corner + y * grid.stride() + x];
      const bool near = width < split && reaches(spans[width < split ? width : 0],
                                                 gap(left + x, bare.first_x, bare.last_x),
                                                 gap(top + y, bare.first_y, bare.last_y));
      shared.widths[lane] = u16(near ? width : split);
      return near;
    });
    if (!any) return false;
    block.each([&](int lane) KILN_INLINE {
      if (lane >= density_tile) return;
      bool near = false;
      for (int x = 0; x < density_tile; ++x) near |= shared.widths[lane * density_tile + x] < split;
      shared.row_near[lane] = near;
    });
    for (int k = 0; k < density_tile; ++k) {  // from the middle, where a source covers most
      const int y = density_tile / 2 + (k % 2 ? -(k + 1) / 2 : k / 2);
      if (!shared.row_near[y]) continue;
      for (int x = 0; x < density_tile; ++x) {
        const int width = shared.widths[y * density_tile + x];
        if (width < split) cover(block, shared, spans[width], left + x, top + y);
      }
      if (!block.any([&](int lane) KILN_INLINE { return !shared.covered[lane]; })) break;
    }
    return true;
  }
  /// Marks what one source at (x, y) from the tile's corner covers. No barrier: a lane marks its
  /// own.
  template <class Block>
  KILN_FN void cover(Block& block, Shared& shared, Span span, int x, int y) const {
    block.each_alone([&](int lane) KILN_INLINE {
      const int dx = lane % density_tile - x, dy = lane / density_tile - y;
      const bool within = (dx * dx <= span.reach * span.reach) &
                          (dy * dy <= span.reach * span.reach) & (dx * dx + dy * dy <= span.square);
      shared.covered[lane] = u8(shared.covered[lane] | u8(within));
    });
  }
  /// The rectangle of what is not covered yet.
  template <class Block>
  KILN_FN TilePart still_bare(Block& block, Shared& shared) const {
    block.each([&](int lane) KILN_INLINE {
      if (lane >= 2 * density_tile) return;
      const bool row = lane < density_tile;
      const int at = lane % density_tile;
      bool bare = false;
      for (int k = 0; k < density_tile; ++k)
        bare |= !shared.covered[row ? at * density_tile + k : k * density_tile + at];
      (row ? shared.row_bare : shared.column_bare)[at] = bare;
    });
    TilePart part = {density_tile, -1, density_tile, -1};
    for (int k = 0; k < density_tile; ++k) {
      if (shared.column_bare[k]) {
        part.first_x = part.first_x < k ? part.first_x : k;
        part.last_x = k;
      }
      if (shared.row_bare[k]) {
        part.first_y = part.first_y < k ? part.first_y : k;
        part.last_y = k;
      }
    }
    return part;
  }
  /// The distance from x to the nearest of [first, last].
  KILN_FN static int gap(int x, int first, int last) {
    return x < first ? first - x : x > last ? x - last : 0;
  }
};

KILN_END
