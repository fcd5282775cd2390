// The FFT's CUDA threads, run on the CPU: each thread of a block is a context with its own stack,
// __syncthreads hands over to the next one. Where no GPU is, this still checks every index and that
// the results have the bits of the CPU device. (What it cannot see: whether a barrier inside a warp
// suffices.)
#include <gtest/gtest.h>
#include <ucontext.h>

#include <cstring>
#include <functional>
#include <random>

#include "engine/fft/transform.h"

namespace kiln_emulated {

struct Dim {
  unsigned x = 0, y = 0, z = 0;
};
Dim threadIdx, blockIdx;

/// Threads of one block in turn, from barrier to barrier.
class Block {
 public:
  Block(int threads, const std::function<void()>& body)
      : body_(body), threads_(std::size_t(threads)) {
    running = this;
    for (Thread& thread : threads_) {
      thread.stack.resize(96 << 10);
      getcontext(&thread.context);
      thread.context.uc_stack.ss_sp = thread.stack.data();
      thread.context.uc_stack.ss_size = thread.stack.size();
      thread.context.uc_link = &home_;
      makecontext(&thread.context, &Block::enter, 0);
    }
    for (bool all_done = false; !all_done;) {
      all_done = true;
      for (std::size_t t = 0; t < threads_.size(); ++t) {
        if (threads_[t].done) continue;
        current_ = t;
        threadIdx.x = unsigned(t);
        swapcontext(&home_, &threads_[t].context);
        all_done = all_done && threads_[t].done;
      }
    }
  }
  void wait() { swapcontext(&threads_[current_].context, &home_); }

  static Block* running;

 private:
  struct Thread {
    ucontext_t context;
    std::vector<char> stack;
    bool done = false;
  };
  static void enter() {
    running->body_();
    running->threads_[running->current_].done = true;
  }

  const std::function<void()>& body_;
  std::vector<Thread> threads_;
  std::size_t current_ = 0;
  ucontext_t home_;
};
Block* Block::running = nullptr;

}  // namespace kiln_emulated

#define KILN_EMULATES_CUDA 1
using kiln_emulated::blockIdx;
using kiln_emulated::threadIdx;
struct float2 {
  float x, y;
};
static float2 make_float2(float x, float y) { return {x, y}; }
template <class T>
static T __ldg(const T* at) {
  return *at;
}
static int __clz(int value) { return __builtin_clz(unsigned(value)); }
static void __syncthreads() { kiln_emulated::Block::running->wait(); }
static void __syncwarp() { __syncthreads(); }

#include "engine/device/cuda_fft_any.cuh"

namespace kiln::test {
namespace {

void emulate(int blocks, int threads, const std::function<void()>& body) {
  for (int block = 0; block < blocks; ++block) {
    blockIdx.x = unsigned(block);
    kiln_emulated::Block(threads, body);
  }
}

std::vector<Complex> random_points(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<Complex> points(count);
  for (Complex& p : points) p = {uniform(random), uniform(random)};
  return points;
}

/// Runs `job` by the CPU device and by `emulated`, and compares the bits.
template <class Emulated>
void expect_same_bits(Device& device, FftLines job, std::size_t out_count, const char* name,
                      const Emulated& emulated) {
  const Complex poison{-1e30f, 1e30f};
  std::vector<Complex> expected(out_count, poison), got(out_count, poison);
  job.out = expected.data();
  device.transform(job);
  job.out = got.data();
  emulated(job);
  std::size_t wrong = 0, written = 0;
  for (std::size_t i = 0; i < out_count; ++i) {
    wrong += std::memcmp(&expected[i], &got[i], sizeof(Complex)) != 0;
    written += expected[i].re != poison.re;
  }
  EXPECT_EQ(wrong, 0u) << name << ", " << job.plan.points << " points, forward " << job.forward
                       << ", inverse " << job.inverse;
  EXPECT_GT(written, 0u);
}

/// Every use of one kernel: odd line counts, strides, padding and cropping, spectra, rotation,
/// sums.
template <class Emulated>
void check_kernel(Device& device, const LinePlan& plan, const char* name, i32 lines, i64 step,
                  bool sums, const Emulated& emulated) {
  const i32 n = plan.points;
  FftLines job;
  job.plan = plan;
  job.lines = lines;
  LineAddress address;
  if (step == 1) {
    address.outer_step = n;
  } else if (step == 2) {
    address.inner = 2;
    address.inner_step = 1;
    address.outer_step = 2 * n;
    address.point_step = 2;
  } else {
    address.inner = lines;
    address.inner_step = 1;
    address.point_step = lines;
  }
  job.from = job.to = address;
  const std::size_t count = std::size_t(n) * std::size_t(lines + 1);
  const auto in = random_points(count, 1), other = random_points(count, 2);
  const auto spectrum = random_points(std::size_t(n) * std::size_t(lines + 4), 3);
  job.in[0] = in.data();
  if (!sums) {
    expect_same_bits(device, job, count, name, emulated);
    job.forward = false;
    job.inverse = true;
    job.scale = 0.3f;
    expect_same_bits(device, job, count, name, emulated);
    const FftRotation rotation(device, plan, lines > 8 ? 8 : lines);
    job.rotation = rotation.rotation();
    expect_same_bits(device, job, count, name, emulated);
    job.forward = true;
    job.inverse = false;
    expect_same_bits(device, job, count, name, emulated);
    job.rotation = {};
    job.real_output = true;
    expect_same_bits(device, job, count, name, emulated);
    job.real_output = false;
    if (step == 2) {
      // rows of pictures leave tiles for the columns, and find them
      LineAddress tiles = address;
      tiles.tile = 4;
      tiles.outer_step = 2 * tiles.tile;
      tiles.tile_step = tiles.outer_step * ((lines + 1) / 2);
      FftLines tiled = job;
      tiled.from.extent = n - n / 3;
      tiled.to = tiles;
      expect_same_bits(device, tiled, count, name, emulated);
      tiled.forward = false;
      tiled.inverse = true;
      tiled.from = tiles;
      tiled.to = address;
      tiled.to.extent = n - n / 3;
      expect_same_bits(device, tiled, count, name, emulated);
    }
  }
  job.forward = job.inverse = true;
  job.from.extent = n - n / 3;
  job.to.extent = n / 2 + 1;
  job.spectrum[0].complex = spectrum.data();
  job.spectrum[0].share = 2;
  job.spectrum[0].count = (lines + 1) / 2;
  job.spectrum[0].tile = step == 1 ? 1 : 4;
  if (!sums) expect_same_bits(device, job, count, name, emulated);
  job.spectrum[0].complex = nullptr;
  job.spectrum[0].real = &spectrum[0].re;
  if (!sums) {
    expect_same_bits(device, job, count, name, emulated);
    return;
  }
  job.terms = 3;
  job.in[1] = other.data();
  job.in[2] = in.data() + 1;
  job.spectrum[1] = job.spectrum[2] = job.spectrum[0];
  job.spectrum[1].real = nullptr;
  job.spectrum[1].complex = spectrum.data();
  expect_same_bits(device, job, count, name, emulated);
}

template <class Shape>
void check_shape(Device& device, int largest_radix = 0) {
  const FftPlan plan(device, Shape::n, largest_radix);
  ASSERT_EQ(plan.line().passes, Shape::passes);
  for (int p = 0; p < Shape::passes; ++p) ASSERT_EQ(plan.line().radix[p], Shape::radix(p));
  const i32 block = Shape::I * Shape::G, lines = block + (block + 1) / 2;
  check_kernel(
      device, plan.line(), "shape", lines, Shape::Step ? Shape::Step : 3, Shape::Sum,
      [](const FftLines& job) {
        std::vector<Complex> memory(std::size_t(Shape::shared_bytes) / sizeof(Complex) + 1);
        emulate((job.lines + block - 1) / block, Shape::threads, [&] {
          if (!job.inverse) {
            FftThread<Shape, FftUse::forward>(job, {1, job.scale != 1}, int(blockIdx.x),
                                              memory.data())
                .run();
          } else if (!job.forward) {
            FftThread<Shape, FftUse::inverse>(job, {1, job.scale != 1}, int(blockIdx.x),
                                              memory.data())
                .run();
          } else {
            FftThread<Shape, FftUse::both>(job, {1, job.scale != 1}, int(blockIdx.x), memory.data())
                .run();
          }
        });
      });
}

TEST(FftEmulation, RowsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<FftShape<Radices<8, 8>, 8, 1, 8, 4, 1>>(*device);
  check_shape<FftShape<Radices<8, 16>, 8, 1, 8, 4, 1>>(*device);
  check_shape<FftShape<Radices<16, 16>, 16, 1, 4, 4, 1>>(*device);
  check_shape<FftShape<Radices<8, 8, 8>, 64, 1, 2, 4, 1>>(*device);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 1, 2, 3, 1, 2>>(*device);
  check_shape<FftShape<Radices<8, 16, 16>, 128, 1, 1, 4, 1>>(*device);
  check_shape<FftShape<Radices<16, 16, 16>, 256, 1, 1, 4, 1>>(*device);
  check_shape<FftShape<Radices<32, 16, 16>, 256, 1, 1, 2, 1>>(*device);
  check_shape<FftShape<Radices<32, 32, 16>, 512, 1, 1, 1, 1, 4>>(*device);
}

TEST(FftEmulation, PictureRowsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 2, 2, 4, 2>>(*device);
  check_shape<FftShape<Radices<8, 12, 12>, 48, 2, 2, 3, 2>>(*device);
  check_shape<FftShape<Radices<16, 12, 12>, 192, 2, 1, 2, 2>>(*device);
  check_shape<FftShape<Radices<8, 24, 24>, 192, 2, 1, 2, 2>>(*device);
}

TEST(FftEmulation, ColumnsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 4, 1, 2>>(*device);
  check_shape<FftShape<Radices<8, 16, 16>, 64, 4, 1, 2>>(*device);
  check_shape<FftShape<Radices<8, 12, 12>, 48, 4, 1, 2>>(*device);
  check_shape<FftShape<Radices<16, 12, 12>, 96, 2, 1, 2>>(*device);
  check_shape<FftShape<Radices<8, 24, 24>, 192, 2, 1, 2>>(*device);
  check_shape<FftShape<Radices<16, 16>, 16, 8, 1, 2, 0, 1, true>>(*device);
  check_shape<FftShape<Radices<8, 12, 12>, 48, 4, 1, 2, 0, 1, true>>(*device);
}

TEST(FftEmulation, ForcedRadices) {
  const auto device = open_cpu(1);
  check_shape<FftShape<Radices<2, 2, 2, 2, 2, 2, 2, 2, 2, 2>, 64, 1, 1, 2>>(*device, 2);
  check_shape<FftShape<Radices<2, 8, 8, 8>, 64, 1, 1, 2>>(*device, 8);
  check_shape<FftShape<Radices<16, 64>, 16, 1, 4, 1>>(*device, 64);
  check_shape<FftShape<Radices<4, 32, 32>, 128, 1, 1, 1>>(*device, 32);
}

TEST(FftEmulation, AnyLengthHasTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  for (const i32 n : {1, 3, 10, 60, 125, 360, 1000, 1152, 6561}) {
    const FftPlan plan(*device, n);
    for (const bool sums : {false, true}) {
      check_kernel(*device, plan.line(), "any length", any_lines(n) + 3, 3, sums,
                   [&](const FftLines& job) {
                     std::vector<Complex> memory(std::size_t(any_shared_bytes(n, job.terms)) /
                                                 sizeof(Complex));
                     emulate((job.lines + any_lines(n) - 1) / any_lines(n), any_threads,
                             [&] { run_any_line(job, memory.data()); });
                   });
    }
  }
}

}  // namespace
}  // namespace kiln::test
