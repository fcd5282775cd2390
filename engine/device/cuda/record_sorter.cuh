// SPDX-License-Identifier: MIT
// The way of a launch's records into the histogram. A block of the chaos game has counters for a
// few thousand tiles in its shared memory; of a picture with more tiles it records by coarse tiles,
// each of 2^n tiles. Their records are sorted by tile afterwards, in portions that need about a
// quarter of the memory: they are read twice and written once more, 12 bytes each. For one .cu file
// alone.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/device/cuda/block.cuh"
#include "engine/device/cuda/check.cuh"

namespace kiln {
namespace {

// Memory where the records of a launch wait by tile, and the lists by which they are read.

/// Thread `first` of `threads` that empty a store of so many pages.
__device__ __forceinline__ void reset(const RecordStore& store, u32 pages, u32 first, u32 threads) {
  for (u32 t = first; t < u32(store.tile_count); t += threads) {
    store.cursors[t] = RecordStore::fresh_cursor;
    store.tile_pages[t] = 0;
  }
  for (u32 p = first; p < pages; p += threads) store.page_fill[p] = record_page;
  if (first == 0) *store.pages_taken = 0;
}
__global__ void reset_store(const RecordStore store, u32 pages) {
  reset(store, pages, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}

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

/// Finds where each tile's pages begin in the list, and the shares. One block of 1024.
__device__ __forceinline__ void plan(const ListOfStore& of) {
  __shared__ u64 sums[1024];  // shares << 32 | pages
  const RecordStore& store = of.store;
  const int pages_a_share = of.pages_a_share;
  const int each = (store.tile_count + 1023) / 1024, first = int(threadIdx.x) * each;
  const int last = min(first + each, store.tile_count);
  const auto shares_of = [&](u32 pages) {
    return (pages + u32(pages_a_share) - 1) / u32(pages_a_share);
  };
  u64 mine = 0;
  for (int t = first; t < last; ++t) {
    store.close(store.cursors[t]);
    const u32 pages = store.tile_pages[t];
    mine += pages | u64(shares_of(pages)) << 32;
  }
  sums[threadIdx.x] = mine;
  __syncthreads();
  for (u32 d = 1; d < 1024; d *= 2) {
    const u64 other = threadIdx.x >= d ? sums[threadIdx.x - d] : 0;
    __syncthreads();
    sums[threadIdx.x] += other;
    __syncthreads();
  }
  u64 at = sums[threadIdx.x] - mine;
  for (int t = first; t < last; ++t) {
    const u32 pages = store.tile_pages[t], parts = shares_of(pages);
    of.list_begin[t] = u32(at);
    for (u32 p = 0; p < parts; ++p) {
      of.shares[u32(at >> 32) + p] = {t, i32(u32(at) + u64(p) * pages / parts),
                                      i32(u32(at) + u64(p + 1) * pages / parts), parts == 1};
    }
    at += pages | u64(parts) << 32;
  }
  if (threadIdx.x == 1023) *of.share_count = u32(sums[1023] >> 32);
}
__global__ void __launch_bounds__(1024) plan_shares(const ListOfStore of) { plan(of); }

/// Thread `first` of `threads` that list the pages.
__device__ __forceinline__ void list(const ListOfStore& of, u32 first, u32 threads) {
  for (u32 p = first; p < *of.store.pages_taken; p += threads)
    of.pages[of.list_begin[of.store.page_tile[p]] + of.store.page_rank[p]] = p;
}
__global__ void list_pages(const ListOfStore of) {
  list(of, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}

constexpr int least_share_pages = 64;

/// A store of records with the lists of its pages and shares.
class RecordPages {
 public:
  /// Pages that hold `records` of so many tiles, however they fall (record_ring.cuh), in runs of
  /// at most a few pages, or of any length.
  static std::uint64_t pages_for(std::uint64_t records, int tiles, bool long_runs = false) {
    return (records / 4 * (long_runs ? 10 : 9) + record_page - 1) / record_page +
           std::uint64_t(tiles);
  }
  static constexpr std::uint64_t page_bytes = record_page * 4 + 16;

  void plan(int tiles, std::uint64_t pages) {
    *this = {};
    store_.tile_count = tiles;
    pages_ = pages;
    shares_ = most_shares(least_share_pages);
  }
  std::uint64_t bytes() const {
    return pages_ * page_bytes + shares_ * sizeof(TileShare) +
           std::uint64_t(store_.tile_count) * 16;
  }
  const RecordStore& store() const { return store_; }

  template <class Device>
  void begin(Device& device) {
    const std::size_t tiles = std::size_t(store_.tile_count);
    store_.records = device.template game_array<u32>(pages_ * record_page);
    store_.page_fill = device.template game_array<u32>(pages_);
    store_.page_tile = device.template game_array<u32>(pages_);
    store_.page_rank = device.template game_array<u32>(pages_);
    store_.cursors = device.template game_array<u64>(tiles);
    store_.tile_pages = device.template game_array<u32>(tiles);
    store_.pages_taken = device.template game_array<u32>(1);
    list_begin_ = device.template game_array<u32>(tiles);
    page_list_ = device.template game_array<u32>(pages_);
    share_list_ = device.template game_array<TileShare>(shares_);
    share_count_ = device.template game_array<u32>(1);
  }
  void reset(int multiprocessors, cudaStream_t stream) const {
    reset_store<<<u32(multiprocessors) * 4, 256, 0, stream>>>(store_, u32(pages_));
    KILN_CUDA_CHECK(cudaGetLastError());
  }
  std::uint64_t pages() const { return pages_; }
  /// The store's list by tile, in shares of so many pages, least_share_pages or more; its arrays are filled later.
  ListOfStore list_to_come(int pages_a_share) const {
    return {store_, pages_a_share, list_begin_, share_list_, share_count_, page_list_};
  }
  PageList list(int pages_a_share, int multiprocessors, cudaStream_t stream) const {
    const ListOfStore of = list_to_come(pages_a_share);
    plan_shares<<<1, 1024, 0, stream>>>(of);
    KILN_CUDA_CHECK(cudaGetLastError());
    list_pages<<<u32(multiprocessors) * 4, 256, 0, stream>>>(of);
    KILN_CUDA_CHECK(cudaGetLastError());
    return of.list();
  }
  /// Blocks that take a share each: those beyond the last find out by share_count.
  u32 most_shares(int pages_a_share) const {
    return u32(pages_ / u64(pages_a_share)) + u32(store_.tile_count);
  }

 private:
  RecordStore store_{};
  std::uint64_t pages_ = 0, shares_ = 0;              // room for
  u32 *list_begin_ = nullptr, *page_list_ = nullptr;  // [tiles], [pages]
  TileShare* share_list_ = nullptr;
  u32* share_count_ = nullptr;
};

// Records become sums in the histogram: SumNarrowTiles or AccumulateTiles sums each share of a
// tile's pages in shared memory and adds it to the histogram once.

constexpr int share_pages = 256;  // of one block that sums: enough to pay for its tile

/// Bytes of shared memory that a block needs for the sums of a tile; wide palettes do without.
int tile_sum_bytes(const PaletteTable& palette, int pixels) {
  if (palette.narrow) {
    return pixels * (palette.opaque ? SumNarrowTiles<false>::pixel_bytes
                                    : SumNarrowTiles<true>::pixel_bytes) +
           palette.rows * 256 * int(sizeof(uint2));
  }
  return palette.wide ? 0 : pixels * (palette.opaque ? 16 : 20);
}

/// The tiles of a picture of that width, cut into finer ones where a block of this device has no room for
/// the sums of one: 99 KB on most GPUs that draw a desktop, where the largest tiles want 130 to 160.
Tiling tiles_with_room(const Program& program, const PaletteTable& palette,
                       const cudaDeviceProp& device) {
  Tiling tiling = program.tiling;
  const int lines = tiling.tile_count / std::max(tiling.tiles_x, 1) << tiling.y_bits;
  while (tile_sum_bytes(palette, tiling.pixels()) > int(device.sharedMemPerBlockOptin)) {
    --(tiling.x_bits > tiling.y_bits ? tiling.x_bits : tiling.y_bits);
    tiling.tiles_x = ((program.width - 1) >> tiling.x_bits) + 1;
    tiling.tile_count =
        tiling.tiles_x * (((std::min(lines, program.height) - 1) >> tiling.y_bits) + 1);
  }
  return tiling;
}

/// `packed`: entries of the palette behind the sums in shared memory, or 0.
template <int Lanes, int Blocks>
__global__ void __launch_bounds__(Lanes, Blocks)
    run_sums(const AccumulateTiles kernel, const PageList list, int sum_bytes, int packed) {
  extern __shared__ __align__(16) char memory[];
  CudaTileBlock block{list, kernel.palette.entries, blockIdx.x};
  if (packed) block.pack_palette(packed, reinterpret_cast<uint2*>(memory + sum_bytes));
  kernel(block, *reinterpret_cast<AccumulateTiles::Shared*>(memory));
}

template <int Lanes, int Blocks>
void launch_sums(const AccumulateTiles& sums, const PageList& list, u32 blocks, int sum_bytes,
                 int most_bytes, cudaStream_t stream) {
  constexpr int most_packed = 2048;  // 16 KB
  const PaletteTable& palette = sums.palette;
  const int entries = palette.rows << (palette.index_bits - palette.fraction_bits);
  const int with_entries = sum_bytes + (entries + 1) * int(sizeof(uint2));
  const bool packs = !palette.wide && entries <= most_packed && with_entries <= most_bytes;
  const int packed = packs ? entries : 0, bytes = packs ? with_entries : sum_bytes;
  const auto kernel = run_sums<Lanes, Blocks>;
  KILN_CUDA_CHECK(allow_shared(reinterpret_cast<const void*>(kernel), bytes));
  kernel<<<blocks, Lanes, std::size_t(bytes), stream>>>(sums, list, sum_bytes, packed);
}

template <int Lanes, int Blocks, bool Hits>
__global__ void __launch_bounds__(Lanes, Blocks)
    run_narrow_sums(const SumNarrowTiles<Hits> kernel) {
  extern __shared__ __align__(16) u32 sums[];
  kernel(blockIdx.x, sums);
}

template <int Lanes, int Blocks, bool Hits>
void launch_narrow(const AccumulateTiles& sums, const PageList& list, u32 blocks,
                   cudaStream_t stream) {
  const auto kernel = run_narrow_sums<Lanes, Blocks, Hits>;
  const int bytes = tile_sum_bytes(sums.palette, sums.tiling.pixels());
  KILN_CUDA_CHECK(allow_shared(reinterpret_cast<const void*>(kernel), bytes));
  kernel<<<blocks, Lanes, std::size_t(bytes), stream>>>(
      SumNarrowTiles<Hits>{sums.palette.entries, sums.palette.rows, sums.histogram, sums.width,
                           sums.height, sums.tiling, list});
}

/// The number of pages of a share whose sums fit 32 bits.
int pages_of_share(const AccumulateTiles& sums) {
  return int(std::min<u64>(u64(share_pages), sums.record_limit / record_page));
}

SumNarrowTiles<false> narrow_sums(const AccumulateTiles& sums, const PageList& list) {
  return {sums.palette.entries,
          sums.palette.rows,
          sums.histogram,
          sums.width,
          sums.height,
          sums.tiling,
          list};
}

/// Adds all records of the pages to the histogram of `sums`.
void add_records(const RecordPages& pages, const AccumulateTiles& sums,
                 const cudaDeviceProp& device, cudaStream_t stream) {
  const int limit = pages_of_share(sums);
  const PageList list = pages.list(limit, device.multiProcessorCount, stream);
  const u32 blocks = pages.most_shares(limit);
  const int pixels = sums.tiling.pixels(), tile_bytes = tile_sum_bytes(sums.palette, pixels);
  const int most_bytes = int(device.sharedMemPerBlockOptin);
  if (tile_bytes > most_bytes) device_error("a tile's sums do not fit the GPU's shared memory");
  if (sums.palette.narrow && sums.palette.opaque) {
    // 48 warps a multiprocessor, or 32 where a tile's sums leave room for one block
    if (pixels > most_tile_pixels) {
      launch_narrow<1024, 1, false>(sums, list, blocks, stream);
    } else {
      launch_narrow<512, 3, false>(sums, list, blocks, stream);
    }
  } else if (sums.palette.narrow) {
    launch_narrow<512, 2, true>(sums, list, blocks, stream);
  } else {
    AccumulateTiles kernel = sums;
    int bytes = tile_bytes;
    if (sums.palette.wide) {
      bytes = pixels * (sums.palette.opaque ? 32 : 40);
      kernel.halves = kernel.halves && bytes <= most_bytes;
      if (!kernel.halves) bytes = 0;
    }
    if (bytes > 64 * 1024)
      launch_sums<1024, 1>(kernel, list, blocks, bytes, most_bytes, stream);
    else
      launch_sums<512, 3>(kernel, list, blocks, bytes, most_bytes, stream);
  }
  KILN_CUDA_CHECK(cudaGetLastError());
}

constexpr int most_parts = 1024;  // tiles in a coarse one

/// Coarse tiles, no more than `most` of them if a record has room for where in its tile a point is
/// beside `color_bits`.
Tiling coarser(const Tiling& fine, int most, int color_bits) {
  Tiling coarse = fine;
  const int lines = fine.tile_count / fine.tiles_x;
  while (coarse.tile_count > most && coarse.pixel_bits() + color_bits < 32 &&
         coarse.pixels() < fine.pixels() * most_parts) {
    ++(coarse.x_bits == coarse.y_bits ? coarse.x_bits : coarse.y_bits);
    const int x = coarse.x_bits - fine.x_bits, y = coarse.y_bits - fine.y_bits;
    coarse.tiles_x = ((fine.tiles_x - 1) >> x) + 1;
    coarse.tile_count = coarse.tiles_x * (((lines - 1) >> y) + 1);
  }
  return coarse;
}

/// A share of a coarse tile's records goes to the stores of its tiles. A block counts first, and
/// reserves one run a tile.
struct SplitRecords {
  static constexpr int lanes = 512;

  PageList list;
  int portion, portions;  // of the list's shares
  Tiling coarse, fine;
  RecordStore store;

  struct Shared {
    u32 places[most_parts];
  };

  KILN_FN void operator()(Shared& shared) const {
    const u64 shares = *list.share_count;
    const u32 index = u32(shares * u32(portion) / u32(portions)) + blockIdx.x;
    if (index >= u32(shares * u32(portion + 1) / u32(portions))) return;
    const TileShare share = list.shares[index];
    const int parts = 1 << (coarse.pixel_bits() - fine.pixel_bits());
    for (int t = int(threadIdx.x); t < parts; t += lanes) shared.places[t] = 0;
    __syncthreads();
    each_record_of_share(list, share,
                         [&](u32 record) { atomicAdd(&shared.places[part_of(record)], 1u); });
    __syncthreads();
    for (int t = int(threadIdx.x); t < parts; t += lanes) {
      const u32 count = shared.places[t];
      const int tile = tile_of(share.tile, t);
      if (count) shared.places[t] = store.answer(tile, count, store.ask(tile, count));
    }
    __syncthreads();
    each_record_of_share(list, share, [&](u32 record) {
      const u32 place = atomicAdd(&shared.places[part_of(record)], 1u);
      store.records[place] =
          fine.record(fine.pixel_of(column_of(record), line_of(record)), color_of(record));
    });
  }

 private:
  KILN_FN i32 column_of(u32 record) const { return i32(record & u32(coarse.columns() - 1)); }
  KILN_FN i32 line_of(u32 record) const {
    return i32((record & u32(coarse.pixels() - 1)) >> coarse.x_bits);
  }
  KILN_FN u32 color_of(u32 record) const { return record >> coarse.pixel_bits(); }
  /// The fine tile in its coarse tile that a record belongs to, and that tile's number in the picture.
  KILN_FN int part_of(u32 record) const {
    return (line_of(record) >> fine.y_bits) << (coarse.x_bits - fine.x_bits) |
           column_of(record) >> fine.x_bits;
  }
  KILN_FN int tile_of(int coarse_tile, int part) const {
    const int x_bits = coarse.x_bits - fine.x_bits, y_bits = coarse.y_bits - fine.y_bits;
    const int x = (coarse_tile % coarse.tiles_x) << x_bits | (part & ((1 << x_bits) - 1));
    const int y = (coarse_tile / coarse.tiles_x) << y_bits | part >> x_bits;
    return y * fine.tiles_x + x;
  }
};

__global__ void __launch_bounds__(SplitRecords::lanes, 4)
    split_records(const __grid_constant__ SplitRecords kernel) {
  __shared__ SplitRecords::Shared shared;
  kernel(shared);
}

/// The store of a launch's records, by the tiles of the picture or by coarse ones.
class RecordSorter {
 public:
  /// Blocks record by `recorded`, which is `tiling` or coarser().
  void plan(const Tiling& tiling, const Tiling& recorded, std::uint64_t records) {
    tiling_ = tiling;
    recorded_tiling_ = recorded;
    recorded_.plan(recorded.tile_count, RecordPages::pages_for(records, recorded.tile_count));
    if (!sorts_twice()) return sorted_.plan(0, 0);
    const std::uint64_t most =
        std::min(records, std::uint64_t(portion_shares()) * least_share_pages * record_page);
    sorted_.plan(tiling.tile_count, RecordPages::pages_for(most, tiling.tile_count, true));
  }
  const Tiling& recorded_tiling() const { return recorded_tiling_; }
  const RecordStore& store() const { return recorded_.store(); }
  const RecordPages& recorded() const { return recorded_; }
  const Tiling& tiling() const { return tiling_; }
  bool sorts_twice() const { return recorded_tiling_.pixel_bits() != tiling_.pixel_bits(); }
  std::uint64_t bytes() const { return recorded_.bytes() + (sorts_twice() ? sorted_.bytes() : 0); }

  template <class Device>
  void begin(Device& device) {
    recorded_.begin(device);
    if (sorts_twice()) sorted_.begin(device);
  }
  void reset(const cudaDeviceProp& device, cudaStream_t stream) const {
    recorded_.reset(device.multiProcessorCount, stream);
  }
  /// Adds all records to the frame of `sums`.
  void add_to_histogram(AccumulateTiles sums, const cudaDeviceProp& device,
                        cudaStream_t stream) const {
    sums.tiling = tiling_;
    if (!sorts_twice()) return add_records(recorded_, sums, device, stream);
    const PageList list = recorded_.list(least_share_pages, device.multiProcessorCount, stream);
    for (int portion = 0; portion < portions; ++portion) {
      sorted_.reset(device.multiProcessorCount, stream);
      split_records<<<portion_shares(), SplitRecords::lanes, 0, stream>>>(
          {list, portion, portions, recorded_tiling_, tiling_, sorted_.store()});
      KILN_CUDA_CHECK(cudaGetLastError());
      add_records(sorted_, sums, device, stream);
    }
  }

 private:
  static constexpr int portions = 8;

  u32 portion_shares() const { return recorded_.most_shares(least_share_pages) / portions + 1; }

  Tiling tiling_{}, recorded_tiling_{};
  RecordPages recorded_, sorted_;
};

// The same of many games at once, each with a store of its own (shared_launches.cu).

/// A store to be emptied, and the count of units that goes with it.
struct StoreToReset {
  RecordStore store;
  u32 pages;
  u32* unfinished;
};

constexpr int reset_blocks = 8, list_blocks = 4;  // of a store

__global__ void reset_many(const __grid_constant__ Many<StoreToReset> many) {
  const int item = item_of(many, blockIdx.x);
  const StoreToReset& one = many.item[item];
  const u32 first = (blockIdx.x - many.first[item]) * blockDim.x + threadIdx.x;
  reset(one.store, one.pages, first, reset_blocks * blockDim.x);
  if (first == 0) *one.unfinished = 0;
}
__global__ void __launch_bounds__(1024) plan_many(const __grid_constant__ Many<ListOfStore> many) {
  plan(many.item[blockIdx.x]);
}
__global__ void list_many(const __grid_constant__ Many<ListOfStore> many) {
  const int item = item_of(many, blockIdx.x);
  list(many.item[item], (blockIdx.x - many.first[item]) * blockDim.x + threadIdx.x,
       list_blocks * blockDim.x);
}
__global__ void __launch_bounds__(512, 3)
    sum_many(const __grid_constant__ Many<SumNarrowTiles<false>> many) {
  extern __shared__ __align__(16) u32 sums[];
  const int item = item_of(many, blockIdx.x);
  many.item[item](blockIdx.x - many.first[item], sums);
}

/// Whether the records of a game are summed with those of others.
bool sums_with_others(const RecordSorter& records, const AccumulateTiles& sums) {
  return !records.sorts_twice() && sums.palette.narrow && sums.palette.opaque &&
         records.tiling().pixels() <= most_tile_pixels;
}

}  // namespace
}  // namespace kiln
