// SPDX-License-Identifier: MIT
// The kernels of kernels/iterate_batch.h once more, in a namespace of their own, with another
// generator behind `Random` and another block that deals out what a step's pool shares.
#define KILN_ISA mtgp32
#define KILN_LANE_RANDOM "engine/device/cuda/checks/mtgp32_random.cuh"

#include <curand_mtgp32_host.h>
#include <curand_mtgp32_kernel.h>

#include <array>
#include <cstring>
#include <random>
#include <vector>

#include "engine/device/cuda/checks/mtgp32.h"
#include "engine/device/cuda/pool_block.cuh"
#include "kernels/variations/all.h"

KILN_BEGIN

static_assert(random_lanes == unsigned(pool_lanes));

constexpr int generator_lanes = 128;  // of a state; cuRAND moves at most 255 of one at a time
constexpr int generators = pool_lanes / generator_lanes;

/// A pool's block whose draws come from the rings.
template <bool Recording>
struct CudaMtgp32Block : CudaPoolBlock<Recording> {
  using Pool = CudaPoolBlock<Recording>;
  using Pool::clock;
  using Pool::index;
  using Pool::lane;
  using Pool::random;
  curandStateMtgp32_t* states;  // [generators]
  u32* exhausted;

  KILN_FN CudaMtgp32Block(int i, CudaPoolShared& s, const RecordStore& r, CudaPoolCommon& c,
                          curandStateMtgp32_t* states_of_unit, u32* flag)
      : Pool(i, s, r, c), states(states_of_unit), exhausted(flag) {}

  /// Fills every lane's ring. All lanes of a generator draw at once; who has enough drops the word,
  /// whatever it is.
  KILN_FN void refill() {
    if (i32(random.s1 - random.s0) < 0) *exhausted = 1;
    curandStateMtgp32_t* const mine = states + lane() / generator_lanes;
    const auto at = static_cast<unsigned char>(lane() % generator_lanes);
    while (__syncthreads_or(random.s1 - random.s0 < random_ring)) {
      const u32 word = curand_mtgp32_specific(mine, at, generator_lanes);
      if (random.s1 - random.s0 < random_ring)
        random_words[(random.s1++ % random_ring) * random_lanes + u32(lane())] = word;
    }
  }
  KILN_FN void seed_lanes(const ChaosGame&, u32) {
    random = {0, 0};
    refill();
  }
  /// The four words that the pool shares come from its first four lanes.
  KILN_FN StepDraws step_draws(const ChaosGame& game, u32, u32, bool) {
    refill();
    const u32 word = random.next();
    StepDraws& draws = clock.common.draws[0];
    if (lane() == 0) draws.exchange = word;
    if (lane() == 1) draws.offset = word;
    if (lane() == 2) draws.selection = word;
    if (lane() == 3) draws.fraction = word;
    __syncthreads();
    const Program& program = game.program;
    if (lane() < pool_rows && !program.has_xaos) {
      const int row = lane();
      const u32 share = systematic_share(row, pool_rows, draws.offset);
      clock.common.xform[0][row % pool_warps][row / pool_warps] =
          u16(find_xform(program.cumulative, program.xform_count, share));
    }
    if (program.has_xaos && CudaSortTables::hold(program) && !clock.draws_ready) {
      for (int i = lane(); i < CudaSortTables::cumulative_words(program); i += pool_lanes)
        clock.common.sort.cumulative[i] = program.cumulative[i];
    }
    clock.draws_ready = true;
    __syncthreads();
    return draws;  // step_of_32 stays 0
  }
};

template <bool WarmUp>
__global__ void __launch_bounds__(pool_lanes, 1)
    run_mtgp32(const __grid_constant__ PoolArguments arguments, curandStateMtgp32_t* states,
               u32* words, u32* exhausted) {
  extern __shared__ __align__(16) char memory[];
  __shared__ CudaPoolCommon common;
  if (threadIdx.x == 0) random_words = words + u64(blockIdx.x) * random_ring * random_lanes;
  __syncthreads();
  CudaPoolShared& shared = *reinterpret_cast<CudaPoolShared*>(memory);
  const Interpreter<Flam3Variations, any_features> code{};
  CudaMtgp32Block<!WarmUp> block(int(blockIdx.x), shared, arguments.store, common,
                                 states + u64(blockIdx.x) * generators, exhausted);
  if constexpr (WarmUp) {
    warm_up(code, arguments.game, block, shared);
  } else {
    iterate_batch(code, arguments.game, arguments.unfinished, block, shared);
  }
}

KILN_END

namespace kiln {

const std::size_t mtgp32_parameter_bytes = sizeof(mtgp32_kernel_params_t);
const std::size_t mtgp32_state_bytes = sizeof(curandStateMtgp32_t) * generators;
const std::size_t mtgp32_word_bytes = std::size_t(random_ring) * random_lanes * 4;

cudaError_t load_mtgp32_parameters(const Mtgp32Memory& memory) {
  const curandStatus_t status = curandMakeMTGP32Constants(
      mtgp32dc_params_fast_11213, static_cast<mtgp32_kernel_params_t*>(memory.parameters));
  if (status == CURAND_STATUS_SUCCESS) return cudaSuccess;
  const cudaError_t error = cudaGetLastError();
  return error != cudaSuccess ? error : cudaErrorInvalidValue;
}

cudaError_t seed_mtgp32(const Mtgp32Memory& memory, std::uint64_t seed, std::uint32_t pass,
                        std::uint32_t number, std::uint32_t first, int units, cudaStream_t stream) {
  std::vector<curandStateMtgp32_t> states(std::size_t(units) * generators);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::uint64_t generator = std::uint64_t(first) * generators + i;
    std::seed_seq mixed{std::uint32_t(seed),      std::uint32_t(seed >> 32),     pass, number,
                        std::uint32_t(generator), std::uint32_t(generator >> 32)};
    std::array<std::uint32_t, 1> word;
    mixed.generate(word.begin(), word.end());
    curandStateMtgp32_t& state = states[i];
    std::memset(&state, 0, sizeof state);
    state.pIdx = int(generator % CURAND_NUM_MTGP32_PARAMS);
    state.k = static_cast<mtgp32_kernel_params_t*>(memory.parameters);
    mtgp32_init_state(state.s, &mtgp32dc_params_fast_11213[state.pIdx], word[0]);
  }
  cudaError_t error =
      cudaMemcpyAsync(memory.states, states.data(), states.size() * sizeof(curandStateMtgp32_t),
                      cudaMemcpyHostToDevice, stream);
  if (error == cudaSuccess) error = cudaMemsetAsync(memory.exhausted, 0, 4, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

cudaError_t launch_mtgp32(bool warm_up, const void* arguments, std::size_t argument_bytes,
                          const Mtgp32Memory& memory, int units, int shared_bytes,
                          cudaStream_t stream) {
  PoolArguments mine;
  if (argument_bytes != sizeof mine) return cudaErrorInvalidValue;
  std::memcpy(static_cast<void*>(&mine), arguments, sizeof mine);
  const auto kernel = warm_up ? run_mtgp32<true> : run_mtgp32<false>;
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  if (error != cudaSuccess) return error;
  kernel<<<unsigned(units), pool_lanes, std::size_t(shared_bytes), stream>>>(
      mine, static_cast<curandStateMtgp32_t*>(memory.states), memory.words, memory.exhausted);
  return cudaGetLastError();
}

}  // namespace kiln
