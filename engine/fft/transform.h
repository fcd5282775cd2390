// SPDX-License-Identifier: MIT
// Transforms and convolutions on a device, put together from jobs of lines (kernels/fft.h).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/fft/plan.h"

namespace kiln {

/// The complex transform of `lines` lines of n points each, n = 2^a 3^b 5^c up to 2^24, natural
/// order on both sides. Forward has exp(-2 pi i jk/n) and no factor, inverse exp(+...) and 1/n.
class Fft {
 public:
  /// `address` says where line l, point i is (its extent is ignored); one line after the other if
  /// not given. Lines longer than one block's need address.middle == 1.
  Fft(Device& device, i64 points, i32 lines, std::optional<LineAddress> address = {},
      int largest_radix = 0);

  /// `in` may be `out`.
  void forward(const Complex* in, Complex* out) const { run(in, out, false); }
  void inverse(const Complex* in, Complex* out) const { run(in, out, true); }

 private:
  void run(const Complex* in, Complex* out, bool inverse) const;

  Device& device_;
  i64 points_;
  i32 lines_;
  LineAddress address_;
  FftPlan rows_;
  std::optional<FftPlan> columns_;  // of a long line
  std::optional<FftRotation> rotation_;
  DeviceArray<Complex> between_;  // [lines][n1][n2]
};

/// Forward, times a spectrum, inverse, of contiguous lines; the spectrum stays in whatever order
/// the forward half leaves (columns of a long line stay where they are), so nothing is reordered.
class FftChain {
 public:
  FftChain(Device& device, i64 points, i32 lines, int largest_radix = 0);

  /// The spectrum of one line of `points` taps (complex, natural order, host), shared by all lines.
  void set_kernel(const std::vector<Complex>& taps);
  /// out = inverse(forward(in) x spectrum) / n: circular convolution. `in` may be `out`.
  void run(const Complex* in, Complex* out) const;

 private:
  FftLines columns_job(bool inverse) const;

  Device& device_;
  i64 points_;
  i32 lines_;
  FftPlan rows_;
  std::optional<FftPlan> columns_;
  std::optional<FftRotation> rotation_;
  DeviceArray<Complex> spectrum_;  // block order: [n1][n2], frequency k1 + n1 k2
};

/// The complex transform of `batch` pictures of height x width, in place or not.
class Fft2d {
 public:
  Fft2d(Device& device, i32 width, i32 height, i32 batch = 1, int largest_radix = 0);
  void forward(const Complex* in, Complex* out) const;
  void inverse(const Complex* in, Complex* out) const;

 private:
  void run(const Complex* in, Complex* out, bool inverse) const;

  Device& device_;
  i32 width_, height_, batch_;
  FftPlan rows_, columns_;
};

/// The taps of a filter: tap (x, y) weighs the pixel at (+x - center_x, +y - center_y) from the
/// result, so that the result is sum of taps[y][x] picture[py + y - center_y][px + x - center_x].
struct FilterTaps {
  i32 width = 1, height = 1, center_x = 0, center_y = 0;
  std::vector<float> values;  // [height][width]
};

/// A filter whose taps a kernel writes where they are needed: too many for the host.
struct DeviceTaps {
  i32 padded_width = 0, padded_height = 0;  // FFT lengths, at least the picture's and the reach
  bool symmetric = true;                    // f(-x) = f(x)
  /// Writes [padded_height, padded_width] taps; the one for offset (dx, dy) from a pixel to where
  /// its light goes is at (dx mod padded_width, dy mod padded_height).
  std::function<void(Complex*)> write;
};

/// Convolution of pictures of four channels with zeros beyond the edges: three passes over memory -
/// rows forward; columns forward, times the spectrum, inverse; rows inverse - with the padding made
/// when reading and cut off when writing. A pixel is two complex numbers (r + ig, b + ia): a real
/// filter keeps the parts apart, so no real-input post-processing exists. With several filters the
/// result is the sum of picture i filtered by filter i, with one inverse.
class Convolution {
 public:
  Convolution(Device& device, i32 width, i32 height, const std::vector<FilterTaps>& filters);
  Convolution(Device& device, i32 width, i32 height, const DeviceTaps& filter);

  /// `pictures[i]`: [height, width] for filter i; out: [height, width], may be a picture, or lies
  /// apart from all of them.
  void run(const std::vector<const Vec4*>& pictures, Vec4* out) const;

  i32 padded_width() const { return rows_.line().points; }
  i32 padded_height() const { return columns_.line().points; }

 private:
  void set_spectrum(std::size_t term, const FilterTaps& filter);
  void transform_taps(std::size_t term, Complex* taps, bool symmetric);
  void make_work(std::size_t terms);

  Device& device_;
  i32 width_, height_;
  FftPlan rows_, columns_;
  std::vector<DeviceArray<float>> real_;       // a filter with f(-x) = f(x) has a real spectrum
  std::vector<DeviceArray<Complex>> complex_;  // others; [W / tile][H][tile]
  i32 tile_ = 0;                               // pixels, between rows and columns; 0: rows
  /// One a filter: [height, W, 2] after the rows, maybe in tiles; none where `out` has that place.
  std::vector<DeviceArray<Complex>> work_;
};

}  // namespace kiln
