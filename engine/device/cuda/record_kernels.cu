// SPDX-License-Identifier: MIT
// The kernels that sort a launch's records by tile and add them to the histogram (record_sorter.h).
#include "engine/device/cuda/many.h"
#include "engine/device/cuda/sums.cuh"

namespace kiln {

/// Thread `first` of `threads` that empty a store of so many pages.
__device__ __forceinline__ void reset(const RecordStore& store, u32 pages, u32 first, u32 threads) {
  for (u32 t = first; t < u32(store.tile_count); t += threads) {
    store.cursors[t] = RecordStore::fresh_cursor;
    store.tile_pages[t] = 0;
  }
  for (u32 p = first; p < pages; p += threads) store.page_fill[p] = record_page;
  if (first == 0) *store.pages_taken = 0;
}

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

/// Thread `first` of `threads` that list the pages.
__device__ __forceinline__ void list(const ListOfStore& of, u32 first, u32 threads) {
  for (u32 p = first; p < *of.store.pages_taken; p += threads)
    of.pages[of.list_begin[of.store.page_tile[p]] + of.store.page_rank[p]] = p;
}

struct SplitRecords {
  const RecordsToSplit& of;
  struct Shared {
    u32 places[most_parts];
  };

  KILN_FN void operator()(Shared& shared) const {
    const u64 shares = *of.list.share_count;
    const u32 index = u32(shares * u32(of.portion) / u32(of.portions)) + blockIdx.x;
    if (index >= u32(shares * u32(of.portion + 1) / u32(of.portions))) return;
    const TileShare share = of.list.shares[index];
    const int parts = 1 << (of.coarse.pixel_bits() - of.fine.pixel_bits());
    for (int t = int(threadIdx.x); t < parts; t += RecordsToSplit::lanes) shared.places[t] = 0;
    __syncthreads();
    each_record_of_share(of.list, share,
                         [&](u32 record) { atomicAdd(&shared.places[part_of(record)], 1u); });
    __syncthreads();
    for (int t = int(threadIdx.x); t < parts; t += RecordsToSplit::lanes) {
      const u32 count = shared.places[t];
      const int tile = tile_of(share.tile, t);
      if (count) shared.places[t] = of.store.answer(tile, count, of.store.ask(tile, count));
    }
    __syncthreads();
    each_record_of_share(of.list, share, [&](u32 record) {
      const u32 place = atomicAdd(&shared.places[part_of(record)], 1u);
      of.store.records[place] =
          of.fine.record(of.fine.pixel_of(column_of(record), line_of(record)), color_of(record));
    });
  }

  KILN_FN i32 column_of(u32 record) const { return i32(record & u32(of.coarse.columns() - 1)); }
  KILN_FN i32 line_of(u32 record) const {
    return i32((record & u32(of.coarse.pixels() - 1)) >> of.coarse.x_bits);
  }
  KILN_FN u32 color_of(u32 record) const { return record >> of.coarse.pixel_bits(); }
  /// The fine tile in its coarse tile that a record belongs to, and that tile's number in the picture.
  KILN_FN int part_of(u32 record) const {
    return (line_of(record) >> of.fine.y_bits) << (of.coarse.x_bits - of.fine.x_bits) |
           column_of(record) >> of.fine.x_bits;
  }
  KILN_FN int tile_of(int coarse_tile, int part) const {
    const int x_bits = of.coarse.x_bits - of.fine.x_bits,
              y_bits = of.coarse.y_bits - of.fine.y_bits;
    const int x = (coarse_tile % of.coarse.tiles_x) << x_bits | (part & ((1 << x_bits) - 1));
    const int y = (coarse_tile / of.coarse.tiles_x) << y_bits | part >> x_bits;
    return y * of.fine.tiles_x + x;
  }
};

/// Sums by AccumulateTiles. `packed`: entries of the palette behind the sums in shared memory, or 0.
KILN_FN void run_sums(const AccumulateTiles& kernel, const PageList& list, int sum_bytes,
                      int packed) {
  extern __shared__ __align__(16) char memory[];
  CudaTileBlock block{list, kernel.palette.entries, blockIdx.x};
  if (packed) block.pack_palette(packed, reinterpret_cast<uint2*>(memory + sum_bytes));
  kernel(block, *reinterpret_cast<AccumulateTiles::Shared*>(memory));
}

template <bool Hits>
KILN_FN void run_narrow_sums(const NarrowSums& of, u32 index) {
  extern __shared__ __align__(16) char memory[];
  sum_narrow_tiles<Hits>(of, index, reinterpret_cast<u32*>(memory));
}

}  // namespace kiln

extern "C" {

using namespace kiln;

__global__ void kiln_reset_store(const RecordStore store, u32 pages) {
  reset(store, pages, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}
__global__ void __launch_bounds__(1024) kiln_plan_shares(const ListOfStore of) { plan(of); }
__global__ void kiln_list_pages(const ListOfStore of) {
  list(of, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
}
__global__ void __launch_bounds__(RecordsToSplit::lanes, 4)
    kiln_split_records(const __grid_constant__ RecordsToSplit kernel) {
  __shared__ SplitRecords::Shared shared;
  SplitRecords{kernel}(shared);
}

__global__ void __launch_bounds__(1024, 1)
    kiln_sums_1024(const AccumulateTiles kernel, const PageList list, int sum_bytes, int packed) {
  run_sums(kernel, list, sum_bytes, packed);
}
__global__ void __launch_bounds__(512, 3)
    kiln_sums_512(const AccumulateTiles kernel, const PageList list, int sum_bytes, int packed) {
  run_sums(kernel, list, sum_bytes, packed);
}
__global__ void __launch_bounds__(1024, 1) kiln_narrow_sums_1024(const NarrowSums of) {
  run_narrow_sums<false>(of, blockIdx.x);
}
__global__ void __launch_bounds__(512, 3) kiln_narrow_sums_512(const NarrowSums of) {
  run_narrow_sums<false>(of, blockIdx.x);
}
__global__ void __launch_bounds__(512, 2) kiln_narrow_sums_hits(const NarrowSums of) {
  run_narrow_sums<true>(of, blockIdx.x);
}

// The same of many games at once, each with a store of its own (shared_launches.cpp).

__global__ void kiln_reset_many(const __grid_constant__ Many<StoreToReset> many) {
  const int item = item_of(many, blockIdx.x);
  const StoreToReset& one = many.item[item];
  const u32 first = (blockIdx.x - many.first[item]) * blockDim.x + threadIdx.x;
  reset(one.store, one.pages, first, reset_blocks * blockDim.x);
  if (first == 0) *one.unfinished = 0;
}
__global__ void __launch_bounds__(1024)
    kiln_plan_many(const __grid_constant__ Many<ListOfStore> many) {
  plan(many.item[blockIdx.x]);
}
__global__ void kiln_list_many(const __grid_constant__ Many<ListOfStore> many) {
  const int item = item_of(many, blockIdx.x);
  list(many.item[item], (blockIdx.x - many.first[item]) * blockDim.x + threadIdx.x,
       list_blocks * blockDim.x);
}
__global__ void __launch_bounds__(512, 3)
    kiln_sum_many(const __grid_constant__ Many<NarrowSums> many) {
  const int item = item_of(many, blockIdx.x);
  run_narrow_sums<false>(many.item[item], blockIdx.x - many.first[item]);
}

}  // extern "C"
