// SPDX-License-Identifier: MIT
// The chaos game on the CPU: records wait in bins that each worker owns.
#include "engine/device/game.h"

#include <algorithm>
#include <iterator>
#include <mutex>

#include "engine/base/error.h"
#include "engine/device/cpu/device.h"
#include "engine/program/compiled_flame.h"
#include "kernels/formula_list.h"

namespace kiln {
namespace {

/// Memory for pages. One store for all workers: who has few records in a launch leaves it to the others.
class Slabs {
 public:
  static constexpr std::size_t pages = huge_page / sizeof(BinPage);
  AlignedMemory take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return aligned_memory(pages * sizeof(BinPage));
    AlignedMemory slab = std::move(free_.back());
    free_.pop_back();
    return slab;
  }
  /// Keeps some for the next game: fresh memory costs as much as a small one.
  void keep(std::size_t most) { free_.resize(std::min(free_.size(), most)); }
  void put(std::vector<AlignedMemory>& slabs) {
    std::move(slabs.begin(), slabs.end(), std::back_inserter(free_));
    slabs.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<AlignedMemory> free_;
};

/// Pages of one worker's bins.
class PagePool {
 public:
  explicit PagePool(Slabs& store) : store_(store) {}
  /// Bins::open_page of bins whose pages come from here.
  static std::uint32_t* open_page(const Bins& bins, int tile) {
    BinPage* full = bins.last_page(tile);
    if (tile == bins.tile_count && full) return full->records;  // nobody reads it: written again
    PagePool& pool = *static_cast<PagePool*>(bins.pool);
    BinPage* fresh = pool.take();
    ++pool.of_tile_[std::size_t(tile)];
    fresh->previous = full;
    return fresh->records;
  }
  void begin(int tile_count) { of_tile_.assign(std::size_t(tile_count) + 1, 0); }
  void rewind() {
    used_ = 0;
    store_.put(slabs_);
    std::fill(of_tile_.begin(), of_tile_.end(), 0);
  }
  std::size_t used_pages() const { return used_; }
  std::uint32_t pages_of(int tile) const { return of_tile_[std::size_t(tile)]; }

 private:
  BinPage* take() {
    if (used_ == slabs_.size() * Slabs::pages) slabs_.push_back(store_.take());
    BinPage* slab = static_cast<BinPage*>(slabs_[used_ / Slabs::pages].get());
    return slab + used_++ % Slabs::pages;
  }
  Slabs& store_;
  std::vector<AlignedMemory> slabs_;
  std::size_t used_ = 0;
  std::vector<std::uint32_t> of_tile_;  // [tiles + 1] pages
};

/// Records that a thread sums without a pause: all of some tiles, or those that some workers have of one.
struct TileShare {
  int first, last;  // tiles
  int first_worker, last_worker;
  std::uint64_t pages;
};

/// Shares of about the same work, the largest first. A few tiles may hold half of a flame's points: each is shared
/// by as many threads as it needs.
std::vector<TileShare> shares_of(const std::vector<PagePool>& workers, int tile_count) {
  const int worker_count = int(workers.size());
  constexpr std::uint64_t shares_a_worker = 16;
  std::uint64_t all = 0;
  for (const PagePool& pages : workers) all += pages.used_pages();
  const std::uint64_t fair = all / (std::uint64_t(worker_count) * shares_a_worker) + 1;
  std::vector<TileShare> shares;
  TileShare open{0, 0, 0, worker_count, 0};
  const auto close = [&](int next) {
    if (open.last > open.first) shares.push_back(open);
    open = {next, next, 0, worker_count, 0};
  };
  for (int tile = 0; tile < tile_count; ++tile) {
    std::uint64_t pages = 0;
    for (const PagePool& worker : workers) pages += worker.pages_of(tile);
    if (pages <= fair) {
      if (open.pages + pages > fair) close(tile);
      open.pages += pages;
      open.last = tile + 1;
      continue;
    }
    close(tile + 1);
    TileShare part{tile, tile + 1, 0, 0, 0};
    for (int worker = 0; worker < worker_count; ++worker) {
      part.pages += workers[std::size_t(worker)].pages_of(tile);
      part.last_worker = worker + 1;
      if (part.pages < fair && worker + 1 < worker_count) continue;
      if (part.pages > 0) shares.push_back(part);
      part = {tile, tile + 1, worker + 1, worker + 1, 0};
    }
  }
  close(tile_count);
  if (worker_count > 1)
    std::stable_sort(shares.begin(), shares.end(),
                     [](const TileShare& a, const TileShare& b) { return a.pages > b.pages; });
  return shares;
}

class CpuGame : public DeviceGame {
 public:
  /// Flames that are neither extended nor fine play by `plain`.
  CpuGame(CpuDevice& device, const CpuGameKernels& plain, const CpuGameKernels& extended,
          const CpuGameKernels& jwildfire, const CpuGameKernels& formula,
          const CpuGameKernels& fine)
      : device_(device),
        plain_(plain),
        extended_(extended),
        jwildfire_(jwildfire),
        formula_(formula),
        fine_(fine),
        bins_(std::size_t(device.threads())) {
    for (std::size_t worker = 0; worker < bins_.size(); ++worker) pages_.emplace_back(slabs_);
  }

  GamePlan plan(const CompiledFlame& flame, std::uint64_t unit_count,
                std::uint64_t max_memory_bytes) override {
    GamePlan plan;
    const Tiling& tiling = flame.program.tiling;
    const std::uint64_t tile_count = std::uint64_t(tiling.tile_count);
    // A tile visit must bring more records than the tile has pixels, or summing costs more than it
    // saves. Each worker may hold that much, up to what a cache holds: the fewer launches, the less
    // often all wait for the last one (two threads: 3 to 5 % faster).
    const std::uint64_t workers = std::uint64_t(device_.threads());
    const std::uint64_t wanted = tile_count * std::uint64_t(tiling.pixels()) * 4 / unit_samples;
    plan.units = int(std::min(
        unit_count, std::max(std::clamp<std::uint64_t>(wanted * workers, 8, 32), workers * 2)));
    const std::uint64_t tiles = tile_count + 1;
    const std::uint64_t units = std::uint64_t(plan.units);
    plan.memory_bytes =
        units * pool_slots * 20 +
        workers * tiles * (sizeof(std::uint32_t*) + sizeof(std::uint32_t) + sizeof(BinPage)) +
        workers * plain_.scratch_bytes;
    plan.record_room = plan.record_bytes = units * unit_record_bytes;
    if (max_memory_bytes > 0) {
      const std::uint64_t last_slabs = workers * huge_page;  // of which each may have filled little
      const std::uint64_t fixed = std::min(max_memory_bytes, plan.memory_bytes + last_slabs);
      plan.record_room = std::clamp(max_memory_bytes - fixed, unit_record_bytes, plan.record_room);
      plan.record_bytes = plan.record_room + last_slabs;
    }
    plan.memory_bytes += plan.record_bytes;
    return plan;
  }
  void begin(const GamePlan& plan, const CompiledFlame& flame) override {
    record_room_ = plan.record_room;
    units_at_a_time_ =
        record_room_ < std::uint64_t(plan.units) * unit_record_bytes ? 1 : plan.units;
    const int tile_count = flame.program.tiling.tile_count;
    for (PagePool& pages : pages_) pages.begin(tile_count);
    for (std::size_t worker = 0; worker < bins_.size(); ++worker) {
      std::vector<std::uint32_t*>& cursor =
          cursors_.emplace_back(std::size_t(tile_count) + 1, nullptr);
      bins_[worker] = Bins{cursor.data(), tile_count, &pages_[worker], &PagePool::open_page,
                           device_.stop_asked()};
    }
  }
  void warm_up(const ChaosGame& game, int units) override {
    run(kernels_of(game).warm_up, game, 0, units, CpuDevice::other_work);
  }
  /// Plays as many units at a time as have room for their records: the first one shows how many
  /// fall into the picture.
  void play(const ChaosGame& game, const AccumulateTiles& sums, int units) override {
    for (int first = 0; first < units;) {
      const int count = std::min(units - first, units_at_a_time_);
      run(kernels_of(game).iterate, game, first, count, CpuDevice::playing);
      add_tiles(sums);
      first += count;
      units_at_a_time_ = int(std::clamp<std::size_t>(
          record_room_ / (take_back(sums.tiling.tile_count) / std::size_t(count) + 1), 1,
          most_units));
    }
  }
  void end() override {
    cursors_.clear();
    for (PagePool& pages : pages_) pages.rewind();
    slabs_.keep(std::min<std::size_t>(bins_.size(), 4));
  }

 private:
  static constexpr std::uint64_t unit_record_bytes = unit_samples * sizeof(std::uint32_t);
  static constexpr std::size_t most_units = 1 << 20;

  const CpuGameKernels& kernels_of(const ChaosGame& game) const {
    if (game.program.extended >= of_formulas_list) return formula_;
    if (game.program.extended == of_jwildfires_list) return jwildfire_;
    return game.program.extended ? extended_ : game.program.fine ? fine_ : plain_;
  }
  void run(decltype(CpuGameKernels::iterate) kernel, const ChaosGame& game, int begin, int units,
           int told_as) {
    device_.in_pieces(
        units,
        [&](int first, int last, void* scratch, int worker) {
          kernel(&game, begin + first, begin + last, scratch, &bins_[std::size_t(worker)]);
        },
        told_as);
  }
  void add_tiles(const AccumulateTiles& sums) {
    const std::vector<TileShare> shares = shares_of(pages_, sums.tiling.tile_count);
    device_.in_pieces(int(shares.size()), [&](int first, int last, void* scratch, int) {
      for (int i = first; i < last; ++i) {
        const TileShare& share = shares[std::size_t(i)];
        device_.code().kernels.add_tiles(
            &sums, share.first, share.last, scratch, bins_.data() + share.first_worker,
            share.last_worker - share.first_worker,
            share.last_worker - share.first_worker < device_.threads());
      }
    });
  }
  /// The pages of all records, which are summed; returns how many bytes they were beside the page
  /// that each tile has open.
  std::size_t take_back(int tile_count) {
    std::size_t used = 0;
    for (PagePool& pages : pages_) {
      used += pages.used_pages() * sizeof(BinPage);
      pages.rewind();
    }
    for (Bins& bins : bins_) bins.cursor[tile_count] = nullptr;
    const std::size_t open = bins_.size() * (std::size_t(tile_count) + 1) * sizeof(BinPage);
    return used - std::min(used, open);
  }

  CpuDevice& device_;
  const CpuGameKernels &plain_, &extended_, &jwildfire_, &formula_, &fine_;
  Slabs slabs_;
  std::vector<PagePool> pages_;
  std::vector<Bins> bins_;
  std::vector<std::vector<std::uint32_t*>> cursors_;  // [workers][tiles + 1]
  std::uint64_t record_room_ = 0;                     // bytes
  int units_at_a_time_ = 1;                           // whose records have that room
};

}  // namespace

std::unique_ptr<DeviceGame> make_cpu_game(CpuDevice& device, Game game) {
  const CpuCode& code = device.code();
  if (game == Game::permutation)
    return std::make_unique<CpuGame>(device, code.plain_game, code.extended_game,
                                     code.jwildfire_game, code.formula_game, code.fine_game);
  if (game == Game::divergent)  // it plays neither
    return std::make_unique<CpuGame>(device, code.divergent_game, code.divergent_game,
                                     code.divergent_game, code.divergent_game, code.divergent_game);
  fail(ErrorKind::device,
       "--rng mtgp32 is cuRAND's generator and needs an NVIDIA GPU; use --backend cuda where "
       "there is one, or --strategy divergent as a cross-check on the CPU");
}

}  // namespace kiln
