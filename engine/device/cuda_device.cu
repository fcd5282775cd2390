// A CUDA GPU as a device. Records of a launch wait in chunks sorted by 64x64 tile (cuda_block.cuh);
// PlanShares cuts the tiles' records into equal shares, AccumulateTiles sums each share in shared
// memory and adds it to the frame once.
#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "engine/device/cuda_block.cuh"
#include "engine/device/cuda_fft.h"
#include "engine/device/device.h"

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

constexpr int static_shared = 5120;    // more than what the kernels declare statically
constexpr int share_records = 262144;  // records of one block of AccumulateTiles: enough to pay for
                                       // clearing and adding its tile

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
__global__ void __launch_bounds__(Kernel::lanes, 2)
    run_pool(const Kernel kernel, const RecordStore store) {
  extern __shared__ __align__(16) char memory[];
  __shared__ CudaPoolCommon common;
  CudaPoolShared& shared = *reinterpret_cast<CudaPoolShared*>(memory);
  CudaPoolBlock block(int(blockIdx.x), shared, store, common);
  kernel(block, shared);
}

__global__ void __launch_bounds__(AccumulateTiles::lanes, 3)
    run_sums(const AccumulateTiles kernel, const RecordStore store, const TileShare* shares,
             const u32* share_count) {
  extern __shared__ __align__(16) char memory[];
  __shared__ CudaTileCommon common;
  CudaTileBlock block{shares, share_count, store, common};
  kernel(block, *reinterpret_cast<AccumulateTiles::Shared*>(memory));
}

/// Cuts every tile's records into shares of about share_records, by chunks: a tile's records are
/// spread evenly over them.
__global__ void __launch_bounds__(1024)
    plan_shares(const RecordStore store, TileShare* shares, u32* share_count) {
  __shared__ u32 next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  for (int tile = int(threadIdx.x); tile < store.tile_count; tile += int(blockDim.x)) {
    const u32 total = store.tile_totals[tile];
    const int parts = int((total + share_records - 1) / share_records);
    const u32 at = parts ? atomicAdd(&next, u32(parts)) : 0;
    for (int p = 0; p < parts; ++p) {
      shares[at + p] = {tile, int(i64(p) * store.chunks / parts),
                        int(i64(p + 1) * store.chunks / parts)};
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *share_count = next;
}

class CudaDevice : public Device {
 public:
  explicit CudaDevice(int index) : index_(index) {
    KILN_CUDA_CHECK(cudaSetDevice(index));
    KILN_CUDA_CHECK(cudaGetDeviceProperties(&properties_, index));
    KILN_CUDA_CHECK(cudaStreamCreate(&stream_));
    KILN_CUDA_CHECK(cudaFuncSetAttribute(run_sums, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         int(sizeof(AccumulateTiles::Shared))));
  }
  ~CudaDevice() override {
    end_game();
    cudaStreamDestroy(stream_);
  }

  std::string describe() const override {
    return "cuda " + std::to_string(index_) + " (" + properties_.name + ")";
  }
  void* allocate(std::size_t bytes) override {
    void* memory = nullptr;
    KILN_CUDA_CHECK(cudaMalloc(&memory, std::max<std::size_t>(bytes, 16)));
    return memory;
  }
  void release(void* memory) override { cudaFree(memory); }
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
  void transform(const FftLines& job) override {
    if (job.lines > 0) KILN_CUDA_CHECK(launch_fft(job, stream_));
  }
  void wait() override { KILN_CUDA_CHECK(cudaStreamSynchronize(stream_)); }
  std::uint64_t free_memory_bytes() const override {
    std::size_t free = 0, total = 0;
    KILN_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    return free;
  }

  GamePlan plan_game(int tile_count, bool xaos, std::uint64_t unit_count,
                     std::uint64_t max_memory_bytes) override {
    GamePlan plan;
    store_ = RecordStore{};
    store_.tile_count = tile_count;
    store_.tail_bytes = int(xaos ? sizeof(CudaPoolShared) : sizeof(PoolPoints) * 2);
    const int per_block = int(properties_.sharedMemPerMultiprocessor) / 2 -
                          int(properties_.reservedSharedMemPerBlock) - static_shared;
    const int most = std::min(per_block, int(properties_.sharedMemPerBlockOptin) - static_shared);
    const int room = most - store_.tail_bytes - tile_count * 8;
    int stage = room / 6 / pool_slots * pool_slots;
    if (stage < pool_slots) {  // many tiles: one block a multiprocessor
      stage = (int(properties_.sharedMemPerBlockOptin) - static_shared - store_.tail_bytes -
               tile_count * 8) /
              6 / pool_slots * pool_slots;
    }
    if (stage < pool_slots || tile_count > 65000) {
      device_error("the picture has " + std::to_string(tile_count) +
                   " tiles of 64x64 buffer pixels, more than this GPU's " +
                   "shared memory can sort; lower --supersample or the size, or use --backend cpu");
    }
    store_.stage_records = std::min(stage, max_stage_records);
    shared_bytes_ = store_.tail_bytes + tile_count * 8 + store_.stage_records * 6;

    const std::uint64_t wave = std::uint64_t(properties_.multiProcessorCount) * 2;
    plan.units = int(std::min(unit_count, wave));
    const std::uint64_t chunk_bytes =
        std::uint64_t(store_.stage_records) * 4 + (std::uint64_t(tile_count) + 1) * 2;
    const std::uint64_t unit_chunks = unit_samples / std::uint64_t(store_.stage_records) + 2;
    std::uint64_t budget = std::min<std::uint64_t>(free_memory_bytes() / 3,
                                                   std::uint64_t(5) << 29);  // below 2^32 records
    if (max_memory_bytes) budget = std::min(budget, max_memory_bytes / 2);
    store_.chunk_quota = int(std::clamp<std::uint64_t>(
        budget / chunk_bytes / std::uint64_t(plan.units), 1, unit_chunks));
    const std::uint64_t chunks = std::uint64_t(store_.chunk_quota) * std::uint64_t(plan.units);
    shares_most_ = chunks * std::uint64_t(store_.stage_records) / share_records +
                   std::uint64_t(tile_count) + 1;
    plan.memory_bytes =
        chunks * chunk_bytes + shares_most_ * sizeof(TileShare) + std::uint64_t(tile_count) * 4;
    return plan;
  }
  void begin_game(const GamePlan& plan, int tile_count, bool) override {
    units_ = plan.units;
    const std::size_t chunks = std::size_t(store_.chunk_quota) * std::size_t(units_);
    store_.records = static_cast<u32*>(allocate(chunks * std::size_t(store_.stage_records) * 4));
    offset_bytes_ = chunks * (std::size_t(tile_count) + 1) * 2;
    store_.offsets = static_cast<u16*>(allocate(offset_bytes_));
    store_.tile_totals = static_cast<u32*>(allocate(std::size_t(tile_count) * 4));
    shares_ = static_cast<TileShare*>(allocate(shares_most_ * sizeof(TileShare)));
    counters_ = static_cast<u32*>(allocate(2 * sizeof(u32)));
  }
  void play(const IterateBatch& game, const AccumulateTiles& sums, int units,
            int tile_count) override {
    u32 unfinished = 0;
    store_.units = units;
    store_.chunks = units * store_.chunk_quota;
    do {
      clear(store_.offsets, offset_bytes_);
      clear(store_.tile_totals, std::size_t(tile_count) * 4);
      clear(counters_, 2 * sizeof(u32));
      IterateBatch part = game;
      part.unfinished = counters_;
      const bool plain = !part.game.program.has_xaos && !part.game.program.has_final;
      if (plain) {
        launch_pool(IteratePlain{part.game, part.unfinished}, units);
      } else {
        launch_pool(part, units);
      }
      plan_shares<<<1, 1024, 0, stream_>>>(store_, shares_, counters_ + 1);
      KILN_CUDA_CHECK(cudaGetLastError());
      const u64 shares =
          u64(store_.chunks) * u64(store_.stage_records) / share_records + u64(tile_count) + 1;
      const std::size_t bytes =
          sums.palette.opaque ? sizeof sums_shared_->sums : sizeof *sums_shared_;
      run_sums<<<u32(shares), AccumulateTiles::lanes, bytes, stream_>>>(sums, store_, shares_,
                                                                        counters_ + 1);
      KILN_CUDA_CHECK(cudaGetLastError());
      download(&unfinished, counters_, sizeof unfinished);
    } while (unfinished > 0);
  }
  void end_game() override {
    for (void* memory : {static_cast<void*>(store_.records), static_cast<void*>(store_.offsets),
                         static_cast<void*>(store_.tile_totals), static_cast<void*>(shares_),
                         static_cast<void*>(counters_)}) {
      if (memory) release(memory);
    }
    store_ = RecordStore{};
    shares_ = nullptr;
    counters_ = nullptr;
  }

 private:
  template <class Kernel>
  void launch_pool(const Kernel& kernel, int blocks) {
    KILN_CUDA_CHECK(cudaFuncSetAttribute(
        run_pool<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes_));
    run_pool<<<u32(blocks), Kernel::lanes, std::size_t(shared_bytes_), stream_>>>(kernel, store_);
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
  cudaDeviceProp properties_{};
  cudaStream_t stream_ = nullptr;
  RecordStore store_{};
  TileShare* shares_ = nullptr;
  u32* counters_ = nullptr;                               // unfinished units, shares
  const AccumulateTiles::Shared* sums_shared_ = nullptr;  // for its sizes
  std::size_t offset_bytes_ = 0;
  std::uint64_t shares_most_ = 0;
  int shared_bytes_ = 0, units_ = 0;
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
