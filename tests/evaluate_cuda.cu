// SPDX-License-Identifier: MIT
// A block is an xform, a thread one of its points.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engine/device/cuda/record_ring.cuh"
#include "tests/evaluate_kernel.h"

namespace kiln::test {
namespace {

__global__ void __launch_bounds__(most_points)
    apply_to_given_points(const __grid_constant__ Program program, const GivenPoints given) {
  const int lane = int(threadIdx.x);
  const i64 first = i64(blockIdx.x) * given.points_per_xform, at = first + lane;
  Random random{given.random0[at], given.random1[at]};
  LaneRandoms randoms{random};
  const CudaRun run{{lane}, 0, 0};
  if (program.extended) {
    apply_wide_to_points<AllVariations>(program, int(blockIdx.x), run, randoms, given.x + first,
                                        given.y + first, given.z + first, given.color + first);
  } else {
    apply_to_points(program, program.xforms[blockIdx.x], run, randoms, given.x + first,
                    given.y + first);
  }
  given.random0[at] = random.s0;
  given.random1[at] = random.s1;
}

}  // namespace

void evaluate_on_cuda(const GivenPoints& given) {
  Program program;
  std::memcpy(static_cast<void*>(&program), given.program, sizeof program);
  apply_to_given_points<<<unsigned(given.xforms), unsigned(given.points_per_xform)>>>(program,
                                                                                      given);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "evaluate_on_cuda: %s\n", cudaGetErrorString(error));
  std::abort();
}

}  // namespace kiln::test
