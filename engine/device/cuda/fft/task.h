// A job of lines as the threads of the FFT kernels take it: everything that is the same for all of
// them is worked out once, on the host. A block's life is some ten thousand cycles, of which
// divisions, 64-bit products and first looks at a kernel's arguments would take a tenth or more: so
// the places are bytes, divisors are products, and the arguments of one term are a few cache lines.
#pragma once

#include "kernels/fft.h"

KILN_BEGIN

/// Divides numbers from 0 to 2^31 - 1 by a constant from 1 to 2^31 - 1 (Granlund and Montgomery,
/// "Division by Invariant Integers using Multiplication", 1994, section 4).
struct FftDivisor {
  u32 factor = 1, shift = 0;

  KILN_FN i32 quotient(i32 a) const {
    return i32((u32((u64(u32(a)) * factor) >> 32) + u32(a)) >> shift);
  }
};
inline FftDivisor fft_divisor(i32 by) {
  FftDivisor divisor;
  while (u64(1) << divisor.shift < u64(by)) ++divisor.shift;
  divisor.factor = u32(((((u64(1) << divisor.shift) - u64(by)) << 32) / u64(by)) + 1);
  return divisor;
}

/// A LineAddress in bytes.
struct FftPlace {
  i64 line_step = 0, outer_step = 0, outermost_step = 0;
  FftDivisor inner, middle;
  i32 extent = 0, tile = 0;
  /// From point to point; of points in tiles, a point's share of the way from tile to tile.
  u32 point_step = 0;

  KILN_FN i64 begin(i32 line) const {
    const i32 outer = inner.quotient(line);
    return line * line_step + outer * outer_step + middle.quotient(outer) * outermost_step;
  }
};
inline FftPlace fft_place(const LineAddress& address, i64 element) {
  FftPlace place;
  place.line_step = address.inner_step * element;
  place.outer_step = (address.middle_step - address.inner * address.inner_step) * element;
  place.outermost_step = (address.outer_step - address.middle * address.middle_step) * element;
  place.inner = fft_divisor(address.inner);
  place.middle = fft_divisor(address.middle);
  place.extent = address.extent;
  place.tile = address.tile;
  place.point_step =
      u32((address.tile ? address.tile_step / address.tile : address.point_step) * element);
  return place;
}

/// `most_terms`: 1, or fft_most_terms where products are summed; their spectra lie alike.
template <int most_terms>
struct FftTask {
  FftPlace from;
  const char* in[most_terms] = {};
  i32 lines = 0;
  i32 ahead = 0;  // asks L2 for the lines of the block so many later; 0: does not
  const Complex* twiddles = nullptr;
  FftPlace to;
  char* out = nullptr;
  const float* real[most_terms] = {};
  const Complex* complex[most_terms] = {};
  FftDivisor share, count, tile;
  i32 spectrum_count = 1, spectrum_tile = 1;
  i32 terms = 1;
  float scale = 1;
  bool real_output = false;
  bool streams = false;  // marks results to leave L2 first
  FftDivisor columns;
  Rotation rotation;

  FftTask(const FftLines& job, i32 ahead_, bool streams_) : ahead(ahead_), streams(streams_) {
    from = fft_place(job.from, sizeof(Complex));
    to = fft_place(job.to, job.real_output ? sizeof(float) : sizeof(Complex));
    for (int i = 0; i < most_terms; ++i) {
      in[i] = reinterpret_cast<const char*>(job.in[i]);
      real[i] = job.spectrum[i].real;
      complex[i] = job.spectrum[i].complex;
    }
    lines = job.lines;
    twiddles = job.plan.twiddles;
    out = static_cast<char*>(job.out);
    const Spectrum& spectrum = job.spectrum[0];
    share = fft_divisor(spectrum.share);
    count = fft_divisor(spectrum.count);
    tile = fft_divisor(spectrum.tile);
    spectrum_count = spectrum.count;
    spectrum_tile = spectrum.tile;
    terms = job.terms;
    scale = job.scale;
    real_output = job.real_output;
    columns = fft_divisor(job.rotation.columns);
    rotation = job.rotation;
  }
};

KILN_END
