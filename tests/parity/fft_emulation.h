// SPDX-License-Identifier: MIT
// The FFT's CUDA threads, run on the CPU: each thread of a block is a context with its own stack,
// __syncthreads hands over to the next one. Where no GPU is, this still checks every index and that
// the results have the bits of the CPU device. (What it cannot see: whether a barrier inside a warp
// suffices.) The kernels compile long: a source file for each family of them.
#pragma once

#define KILN_EMULATES_CUDA 1  // before any header of the kernels

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "engine/fft/transform.h"

namespace kiln_emulated {

struct Dim {
  unsigned x = 0, y = 0, z = 0;
};
inline Dim threadIdx, blockIdx;

/// Runs `body` once for each thread of each block.
void run(int blocks, int threads, const std::function<void()>& body);
/// __syncthreads(), called by `body`.
void wait();

}  // namespace kiln_emulated

using kiln_emulated::blockIdx;
using kiln_emulated::threadIdx;
struct float2 {
  float x, y;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
struct float4 {
  float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
template <class T>
T __ldg(const T* at) {
  return *at;
}
inline void __syncthreads() { kiln_emulated::wait(); }
inline void __syncwarp() { __syncthreads(); }

#include "engine/device/cuda/fft/thread.cuh"

namespace kiln::test {

/// What a kernel is asked for besides plain lines.
struct KernelTakes {
  bool sums = false;  // several products before one inverse, and nothing else
  bool real_output = true, rotation = true, real_spectrum = true;
  bool padded = true;  // there and back: lines shorter in memory
};

/// Compares the bits of the CPU device and of `emulated` for every use of one kernel: odd line
/// counts, strides, padding and cropping, spectra, rotation, sums.
void check_kernel(Device& device, const LinePlan& plan, const char* name, i32 lines, i64 step,
                  KernelTakes takes, const std::function<void(const FftLines&)>& emulated);

template <class Shape, FftUse use>
void run_thread(const FftLines& job, std::vector<Complex>& memory) {
  using Thread = FftThread<Shape, use>;
  const typename Thread::Task task(job, 1, job.scale != 1);
  Thread(task, int(blockIdx.x), memory.data()).run();
}

template <class Shape>
void check_shape(Device& device, int largest_radix = 0) {
  const FftPlan plan(device, Shape::n, largest_radix);
  ASSERT_EQ(plan.line().passes, Shape::passes);
  for (int p = 0; p < Shape::passes; ++p) ASSERT_EQ(plan.line().radix[p], Shape::radix(p));
  // the last block has lines beyond the last one
  const i32 block = Shape::I * Shape::G * Shape::C, lines = block + (block + 1) / 2;
  static_assert(Shape::C == 1 || block % 4 == 0);
  check_kernel(
      device, plan.line(), "shape", lines, Shape::Step ? Shape::Step : 3,
      {.sums = Shape::Sum,
       .real_output = Shape::real_output,
       .rotation = Shape::rotation,
       .real_spectrum = Shape::real_spectrum,
       .padded = Shape::pictures(true)},
      [](const FftLines& job) {
        std::vector<Complex> memory(std::size_t(Shape::shared_bytes) / sizeof(Complex) + 1);
        kiln_emulated::run((job.lines + block - 1) / block, Shape::threads, [&] {
          if constexpr (!Shape::Sum) {
            if (!job.inverse) return run_thread<Shape, FftUse::forward>(job, memory);
            if (!job.forward) return run_thread<Shape, FftUse::inverse>(job, memory);
          }
          run_thread<Shape, FftUse::both>(job, memory);
        });
      });
}

}  // namespace kiln::test
