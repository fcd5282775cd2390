// SPDX-License-Identifier: MIT
// The divergent reference (kernels/divergent.h) on CUDA: a lane is an orbit, its point and its
// generator stay in registers, the shares that it draws its xform from lie in shared memory, and
// nobody waits for another lane but once every four moves, for the records. Records go the way of
// the product's (RecordStore, CudaRecordWriter). Also read by NVRTC: includes nothing but kernels/.
#pragma once

#include "engine/device/cuda/checks/divergent_shares.h"
#include "engine/device/cuda/pool_block.cuh"
#include "kernels/divergent.h"

KILN_BEGIN

template <bool Recording>
struct CudaDivergentBlock : CudaPoolBlock<Recording> {
  using Pool = CudaPoolBlock<Recording>;
  using Pool::index;
  using Pool::lane;
  using Pool::random;
  using Pool::records;
  Point point{};
  const u32* shares;  // [rows][xform_count]

  KILN_FN CudaDivergentBlock(int i, CudaPoolShared& s, const RecordStore& r, CudaPoolCommon& c,
                             const Program& program)
      : Pool(i, s, r, c), shares(program.cumulative) {
    const int rows = program.has_xaos ? program.xform_count + 1 : 1;
    if (divergent_shares(program.xform_count, program.has_xaos) > 0) {
      u32* const copy = reinterpret_cast<u32*>(&s);
      for (int k = lane(); k < rows * program.xform_count; k += pool_lanes)
        copy[k] = program.cumulative[k];
      shares = copy;
    }
    __syncthreads();
  }

  template <class Body>
  KILN_FN void each_orbit(Body&& body) {
    body(point, random);
  }
  template <class Body>
  KILN_FN void each_move(Body&& body) {
    u32 rows = this->selected;
    const auto first_tile = records.begin_rows();
#pragma unroll 1
    for (int slot = lane(); slot < pool_slots; slot += pool_lanes) {
      records.in_row(slot);
      body(OrbitRun<CudaRun>{{{slot}, 0, rows}, &point});
      rows >>= 1;
    }
    records.end_rows(first_tile);
  }
  KILN_FN int draw_xform(const Program& program, u32 row, const CudaRun&) {
    return xform_of_word(shares + row * u32(program.xform_count), program.xform_count,
                         random.next());
  }
  /// Limits the records of a unit's last step to the first attempts: which ones does not depend on
  /// where the points are.
  KILN_FN void limit_records(u32 limit) {
    this->selected = ~u32(0);
    for (int k = 0; k < slots_per_lane; ++k) {
      if (u32(k * pool_lanes + lane()) >= limit) this->selected ^= 1u << k;
    }
  }

  KILN_FN void load_orbits(const PoolState& state) {
    point = state.points[i64(index) * pool_slots + lane()];
    this->load_random(state);
  }
  KILN_FN void save_orbits(const PoolState& state, u32 step, u32 recorded) {
    state.points[i64(index) * pool_slots + lane()] = point;
    this->save_rest(state, step, recorded);
  }
};

template <bool WarmUp, class Code>
KILN_FN void run_divergent(const Code& code, const PoolArguments& arguments, char* memory,
                           CudaPoolCommon& common) {
  CudaPoolShared& shared = *reinterpret_cast<CudaPoolShared*>(memory);
  const ChaosGame& game = arguments.game;
  CudaDivergentBlock<!WarmUp> block(int(blockIdx.x), shared, arguments.store, common, game.program);
  if constexpr (WarmUp) {
    warm_up_orbits(code, game, block, shared);
  } else {
    iterate_orbits(code, game, arguments.unfinished, block, shared);
  }
}

/// The kernel of a flame: the code is KILN_SPECIALIZED_KERNEL's, the lanes go their own ways.
#define KILN_DIVERGENT_KERNEL(Code)                                    \
  extern "C" __global__ void __launch_bounds__(kiln::pool_lanes, 2)    \
      kiln_play(const __grid_constant__ kiln::PoolArguments arguments, \
                const __grid_constant__ Code::Numbers numbers) {       \
    extern __shared__ __align__(16) char memory[];                     \
    __shared__ kiln::CudaPoolCommon common;                            \
    const Code code{numbers};                                          \
    if (arguments.unfinished)                                          \
      kiln::run_divergent<false>(code, arguments, memory, common);     \
    else                                                               \
      kiln::run_divergent<true>(code, arguments, memory, common);      \
  }

KILN_END
