// SPDX-License-Identifier: MIT
// A flame's structure as the source of its own kernels, and its numbers as their argument
// (engine/device/cuda/jit/flame_kernel.cuh).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/program/compiled_flame.h"

namespace kiln {

struct FlameCode {
  std::string source;  // kernel kiln_play
  /// [time_samples] the bytes of FlameNumbers; the first time sample's alone if
  /// flame.time_sample_numbers has all.
  std::vector<std::uint32_t> numbers;
  bool moving = false;  // more than one time sample: the numbers are in global memory
};

/// The source of the flame's own kernel. Nothing where one would not pay: more code than an instruction cache holds, or
/// more numbers than a kernel takes. divergent: the kernel of the divergent reference. The source
/// depends on the flame's structure and on whether it moves, not on its size.
std::optional<FlameCode> flame_code(const CompiledFlame& flame, bool divergent = false);

/// Bytes of a block's shared memory that a time sample of a flame in motion takes for its numbers,
/// at most; 0 for a flame that stands still.
std::size_t moving_bytes(const CompiledFlame& flame);

/// The source alone, for a flame of this structure that moves or does not; empty where flame_code()
/// gives nothing.
std::string flame_source(const CompiledFlame& flame, bool moving);

/// CompiledFlame::time_sample_numbers; nothing where flame_code() gives nothing. It takes a
/// millisecond for a thousand time samples, so an animation makes it ahead of the frame.
std::vector<std::uint32_t> time_sample_numbers(const CompiledFlame& flame);

}  // namespace kiln
