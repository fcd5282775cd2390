// SPDX-License-Identifier: MIT
// Tests that hold on every device: the CPU, and a CUDA GPU where there is one.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "engine/api/kiln/render_options.h"
#include "engine/device/cpu/device.h"
#include "engine/device/cpu/family.h"
#include "engine/device/device.h"

namespace kiln::test {

/// The CPU with two threads, then the GPU. Without a GPU it says so, once.
inline std::vector<std::unique_ptr<Device>> open_every_device() {
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(open_cpu(2));
  if (auto cuda = open_cuda(0, false)) {
    devices.push_back(std::move(cuda));
  } else {
    [[maybe_unused]] static const int said = std::puts("skipped: no CUDA device");
  }
  return devices;
}

/// Options of each of them.
inline std::vector<RenderOptions> options_of_every_device() {
  std::vector<RenderOptions> all;
  for (const auto& device : open_every_device()) {
    const bool cpu = device->describe().starts_with("cpu");
    RenderOptions& options = all.emplace_back();
    options.backend = cpu ? Backend::cpu : Backend::cuda;
    options.threads = cpu ? 2 : 0;
  }
  return all;
}

/// The instruction sets of this build that this machine has.
inline std::vector<std::string> cpu_instruction_sets() {
  std::vector<std::string> sets;
  for (const CpuCode& code : cpu_codes()) {
    if (machine_runs(code.isa)) sets.push_back(code.isa);
  }
  return sets;
}

/// Makes the CPU devices opened in this scope use one instruction set.
class ForcedInstructionSet {
 public:
  explicit ForcedInstructionSet(const std::string& name) { setenv("KILN_ISA", name.c_str(), 1); }
  ~ForcedInstructionSet() { unsetenv("KILN_ISA"); }
};

/// Every way to compute: the CPU with each instruction set, then the GPU.
inline std::vector<std::unique_ptr<Device>> open_every_arithmetic() {
  std::vector<std::unique_ptr<Device>> devices = open_every_device();
  std::vector<std::unique_ptr<Device>> all;
  for (const std::string& name : cpu_instruction_sets()) {
    const ForcedInstructionSet forced(name);
    all.push_back(open_cpu(2));
  }
  for (std::size_t i = 1; i < devices.size(); ++i) all.push_back(std::move(devices[i]));
  return all;
}

}  // namespace kiln::test

/// A test that is given every device in turn, as `device`.
#define TEST_ON_EVERY_DEVICE(suite, name)                               \
  static void suite##_##name(::kiln::Device& device);                   \
  TEST(suite, name) {                                                   \
    for (const auto& each_device : ::kiln::test::open_every_device()) { \
      SCOPED_TRACE(each_device->describe());                            \
      suite##_##name(*each_device);                                     \
      if (::testing::Test::HasFatalFailure()) return;                   \
    }                                                                   \
  }                                                                     \
  static void suite##_##name([[maybe_unused]] ::kiln::Device& device)
