// A flame's structure as the source of its own kernels, and its numbers as their argument
// (engine/device/cuda/jit/specialised.cuh).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/program/compiled_flame.h"

namespace kiln {

struct FlameCode {
  std::string source;  // kernels kiln_warm_up and kiln_iterate
  /// [moments] the bytes of FlameNumbers; the first moment's alone if flame.moment_numbers has all.
  std::vector<std::uint32_t> numbers;
  bool moving = false;  // more than one moment: the numbers are in global memory
};

/// blocks: how many blocks of a pool shall live on a multiprocessor. Nothing where a kernel of its
/// own would not pay: more code than an instruction cache holds, or more numbers than a kernel
/// takes. divergent: kernels of the divergent reference.
std::optional<FlameCode> flame_code(const CompiledFlame& flame, int blocks, bool divergent = false);

/// CompiledFlame::moment_numbers; nothing where flame_code() gives nothing. It takes a millisecond
/// for a thousand moments, so an animation makes it ahead of the frame.
std::vector<std::uint32_t> moment_numbers(const CompiledFlame& flame);

}  // namespace kiln
