// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/device/cuda/checks/divergent.cuh"
#include "tests/parity/tile_extents.h"

namespace kiln::test {
namespace {

constexpr int most_steps = 6;
constexpr std::chrono::seconds most_time{10};  // a launch takes a quarter of a millisecond

void check(cudaError_t result) {
  if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

template <class T>
class Array {
 public:
  explicit Array(std::size_t size) : size_(size) {
    check(cudaMalloc(&at_, size * sizeof(T)));
    clear();
  }
  ~Array() { cudaFree(at_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  void clear() { check(cudaMemset(at_, 0, size_ * sizeof(T))); }
  T* data() const { return at_; }
  std::vector<T> first(std::size_t count) const {
    std::vector<T> values(count);
    check(cudaMemcpy(values.data(), at_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* at_ = nullptr;
  std::size_t size_;
};

__global__ void begin(RecordStore store, u32 pages) {
  for (int t = int(threadIdx.x); t < store.tile_count; t += int(blockDim.x)) {
    store.cursors[t] = RecordStore::fresh_cursor;
    store.tile_pages[t] = 0;
  }
  for (u32 p = threadIdx.x; p < pages; p += blockDim.x) store.page_fill[p] = record_page;
  if (threadIdx.x == 0) *store.pages_taken = 0;
}

/// A record says which tile it is for.
__global__ void __launch_bounds__(pool_lanes, 2)
    record(const __grid_constant__ RecordStore store, u32 seed, u32* expected) {
  extern __shared__ __align__(16) char memory[];
  __shared__ CudaPoolCommon common;
  CudaPoolShared& shared = *reinterpret_cast<CudaPoolShared*>(memory);
  CudaDivergentBlock<true> block(int(blockIdx.x), shared, store, common, Program{});
  const u32 steps = 1 + ((seed * 7919 + blockIdx.x * 2654435761u) >> 20) % most_steps;
  u32 random = seed * 747796405u + blockIdx.x * 2891336453u + threadIdx.x * 277803737u + 1;
  for (u32 step = 0; step < steps; ++step) {
    block.each_move([&](const CudaRun& run) {
      random ^= random << 13;
      random ^= random >> 17;
      random ^= random << 5;
      const u32 tile = random % u32(store.tile_count);
      block.plot(run, CudaRun::Lanes<i32>{i32(tile)}, CudaRun::Lanes<u32>{tile});
      atomicAdd(&expected[tile], 1u);
    });
    block.end_step(shared, true);
  }
  block.finish_records();
}

__global__ void close(RecordStore store) {
  for (int t = int(threadIdx.x); t < store.tile_count; t += int(blockDim.x))
    store.close(store.cursors[t]);
}

/// Ends the process if the blocks wait for each other: nothing else ends such a kernel.
void wait_with_limit(int tiles, int launch) {
  const auto last = std::chrono::steady_clock::now() + most_time;
  while (cudaStreamQuery(nullptr) == cudaErrorNotReady) {
    if (std::chrono::steady_clock::now() > last) {
      std::fprintf(stderr, "%d tiles: launch %d does not end\n", tiles, launch);
      std::_Exit(1);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  check(cudaDeviceSynchronize());
}

void write(int tiles, int launches, int blocks, TileExtents& result) {
  const std::size_t count = std::size_t(tiles);
  const u32 pages =
      u32(blocks) * most_steps * u32(pool_slots) / record_page * 9 / 4 + 2 * u32(tiles);
  const Array<u32> records(std::size_t(pages) * record_page), page_fill(pages), page_tile(pages),
      page_rank(pages), tile_pages(count), pages_taken(1);
  const Array<u64> cursors(count);
  Array<u32> expected(count);
  RecordStore store{};
  store.records = records.data();
  store.cursors = cursors.data();
  store.page_fill = page_fill.data();
  store.page_tile = page_tile.data();
  store.page_rank = page_rank.data();
  store.tile_pages = tile_pages.data();
  store.pages_taken = pages_taken.data();
  store.tile_count = tiles;
  store.step_quota = most_steps + 1;
  const int bytes = CudaRing::bytes(tiles);
  check(cudaFuncSetAttribute(record, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  for (; result.launches < launches; ++result.launches) {
    expected.clear();
    begin<<<1, 1024>>>(store, pages);
    record<<<unsigned(blocks), pool_lanes, std::size_t(bytes)>>>(store, u32(result.launches + 1),
                                                                 expected.data());
    close<<<1, 1024>>>(store);
    check(cudaGetLastError());
    wait_with_limit(tiles, result.launches);
    const u32 taken = pages_taken.first(1)[0];
    const std::vector<u32> all = records.first(std::size_t(taken) * record_page);
    const std::vector<u32> fill = page_fill.first(taken), tile = page_tile.first(taken);
    const std::vector<u32> wanted = expected.first(count);
    std::vector<u32> found(count, 0);
    for (u32 p = 0; p < taken; ++p) {
      found[tile[p]] += fill[p];
      for (u32 k = 0; k < fill[p]; ++k)
        result.wrong += all[std::size_t(p) * record_page + k] != tile[p];
    }
    for (int t = 0; t < tiles; ++t) result.wrong += found[t] != wanted[t];
  }
}

}  // namespace

bool write_tile_extents(int tiles, int launches, TileExtents& result) {
  int devices = 0, multiprocessors = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return false;
  try {
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    write(tiles, launches, 2 * multiprocessors, result);
  } catch (const std::runtime_error& error) {
    result.failure = error.what();
  }
  return true;
}

}  // namespace kiln::test
