// SPDX-License-Identifier: MIT
// What `fft_bench` measures beside our transforms: cuFFT and a device copy on CUDA, FFTW on the
// CPU. Each function returns milliseconds, the median of several runs, or 0 where the peer is not
// there.
#pragma once

#include <cstdint>

namespace kiln::peers {

enum class Layout {
  planar_real,     // four planes, real-to-complex
  planar_complex,  // two planes of complex numbers
  interleaved,     // pixels of two complex numbers, as we keep them
};

/// Moving `bytes` from one place to another once.
double copy(std::uint64_t bytes);
/// Complex transforms of `lines` lines, in place: forward alone, or forward, times a spectrum,
/// inverse.
double lines(std::int64_t points, int lines, bool chain);
/// Forward of `batch` pictures of complex numbers, in place.
double pictures(int width, int height, int batch);
/// A picture of four channels convolved with a real spectrum.
double convolution(int width, int height, Layout layout);

}  // namespace kiln::peers
