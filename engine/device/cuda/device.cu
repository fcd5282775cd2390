// A CUDA GPU as a device. Records of a launch wait in pages of their tile (cuda/pool_block.cuh);
// plan_shares cuts every tile's pages into shares, SumNarrowTiles or AccumulateTiles sums each
// share in shared memory and adds it to the frame once.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/cuda/block.cuh"
#include "engine/device/cuda/checks/divergent.h"
#include "engine/device/cuda/checks/mtgp32.h"
#include "engine/device/cuda/fft/launch.h"
#include "engine/device/cuda/jit/background_compile.h"
#include "engine/device/cuda/jit/flame_code.h"
#include "engine/device/device.h"
#include "engine/device/memory_pool.h"
#include "engine/device/test_hooks.h"
#include "engine/program/compiled_flame.h"

namespace kiln {
namespace {

[[noreturn]] void cuda_failed(cudaError_t error, const char* expression, const char* file,
                              int line);

#define KILN_CUDA_CHECK(expression)                                                  \
  do {                                                                               \
    const cudaError_t error_ = (expression);                                         \
    if (error_ != cudaSuccess) cuda_failed(error_, #expression, __FILE__, __LINE__); \
  } while (0)

[[noreturn]] void cuda_failed(cudaError_t error, const char* expression, const char* file,
                              int line) {
  device_error(
      std::string(file) + ":" + std::to_string(line) + ": " + expression + ": " +
      cudaGetErrorString(error) +
      (error == cudaErrorMemoryAllocation
           ? "; the GPU's memory is full: lower --supersample or the size, or use --backend cpu"
           : "; --backend cpu renders the same picture"));
}

using IteratePlain = IterateBatchOf<AllVariations, true>;

constexpr int static_shared = 5120;         // more than what the kernels declare statically
constexpr int moving_static_shared = 3840;  // and the numbers of a flame in motion
constexpr int share_pages = 256;            // of one block that sums: enough to pay for its tile
constexpr std::uint64_t worth_own_kernels = 200000000;  // samples: some milliseconds of work
constexpr int waves = 3;  // units of a launch at most, in blocks that run at once
constexpr std::uint64_t records_a_pixel = 700;  // of a launch, if its units allow

template <class Kernel>
__global__ void __launch_bounds__(Kernel::lanes) run_plain(const Kernel kernel) {
  extern __shared__ __align__(16) char memory[];
  if constexpr (EvaluatesPoints<Kernel>) {
    CudaEvaluateBlock block{int(blockIdx.x)};
    kernel(block, *reinterpret_cast<typename Kernel::Shared*>(memory));
  } else {
    CudaBlock block{int(blockIdx.x)};
    kernel(block, *reinterpret_cast<typename Kernel::Shared*>(memory));
  }
}

template <class Kernel>
constexpr bool records_points = requires {
  &Kernel::unfinished;
};

template <class Kernel>
__global__ void __launch_bounds__(Kernel::lanes, 2)
    run_pool(const __grid_constant__ Kernel kernel, const __grid_constant__ RecordStore store) {
  extern __shared__ __align__(16) char memory[];
  __shared__ CudaPoolCommon common;
  CudaPoolShared& shared = *reinterpret_cast<CudaPoolShared*>(memory);
  CudaPoolBlock<records_points<Kernel>> block(int(blockIdx.x), shared, store, common);
  kernel(block, shared);
}

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

class CudaDevice : public Device {
 public:
  explicit CudaDevice(int index) : index_(index) {
    KILN_CUDA_CHECK(cudaSetDevice(index));
    KILN_CUDA_CHECK(cudaGetDeviceProperties(&properties_, index));
    KILN_CUDA_CHECK(cudaStreamCreate(&stream_));
  }
  ~CudaDevice() override {
    end_game();
    free_blocks(true);
    for (const auto& [source, own] : loaded_) cudaLibraryUnload(own.library);
    destroy(fft_streams_);
    cudaStreamDestroy(stream_);
  }

  std::string describe() const override {
    return "cuda " + std::to_string(index_) + " (" + properties_.name + ")";
  }
  void* allocate(std::size_t bytes) override {
    bytes = std::max<std::size_t>(bytes, 16);
    void* memory = pool_.take(bytes);
    if (memory) return memory;  // all work is in one stream: its former user is done with it
    if (allocation_shall_fail()) bytes = std::size_t(1) << 60;  // more than any GPU has
    free_blocks(false);
    cudaError_t error = cudaMalloc(&memory, bytes);
    if (error == cudaErrorMemoryAllocation && pool_.waiting_bytes() > 0) {
      cudaGetLastError();
      free_blocks(true);
      error = cudaMalloc(&memory, bytes);
    }
    KILN_CUDA_CHECK(error);
    pool_.add(memory, bytes);
    return memory;
  }
  void release(void* memory) override { pool_.give_back(memory); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    KILN_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_));
    KILN_CUDA_CHECK(cudaStreamSynchronize(stream_));
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    KILN_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
    KILN_CUDA_CHECK(cudaStreamSynchronize(stream_));
  }
  void clear(void* memory, std::size_t bytes) override {
    KILN_CUDA_CHECK(cudaMemsetAsync(memory, 0, bytes, stream_));
  }
  void launch(int kernel, const void* arguments, std::size_t, int blocks) override {
    launch_listed(Kernels{}, kernel, arguments, blocks);
  }
  void transform(std::span<const FftLines> jobs, i32 units) override {
    KILN_CUDA_CHECK(launch_fft(jobs, units, fft_streams_, stream_));
  }
  i32 picture_tile(i32 width) const override { return width >= 4096 ? 4 : 0; }
  void transform(const FftLines& job) override {
    if (job.lines > 0) KILN_CUDA_CHECK(launch_fft(job, stream_));
  }
  void wait() override { KILN_CUDA_CHECK(cudaStreamSynchronize(stream_)); }
  std::uint64_t free_memory_bytes() const override {
    std::size_t free = 0, total = 0;
    KILN_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    return free + pool_.waiting_bytes();
  }

  void choose_game(Game game) override { game_ = game; }
  GamePlan plan_game(const CompiledFlame& flame, std::uint64_t unit_count,
                     std::uint64_t max_memory_bytes) override {
    const int tiles = flame.program.tiling.tile_count;
    GamePlan plan;
    store_ = RecordStore{};
    store_.tile_count = tiles;
    shape_ = shape_of(flame.program, 2);
    if (shape_.shared_bytes == 0) shape_ = shape_of(flame.program, 1);
    if (shape_.shared_bytes == 0) {
      device_error("the picture has " + std::to_string(tiles) + " tiles of " +
                   std::to_string(flame.program.tiling.columns()) + "x" +
                   std::to_string(flame.program.tiling.rows()) +
                   " buffer pixels, more than this GPU's shared memory can sort; lower "
                   "--supersample or the size, or use --backend cpu");
    }
    const std::uint64_t wave = std::uint64_t(properties_.multiProcessorCount) * 2;
    // a record needs its own room and, in pages that were closed early, at most as much again
    const std::uint64_t page_bytes = record_page * 4 + 16,
                        four_steps_pages = 9 * pool_slots / record_page;
    const std::uint64_t unit_most = unit_steps + 64;  // bad values make a unit longer
    std::uint64_t budget = std::min<std::uint64_t>(free_memory_bytes() / 3,
                                                   std::uint64_t(16) << 30);  // below 2^32 records
    if (max_memory_bytes) budget = std::min(budget, max_memory_bytes / 2);
    const std::uint64_t fixed = std::uint64_t(tiles) * page_bytes;
    const std::uint64_t steps =
        budget > fixed ? (budget - fixed) / page_bytes * 4 / four_steps_pages : 1;
    // a tile visit must bring many more records than the tile has pixels
    const std::uint64_t pixels =
        std::uint64_t(tiles) * std::uint64_t(flame.program.tiling.pixels());
    const std::uint64_t wanted = pixels * records_a_pixel / (wave * unit_samples) + 1;
    plan.units =
        int(std::min(unit_count, wave * std::clamp<std::uint64_t>(
                                            std::min(wanted, steps / unit_most / wave), 1, waves)));
    step_quota_ = int(
        std::clamp<std::uint64_t>(steps / std::uint64_t(plan.units), std::uint64_t(1), unit_most));
    pages_most_ = std::uint64_t(step_quota_) * std::uint64_t(plan.units) * four_steps_pages / 4 +
                  std::uint64_t(tiles);
    shares_most_ = pages_most_ / 64 + std::uint64_t(tiles);
    plan.memory_bytes =
        pages_most_ * page_bytes + shares_most_ * sizeof(TileShare) + std::uint64_t(tiles) * 16;
    if (game_ == Game::mtgp32) {
      plan.units = int(std::min<std::uint64_t>(std::uint64_t(plan.units), wave / 2));
      plan.memory_bytes += std::uint64_t(plan.units) * (mtgp32_word_bytes + mtgp32_state_bytes);
    }
    return plan;
  }
  void begin_game(const GamePlan& plan, const CompiledFlame& flame) override {
    const std::size_t pages = pages_most_, tiles = std::size_t(store_.tile_count);
    store_.records = game_array<u32>(pages * record_page);
    store_.page_fill = game_array<u32>(pages);
    store_.page_tile = game_array<u32>(pages);
    store_.page_rank = game_array<u32>(pages);
    store_.cursors = game_array<u64>(tiles);
    store_.tile_pages = game_array<u32>(tiles);
    store_.pages_taken = game_array<u32>(1);
    list_begin_ = game_array<u32>(tiles);
    page_list_ = game_array<u32>(pages);
    shares_ = game_array<TileShare>(shares_most_);
    counters_ = game_array<u32>(2);
    if (game_ == Game::mtgp32) {
      own_ = nullptr;  // of an earlier game
      const std::size_t units = std::size_t(plan.units);
      mtgp32_.parameters = game_array<char>(mtgp32_parameter_bytes);
      mtgp32_.states = game_array<char>(units * mtgp32_state_bytes);
      mtgp32_.words = game_array<u32>(units * mtgp32_word_bytes / sizeof(u32));
      mtgp32_.exhausted = game_array<u32>(1);
      KILN_CUDA_CHECK(load_mtgp32_parameters(mtgp32_));
    } else {
      specialise(flame);
    }
  }
  void warm_up(const WarmUp& warm, int units) override {
    if (game_ != Game::mtgp32) {
      use_compiled();
    } else if (!warm.game.goes_on) {
      KILN_CUDA_CHECK(seed_mtgp32(mtgp32_, warm.game.seed, warm.game.frame, warm.game.number,
                                  warm.game.first_unit, units, stream_));
    }
    if (own_ && !warm.game.flam3_transients) {
      launch_specialised(own_->warm_up, warm.game, nullptr, units);
    } else if (game_ != Game::permutation) {
      launch_cross_check(true, warm.game, nullptr, units);
    } else {
      launch(kernel_id<WarmUp>, &warm, sizeof warm, units);
    }
  }
  void play(const IterateBatch& game, const AccumulateTiles& sums, int units) override {
    u32 unfinished = 0;
    if (game_ != Game::mtgp32) use_compiled();  // pools that go on have no warm-up
    do {
      reset_store<<<u32(properties_.multiProcessorCount) * 4, 256, 0, stream_>>>(store_,
                                                                                 u32(pages_most_));
      clear(counters_, 2 * sizeof(u32));
      IterateBatch part = game;
      part.unfinished = counters_;
      const Program& program = part.game.program;
      const bool plain = !program.has_xaos && !program.has_final && program.moment_count == 1;
      if (own_ && !part.game.flam3_transients) {
        launch_specialised(own_->iterate, part.game, part.unfinished, units);
      } else if (game_ != Game::permutation) {
        launch_cross_check(false, part.game, part.unfinished, units);
      } else if (plain) {
        launch_pool(IteratePlain{part.game, part.unfinished}, units);
      } else {
        launch_pool(part, units);
      }
      sum_records(sums);
      download(&unfinished, counters_, sizeof unfinished);
    } while (unfinished > 0);
    if (game_ == Game::mtgp32) {
      u32 exhausted = 0;
      download(&exhausted, mtgp32_.exhausted, sizeof exhausted);
      if (exhausted) {
        device_error(
            "this flame draws more random numbers a point than --rng mtgp32 provides; leave the "
            "option out");
      }
    }
  }
  void end_game() override {
    for (void* memory : game_memory_) release(memory);
    game_memory_.clear();
    store_ = RecordStore{};
  }

 private:
  void free_blocks(bool all) {
    for (void* block : pool_.leave(all)) cudaFree(block);
  }

  /// How a block of the chaos game divides its shared memory.
  struct PoolShape {
    int tail_bytes = 0, shared_bytes = 0;  // 0: does not fit
  };
  PoolShape shape_of(const Program& program, int blocks_a_multiprocessor,
                     int statics = static_shared) const {
    const int tiles = program.tiling.tile_count;
    PoolShape shape;
    shape.tail_bytes = game_ == Game::divergent
                           ? divergent_tail_bytes(program)
                           : int(program.has_xaos ? sizeof(CudaPoolShared) : sizeof(PoolPoints));
    const int share = int(properties_.sharedMemPerMultiprocessor) / blocks_a_multiprocessor -
                      int(properties_.reservedSharedMemPerBlock);
    const int most = std::min(share, int(properties_.sharedMemPerBlockOptin)) - statics;
    const int bytes = shape.tail_bytes + CudaRing::bytes(tiles);
    if (bytes <= most && tiles < no_tile) shape.shared_bytes = bytes;
    return shape;
  }

  /// The store as a kernel with this shape sees it.
  RecordStore store_for(const PoolShape& shape) const {
    RecordStore store = store_;
    store.step_quota = step_quota_;
    store.tail_bytes = shape.tail_bytes;
    return store;
  }

  /// Kernels of the flame's own: loaded if they are there already, else compiled while the
  /// interpreter begins (use_compiled). The frames of an animation have one structure: a compile
  /// that one frame began goes on in the next.
  void specialise(const CompiledFlame& flame) {
    own_ = nullptr;
    played_samples_ += flame.sample_count;
    const char* const wish = std::getenv("KILN_KERNELS");  // for tests and benchmarks
    const bool wait = wish && std::string_view(wish) == "own";
    if (wish && std::string_view(wish) == "interpreter") return;
    if (!wait && played_samples_ < worth_own_kernels) return;
    const bool moving = flame.program.moment_count > 1;
    const int statics = static_shared + (moving ? moving_static_shared : 0);
    own_shape_ = shape_of(flame.program, 2, statics);
    const int blocks = own_shape_.shared_bytes ? 2 : 1;
    if (blocks == 1) own_shape_ = shape_of(flame.program, 1, statics);
    if (own_shape_.shared_bytes == 0) return;
    std::optional<FlameCode> code = flame_code(flame, blocks, game_ == Game::divergent);
    if (!code) return;
    own_numbers_ = std::move(code->numbers);
    own_moments_ = nullptr;
    if (moving) {
      const std::vector<std::uint32_t>& numbers =
          flame.moment_numbers.empty() ? own_numbers_ : flame.moment_numbers;
      own_moments_ = game_array<u32>(numbers.size());
      upload(own_moments_, numbers.data(), numbers.size() * sizeof(u32));
    }
    if (code->source != own_source_) compile_ = {};
    own_source_ = std::move(code->source);
    if (const auto known = loaded_.find(own_source_); known != loaded_.end()) {
      own_ = &known->second;
      return;
    }
    if (compile_.poll() == BackgroundCompile::State::none && !unloadable_.count(own_source_)) {
      compile_ =
          compiler_.start({own_source_, properties_.major * 10 + properties_.minor, "this flame"});
    }
    if (wait && compile_.wait() == BackgroundCompile::State::failed)
      device_error("no kernels of the flame's own: " + compile_.reason());
    use_compiled();
  }
  void use_compiled() {
    if (compile_.poll() != BackgroundCompile::State::ready) return;
    OwnKernels own;
    const std::vector<char>& cubin = compile_.kernels().cubin;
    // a cubin that does not load is no error: the interpreter goes on
    if (cudaLibraryLoadData(&own.library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) ==
            cudaSuccess &&
        cudaLibraryGetKernel(&own.warm_up, own.library, "kiln_warm_up") == cudaSuccess &&
        cudaLibraryGetKernel(&own.iterate, own.library, "kiln_iterate") == cudaSuccess) {
      own_ = &loaded_.emplace(own_source_, own).first->second;
    } else {
      unloadable_.insert(own_source_);
      cudaGetLastError();
    }
    compile_ = {};
  }
  void launch_specialised(cudaKernel_t kernel, const ChaosGame& game, u32* unfinished, int blocks) {
    const void* function = reinterpret_cast<const void*>(kernel);
    KILN_CUDA_CHECK(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         own_shape_.shared_bytes));
    PoolArguments arguments{game, unfinished, store_for(own_shape_)};
    void* all[] = {&arguments, own_moments_ ? static_cast<void*>(&own_moments_)
                                            : static_cast<void*>(own_numbers_.data())};
    KILN_CUDA_CHECK(cudaLaunchKernel(function, dim3(u32(blocks)), dim3(u32(pool_lanes)), all,
                                     std::size_t(own_shape_.shared_bytes), stream_));
  }

  void launch_cross_check(bool warm, const ChaosGame& game, u32* unfinished, int units) {
    const PoolArguments arguments{game, unfinished, store_for(shape_)};
    if (game_ == Game::mtgp32) {
      KILN_CUDA_CHECK(launch_mtgp32(warm, &arguments, sizeof arguments, mtgp32_, units,
                                    shape_.shared_bytes, stream_));
    } else {
      KILN_CUDA_CHECK(launch_divergent(warm, arguments, units, shape_.shared_bytes, stream_));
    }
  }

  template <class T>
  T* game_array(std::size_t count) {
    T* array = static_cast<T*>(allocate(count * sizeof(T)));
    game_memory_.push_back(array);
    return array;
  }

  void sum_records(const AccumulateTiles& sums) {
    // the sums of a share fit 32 bits; wide increments have no such sums
    const int limit = sums.palette.wide
                          ? share_pages
                          : int(std::min<u64>(u64(share_pages), sums.record_limit / record_page));
    u32* const share_count = counters_ + 1;
    plan_shares<<<1, 1024, 0, stream_>>>(store_, limit, list_begin_, shares_, share_count);
    KILN_CUDA_CHECK(cudaGetLastError());
    list_pages<<<u32(properties_.multiProcessorCount) * 4, 256, 0, stream_>>>(store_, list_begin_,
                                                                              page_list_);
    KILN_CUDA_CHECK(cudaGetLastError());
    const PageList list{page_list_, store_.page_fill, store_.records, shares_, share_count};
    const u32 blocks = u32(pages_most_ / u64(limit)) + u32(store_.tile_count);
    const int pixels = sums.tiling.pixels();
    if (sums.palette.narrow && sums.palette.opaque) {
      // 48 warps a multiprocessor, or 32 where a tile's sums leave room for one block
      if (pixels > most_tile_pixels) {
        launch_narrow_sums<1024, 1, false>(sums, list, blocks);
      } else {
        launch_narrow_sums<512, 3, false>(sums, list, blocks);
      }
    } else if (sums.palette.narrow) {
      launch_narrow_sums<512, 2, true>(sums, list, blocks);
    } else {
      const int bytes = sums.palette.wide ? 0 : pixels * (sums.palette.opaque ? 16 : 20);
      KILN_CUDA_CHECK(
          cudaFuncSetAttribute(run_sums, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
      run_sums<<<blocks, AccumulateTiles::lanes, std::size_t(bytes), stream_>>>(sums, list);
    }
    KILN_CUDA_CHECK(cudaGetLastError());
  }
  template <int Lanes, int Blocks, bool Hits>
  void launch_narrow_sums(const AccumulateTiles& sums, const PageList& list, u32 blocks) {
    const auto kernel = run_narrow_sums<Lanes, Blocks, Hits>;
    const int bytes = sums.tiling.pixels() * SumNarrowTiles<Hits>::pixel_bytes +
                      sums.palette.rows * 256 * int(sizeof(uint2));
    KILN_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<blocks, Lanes, std::size_t(bytes), stream_>>>(
        SumNarrowTiles<Hits>{sums.palette.entries, sums.palette.rows, sums.frame, sums.width,
                             sums.height, sums.tiling, list});
  }
  template <class Kernel>
  void launch_pool(const Kernel& kernel, int blocks) {
    KILN_CUDA_CHECK(cudaFuncSetAttribute(
        run_pool<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, shape_.shared_bytes));
    run_pool<<<u32(blocks), Kernel::lanes, std::size_t(shape_.shared_bytes), stream_>>>(
        kernel, store_for(shape_));
    KILN_CUDA_CHECK(cudaGetLastError());
  }
  template <class Kernel>
  void launch_one(const void* arguments, int blocks) {
    const Kernel& kernel = *static_cast<const Kernel*>(arguments);
    if constexpr (PlaysChaosGame<Kernel>) {
      launch_pool(kernel, blocks);
    } else if constexpr (!SumsRecords<Kernel>) {
      if constexpr (sizeof(typename Kernel::Shared) > 48 * 1024) {
        KILN_CUDA_CHECK(cudaFuncSetAttribute(run_plain<Kernel>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             int(sizeof(typename Kernel::Shared))));
      }
      run_plain<<<u32(blocks), Kernel::lanes, sizeof(typename Kernel::Shared), stream_>>>(kernel);
      KILN_CUDA_CHECK(cudaGetLastError());
    }
  }
  template <class... Ks>
  void launch_listed(KernelList<Ks...>, int number, const void* arguments, int blocks) {
    if (blocks == 0) return;
    using Launch = void (CudaDevice::*)(const void*, int);
    static constexpr Launch table[] = {&CudaDevice::launch_one<Ks>...};
    (this->*table[number])(arguments, blocks);
  }

  int index_;
  Game game_ = Game::permutation;
  Mtgp32Memory mtgp32_;
  cudaDeviceProp properties_{};
  cudaStream_t stream_ = nullptr;
  FftStreams fft_streams_;
  MemoryPool pool_;
  RecordStore store_{};
  PoolShape shape_;
  struct OwnKernels {
    cudaLibrary_t library = nullptr;
    cudaKernel_t warm_up = nullptr, iterate = nullptr;
  };
  std::map<std::string, OwnKernels> loaded_;  // by source
  BackgroundCompiler compiler_;
  BackgroundCompile compile_;        // of the flame that is being rendered
  const OwnKernels* own_ = nullptr;  // the flame's, once they are there
  PoolShape own_shape_;
  std::string own_source_;
  std::vector<std::uint32_t> own_numbers_;
  u32* own_moments_ = nullptr;  // the same in device memory, of a flame in motion
  std::uint64_t played_samples_ = 0;
  std::set<std::string> unloadable_;
  int step_quota_ = 0;
  std::vector<void*> game_memory_;
  u32 *list_begin_ = nullptr, *page_list_ = nullptr;
  TileShare* shares_ = nullptr;
  u32* counters_ = nullptr;  // unfinished units, shares
  std::uint64_t pages_most_ = 0, shares_most_ = 0;
};

}  // namespace

std::unique_ptr<Device> open_cuda(int index, bool required) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || index >= count) {
    if (!required) return nullptr;
    device_error(error != cudaSuccess
                     ? std::string("no CUDA device: ") + cudaGetErrorString(error) +
                           "; install NVIDIA's driver or use --backend cpu"
                     : "there is no CUDA device " + std::to_string(index) + " (found " +
                           std::to_string(count) + "); see `kiln devices`");
  }
  return std::make_unique<CudaDevice>(index);
}

std::vector<DeviceInfo> list_cuda_devices() {
  int count = 0;
  std::vector<DeviceInfo> devices;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return devices;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    devices.push_back({"cuda", i, properties.name, properties.totalGlobalMem,
                       "compute capability " + std::to_string(properties.major) + "." +
                           std::to_string(properties.minor)});
  }
  return devices;
}

}  // namespace kiln
