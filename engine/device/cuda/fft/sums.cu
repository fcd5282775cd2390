// SPDX-License-Identifier: MIT
// Columns with several products and one inverse: twice the registers a point.
#include "engine/device/cuda/fft/kernel.cuh"

KILN_FFT_BOTH(sums, kiln::FftSums, 0)
KILN_FFT_BOTH(sums, kiln::FftSums, 1)
KILN_FFT_BOTH(sums, kiln::FftSums, 2)
KILN_FFT_BOTH(sums, kiln::FftSums, 3)
KILN_FFT_BOTH(sums, kiln::FftSums, 4)
KILN_FFT_BOTH(sums, kiln::FftSums, 5)
KILN_FFT_BOTH(sums, kiln::FftSums, 6)
