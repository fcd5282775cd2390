// SPDX-License-Identifier: MIT
// The way of a launch's records into the histogram. A block of the chaos game has counters for a
// few thousand tiles in its shared memory; of a picture with more tiles it records by coarse tiles,
// each of 2^n tiles. Their records are sorted by tile afterwards, in portions that need about a
// quarter of the memory: they are read twice and written once more, 12 bytes each. For one .cpp file
// alone; record_kernels.cu has the kernels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/device/cuda/check.h"
#include "engine/device/cuda/kernel.h"
#include "engine/device/cuda/many.h"
#include "engine/device/cuda/records.h"
#include "engine/device/device.h"

KILN_DEVICE_CODE(record_kernels)

namespace kiln {
namespace {

Kernel<RecordStore, u32> reset_store(code_record_kernels, "kiln_reset_store", 256);
Kernel<ListOfStore> plan_shares(code_record_kernels, "kiln_plan_shares", 1024);
Kernel<ListOfStore> list_pages(code_record_kernels, "kiln_list_pages", 256);
Kernel<RecordsToSplit> split_records(code_record_kernels, "kiln_split_records",
                                     RecordsToSplit::lanes);
Kernel<AccumulateTiles, PageList, int, int> sums_1024(code_record_kernels, "kiln_sums_1024", 1024);
Kernel<AccumulateTiles, PageList, int, int> sums_512(code_record_kernels, "kiln_sums_512", 512);
Kernel<NarrowSums> narrow_sums_1024(code_record_kernels, "kiln_narrow_sums_1024", 1024);
Kernel<NarrowSums> narrow_sums_512(code_record_kernels, "kiln_narrow_sums_512", 512);
Kernel<NarrowSums> narrow_sums_hits(code_record_kernels, "kiln_narrow_sums_hits", 512);
Kernel<Many<StoreToReset>> reset_many(code_record_kernels, "kiln_reset_many", 256);
Kernel<Many<ListOfStore>> plan_many(code_record_kernels, "kiln_plan_many", 1024);
Kernel<Many<ListOfStore>> list_many(code_record_kernels, "kiln_list_many", 256);
Kernel<Many<NarrowSums>> sum_many(code_record_kernels, "kiln_sum_many", 512);

// Memory where the records of a launch wait by tile, and the lists by which they are read.

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
  void reset(int multiprocessors, CudaStream stream) const {
    reset_store(u32(multiprocessors) * 4, 0, stream, store_, u32(pages_));
  }
  std::uint64_t pages() const { return pages_; }
  /// The store's list by tile, in shares of so many pages, least_share_pages or more; its arrays are filled later.
  ListOfStore list_to_come(int pages_a_share) const {
    return {store_, pages_a_share, list_begin_, share_list_, share_count_, page_list_};
  }
  PageList list(int pages_a_share, int multiprocessors, CudaStream stream) const {
    const ListOfStore of = list_to_come(pages_a_share);
    plan_shares(1, 0, stream, of);
    list_pages(u32(multiprocessors) * 4, 0, stream, of);
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

// Records become sums in the histogram: NarrowSums or AccumulateTiles sums each share of a
// tile's pages in shared memory and adds it to the histogram once.

constexpr int share_pages = 256;  // of one block that sums: enough to pay for its tile

constexpr int packed_entry_bytes = 8;

/// Bytes of shared memory that a block needs for the sums of a tile; wide palettes do without.
int tile_sum_bytes(const PaletteTable& palette, int pixels) {
  if (palette.narrow) {
    return pixels * narrow_pixel_bytes(!palette.opaque) + palette.rows * 256 * packed_entry_bytes;
  }
  return palette.wide ? 0 : pixels * (palette.opaque ? 16 : 20);
}

/// The tiles of a picture of that width, cut into finer ones where a block of this device has no room for
/// the sums of one: 99 KB on most GPUs that draw a desktop, where the largest tiles want 130 to 160.
Tiling tiles_with_room(const Program& program, const PaletteTable& palette,
                       const GpuProperties& device) {
  Tiling tiling = program.tiling;
  const int lines = tiling.tile_count / std::max(tiling.tiles_x, 1) << tiling.y_bits;
  while (tile_sum_bytes(palette, tiling.pixels()) > int(device.shared_block)) {
    --(tiling.x_bits > tiling.y_bits ? tiling.x_bits : tiling.y_bits);
    tiling.tiles_x = ((program.width - 1) >> tiling.x_bits) + 1;
    tiling.tile_count =
        tiling.tiles_x * (((std::min(lines, program.height) - 1) >> tiling.y_bits) + 1);
  }
  return tiling;
}

/// The number of pages of a share whose sums fit 32 bits.
int pages_of_share(const AccumulateTiles& sums) {
  return int(std::min<u64>(u64(share_pages), sums.record_limit / record_page));
}

NarrowSums narrow_sums(const AccumulateTiles& sums, const PageList& list) {
  return {sums.palette.entries,
          sums.palette.rows,
          sums.histogram,
          sums.width,
          sums.height,
          sums.tiling,
          list};
}

void launch_sums(const AccumulateTiles& sums, const PageList& list, u32 blocks, int sum_bytes,
                 int most_bytes, CudaStream stream) {
  constexpr int most_packed = 2048;  // 16 KB
  const PaletteTable& palette = sums.palette;
  const int entries = palette.rows << (palette.index_bits - palette.fraction_bits);
  const int with_entries = sum_bytes + (entries + 1) * packed_entry_bytes;
  const bool packs = !palette.wide && entries <= most_packed && with_entries <= most_bytes;
  const int packed = packs ? entries : 0, bytes = packs ? with_entries : sum_bytes;
  const bool one_block = sum_bytes > 64 * 1024;
  (one_block ? sums_1024 : sums_512)(blocks, bytes, stream, sums, list, sum_bytes, packed);
}

/// Adds all records of the pages to the histogram of `sums`.
void add_records(const RecordPages& pages, const AccumulateTiles& sums, const GpuProperties& device,
                 CudaStream stream) {
  const int limit = pages_of_share(sums);
  const PageList list = pages.list(limit, device.multiprocessors, stream);
  const u32 blocks = pages.most_shares(limit);
  const int pixels = sums.tiling.pixels(), tile_bytes = tile_sum_bytes(sums.palette, pixels);
  const int most_bytes = int(device.shared_block);
  if (tile_bytes > most_bytes) device_error("a tile's sums do not fit the GPU's shared memory");
  if (sums.palette.narrow) {
    // 48 warps a multiprocessor, or 32 where a tile's sums leave room for one block
    auto& kernel = !sums.palette.opaque        ? narrow_sums_hits
                   : pixels > most_tile_pixels ? narrow_sums_1024
                                               : narrow_sums_512;
    kernel(blocks, tile_bytes, stream, narrow_sums(sums, list));
    return;
  }
  AccumulateTiles kernel = sums;
  int bytes = tile_bytes;
  if (sums.palette.wide) {
    bytes = pixels * (sums.palette.opaque ? 32 : 40);
    kernel.halves = kernel.halves && bytes <= most_bytes;
    if (!kernel.halves) bytes = 0;
  }
  launch_sums(kernel, list, blocks, bytes, most_bytes, stream);
}

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
  void reset(const GpuProperties& device, CudaStream stream) const {
    recorded_.reset(device.multiprocessors, stream);
  }
  /// Adds all records to the frame of `sums`.
  void add_to_histogram(AccumulateTiles sums, const GpuProperties& device,
                        CudaStream stream) const {
    sums.tiling = tiling_;
    if (!sorts_twice()) return add_records(recorded_, sums, device, stream);
    const PageList list = recorded_.list(least_share_pages, device.multiprocessors, stream);
    for (int portion = 0; portion < portions; ++portion) {
      sorted_.reset(device.multiprocessors, stream);
      split_records(portion_shares(), 0, stream,
                    {list, portion, portions, recorded_tiling_, tiling_, sorted_.store()});
      add_records(sorted_, sums, device, stream);
    }
  }

 private:
  static constexpr int portions = 8;

  u32 portion_shares() const { return recorded_.most_shares(least_share_pages) / portions + 1; }

  Tiling tiling_{}, recorded_tiling_{};
  RecordPages recorded_, sorted_;
};

// The same of many games at once, each with a store of its own (shared_launches.cpp).

/// Whether the records of a game are summed with those of others.
bool sums_with_others(const RecordSorter& records, const AccumulateTiles& sums) {
  return !records.sorts_twice() && sums.palette.narrow && sums.palette.opaque &&
         records.tiling().pixels() <= most_tile_pixels;
}

}  // namespace
}  // namespace kiln
