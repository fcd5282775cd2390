// SPDX-License-Identifier: MIT
#include "tests/parity/fft_emulation.h"

#include <ucontext.h>

#include <cstring>
#include <memory>
#include <random>

namespace kiln_emulated {
namespace {

/// Threads of one block in turn, from barrier to barrier.
class Block {
 public:
  Block(int threads, const std::function<void()>& body)
      : body_(body), threads_(std::size_t(threads)) {
    running = this;
    for (Thread& thread : threads_) {
      getcontext(&thread.context);
      thread.context.uc_stack.ss_sp = thread.stack.get();
      thread.context.uc_stack.ss_size = stack_bytes;
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
  static constexpr std::size_t stack_bytes = 256 << 10;  // sanitizers need much of it
  struct Thread {
    ucontext_t context;
    std::unique_ptr<char[]> stack = std::make_unique_for_overwrite<char[]>(stack_bytes);
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

}  // namespace

void run(int blocks, int threads, const std::function<void()>& body) {
  for (int block = 0; block < blocks; ++block) {
    blockIdx.x = unsigned(block);
    Block(threads, body);
  }
}
void wait() { Block::running->wait(); }

}  // namespace kiln_emulated

namespace kiln::test {
namespace {

std::vector<Complex> random_points(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<Complex> points(count);
  for (Complex& p : points) p = {uniform(random), uniform(random)};
  return points;
}

/// Runs `job` by the CPU device and by `emulated`, and compares the bits.
void expect_same_bits(Device& device, FftLines job, std::size_t out_count, const char* name,
                      const std::function<void(const FftLines&)>& emulated) {
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

}  // namespace

void check_kernel(Device& device, const LinePlan& plan, const char* name, i32 lines, i64 step,
                  KernelTakes takes, const std::function<void(const FftLines&)>& emulated) {
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
  if (!takes.sums) {
    expect_same_bits(device, job, count, name, emulated);
    job.forward = false;
    job.inverse = true;
    job.scale = 0.3f;
    expect_same_bits(device, job, count, name, emulated);
    const FftRotation rotation(device, plan, lines > 8 ? 8 : lines);
    if (takes.rotation) {
      job.rotation = rotation.rotation();
      expect_same_bits(device, job, count, name, emulated);
    }
    job.forward = true;
    job.inverse = false;
    if (takes.rotation) expect_same_bits(device, job, count, name, emulated);
    job.rotation = {};
    if (takes.real_output) {
      job.real_output = true;
      expect_same_bits(device, job, count, name, emulated);
      job.real_output = false;
    }
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
  if (takes.padded) {
    job.from.extent = n - n / 3;
    job.to.extent = n / 2 + 1;
  }
  job.spectrum[0].complex = spectrum.data();
  job.spectrum[0].share = 2;
  job.spectrum[0].count = (lines + 1) / 2;
  job.spectrum[0].tile = step == 1 ? 1 : 4;
  if (!takes.sums) expect_same_bits(device, job, count, name, emulated);
  job.spectrum[0].complex = nullptr;
  job.spectrum[0].real = &spectrum[0].re;
  if (!takes.sums) {
    if (takes.real_spectrum) expect_same_bits(device, job, count, name, emulated);
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

}  // namespace kiln::test
