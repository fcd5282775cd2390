// SPDX-License-Identifier: MIT
// Compiled as the kernels are, with their fma().
#include "kernels/math.h"

/// Whether it has one rounding here, which kernels take for granted.
extern "C" __attribute__((used, visibility("default"), export_name("kiln_fuses"))) int kiln_fuses(
    float a, float b, float c) {
  return kiln::fma(a, b, c) != a * b + c;
}
