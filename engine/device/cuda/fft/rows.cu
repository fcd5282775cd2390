// SPDX-License-Identifier: MIT
// Lines whose points are neighbors in memory.
#include "engine/device/cuda/fft/kernel.cuh"

KILN_FFT_ANY(rows, kiln::FftRows, 0)
KILN_FFT_FORWARD(rows, kiln::FftRows, 1)
KILN_FFT_ANY(rows, kiln::FftRows, 2)
KILN_FFT_ANY(rows, kiln::FftRows, 3)
KILN_FFT_ANY(rows, kiln::FftRows, 4)
KILN_FFT_ANY(rows, kiln::FftRows, 5)
KILN_FFT_FORWARD_AND_BOTH(rows, kiln::FftRows, 6)
KILN_FFT_ANY(rows, kiln::FftRows, 7)
KILN_FFT_FORWARD(rows, kiln::FftRows, 8)
KILN_FFT_FORWARD(rows, kiln::FftRows, 9)
KILN_FFT_FORWARD(rows, kiln::FftRows, 10)
