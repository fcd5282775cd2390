// The CPU as a device: memory is memory, a launch is a parallel loop over blocks, records wait in
// bins that each worker owns.
#include "engine/device/device.h"

#include <sys/mman.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>

#include "engine/base/available_memory.h"
#include "engine/base/error.h"
#include "engine/base/thread_pool.h"
#include "engine/device/cpu/code.h"
#include "engine/device/memory_pool.h"
#include "engine/device/test_hooks.h"
#include "engine/program/compiled_flame.h"

namespace kiln {
namespace {

struct AlignedFree {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, AlignedFree>;

constexpr std::size_t huge_page = std::size_t(2) << 20;
// when none of such a size waits, the picture's size has changed, and what waits is for another
constexpr std::size_t large_block = std::size_t(64) << 20;

/// Large blocks lie on huge pages where the machine has them: records and sums are touched all
/// over, and 4 KB pages would miss the TLB at every record.
Memory aligned(std::size_t bytes) {
  const std::size_t alignment = bytes >= huge_page ? huge_page : 64;
  const std::size_t size =
      (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  Memory memory(std::aligned_alloc(alignment, size));
  if (!memory || allocation_shall_fail()) throw std::bad_alloc();
  if (size >= huge_page) madvise(memory.get(), size, MADV_HUGEPAGE);  // advice: it may fail
  return memory;
}

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
  std::size_t bytes() const { return slabs_.size() * slab_pages * sizeof(BinPage); }

 private:
  static constexpr std::size_t slab_pages = huge_page / sizeof(BinPage);
  BinPage* take() {
    if (used_ == slabs_.size() * slab_pages)
      slabs_.push_back(aligned(slab_pages * sizeof(BinPage)));
    BinPage* slab = static_cast<BinPage*>(slabs_[used_ / slab_pages].get());
    return slab + used_++ % slab_pages;
  }
  std::vector<Memory> slabs_;
  std::size_t used_ = 0;
};

class CpuDevice : public Device {
 public:
  explicit CpuDevice(int threads)
      : code_(best_cpu_code()),
        pool_(threads > 0 ? threads : std::max(1, int(std::thread::hardware_concurrency()))),
        pages_(std::size_t(pool_.size())),
        bins_(std::size_t(pool_.size())) {
    for (int worker = 0; worker < pool_.size(); ++worker)
      scratch_.push_back(
          aligned(std::max(code_.kernels.scratch_bytes, code_.divergent.scratch_bytes)));
  }

  std::string describe() const override {
    return fmt::format("cpu ({}, {} thread{})", code_.kernels.name, pool_.size(),
                       pool_.size() == 1 ? "" : "s");
  }
  ~CpuDevice() override { free_blocks(true); }
  void* allocate(std::size_t bytes) override {
    void* memory = blocks_.take(bytes);
    if (memory) return memory;
    free_blocks(bytes >= large_block);
    memory = aligned(bytes).release();
    blocks_.add(memory, bytes);
    return memory;
  }
  void release(void* memory) override { blocks_.give_back(memory); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    if (bytes) std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    note_download(bytes);
    upload(to, from, bytes);
  }
  void clear(void* memory, std::size_t bytes) override {
    constexpr std::size_t piece = std::size_t(1)
                                  << 20;  // by all threads: the first touch places the pages
    pool_.run(int((bytes + piece - 1) / piece), [&](int i, int) {
      const std::size_t begin = std::size_t(i) * piece;
      std::memset(static_cast<char*>(memory) + begin, 0, std::min(piece, bytes - begin));
    });
  }
  void launch(int kernel, const void* arguments, std::size_t, int blocks) override {
    in_pieces(blocks, [&](int first, int last, const CpuWorker& worker) {
      code_.kernels.run(kernel, arguments, first, last, worker);
    });
  }
  using Device::transform;
  void transform(const FftLines& job) override {
    const CpuFft& fft = code_.fft;
    const std::size_t bytes = fft.scratch_bytes(&job);
    fft_scratch_.resize(std::size_t(pool_.size()));
    for (auto& [memory, held] : fft_scratch_) {
      if (held >= bytes) continue;
      memory.reset();
      memory = aligned(bytes);
      held = bytes;
    }
    const int blocks = fft.blocks(&job), grain = std::clamp(blocks / (pool_.size() * 16), 1, 8);
    pool_.run((blocks + grain - 1) / grain, [&](int piece, int worker) {
      check_stop();
      fft.run(&job, piece * grain, std::min(blocks, (piece + 1) * grain),
              fft_scratch_[std::size_t(worker)].first.get());
    });
  }
  void wait() override {}
  std::uint64_t free_memory_bytes() const override {
    return available_memory_bytes() + blocks_.waiting_bytes();
  }

  void choose_game(Game game) override {
    if (game == Game::mtgp32) {
      fail(ErrorKind::device,
           "--rng mtgp32 is cuRAND's generator and needs an NVIDIA GPU; use --backend cuda where "
           "there is one, or --strategy divergent as a cross-check on the CPU");
    }
    game_ = game;
  }
  GamePlan plan_game(const CompiledFlame& flame, std::uint64_t unit_count, std::uint64_t) override {
    GamePlan plan;
    const Tiling& tiling = flame.program.tiling;
    const std::uint64_t tile_count = std::uint64_t(tiling.tile_count);
    // A tile visit must bring more records than the tile has pixels, or summing costs more than it
    // saves. Each worker may hold that much, up to what a cache holds: the fewer launches, the less
    // often all wait for the last one (two threads: 3 to 5 % faster).
    const std::uint64_t workers = std::uint64_t(pool_.size());
    const std::uint64_t wanted = tile_count * std::uint64_t(tiling.pixels()) * 4 / unit_samples;
    plan.units = int(std::min(
        unit_count, std::max(std::clamp<std::uint64_t>(wanted * workers, 8, 32), workers * 2)));
    const std::uint64_t tiles = tile_count + 1;
    plan.memory_bytes = std::uint64_t(plan.units) * (unit_samples * 4 + pool_slots * 20) +
                        workers * tiles * (sizeof(std::uint32_t*) + sizeof(BinPage)) +
                        workers * code_.kernels.scratch_bytes;
    return plan;
  }
  int units_at_once() const override { return pool_.size(); }
  void begin_game(const GamePlan&, const CompiledFlame& flame) override {
    const int tile_count = flame.program.tiling.tile_count;
    const std::size_t tiles = std::size_t(tile_count) + 1;
    for (std::size_t worker = 0; worker < bins_.size(); ++worker) {
      std::vector<std::uint32_t*>& cursor = cursors_.emplace_back(tiles, nullptr);
      bins_[worker] =
          Bins{cursor.data(), tile_count, &pages_[worker], &PagePool::open_page, &stop_asked_};
    }
  }
  void warm_up(const WarmUp& warm, int units) override {
    if (game_ == Game::permutation) return Device::warm_up(warm, units);
    in_pieces(units, [&](int first, int last, const CpuWorker& worker) {
      code_.divergent.warm_up(&warm.game, first, last, worker);
    });
  }
  void play(const IterateBatch& game, const AccumulateTiles& sums, int units) override {
    const int tile_count = sums.tiling.tile_count;
    if (game_ == Game::permutation) {
      if (game.game.program.wide) {
        Device::launch(WideIterateBatch{game.game, game.unfinished}, units);
      } else {
        Device::launch(game, units);
      }
    } else {
      in_pieces(units, [&](int first, int last, const CpuWorker& worker) {
        code_.divergent.iterate(&game.game, first, last, worker);
      });
    }
    Device::launch(sums, tile_count);
    for (PagePool& pages : pages_) pages.rewind();
    for (Bins& bins : bins_) bins.cursor[tile_count] = nullptr;
  }
  void end_game() override {
    cursors_.clear();
    for (PagePool& pages : pages_) pages = PagePool();
  }

 private:
  /// body(first, last, worker) for pieces of [0, blocks), on all threads.
  template <class Body>
  void in_pieces(int blocks, Body&& body) {
    const int grain = std::clamp(blocks / (pool_.size() * 16), 1, 64);
    pool_.run((blocks + grain - 1) / grain, [&](int piece, int worker) {
      check_stop();
      const CpuWorker mine{scratch_[std::size_t(worker)].get(), &bins_[std::size_t(worker)],
                           bins_.data(), pool_.size()};
      body(piece * grain, std::min(blocks, (piece + 1) * grain), mine);
    });
    check_stop();  // units that noticed it are not complete
  }
  void free_blocks(bool all) {
    for (void* block : blocks_.leave(all)) std::free(block);
  }

  const CpuCode& code_;
  ThreadPool pool_;
  Game game_ = Game::permutation;
  std::vector<Memory> scratch_;
  std::vector<std::pair<Memory, std::size_t>> fft_scratch_;  // one a worker, and its bytes
  MemoryPool blocks_;
  std::vector<PagePool> pages_;
  std::vector<Bins> bins_;
  std::vector<std::vector<std::uint32_t*>> cursors_;  // [workers][tiles + 1]
};

}  // namespace

void device_error(const std::string& message) { throw Error(ErrorKind::device, message); }

std::unique_ptr<Device> open_cpu(int threads) { return std::make_unique<CpuDevice>(threads); }

std::unique_ptr<Device> open_device(const RenderOptions& options) {
  if (options.backend != Backend::cpu) {
    if (auto cuda = open_cuda(options.device, options.backend == Backend::cuda)) return cuda;
  }
  return open_cpu(options.threads);
}

std::vector<DeviceInfo> list_devices() {
  struct sysinfo info {};
  sysinfo(&info);
  std::vector<DeviceInfo> devices;
  const int threads = std::max(1, int(std::thread::hardware_concurrency()));
  devices.push_back({"cpu", 0, best_cpu_code().kernels.name,
                     std::uint64_t(info.totalram) * info.mem_unit,
                     fmt::format("{} threads", threads)});
  for (DeviceInfo& cuda : list_cuda_devices()) devices.push_back(std::move(cuda));
  return devices;
}

}  // namespace kiln
