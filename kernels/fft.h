// SPDX-License-Identifier: MIT
// The fast Fourier transform as both devices run it: Stockham passes over many lines at once.
//
// A line of n = r1 r2 ... rk points takes k passes. Pass p, with L = r1 ... r(p-1) and B = n / rp
// butterflies, does for i in [0, B), k = i mod L:
//
//   x[q] = in[i + q B] w(L rp)^(k q)       q in [0, rp)
//   out[(i - k) rp + k + m L] = DFT(x)[m]  m in [0, rp)
//
// and leaves natural order behind (Stockham's self-sorting form; Van Loan, "Computational
// Frameworks for the Fast Fourier Transform", 1992, section 1.7). The inverse runs the same passes
// mirrored: last pass first, reads what was written, writes what was read, twiddles after the
// butterfly. So the inverse begins exactly where the forward transform ended - the same butterflies
// hold the same points - and forward x spectrum x inverse needs no exchange in the middle.
//
// Factors, twiddles and the order of operations follow from the plan alone (engine/fft/plan.h). A
// device chooses where the points wait between passes: the CPU keeps `fft_lanes` lines side by side
// in vector lanes, in cache (kernels/fft_block_cpu.h), CUDA keeps points in registers and
// exchanges through shared memory (engine/device/cuda/fft/kernel.cuh).
//
// A line longer than `fft_longest` points is n1 x n2 lines (the four steps of Gentleman and Sande
// 1966): columns of n1, a rotation by w(n)^(k1 j2), rows of n2; see Rotation.
#pragma once

#include "kernels/fft_radix.h"

KILN_BEGIN

constexpr int fft_longest = 16384;  // points of a line that one block transforms
constexpr int fft_most_passes = 14;

/// The factors of a line of `points`, and the twiddles of its passes in device memory.
struct LinePlan {
  i32 points = 1;
  i32 passes = 0;
  i32 radix[fft_most_passes] = {};
  i32 table[fft_most_passes] = {};    // where in `twiddles` the pass begins
  const Complex* twiddles = nullptr;  // pass p: [radix - 1][L], w(L radix)^(q k) at [q - 1][k]
};

/// The addresses of the points of many lines, in elements: line l, point i is at
///   (l % inner) inner_step + (l / inner % middle) middle_step + (l / inner / middle) outer_step +
///   i point_step. Points from `extent` on are not there: zero when read, dropped when written.
/// With a `tile`, a power of two, points come in tiles of so many, tile_step apart.
struct LineAddress {
  i32 inner = 1, middle = 1;
  i32 extent = 1 << 30;
  i64 inner_step = 0, middle_step = 0, outer_step = 0;
  i64 point_step = 1;
  i32 tile = 0;
  i64 tile_step = 0;

  KILN_FN i64 of(i32 line) const {
    const i32 outer = line / inner;
    return i64(line % inner) * inner_step + i64(outer % middle) * middle_step +
           i64(outer / middle) * outer_step;
  }
  KILN_FN i64 point(i32 i) const {
    return tile == 0 ? i * point_step : i64(i / tile) * tile_step + i % tile * point_step;
  }
};

/// The second of the four steps: column l, frequency k1 is turned by w(n)^(k1 j2) with j2 = l mod
/// columns. k1 = low + count high (count = n1 / last radix of n1), as the product of two stored
/// powers: w^(low j2) w^(count high j2).
struct Rotation {
  const Complex* low = nullptr;   // [count][columns]; null: no rotation
  const Complex* high = nullptr;  // [n1 / count][columns]
  i32 columns = 1, count = 1;

  KILN_FN Complex at(i32 column, i32 low_part, i32 high_part) const {
    const Complex a = low[i64(low_part) * columns + column];
    return high_part == 0 ? a : a * high[i64(high_part) * columns + column];
  }
};

/// The factors of the frequencies between the forward and the inverse transform. Line l, frequency
/// k takes element (x / tile) tile n + k tile + x mod tile with x = (l / share) mod count: tiles of
/// neighboring lines are stored together, so that a block reads whole cache lines.
struct Spectrum {
  const float* real = nullptr;  // one of the two, or neither
  const Complex* complex = nullptr;
  i32 share = 1;  // lines in a row with one spectrum, e.g. the two halves of a pixel
  i32 count = 1;
  i32 tile = 1;

  KILN_FN bool present() const { return real != nullptr || complex != nullptr; }
  KILN_FN i64 of(i32 line, i32 points) const {
    const i32 x = line / share % count;
    return i64(x / tile) * tile * points + x % tile;
  }
  KILN_FN Complex apply(Complex a, i64 line_begin, i32 k) const {
    const i64 at = line_begin + i64(k) * tile;
    return real ? a * real[at] : a * complex[at];
  }
};

constexpr int fft_most_terms = 8;

/// One launch: every line is read, transformed forward if asked, multiplied, transformed back if
/// asked, scaled and written. With several terms the products are summed before the one inverse.
/// `in` may be `out` when the addresses are the same.
struct FftLines {
  LinePlan plan;
  i32 lines = 0;
  bool forward = true, inverse = false;
  bool real_output = false;  // writes floats, the real parts
  i32 terms = 1;             // more than 1: forward and inverse, each with its spectrum
  const Complex* in[fft_most_terms] = {};
  void* out = nullptr;
  LineAddress from, to;
  Spectrum spectrum[fft_most_terms];
  Rotation rotation;  // after a forward transform alone, or before an inverse alone
  float scale = 1;    // applied to what is written
};

KILN_END
