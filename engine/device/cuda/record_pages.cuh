// Memory where the records of a launch wait by tile, and the lists by which they are read. For one
// .cu file alone.
#pragma once

#include <cstdint>

#include "engine/device/cuda/block.cuh"
#include "engine/device/cuda/check.cuh"

namespace kiln {
namespace {

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

constexpr int least_share_pages = 64;

/// A store of records with the lists of its pages and shares.
class RecordPages {
 public:
  /// Pages that hold `records` of so many tiles, however they fall (record_store.cuh), in runs of
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
  /// What is in the store by tile, in shares of so many pages, least_share_pages or more.
  PageList list(int pages_a_share, int multiprocessors, cudaStream_t stream) const {
    plan_shares<<<1, 1024, 0, stream>>>(store_, pages_a_share, list_begin_, share_list_,
                                        share_count_);
    KILN_CUDA_CHECK(cudaGetLastError());
    list_pages<<<u32(multiprocessors) * 4, 256, 0, stream>>>(store_, list_begin_, page_list_);
    KILN_CUDA_CHECK(cudaGetLastError());
    return {page_list_, store_.page_fill, store_.records, share_list_, share_count_};
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

}  // namespace
}  // namespace kiln
