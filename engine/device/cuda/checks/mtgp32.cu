// SPDX-License-Identifier: MIT
// The kernels of kernels/iterate_batch.h once more, in a namespace of their own, with another
// generator behind `Random` and another block that deals out what a step's pool shares. cuRAND's
// headers are for device code alone here: its tables are brought where its kernel looks for them, and
// its generators are seeded, by kernels too.
#define KILN_ISA mtgp32
#define KILN_LANE_RANDOM "engine/device/cuda/checks/mtgp32_random.cuh"

#include <curand_mtgp32_kernel.h>

// the table of its parameters in the GPU's memory, where its header means the host's
#define inline static
#define mtgp32_params_fast_t __device__ mtgp32_params_fast_t
#include <curand_mtgp32dc_p_11213.h>
#undef mtgp32_params_fast_t
#undef inline

#include "engine/device/cuda/checks/mtgp32.h"
#include "engine/device/cuda/pool_block.cuh"
#include "kernels/variations/all.h"

KILN_BEGIN

static_assert(random_lanes == unsigned(pool_lanes));

constexpr int generators = mtgp32_generators, generator_lanes = pool_lanes / generators;
static_assert(generator_lanes <= 255);  // cuRAND moves at most so many of one at a time
static_assert(mtgp32_parameter_bytes == sizeof(mtgp32_kernel_params_t));
static_assert(mtgp32_state_bytes == sizeof(curandStateMtgp32_t) * generators);
static_assert(mtgp32_word_bytes == std::size_t(random_ring) * random_lanes * 4);
static_assert(mtgp32_tables == CURAND_NUM_MTGP32_PARAMS);

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
KILN_FN void run_mtgp32(const PoolArguments& arguments, curandStateMtgp32_t* states, u32* words,
                        u32* exhausted, char* memory, CudaPoolCommon& common) {
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

/// The state of a generator from a seed (Saito, Matsumoto, mtgp32_init_state).
KILN_FN void seed_generator(curandStateMtgp32_t& state, const mtgp32_params_fast_t& parameters,
                            u32 seed) {
  const u32 hidden = parameters.tbl[4] ^ parameters.tbl[8] << 16;
  u32 fill = hidden;
  fill += fill >> 16;
  fill += fill >> 8;
  fill = (fill & 0xff) * 0x01010101u;
  const int size = parameters.mexp / 32 + 1;
  for (int i = 0; i < MTGP32_STATE_SIZE; ++i) state.s[i] = i < size ? fill : 0;
  state.s[0] = seed;
  state.s[1] = hidden;
  for (int i = 1; i < size; ++i)
    state.s[i] ^= 1812433253u * (state.s[i - 1] ^ state.s[i - 1] >> 30) + u32(i);
}

KILN_END

/// A block a set of parameters: 16 threads.
extern "C" __global__ void kiln_mtgp32_tables(mtgp32_kernel_params_t* to) {
  const int set = int(blockIdx.x), j = int(threadIdx.x);
  const auto& from = mtgp32dc_params_fast_11213[set];
  to->param_tbl[set][j] = from.tbl[j];
  to->temper_tbl[set][j] = from.tmp_tbl[j];
  to->single_temper_tbl[set][j] = from.flt_tmp_tbl[j];
  if (j > 0) return;
  to->pos_tbl[set] = unsigned(from.pos);
  to->sh1_tbl[set] = unsigned(from.sh1);
  to->sh2_tbl[set] = unsigned(from.sh2);
  if (set == 0) to->mask[0] = from.mask;
}

/// A thread a generator, of which there are `count`: `first` is the number of the first one.
extern "C" __global__ void kiln_mtgp32_seed(curandStateMtgp32_t* states,
                                            mtgp32_kernel_params_t* tables, const kiln::u32* seeds,
                                            kiln::u64 first, kiln::u32 count) {
  const kiln::u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  curandStateMtgp32_t& state = states[i];
  state.offset = 0;
  state.pIdx = int((first + i) % CURAND_NUM_MTGP32_PARAMS);
  state.k = tables;
  kiln::seed_generator(state, mtgp32dc_params_fast_11213[state.pIdx], seeds[i]);
}

#define KILN_MTGP32_KERNEL(name, warms_up)                                                     \
  extern "C" __global__ void __launch_bounds__(kiln::pool_lanes, 1)                            \
      name(const __grid_constant__ kiln::PoolArguments arguments, curandStateMtgp32_t* states, \
           kiln::u32* words, kiln::u32* exhausted) {                                           \
    extern __shared__ __align__(16) char memory[];                                             \
    __shared__ kiln::CudaPoolCommon common;                                                    \
    kiln::run_mtgp32<warms_up>(arguments, states, words, exhausted, memory, common);           \
  }
KILN_MTGP32_KERNEL(kiln_warm_mtgp32, true)
KILN_MTGP32_KERNEL(kiln_play_mtgp32, false)
