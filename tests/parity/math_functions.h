// SPDX-License-Identifier: MIT
// Every function of kernels/math.h as a lane loop, compiled once per instruction set and once for
// CUDA, so that the same bits are shown of what the compilers make of loops, not of single calls.
// Plain data only: nothing of the standard library may be instantiated in code for one instruction
// set.
#pragma once

#include <cstdint>

namespace kiln::test {

/// One function; of a pair of results (sincos) one half.
struct MathFunction {
  const char* name;  // as in kernels/math.h
  /// bits[i] = what the function makes of x[i] or of (x[i], y[i]): a float's bits with every NaN as
  /// 0x7fc00000 (only its payload is open), or an integer.
  void (*run)(const float* x, const float* y, std::uint32_t* bits, int count);
};

struct MathFunctions {
  const MathFunction* begin;
  int count;
};

/// Function `index` of the same list on the first GPU, with host arrays; false without a GPU.
bool run_math_function_cuda(int index, const float* x, const float* y, std::uint32_t* bits,
                            int count);

}  // namespace kiln::test
