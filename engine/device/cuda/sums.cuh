// The records of a launch become sums in the frame: plan_shares cuts every tile's pages into
// shares, SumNarrowTiles or AccumulateTiles sums each share in shared memory and adds it to the
// frame once. For one .cu file alone.
#pragma once

#include <algorithm>

#include "engine/device/cuda/block.cuh"
#include "engine/device/cuda/check.cuh"

namespace kiln {
namespace {

constexpr int share_pages = 256;  // of one block that sums: enough to pay for its tile

__global__ void __launch_bounds__(AccumulateTiles::lanes)
    run_sums(const AccumulateTiles kernel, const PageList list) {
  extern __shared__ __align__(16) char memory[];
  CudaTileBlock block{list};
  kernel(block, *reinterpret_cast<AccumulateTiles::Shared*>(memory));
}

template <int Lanes, int Blocks, bool Hits>
__global__ void __launch_bounds__(Lanes, Blocks)
    run_narrow_sums(const SumNarrowTiles<Hits> kernel) {
  extern __shared__ __align__(16) u32 sums[];
  kernel(sums);
}

__global__ void reset_store(const RecordStore store, u32 pages) {
  for (int t = int(blockIdx.x * blockDim.x + threadIdx.x); t < store.tile_count;
       t += int(gridDim.x * blockDim.x)) {
    store.cursors[t] = RecordStore::fresh_cursor;
    store.tile_pages[t] = 0;
  }
  for (u32 p = blockIdx.x * blockDim.x + threadIdx.x; p < pages; p += gridDim.x * blockDim.x)
    store.page_fill[p] = record_page;
  if (blockIdx.x == 0 && threadIdx.x == 0) *store.pages_taken = 0;
}

/// Where each tile's pages begin in the list, and the shares. One block.
__global__ void __launch_bounds__(1024)
    plan_shares(const RecordStore store, int pages_a_share, u32* list_begin, TileShare* shares,
                u32* share_count) {
  __shared__ u64 sums[1024];  // shares << 32 | pages
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
    list_begin[t] = u32(at);
    for (u32 p = 0; p < parts; ++p) {
      shares[u32(at >> 32) + p] = {t, i32(u32(at) + u64(p) * pages / parts),
                                   i32(u32(at) + u64(p + 1) * pages / parts), parts == 1};
    }
    at += pages | u64(parts) << 32;
  }
  if (threadIdx.x == 1023) *share_count = u32(sums[1023] >> 32);
}

__global__ void list_pages(const RecordStore store, const u32* list_begin, u32* pages) {
  for (u32 p = blockIdx.x * blockDim.x + threadIdx.x; p < *store.pages_taken;
       p += gridDim.x * blockDim.x) {
    pages[list_begin[store.page_tile[p]] + store.page_rank[p]] = p;
  }
}

/// Memory for the plan of the shares, and the launches.
struct RecordSums {
  u32 *list_begin = nullptr, *page_list = nullptr;  // [tiles], [pages]
  TileShare* shares = nullptr;
  u32* share_count = nullptr;
  std::uint64_t pages_most = 0;

  /// Adds all records of the store to the frame of `sums`.
  void run(const RecordStore& store, const AccumulateTiles& sums, const cudaDeviceProp& device,
           cudaStream_t stream) const {
    // the sums of a share fit 32 bits
    const int limit = int(std::min<u64>(u64(share_pages), sums.record_limit / record_page));
    plan_shares<<<1, 1024, 0, stream>>>(store, limit, list_begin, shares, share_count);
    KILN_CUDA_CHECK(cudaGetLastError());
    list_pages<<<u32(device.multiProcessorCount) * 4, 256, 0, stream>>>(store, list_begin,
                                                                        page_list);
    KILN_CUDA_CHECK(cudaGetLastError());
    const PageList list{page_list, store.page_fill, store.records, shares, share_count};
    const u32 blocks = u32(pages_most / u64(limit)) + u32(store.tile_count);
    const int pixels = sums.tiling.pixels();
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
      int bytes = pixels * (sums.palette.opaque ? 16 : 20);
      if (sums.palette.wide) {
        bytes *= 2;
        kernel.halves = kernel.halves && bytes <= int(device.sharedMemPerBlockOptin);
        if (!kernel.halves) bytes = 0;
      }
      KILN_CUDA_CHECK(
          cudaFuncSetAttribute(run_sums, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
      run_sums<<<blocks, AccumulateTiles::lanes, std::size_t(bytes), stream>>>(kernel, list);
    }
    KILN_CUDA_CHECK(cudaGetLastError());
  }

 private:
  template <int Lanes, int Blocks, bool Hits>
  static void launch_narrow(const AccumulateTiles& sums, const PageList& list, u32 blocks,
                            cudaStream_t stream) {
    const auto kernel = run_narrow_sums<Lanes, Blocks, Hits>;
    const int bytes = sums.tiling.pixels() * SumNarrowTiles<Hits>::pixel_bytes +
                      sums.palette.rows * 256 * int(sizeof(uint2));
    KILN_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<blocks, Lanes, std::size_t(bytes), stream>>>(
        SumNarrowTiles<Hits>{sums.palette.entries, sums.palette.rows, sums.frame, sums.width,
                             sums.height, sums.tiling, list});
  }
};

}  // namespace
}  // namespace kiln
