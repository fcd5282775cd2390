// Columns times a spectrum that come and go by the copy engine. What threads read and write in
// global memory passes the same queue as their exchanges and holds them up: on an H200 a
// multiprocessor that copies tiles and transforms others takes the sum of both times, and hardly
// more than the longer one if the engine copies. So a block stays on its multiprocessor, and one
// warp of it has tiles brought and fetched. A tile is transformed where it landed, and leaves from
// there (cuda_fft_landed.cuh): so there is room for three, one that is transformed, one that leaves
// or begins to land, and one that has time to land while all multiprocessors write and read.
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "engine/device/cuda_copy_engine.cuh"
#include "engine/device/cuda_fft.cuh"
#include "engine/device/cuda_fft_landed.cuh"
#include "engine/device/test_hooks.h"

KILN_BEGIN

namespace {

using Tile = FftLandedTile;

struct FftLanding {
  static constexpr int tiles = 3, spectra = 2;  // room for so many tiles, and so many's factors
  static constexpr int threads = Tile::threads + 32;  // and those that move tiles
  static constexpr int row_floats = Tile::row_bytes / int(sizeof(float));
  static constexpr int factor_bytes = Tile::factors * int(sizeof(float));
  static constexpr int box_rows = 256;  // the most that the engine moves at once
  // shared memory, in bytes
  static constexpr int factors_at = tiles * Tile::bytes;
  static constexpr int barriers_at = factors_at + spectra * factor_bytes;
  static constexpr int shared_bytes = barriers_at + 2 * (tiles + spectra) * int(sizeof(u64));
  static_assert(shared_bytes <= 227 << 10, "what a block can have (sm_90)");
};

/// Where the engine finds tiles or leaves them: tile t begins at element t x of the map's first row
/// and level t z.
struct FftTiles {
  CUtensorMap map;
  int x, z;
};

/// `count` tiles.
struct FftLandingTask {
  FftTiles from, to;
  const float* factors;  // [tile, point, pixel]
  const Complex* twiddles;
  float scale;
  int count;
};

/// Each block takes tiles blockIdx.x, blockIdx.x + gridDim.x, ...: its turns.
__global__ void __launch_bounds__(FftLanding::threads, 1)
    run_landing_fft(const __grid_constant__ FftLandingTask task) {
#if __CUDA_ARCH__ >= 900
  using Landing = FftLanding;
  extern __shared__ __align__(1024) char memory[];
  const auto tile_of = [](int turn) { return turn * int(gridDim.x) + int(blockIdx.x); };
  const auto memory_of = [&](int turn) { return memory + turn % Landing::tiles * Tile::bytes; };
  const auto factors_of = [&](int turn) {
    return reinterpret_cast<float*>(memory + Landing::factors_at) +
           turn % Landing::spectra * Tile::factors;
  };
  // two barriers for each tile, and for each tile's factors, that there is room for: it has landed
  // and is done, they are there and no longer needed; and how often those have ended before
  u64* const barriers = reinterpret_cast<u64*>(memory + Landing::barriers_at);
  const auto landed = [&](int turn) { return barriers + turn % Landing::tiles; };
  const auto done = [&](int turn) { return landed(turn) + Landing::tiles; };
  const auto told = [&](int turn) {
    return barriers + 2 * Landing::tiles + turn % Landing::spectra;
  };
  const auto multiplied = [&](int turn) { return told(turn) + Landing::spectra; };
  const auto tile_phase = [](int turn) { return turn / Landing::tiles; };
  const auto factor_phase = [](int turn) { return turn / Landing::spectra; };
  if (threadIdx.x == 0) {
    for (int turn = 0; turn < Landing::tiles; ++turn) {
      copy_engine::make_barrier(landed(turn), 1);
      copy_engine::make_barrier(done(turn), Tile::threads);
    }
    for (int turn = 0; turn < Landing::spectra; ++turn) {
      copy_engine::make_barrier(told(turn), 1);
      copy_engine::make_barrier(multiplied(turn), Tile::threads);
    }
    copy_engine::publish_barriers();
  }
  __syncthreads();
  if (int(threadIdx.x) >= Tile::threads) {
    if (int(threadIdx.x) > Tile::threads) return;
    const auto land = [&](int turn) {
      if (tile_of(turn) >= task.count) return;
      copy_engine::arrive_and_announce(landed(turn), Tile::bytes);
#pragma unroll 1
      for (int row = 0; row < Tile::n; row += Landing::box_rows) {
        copy_engine::load_box(memory_of(turn) + row * Tile::row_bytes, task.from.map,
                              tile_of(turn) * task.from.x, row, tile_of(turn) * task.from.z,
                              landed(turn));
      }
    };
    const auto tell = [&](int turn) {
      if (tile_of(turn) >= task.count) return;
      copy_engine::arrive_and_announce(told(turn), Landing::factor_bytes);
      copy_engine::load(factors_of(turn), task.factors + i64(tile_of(turn)) * Tile::factors,
                        Landing::factor_bytes, told(turn));
    };
    copy_engine::prefetch(task.from.map);
    copy_engine::prefetch(task.to.map);
    wait_for_last_launch();
    land(0);
    tell(0);
    copy_engine::wait(told(0), 0);  // the first tile and its factors before all others
    land(1);
    tell(1);
    land(2);
    static_assert(Landing::tiles == 3 && Landing::spectra == 2);
#pragma unroll 1
    for (int turn = 0; tile_of(turn) < task.count; ++turn) {
      copy_engine::wait(multiplied(turn), factor_phase(turn));
      tell(turn + Landing::spectra);
      copy_engine::wait(done(turn), tile_phase(turn));
#pragma unroll 1
      for (int row = 0; row < Tile::n; row += Landing::box_rows) {
        copy_engine::store_box(task.to.map, tile_of(turn) * task.to.x, row,
                               tile_of(turn) * task.to.z, memory_of(turn) + row * Tile::row_bytes);
      }
      copy_engine::wait_for_stores();
      land(turn + Landing::tiles);
    }
    return;
  }
  // twiddles were uploaded, and that was waited for, before any launch
  FftLandedColumn column(threadIdx.x, task.twiddles, task.scale);
#pragma unroll 1
  for (int turn = 0; tile_of(turn) < task.count; ++turn) {
    copy_engine::wait(landed(turn), tile_phase(turn));
    column.run(
        memory_of(turn),
        [&] {
          copy_engine::wait(told(turn), factor_phase(turn));
          return factors_of(turn);
        },
        [&] { copy_engine::arrive(multiplied(turn)); });
    copy_engine::hand_over();
    copy_engine::arrive(done(turn));
  }
#endif
}

/// True if the columns lie side by side in one picture.
bool side_by_side(const LineAddress& at, i32 lines) {
  return at.inner >= lines && at.point_step >= lines;
}
/// True if that is so, or their picture is in tiles of the same width, and whole tiles cover them.
bool in_whole_tiles(const LineAddress& at, const void* data, i32 lines) {
  const bool in_tiles = at.inner == Tile::lines && at.middle == 1 && at.point_step >= Tile::lines &&
                        at.outer_step > 0 && at.outer_step % 2 == 0;
  return at.inner_step == 1 && at.tile == 0 && lines % Tile::lines == 0 &&
         (side_by_side(at, lines) || in_tiles) && at.point_step % 2 == 0 &&
         reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
}

bool takes(const FftLines& job) {
  const Spectrum& spectrum = job.spectrum[0];
  const LinePlan& plan = job.plan;
  return plan.passes == 2 && plan.radix[0] == Tile::radix && plan.radix[1] == Tile::radix &&
         job.forward && job.inverse && !job.less_shared && job.terms == 1 && !job.rotation.low &&
         !job.real_output && spectrum.real &&
         reinterpret_cast<std::uintptr_t>(spectrum.real) % 16 == 0 && spectrum.share == 2 &&
         spectrum.tile == Tile::pixels && i64(spectrum.count) * 2 == job.lines &&
         in_whole_tiles(job.from, job.in[0], job.lines) &&
         in_whole_tiles(job.to, job.out, job.lines);
}

/// The driver's function, looked up in the driver that is there; null: it is too old.
decltype(&cuTensorMapEncodeTiled) encoder() {
  static const auto found = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                     &result);
#else
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &result);
#endif
    if (result != cudaDriverEntryPointSuccess) function = nullptr;
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
  }();
  return found;
}

/// The columns as matrices of floats, `extent` points high: what lies beyond is read as zeros and
/// not written. One matrix of all, or one a tile.
bool encode(FftTiles& tiles, const LineAddress& at, void* data, i32 lines) {
  const bool one = side_by_side(at, lines);
  tiles.x = one ? FftLanding::row_floats : 0;
  tiles.z = one ? 0 : 1;
  const i64 from_matrix = one ? at.point_step : at.outer_step;  // unused if there is one
  const cuuint64_t sizes[] = {cuuint64_t(one ? lines : Tile::lines) * 2,
                              cuuint64_t(std::min(at.extent, Tile::n)),
                              cuuint64_t(one ? 1 : lines / Tile::lines)};
  const cuuint64_t pitch[] = {cuuint64_t(at.point_step) * sizeof(Complex),
                              cuuint64_t(from_matrix) * sizeof(Complex)};
  const cuuint32_t box[] = {FftLanding::row_floats, FftLanding::box_rows, 1};
  const cuuint32_t step[] = {1, 1, 1};
  return encoder()(&tiles.map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, data, sizes, pitch, box, step,
                   CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_64B,
                   CU_TENSOR_MAP_L2_PROMOTION_NONE,
                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace

cudaError_t launch_landing_fft(const FftLines& job, const FftDevice& device, cudaStream_t stream) {
  if (!takes(job) || !device.starts_early || device.shared_bytes < FftLanding::shared_bytes ||
      !encoder()) {
    return cudaErrorNotSupported;
  }
  const auto kernel = run_landing_fft;
  static std::atomic<std::uint64_t> allowed{0}, refused{0};  // a bit a device
  const std::uint64_t bit = std::uint64_t(1) << device.index;
  if (!((allowed | refused) & bit)) {
    cudaFuncAttributes attributes{};
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error != cudaSuccess) return error;
    if (attributes.ptxVersion >= 90) {  // else it was compiled without instructions for the engine
      error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   FftLanding::shared_bytes);
      if (error != cudaSuccess) return error;
      allowed |= bit;
    } else {
      refused |= bit;
    }
  }
  if (refused & bit) return cudaErrorNotSupported;
  FftLandingTask task;
  if (!encode(task.from, job.from, const_cast<Complex*>(job.in[0]), job.lines) ||
      !encode(task.to, job.to, job.out, job.lines)) {
    return cudaErrorNotSupported;
  }
  task.factors = job.spectrum[0].real;
  task.twiddles = job.plan.twiddles;
  task.scale = job.scale;
  task.count = job.lines / Tile::lines;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(u32(std::min(task.count, device.multiprocessors)));
  config.blockDim = dim3(u32(FftLanding::threads));
  config.dynamicSmemBytes = std::size_t(FftLanding::shared_bytes);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  landed_columns.fetch_add(1, std::memory_order_relaxed);
  return cudaLaunchKernelEx(&config, kernel, task);
}

KILN_END
