// The chaos game on the CPU: records wait in bins that each worker owns.
#include "engine/device/game.h"

#include "engine/base/error.h"
#include "engine/device/cpu/device.h"
#include "engine/program/compiled_flame.h"

namespace kiln {
namespace {

/// Pages of one worker's bins, used again from launch to launch.
class PagePool {
 public:
  /// Bins::open_page of bins whose pages come from here.
  static std::uint32_t* open_page(const Bins& bins, int tile) {
    BinPage* full = bins.last_page(tile);
    if (tile == bins.tile_count && full) return full->records;  // nobody reads it: written again
    BinPage* fresh = static_cast<PagePool*>(bins.pool)->take();
    fresh->previous = full;
    return fresh->records;
  }
  void rewind() { used_ = 0; }

 private:
  static constexpr std::size_t slab_pages = huge_page / sizeof(BinPage);
  BinPage* take() {
    if (used_ == slabs_.size() * slab_pages)
      slabs_.push_back(aligned_memory(slab_pages * sizeof(BinPage)));
    BinPage* slab = static_cast<BinPage*>(slabs_[used_ / slab_pages].get());
    return slab + used_++ % slab_pages;
  }
  std::vector<AlignedMemory> slabs_;
  std::size_t used_ = 0;
};

class CpuGame : public DeviceGame {
 public:
  /// Flames that are not wide play by `plain`, others by `wide`.
  CpuGame(CpuDevice& device, const CpuGameKernels& plain, const CpuGameKernels& wide)
      : device_(device),
        plain_(plain),
        wide_(wide),
        pages_(std::size_t(device.threads())),
        bins_(pages_.size()) {}

  GamePlan plan(const CompiledFlame& flame, std::uint64_t unit_count, std::uint64_t) override {
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
    plan.memory_bytes = std::uint64_t(plan.units) * (unit_samples * 4 + pool_slots * 20) +
                        workers * tiles * (sizeof(std::uint32_t*) + sizeof(BinPage)) +
                        workers * plain_.scratch_bytes;
    return plan;
  }
  void begin(const GamePlan&, const CompiledFlame& flame) override {
    const int tile_count = flame.program.tiling.tile_count;
    for (std::size_t worker = 0; worker < bins_.size(); ++worker) {
      std::vector<std::uint32_t*>& cursor =
          cursors_.emplace_back(std::size_t(tile_count) + 1, nullptr);
      bins_[worker] = Bins{cursor.data(), tile_count, &pages_[worker], &PagePool::open_page,
                           device_.stop_asked()};
    }
  }
  void warm_up(const ChaosGame& game, int units) override {
    run(kernels_of(game).warm_up, game, units, CpuDevice::other_work);
  }
  void play(const ChaosGame& game, const AccumulateTiles& sums, int units) override {
    run(kernels_of(game).iterate, game, units, CpuDevice::playing);
    const int tile_count = sums.tiling.tile_count;
    device_.in_pieces(tile_count, [&](int first, int last, void* scratch, int) {
      device_.code().kernels.add_tiles(&sums, first, last, scratch, bins_.data(),
                                       device_.threads());
    });
    for (PagePool& pages : pages_) pages.rewind();
    for (Bins& bins : bins_) bins.cursor[tile_count] = nullptr;
  }
  void end() override {
    cursors_.clear();
    for (PagePool& pages : pages_) pages = PagePool();
  }

 private:
  const CpuGameKernels& kernels_of(const ChaosGame& game) const {
    return game.program.wide ? wide_ : plain_;
  }
  void run(decltype(CpuGameKernels::iterate) kernel, const ChaosGame& game, int units,
           int told_as) {
    device_.in_pieces(
        units,
        [&](int first, int last, void* scratch, int worker) {
          kernel(&game, first, last, scratch, &bins_[std::size_t(worker)]);
        },
        told_as);
  }

  CpuDevice& device_;
  const CpuGameKernels &plain_, &wide_;
  std::vector<PagePool> pages_;
  std::vector<Bins> bins_;
  std::vector<std::vector<std::uint32_t*>> cursors_;  // [workers][tiles + 1]
};

}  // namespace

std::unique_ptr<DeviceGame> make_cpu_game(CpuDevice& device, Game game) {
  const CpuCode& code = device.code();
  if (game == Game::permutation)
    return std::make_unique<CpuGame>(device, code.plain_game, code.wide_game);
  if (game == Game::divergent)  // it plays no wide flames
    return std::make_unique<CpuGame>(device, code.divergent_game, code.divergent_game);
  fail(ErrorKind::device,
       "--rng mtgp32 is cuRAND's generator and needs an NVIDIA GPU; use --backend cuda where "
       "there is one, or --strategy divergent as a cross-check on the CPU");
}

}  // namespace kiln
