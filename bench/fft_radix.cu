// SPDX-License-Identifier: MIT
#include "bench/fft_radix_table.h"
#include "engine/device/cuda/fft/kernel.cuh"

KILN_FFT_ANY(fft_radix, kiln::FftRadix, 0)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 1)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 2)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 3)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 4)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 5)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 6)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 7)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 8)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 9)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 10)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 11)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 12)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 13)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 14)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 15)
KILN_FFT_ANY(fft_radix, kiln::FftRadix, 16)
