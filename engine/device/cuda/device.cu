// A CUDA GPU as a device. Records of a launch wait in pages of their tile (record_store.cuh), and
// are summed from there (sums.cuh).
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/cuda/check.cuh"
#include "engine/device/cuda/checks/divergent.h"
#include "engine/device/cuda/checks/mtgp32.h"
#include "engine/device/cuda/fft/launch.h"
#include "engine/device/cuda/gpus.h"
#include "engine/device/cuda/jit/flame_code.h"
#include "engine/device/cuda/memory.cuh"
#include "engine/device/cuda/own_kernels.cuh"
#include "engine/device/cuda/record_sorter.cuh"
#include "engine/device/cuda/wide.h"
#include "engine/program/compiled_flame.h"

namespace kiln {
namespace {

constexpr int static_shared = 5120;         // more than what the kernels declare statically
constexpr int moving_static_shared = 3840;  // and the numbers of a flame in motion
constexpr std::uint64_t worth_own_kernels = 200000000;  // samples: some milliseconds of work
constexpr int waves = 3;  // units of a launch at most, in blocks that run at once
constexpr std::uint64_t records_a_pixel = 700;  // of a launch, if its units allow

template <class Kernel>
__global__ void __launch_bounds__(Kernel::lanes) run_plain(const Kernel kernel) {
  extern __shared__ __align__(16) char memory[];
  CudaBlock block{int(blockIdx.x)};
  kernel(block, *reinterpret_cast<typename Kernel::Shared*>(memory));
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

class CudaDevice : public CudaMemory {
 public:
  /// `ordinal`: what CUDA calls GPU `index` in this process.
  CudaDevice(int index, int ordinal) : CudaMemory(ordinal), index_(index) {
    KILN_CUDA_CHECK(cudaGetDeviceProperties(&properties_, ordinal));
  }
  ~CudaDevice() override {
    cudaStreamSynchronize(stream_);  // after an error kernels may still run that are unloaded here
    end_game();
    destroy(fft_streams_);
  }

  std::string describe() const override {
    return "cuda " + std::to_string(index_) + " (" + properties_.name + ")";
  }
  void launch(int kernel, const void* arguments, std::size_t, int blocks) override {
    check_stop();
    if (kernel >= Kernels::size) {
      KILN_CUDA_CHECK(
          launch_wide(kernel, arguments, blocks, store_for(shape_), shape_.shared_bytes, stream_));
    } else {
      launch_listed(Kernels{}, kernel, arguments, blocks);
    }
  }
  void transform(std::span<const FftLines> jobs, i32 units) override {
    check_stop();
    KILN_CUDA_CHECK(launch_fft(jobs, units, fft_streams_, stream_));
  }
  i32 picture_tile(i32 width) const override { return width >= 4096 ? 4 : 0; }
  void transform(const FftLines& job) override {
    check_stop();
    if (job.lines > 0) KILN_CUDA_CHECK(launch_fft(job, stream_));
  }

  void choose_game(Game game) override { game_ = game; }
  bool can_sort(const CompiledFlame& flame) const override {
    return shape_of(flame.program, recorded_tiling(flame), 1).shared_bytes > 0;
  }
  GamePlan plan_game(const CompiledFlame& flame, std::uint64_t unit_count,
                     std::uint64_t max_memory_bytes) override {
    const Tiling& tiling = flame.program.tiling;
    const Tiling recorded = recorded_tiling(flame);
    GamePlan plan;
    shape_ = shape_of(flame.program, recorded, 2);
    if (shape_.shared_bytes == 0) shape_ = shape_of(flame.program, recorded, 1);
    if (shape_.shared_bytes == 0) {
      device_error("the picture has " + std::to_string(tiling.tile_count) + " tiles of " +
                   std::to_string(tiling.columns()) + "x" + std::to_string(tiling.rows()) +
                   " buffer pixels, more than this GPU's shared memory can sort; lower "
                   "--supersample or the size, or use --backend cpu");
    }
    const std::uint64_t wave = std::uint64_t(units_at_once());
    // as many as RecordPages::pages_for has
    const std::uint64_t page_bytes = RecordPages::page_bytes,
                        four_steps_pages = 9 * pool_slots / record_page;
    const std::uint64_t unit_most = unit_steps + 64;  // bad values make a unit longer
    std::uint64_t budget = free_memory_bytes() / 3;
    if (max_memory_bytes) budget = std::min(budget, max_memory_bytes / 2);
    const std::uint64_t recorded_budget =
        std::min(budget, std::uint64_t(16) << 30);  // below 2^32 records
    const std::uint64_t fixed = std::uint64_t(recorded.tile_count) * page_bytes;
    const std::uint64_t steps =
        recorded_budget > fixed ? (recorded_budget - fixed) / page_bytes * 4 / four_steps_pages : 1;
    // a tile visit must bring many more records than the tile has pixels
    const std::uint64_t pixels = std::uint64_t(tiling.tile_count) * std::uint64_t(tiling.pixels());
    const std::uint64_t wanted = pixels * records_a_pixel / (wave * unit_samples) + 1;
    plan.units =
        int(std::min(unit_count, wave * std::clamp<std::uint64_t>(
                                            std::min(wanted, steps / unit_most / wave), 1, waves)));
    step_quota_ = int(
        std::clamp<std::uint64_t>(steps / std::uint64_t(plan.units), std::uint64_t(1), unit_most));
    const auto plan_records = [&] {
      records_.plan(tiling, recorded,
                    std::uint64_t(step_quota_) * std::uint64_t(plan.units) * pool_slots);
    };
    plan_records();
    while (records_.sorts_twice() && records_.bytes() > budget && step_quota_ > 1) {
      step_quota_ = step_quota_ * 3 / 4;
      plan_records();
    }
    plan.memory_bytes = records_.bytes();
    if (game_ == Game::mtgp32) {
      plan.units = int(std::min<std::uint64_t>(std::uint64_t(plan.units), wave / 2));
      plan.memory_bytes += std::uint64_t(plan.units) * (mtgp32_word_bytes + mtgp32_state_bytes);
    }
    return plan;
  }
  int units_at_once() const override { return properties_.multiProcessorCount * 2; }
  void begin_game(const GamePlan& plan, const CompiledFlame& flame) override {
    records_.begin(*this);
    unfinished_ = game_array<u32>(1);
    if (game_ == Game::mtgp32) {
      own_.forget();  // those of an earlier game
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
      own_.use_compiled();
    } else if (!warm.game.goes_on) {
      KILN_CUDA_CHECK(seed_mtgp32(mtgp32_, warm.game.seed, warm.game.frame, warm.game.number,
                                  warm.game.first_unit, units, stream_));
    }
    if (own_.now() && !warm.game.flam3_transients) {
      launch_specialised(own_.now()->play, warm.game, nullptr, units);
    } else if (game_ != Game::permutation) {
      launch_cross_check(true, warm.game, nullptr, units);
    } else {
      Device::warm_up(warm, units);
    }
  }
  void play(const IterateBatch& game, const AccumulateTiles& sums, int units) override {
    u32 unfinished = 0;
    if (game_ != Game::mtgp32) own_.use_compiled();  // pools that go on have no warm-up
    do {
      check_stop();
      records_.reset(properties_, stream_);
      clear(unfinished_, sizeof(u32));
      IterateBatch part = game;
      part.unfinished = unfinished_;
      part.game.program.tiling = records_.recorded_tiling();
      if (own_.now() && !part.game.flam3_transients) {
        launch_specialised(own_.now()->play, part.game, part.unfinished, units);
      } else if (game_ != Game::permutation) {
        launch_cross_check(false, part.game, part.unfinished, units);
      } else {
        launch_interpreter(part, units);
      }
      records_.add_to_frame(sums, properties_, stream_);
      download(&unfinished, unfinished_, sizeof unfinished);
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
  }
  /// Memory until the game's end.
  template <class T>
  T* game_array(std::size_t count) {
    T* array = static_cast<T*>(allocate(count * sizeof(T)));
    game_memory_.push_back(array);
    return array;
  }

 private:
  /// How a block of the chaos game divides its shared memory.
  struct PoolShape {
    int tail_bytes = 0, shared_bytes = 0;  // 0: does not fit
  };
  PoolShape shape_of(const Program& program, const Tiling& recorded, int blocks_a_multiprocessor,
                     int statics = static_shared) const {
    const int tiles = recorded.tile_count;
    PoolShape shape;
    shape.tail_bytes = tail_bytes(program);
    const int bytes = shape.tail_bytes + CudaRing::bytes(tiles);
    if (bytes <= block_bytes(blocks_a_multiprocessor, statics) && tiles < no_tile)
      shape.shared_bytes = bytes;
    return shape;
  }
  static int statics_of(const CompiledFlame& flame) {
    return static_shared + (flame.program.moment_count > 1 ? moving_static_shared : 0);
  }
  /// By which tiles blocks record: those of the picture, coarser ones where that leaves room for
  /// fewer blocks.
  Tiling recorded_tiling(const CompiledFlame& flame) const {
    const int room =
        block_bytes(2, statics_of(flame)) - tail_bytes(flame.program) - CudaRing::bytes(0);
    const int most = tiles_at_once(std::max(1, room / CudaRing::tile_bytes));
    if (flame.program.tiling.tile_count <= most) return flame.program.tiling;
    int row_bits = 0;
    while ((1 << row_bits) < flame.table.rows) ++row_bits;
    return coarser(flame.program.tiling, most, flame.table.index_bits + row_bits);
  }
  int tail_bytes(const Program& program) const {
    if (game_ == Game::divergent) return divergent_tail_bytes(program);
    return int(program.has_xaos ? sizeof(CudaPoolShared) : sizeof(PoolPoints));
  }
  /// Dynamic shared memory that a block may have.
  int block_bytes(int blocks_a_multiprocessor, int statics) const {
    const int share = int(properties_.sharedMemPerMultiprocessor) / blocks_a_multiprocessor -
                      int(properties_.reservedSharedMemPerBlock);
    return std::min(share, int(properties_.sharedMemPerBlockOptin)) - statics;
  }

  /// The store as a kernel with this shape sees it.
  RecordStore store_for(const PoolShape& shape) const {
    RecordStore store = records_.store();
    store.step_quota = step_quota_;
    store.tail_bytes = shape.tail_bytes;
    return store;
  }

  /// Asks for kernels of the flame's own where they pay.
  void specialise(const CompiledFlame& flame) {
    own_.forget();
    played_samples_ += flame.sample_count;
    const char* const wish = std::getenv("KILN_KERNELS");  // for tests and benchmarks
    const bool wait = wish && std::string_view(wish) == "own";
    if (wish && std::string_view(wish) == "interpreter") return;
    if (!wait && played_samples_ < worth_own_kernels) return;
    const bool moving = flame.program.moment_count > 1;
    const Tiling& recorded = records_.recorded_tiling();
    own_shape_ = shape_of(flame.program, recorded, 2, statics_of(flame));
    if (own_shape_.shared_bytes == 0)
      own_shape_ = shape_of(flame.program, recorded, 1, statics_of(flame));
    if (own_shape_.shared_bytes == 0) return;
    std::optional<FlameCode> code = flame_code(flame, game_ == Game::divergent);
    if (!code) return;
    own_numbers_ = std::move(code->numbers);
    own_moments_ = nullptr;
    if (moving) {
      const std::vector<std::uint32_t>& numbers =
          flame.moment_numbers.empty() ? own_numbers_ : flame.moment_numbers;
      own_moments_ = game_array<u32>(numbers.size());
      upload(own_moments_, numbers.data(), numbers.size() * sizeof(u32));
    }
    // stills of an animation's flame, and animations of a still's
    std::string near = game_ == Game::divergent ? "" : flame_source(flame, !moving);
    own_.want(std::move(code->source), std::move(near), properties_.major * 10 + properties_.minor,
              wait);
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

  /// The interpreter with what the flame has, and no more.
  void launch_interpreter(const IterateBatch& batch, int blocks) {
    const Program& program = batch.game.program;
    if (program.wide)
      Device::launch(WideIterateBatch{batch.game, batch.unfinished}, blocks);
    else if (program.moment_count > 1)
      launch_pool(batch, blocks);
    else if (program.has_xaos && program.has_final)
      launch_still<Features{true, true}>(batch, blocks);
    else if (program.has_xaos)
      launch_still<Features{true, false}>(batch, blocks);
    else if (program.has_final)
      launch_still<Features{false, true}>(batch, blocks);
    else
      launch_still<Features{}>(batch, blocks);
  }
  template <Features Has>
  void launch_still(const IterateBatch& batch, int blocks) {
    launch_pool(IterateBatchOf<Flam3Variations, Has>{batch.game, batch.unfinished}, blocks);
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
  FftStreams fft_streams_;
  RecordSorter records_;
  PoolShape shape_;
  OwnKernels own_;
  PoolShape own_shape_;
  std::vector<std::uint32_t> own_numbers_;
  u32* own_moments_ = nullptr;  // the same in device memory, of a flame in motion
  std::uint64_t played_samples_ = 0;
  int step_quota_ = 0;
  std::vector<void*> game_memory_;
  u32* unfinished_ = nullptr;  // units
};

}  // namespace

std::unique_ptr<Device> open_cuda(int index, bool required) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  const int ordinal = gpu_ordinal(index);
  if (error != cudaSuccess || ordinal < 0 || ordinal >= count) {
    if (!required) return nullptr;
    device_error(error != cudaSuccess && index == 0
                     ? std::string("no CUDA device: ") + cudaGetErrorString(error) +
                           "; install NVIDIA's driver or use --backend cpu"
                     : "there is no CUDA device " + std::to_string(index) + "; see `kiln devices`");
  }
  return std::make_unique<CudaDevice>(index, ordinal);
}

}  // namespace kiln
