// SPDX-License-Identifier: MIT
// The shapes of the FFT kernels: in which factors a length is transformed, and how its points are
// laid out over threads and shared memory. Plain constant expressions, so tests read them too.
//
// Shared memory keeps gaps between the runs of points that neighboring threads write, a width of
// its own for every exchange: no two threads meet in one bank, for any factors. Every address with
// its gaps is one per-thread base plus a constant; left to the compiler, the gaps spill. An
// exchange may go in parts - real and imaginary parts in turn, and those in halves of the line -
// for a half or a quarter of the shared memory and more barriers. Columns of three passes share the
// butterflies out so that the first exchange stays within a warp: one barrier of the block remains
// each way. Between forward and inverse there is none: a thread writes where it has just read.
#pragma once

#include "kernels/fft.h"

// A job of lines as the threads of the FFT kernels take it: everything that is the same for all of
// them is worked out once, on the host. A block's life is some ten thousand cycles, of which
// divisions, 64-bit products and first looks at a kernel's arguments would take a tenth or more: so
// the places are bytes, divisors are products, and the arguments of one term are a few cache lines.

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
  /// Bytes from point to point; in tiles, a point's share of the way from tile to tile.
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

template <int... radices>
struct Radices {
  static constexpr int passes = int(sizeof...(radices));
  static constexpr int list[passes] = {radices...};
  static constexpr int points = (radices * ...);
  /// Product of the radices before pass p: L.
  static KILN_CONSTEXPR int before(int p) {
    int product = 1;
    for (int i = 0; i < p; ++i) product *= list[i];
    return product;
  }
  /// The index at which the twiddles of pass p begin.
  static KILN_CONSTEXPR int table(int p) {
    int sum = 0;
    for (int i = 0; i < p; ++i) sum += (list[i] - 1) * before(i);
    return sum;
  }
};

/// The layout of a line of n points over a block of a kernel.
struct FftLayout {
  int threads;           // a line (or the C neighboring ones that a thread carries)
  int side_by_side = 1;  // lines whose neighboring points lie side by side in memory: I
  int groups = 1;        // of those lines in a block: G
  int resident = 1;      // blocks a multiprocessor at least; it bounds the registers
  int step = 0;          // from point to point, where it is always the same: 1 rows, 2 pixel rows
  int parts = 1;         // exchanges at once, in 2 turns (real, imaginary) or in 4 (and halves)
  bool sum = false;      // products of several spectra and one inverse
  int carried = 1;       // neighboring lines that a thread carries, 1 or 2: C
  bool within_warps = true;  // the first exchange of columns may stay within warps
};

/// A line's factors and layout, and what follows from them: where every point waits in shared
/// memory.
template <class Factors_, FftLayout layout>
struct FftShape {
  using Factors = Factors_;
  static constexpr int T = layout.threads, I = layout.side_by_side, G = layout.groups;
  static constexpr int Resident = layout.resident, Step = layout.step, Parts = layout.parts;
  static constexpr int C = layout.carried;
  static constexpr bool Sum = layout.sum;
  static constexpr int n = Factors::points;
  static constexpr int passes = Factors::passes;
  static constexpr int threads = T * I * G;
  /// Code that nobody asks for isn't compiled; AnyLine does it instead. Columns of long lines are
  /// rotated, the taps of a convolution leave their real parts (AnyLine takes shorter lines).
  static constexpr bool rotation = Step == 0 && C == 1, real_output = rotation && n >= 4608;
  /// Chains multiply rows by complex spectra, only convolutions have real ones.
  static constexpr bool real_spectrum = Step != 1;
  /// Pictures are padded when read and cropped when written; all other lines are whole.
  static KILN_CONSTEXPR bool pictures(bool there_and_back) {
    return Step == 2 || (Step == 0 && there_and_back);
  }
  static KILN_CONSTEXPR int radix(int p) { return Factors::list[p]; }
  static KILN_CONSTEXPR int butterflies(int p) { return n / radix(p); }
  static KILN_CONSTEXPR int rounds(int p) { return (butterflies(p) + T - 1) / T; }
  static KILN_CONSTEXPR int held() {
    int most = 0;
    for (int p = 0; p < passes; ++p) {
      most = rounds(p) * radix(p) > most ? rounds(p) * radix(p) : most;
    }
    return most;
  }
  /// Columns of three passes, of radices R0, R1 and N: the butterflies b + N q of the first pass
  /// and R0 b + k of the second make N groups, transforms of R0 R1 points each. `warp_groups` of
  /// them belong to a warp, and their points wait in memory of that warp. (Rows would read runs of
  /// `warp_groups` points: 4 to 10 % slower.)
  static constexpr int lanes = 32 % I == 0 ? 32 / I : 1;  // of a line in a warp
  static constexpr int last_radix = passes == 3 ? Factors::list[passes - 1] : 1;
  static constexpr int group = n / last_radix;
  static constexpr int warp_groups = T % lanes == 0 ? last_radix / (T / lanes) : 0;
  static KILN_CONSTEXPR bool within_warps() {
    if (!layout.within_warps || Step != 0 || passes != 3 || Parts != 1) return false;
    if (lanes == 1 || T <= lanes || T % lanes != 0) return false;
    if (warp_groups == 0 || last_radix % (T / lanes) != 0 || lanes % warp_groups != 0) return false;
    if (warp_groups * radix(1) % lanes != 0 || warp_groups * radix(0) % lanes != 0) return false;
    return lanes % radix(0) == 0 || radix(0) % lanes == 0;
  }
  /// Pitches of a group and of a first butterfly's points in it, in points: so that the lanes that
  /// shared memory serves at once meet in no bank.
  struct Pitch {
    int group = 0, butterfly = 0;
  };
  static constexpr int at_once = Parts > 1 ? 32 : 16 / C;  // threads that memory serves at once
  static KILN_CONSTEXPR bool free_of_conflicts(Pitch pitch) {
    constexpr int turn = at_once > I ? at_once / I : 1;  // lanes of a line, and their banks
    constexpr int groups = warp_groups > 0 ? warp_groups : 1;
    for (int first = 0; first < lanes; ++first) {
      for (int l = first / turn * turn; l < first; ++l) {
        const auto writes = [&](int j) {
          return j % groups * pitch.group + j / groups * pitch.butterfly;
        };
        const auto reads = [&](int j) { return j / radix(0) * pitch.group + j % radix(0); };
        if ((writes(l) - writes(first)) % turn == 0) return false;
        if ((reads(l) - reads(first)) % turn == 0) return false;
      }
    }
    return true;
  }
  static KILN_CONSTEXPR Pitch find_pitch() {
    Pitch best{};
    for (int more = 0; within_warps() && more < 16; ++more) {
      Pitch pitch{0, radix(0) + more};
      const int needed = (radix(1) - 1) * pitch.butterfly + radix(0);
      for (pitch.group = needed > group ? needed : group; pitch.group < needed + group;
           ++pitch.group) {
        if (best.group != 0 && pitch.group >= best.group) break;
        if (free_of_conflicts(pitch)) {
          best = pitch;
          break;
        }
      }
    }
    return best;
  }
  static constexpr Pitch pitch = find_pitch();
  static constexpr bool local = pitch.group > 0;

  /// The points between two gaps in the exchange behind pass `below`: a pass writes runs of L
  /// points, R L apart, which would meet in the banks that 8-byte accesses of half a warp reach
  /// (4-byte ones: of a warp, 16-byte ones: of a quarter). Gaps of L points keep them apart, unless
  /// a run of I lines fills the banks anyway.
  static KILN_CONSTEXPR int gap_every(int below) {
    constexpr int turn = at_once / I;
    const int apart = radix(below) * Factors::before(below);
    return apart > turn ? apart : turn;
  }
  static KILN_CONSTEXPR int gap(int below) {
    return Factors::before(below) * I < at_once ? Factors::before(below) : 0;
  }
  static KILN_CONSTEXPR int padded(int below, int q) {
    return q + q / gap_every(below) * gap(below);
  }
  static KILN_CONSTEXPR int padded_points() {
    int most = local ? last_radix * pitch.group : n;
    for (int p = 0; !local && p + 1 < passes; ++p) most = padded(p, n) > most ? padded(p, n) : most;
    return most;
  }
  // groups begin 8 points apart in the banks
  static constexpr int group_points = (padded_points() + 7) / 8 * 8;
  static constexpr int buffer_points = group_points * I * G;
  static constexpr int shared_bytes = passes > 1 ? buffer_points* int(sizeof(Complex)) * C / Parts
                                                 : 0;
  static constexpr bool one_warp = 32 % (T * I) == 0;  // a line never leaves its warp
  static constexpr int group_threads = T * I;
  static constexpr bool own_barriers = G > 1 && G < 16 && group_threads % 32 == 0;

  /// True if every padded address is one of its thread plus a constant.
  static KILN_CONSTEXPR bool constant_offsets() {
    for (int p = 0; !local && p + 1 < passes; ++p) {
      const int every = gap_every(p), b = butterflies(p + 1);
      if (every % (radix(p) * Factors::before(p)) || (b % every && every % b)) return false;
    }
    return true;
  }
  /// Whether a butterfly writes within one half of the line and reads both, as 4 parts need it.
  static KILN_CONSTEXPR bool halves() {
    for (int p = 0; p + 1 < passes; ++p) {
      if (n / 2 % (radix(p) * Factors::before(p)) || radix(p + 1) % 2) return false;
    }
    return n % 32 == 0;
  }
  static_assert(constant_offsets() && threads <= 1024);
  static_assert(C == 1 || (C == 2 && Parts == 1));
  static_assert(Parts == 1 || Parts == 2 || (Parts == 4 && halves()));
};

enum class FftUse { forward = 1, inverse = 2, both = 4 };

KILN_END
