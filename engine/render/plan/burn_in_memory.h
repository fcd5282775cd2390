// SPDX-License-Identifier: MIT
// What was measured of how points settle (engine/render/plan/burn_in.h), by a digest of all that it
// comes from: the flame at one time sample, without its camera and colors, and the arithmetic. In this
// process, and what took long also on disk, like the kernels of flames' own and as carefully
// (engine/device/cuda/jit/kernel_cache.h). What is forgotten is measured again: the same numbers.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "engine/device/cuda/jit/kernel_cache.h"
#include "engine/program/compiled_flame.h"

namespace kiln {

/// No pool runs more steps than this before it records.
constexpr std::uint32_t most_burn_in_steps = 16384;

struct TimeSampleBurnIn {
  double first_look = 0;
  std::uint32_t forgotten = 0;  // steps; 0: not measured
};

class BurnInMemory {
 public:
  /// An empty name: nothing goes to the disk.
  explicit BurnInMemory(std::string folder) : disk_(std::move(folder), most_bytes) {}
  /// The one that all renders of this process share.
  static BurnInMemory& shared();

  std::optional<TimeSampleBurnIn> recall(const std::string& key);
  void keep(const std::string& key, const TimeSampleBurnIn& known, bool on_disk);

 private:
  static constexpr std::uint64_t most_bytes = 1 << 18;  // some 1500 flames
  // the time samples of a film do not come again, and what stays among what goes holds the heap open
  static constexpr std::size_t most_known = 1 << 8;

  std::mutex mutex_;
  std::map<std::string, TimeSampleBurnIn> known_;
  KernelCache disk_;
};

std::string burn_in_key(const CompiledFlame& flame, std::size_t time_sample);

}  // namespace kiln
