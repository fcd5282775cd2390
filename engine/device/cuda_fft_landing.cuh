// Columns times a spectrum that come and go by the copy engine. What threads read and write in
// global memory passes the same queue as their exchanges and holds them up: on an H200 a
// multiprocessor that copies tiles and transforms others takes the sum of both times, and hardly
// more than the longer one if the engine copies. So a block stays on its multiprocessor, and one
// warp of it has tiles brought and fetched: while one is transformed, the next one lands and the
// last one leaves. A tile's lines lie side by side, point by point, in a buffer where it lands and
// from which it leaves; its threads change points in memory of their own.
#pragma once

#include <cuda.h>

#include "engine/device/cuda_fft.cuh"

KILN_BEGIN

template <class Shape_>
struct FftLanding {
  using Shape = Shape_;
  static constexpr int buffers = 2;
  static constexpr int threads = Shape::threads + 32;  // and those that move tiles
  static constexpr int lines = Shape::I * Shape::C, pixels = lines / 2;
  static constexpr int row_bytes = lines * int(sizeof(Complex));
  static constexpr int tile_bytes = Shape::n * row_bytes;
  static constexpr int tile_factors = Shape::n * pixels;
  /// Tiles move in boxes of at most 256 rows.
  static constexpr int box_rows = Shape::n < 256 ? Shape::n : 256;
  // shared memory, in bytes
  static constexpr int exchange_at = buffers * tile_bytes;
  static constexpr int factors_at = exchange_at + (Shape::shared_bytes + 127) / 128 * 128;
  static constexpr int barriers_at = factors_at + tile_factors * int(sizeof(float));
  static constexpr int shared_bytes = barriers_at + (2 * buffers + 2) * int(sizeof(u64));
  static_assert(Shape::G == 1 && Shape::n % box_rows == 0 && tile_bytes % 128 == 0);
};

/// Where tiles come from and go to, for the engine.
struct FftTileMaps {
  CUtensorMap from, to;
};

#if KILN_CUDA_CODE

#if __CUDA_ARCH__ >= 900
namespace copy_engine {

KILN_FN u32 in_shared(const void* at) { return u32(__cvta_generic_to_shared(at)); }
/// A phase of the barrier ends with `arrivals`, and with the bytes that were announced.
KILN_FN void make_barrier(u64* barrier, u32 arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(in_shared(barrier)), "r"(arrivals));
}
KILN_FN void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
KILN_FN void arrive(u64* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(in_shared(barrier)) : "memory");
}
KILN_FN void arrive_and_announce(u64* barrier, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(in_shared(barrier)),
               "r"(bytes)
               : "memory");
}
/// Waits for the end of phase `phase`: 0, 1, ...
KILN_FN void wait(u64* barrier, int phase) {
  asm volatile(
      "{\n"
      ".reg .pred ended;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
      "@!ended bra again;\n"
      "}" ::"r"(in_shared(barrier)),
      "r"(phase & 1)
      : "memory");
}
KILN_FN void load_box(void* to, const CUtensorMap& map, int x, int y, u64* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(in_shared(to)),
      "l"(&map), "r"(x), "r"(y), "r"(in_shared(barrier))
      : "memory");
}
KILN_FN void load(void* to, const void* from, u32 bytes, u64* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(in_shared(to)),
      "l"(from), "r"(bytes), "r"(in_shared(barrier))
      : "memory");
}
KILN_FN void store_box(const CUtensorMap& map, int x, int y, const void* from) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
      "r"(x), "r"(y), "r"(in_shared(from))
      : "memory");
}
/// Waits until this thread's stores have read shared memory.
KILN_FN void wait_for_stores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
/// What this thread wrote to shared memory is there for the engine.
KILN_FN void hand_over() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
KILN_FN void prefetch(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

}  // namespace copy_engine
#endif

/// Each block takes tiles blockIdx.x, blockIdx.x + gridDim.x, ...: its turns.
template <class Landing>
__global__ void __launch_bounds__(Landing::threads, 1)
    run_landing_fft(const __grid_constant__ FftTask<1> task,
                    const __grid_constant__ FftTileMaps maps, int tiles) {
#if __CUDA_ARCH__ >= 900
  using Shape = typename Landing::Shape;
  extern __shared__ __align__(128) char buffers[];
  float* const factors = reinterpret_cast<float*>(buffers + Landing::factors_at);
  u64* const landed = reinterpret_cast<u64*>(buffers + Landing::barriers_at);
  u64* const done = landed + Landing::buffers;
  u64* const told = done + Landing::buffers;  // the factors are there
  u64* const multiplied = told + 1;           // they are no longer needed
  const auto tile_of = [](int turn) { return turn * int(gridDim.x) + int(blockIdx.x); };
  const auto buffer_of = [&](int turn) {
    return buffers + turn % Landing::buffers * Landing::tile_bytes;
  };
  if (threadIdx.x == 0) {
    for (int b = 0; b < Landing::buffers; ++b) {
      copy_engine::make_barrier(landed + b, 1);
      copy_engine::make_barrier(done + b, Shape::threads);
    }
    copy_engine::make_barrier(told, 1);
    copy_engine::make_barrier(multiplied, Shape::threads);
    copy_engine::publish_barriers();
  }
  __syncthreads();
  if (int(threadIdx.x) >= Shape::threads) {
    if (int(threadIdx.x) > Shape::threads) return;
    constexpr int floats = Landing::row_bytes / int(sizeof(float));  // of a tile's row
    const auto land = [&](int turn) {
      if (tile_of(turn) >= tiles) return;
      u64* const barrier = landed + turn % Landing::buffers;
      copy_engine::arrive_and_announce(barrier, Landing::tile_bytes);
#pragma unroll 1
      for (int row = 0; row < Shape::n; row += Landing::box_rows) {
        copy_engine::load_box(buffer_of(turn) + row * Landing::row_bytes, maps.from,
                              tile_of(turn) * floats, row, barrier);
      }
    };
    const auto tell = [&](int turn) {
      if (tile_of(turn) >= tiles) return;
      constexpr u32 bytes = Landing::tile_factors * u32(sizeof(float));
      copy_engine::arrive_and_announce(told, bytes);
      copy_engine::load(factors, task.real[0] + i64(tile_of(turn)) * Landing::tile_factors, bytes,
                        told);
    };
    copy_engine::prefetch(maps.from);
    copy_engine::prefetch(maps.to);
    wait_for_last_launch();
    land(0);
    tell(0);
    copy_engine::wait(told, 0);  // all that the first turn needs first
    land(1);
#pragma unroll 1
    for (int turn = 0; tile_of(turn) < tiles; ++turn) {
      copy_engine::wait(multiplied, turn);
      tell(turn + 1);
      copy_engine::wait(done + turn % Landing::buffers, turn / Landing::buffers);
#pragma unroll 1
      for (int row = 0; row < Shape::n; row += Landing::box_rows) {
        copy_engine::store_box(maps.to, tile_of(turn) * floats, row,
                               buffer_of(turn) + row * Landing::row_bytes);
      }
      copy_engine::wait_for_stores();
      land(turn + Landing::buffers);
    }
    return;
  }
#pragma unroll 1
  for (int turn = 0; tile_of(turn) < tiles; ++turn) {
    FftThread<Shape, FftUse::both, true> thread(
        task, tile_of(turn), reinterpret_cast<Complex*>(buffers + Landing::exchange_at));
    copy_engine::wait(landed + turn % Landing::buffers, turn / Landing::buffers);
    thread.run_landed(
        reinterpret_cast<FftPoints<Shape::C>*>(buffer_of(turn)) + int(threadIdx.x) % Shape::I,
        [&] {
          copy_engine::wait(told, turn);
          return factors;
        },
        [&] { copy_engine::arrive(multiplied); });
    copy_engine::hand_over();
    copy_engine::arrive(done + turn % Landing::buffers);
  }
#endif
}

#endif

KILN_END
