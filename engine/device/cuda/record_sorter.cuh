// The way of a launch's records into the frame. A block of the chaos game has counters for a few
// thousand tiles in its shared memory; of a picture with more tiles it records by coarse tiles, each
// of 2^n tiles. Their records are sorted by tile afterwards, in portions that need about a quarter of
// the memory: they are read twice and written once more, 12 bytes each. For one .cu file alone.
#pragma once

#include "engine/device/cuda/sums.cuh"

namespace kiln {
namespace {

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
  /// Which of its coarse tile's tiles a record belongs to, and where that lies in the picture.
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

/// Where the records of a launch wait, by the tiles of the picture or by coarse ones.
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
  void add_to_histogram(const AccumulateTiles& sums, const cudaDeviceProp& device,
                        cudaStream_t stream) const {
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

}  // namespace
}  // namespace kiln
