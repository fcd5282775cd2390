// SPDX-License-Identifier: MIT
// Compiled once per instruction set (KILN_ISA = v2, v3, v4), with the options of the CPU's kernels.
#include "tests/parity/math_functions.h"

#include "tests/parity/math_function_list.h"

KILN_BEGIN

#define KILN_ENTRY(name, expression)                                             \
  {#name, [](const float* xs, const float* ys, std::uint32_t* bits, int count) { \
     for (int i = 0; i < count; ++i) {                                           \
       [[maybe_unused]] const Real x = xs[i], y = ys[i];                         \
       bits[i] = result_bits(expression);                                        \
     }                                                                           \
   }},
constexpr test::MathFunction math_function_table[] = {KILN_MATH_FUNCTIONS(KILN_ENTRY)};

KILN_END

namespace kiln::test {

MathFunctions KILN_OF_ISA(math_functions_)() {
  return {math_function_table, int(sizeof math_function_table / sizeof math_function_table[0])};
}

}  // namespace kiln::test
