// SPDX-License-Identifier: MIT
// The chaos game by an interpreter: a block a unit. A .cu file for each family of variations says
// which (KILN_UNITS_KERNEL, KILN_MANY_UNITS_KERNEL); game.cpp launches them.
#pragma once

#include "engine/device/cuda/many.h"
#include "engine/device/cuda/pool_block.cuh"
#include "engine/device/cuda/records.h"

KILN_BEGIN

/// The permutation method by an interpreter.
template <class Code, bool Recording>
KILN_FN void run_interpreter(const PoolArguments& arguments, char* memory, CudaPoolCommon& common) {
  CudaPoolShared& shared = *reinterpret_cast<CudaPoolShared*>(memory);
  CudaPoolBlock<Recording> block(int(blockIdx.x), shared, arguments.store, common);
  if constexpr (Recording)
    iterate_batch(Code{}, arguments.game, arguments.unfinished, block, shared);
  else
    warm_up(Code{}, arguments.game, block, shared);
}

/// The units of many flames.
template <class Code>
KILN_FN void play_many(const Many<UnitsOfOne>& many, char* memory, CudaPoolCommon& common) {
  const int item = item_of(many, blockIdx.x);
  const PoolArguments& arguments = many.item[item].arguments;
  CudaPoolShared& shared = *reinterpret_cast<CudaPoolShared*>(memory);
  const int end = arguments.unfinished ? 2 : 1;
#pragma unroll 1  // the steps stand once
  for (int recording = many.item[item].warms_up ? 0 : 1; recording < end; ++recording) {
    CudaPoolBlock<true> block(int(blockIdx.x - many.first[item]), shared, arguments.store, common);
    play(Code{}, arguments.game, recording != 0, arguments.unfinished, block, shared);
    __syncthreads();  // all of the pool is where the next steps look for it
  }
}

KILN_END

/// A kernel that warms units up or records their samples.
#define KILN_UNITS_KERNEL(name, Code, recording)                       \
  extern "C" __global__ void __launch_bounds__(kiln::pool_lanes, 2)    \
      name(const __grid_constant__ kiln::PoolArguments arguments) {    \
    extern __shared__ __align__(16) char memory[];                     \
    __shared__ kiln::CudaPoolCommon common;                            \
    kiln::run_interpreter<Code, recording>(arguments, memory, common); \
  }
/// A kernel that does both for units of many flames.
#define KILN_MANY_UNITS_KERNEL(name, Code)                              \
  extern "C" __global__ void __launch_bounds__(kiln::pool_lanes, 2)     \
      name(const __grid_constant__ kiln::Many<kiln::UnitsOfOne> many) { \
    extern __shared__ __align__(16) char memory[];                      \
    __shared__ kiln::CudaPoolCommon common;                             \
    kiln::play_many<Code>(many, memory, common);                        \
  }
