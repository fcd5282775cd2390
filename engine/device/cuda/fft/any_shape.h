// SPDX-License-Identifier: MIT
// How a block of AnyLine (any.cuh) divides its work.
#pragma once

#include "kernels/fft.h"

KILN_BEGIN

constexpr int any_threads = 256;

/// The number of lines of n points that a block of AnyLine takes, and its shared memory.
KILN_CONSTEXPR int any_lines(int n) { return n >= 1024 ? 1 : 1024 / n; }
KILN_CONSTEXPR int any_shared_bytes(int n, int terms) {
  return n * any_lines(n) * (terms > 1 ? 3 : 2) * int(sizeof(Complex));
}

KILN_END
