// SPDX-License-Identifier: MIT
// CUDA kernels of one radix for `fft_bench --radix`; built with KILN_FFT_RADIX.
#pragma once

#include "kernels/platform.h"

KILN_BEGIN

/// From now on CUDA has them too, tried before the kernel for any length.
void use_radix_kernels();

KILN_END
