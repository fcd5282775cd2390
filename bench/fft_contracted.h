// The FFT kernels compiled a second time, with contraction (a b + c in one rounding wherever nvcc
// likes): what exact arithmetic costs. `fft_bench` prints both; nothing else links this.
#pragma once

#include <string>

#include "engine/device/device.h"

namespace kiln {

/// Queues jobs in turn (Device::transform) of the contracted kernels. Gives back CUDA's error.
int transform_contracted(const FftLines* jobs, int count, i32 units);
/// Waits for all of them.
int wait_contracted();

/// A CUDA device whose transforms run contracted.
class ContractedDevice : public Device {
 public:
  explicit ContractedDevice(Device& device) : device_(device) {}

  std::string describe() const override { return device_.describe() + ", contracted"; }
  void* allocate(std::size_t bytes) override { return device_.allocate(bytes); }
  void release(void* memory) override { device_.release(memory); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    device_.upload(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    wait();
    device_.download(to, from, bytes);
  }
  void clear(void* memory, std::size_t bytes) override {
    wait();
    device_.clear(memory, bytes);
    device_.wait();
  }
  void launch(int kernel, const void* arguments, std::size_t bytes, int blocks) override {
    device_.launch(kernel, arguments, bytes, blocks);
  }
  void transform(const FftLines& job) override { check(transform_contracted(&job, 1, 1)); }
  void transform(std::span<const FftLines> jobs, i32 units) override {
    check(transform_contracted(jobs.data(), int(jobs.size()), units));
  }
  i32 picture_tile(i32 width) const override { return device_.picture_tile(width); }
  void wait() override {
    check(wait_contracted());
    device_.wait();
  }
  std::uint64_t free_memory_bytes() const override { return device_.free_memory_bytes(); }

  void choose_game(Game) override { no_game(); }
  GamePlan plan_game(const CompiledFlame&, std::uint64_t, std::uint64_t) override { no_game(); }
  void begin_game(const GamePlan&, const CompiledFlame&) override { no_game(); }
  void play(const IterateBatch&, const AccumulateTiles&, int) override { no_game(); }
  void end_game() override { no_game(); }

 private:
  [[noreturn]] static void no_game() { device_error("the contracted device only transforms"); }
  static void check(int error) {
    if (error != 0) device_error("contracted FFT: CUDA error " + std::to_string(error));
  }

  Device& device_;
};

}  // namespace kiln
