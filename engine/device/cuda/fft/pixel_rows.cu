// SPDX-License-Identifier: MIT
// Rows of pictures of four channels: the two halves of a pixel, (r, g) and (b, a), are two lines.
#include "engine/device/cuda/fft/kernel.cuh"

KILN_FFT_ONE_WAY(pixel_rows, kiln::FftPixelRows, 0)
KILN_FFT_ONE_WAY(pixel_rows, kiln::FftPixelRows, 1)
KILN_FFT_ONE_WAY(pixel_rows, kiln::FftPixelRows, 2)
KILN_FFT_ONE_WAY(pixel_rows, kiln::FftPixelRows, 3)
KILN_FFT_ONE_WAY(pixel_rows, kiln::FftPixelRows, 4)
KILN_FFT_ONE_WAY(pixel_rows, kiln::FftPixelRows, 5)
KILN_FFT_ONE_WAY(pixel_rows, kiln::FftPixelRows, 6)
KILN_FFT_ONE_WAY(pixel_rows, kiln::FftPixelRows, 7)
