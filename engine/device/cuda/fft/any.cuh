// SPDX-License-Identifier: MIT
// FFT lines of any length on CUDA: every pass from and to shared memory, two buffers in turn
// (Stockham's ping-pong), the radix looked up at run time. For lengths that have no shape of their
// own.
#pragma once

#include "engine/device/cuda/fft/any_shape.h"
#include "engine/device/cuda/fft/thread.cuh"

#if KILN_CUDA_CODE || KILN_EMULATES_CUDA
KILN_BEGIN

struct AnyLine {
  const FftLines& job;
  Complex *now, *other, *sum;
  int lines;  // of this block, at most G
  int first;  // line
  int n;

  /// body(line of the block, point)
  template <class Body>
  KILN_FN void each_point(const Body& body) const {
    for (int at = int(threadIdx.x); at < lines * n; at += any_threads) body(at / n, at % n);
    __syncthreads();
  }

  KILN_FN void run() {
    for (int turn = 0; turn < job.terms + 1; ++turn) {
      const bool back = turn == job.terms;
      if (!back) load(turn);
      if (back && job.terms > 1) now = sum;
      if (back ? job.inverse : job.forward) transform(back);
      if (!back) multiply(turn);
    }
    store();
  }
  KILN_FN void multiply(int term) {
    const Spectrum& spectrum = job.spectrum[term];
    if (spectrum.present()) {
      each_point([&](int g, int k) {
        now[g * n + k] = spectrum.apply(now[g * n + k], spectrum.of(first + g, n), k);
      });
    }
    if (job.terms > 1) {
      each_point([&](int g, int k) {
        const int at = g * n + k;
        sum[at] = term == 0 ? now[at] : sum[at] + now[at];
      });
    }
  }

  KILN_FN void load(int term) {
    each_point([&](int g, int i) {
      const Complex* in = job.in[term] + job.from.of(first + g);
      now[g * n + i] = i < job.from.extent ? in[job.from.point(i)] : Complex{0, 0};
    });
  }
  KILN_FN void store() {
    each_point([&](int g, int i) {
      if (i >= job.to.extent) return;
      const i64 at = job.to.of(first + g) + job.to.point(i);
      const Complex value = now[g * n + i] * job.scale;
      if (job.real_output) {
        static_cast<float*>(job.out)[at] = value.re;
      } else {
        static_cast<Complex*>(job.out)[at] = value;
      }
    });
  }
  KILN_FN void exchange() {
    each_point([&](int g, int i) { now[g * n + i] = exchanged(now[g * n + i]); });
  }
  KILN_FN void rotate() {
    const Rotation& rotation = job.rotation;
    if (!rotation.low) return;
    each_point([&](int g, int k) {
      const int column = (first + g) % rotation.columns;
      now[g * n + k] = now[g * n + k] * rotation.at(column, k % rotation.count, k / rotation.count);
    });
  }
  /// All passes, first to last, or mirrored and last to first: one loop, as its body is long.
  KILN_FN void transform(bool mirrored) {
    if (mirrored) {
      exchange();
      rotate();
    }
    int done = mirrored ? n : 1;
    for (int step = 0; step < job.plan.passes; ++step) {
      const int p = mirrored ? job.plan.passes - 1 - step : step;
      if (mirrored) done /= job.plan.radix[p];
      pass(p, done, mirrored);
      if (!mirrored) done *= job.plan.radix[p];
    }
    mirrored ? exchange() : rotate();
  }

  KILN_FN void pass(int p, int done, bool mirrored) {
    const Complex* table = job.plan.twiddles + job.plan.table[p];
    switch (job.plan.radix[p]) {
      case 2:
        pass_of<2>(table, done, mirrored);
        break;
      case 3:
        pass_of<3>(table, done, mirrored);
        break;
      case 4:
        pass_of<4>(table, done, mirrored);
        break;
      case 5:
        pass_of<5>(table, done, mirrored);
        break;
      case 6:
        pass_of<6>(table, done, mirrored);
        break;
      case 8:
        pass_of<8>(table, done, mirrored);
        break;
      case 9:
        pass_of<9>(table, done, mirrored);
        break;
      case 10:
        pass_of<10>(table, done, mirrored);
        break;
      case 12:
        pass_of<12>(table, done, mirrored);
        break;
      case 15:
        pass_of<15>(table, done, mirrored);
        break;
      case 16:
        pass_of<16>(table, done, mirrored);
        break;
      case 24:
        pass_of<24>(table, done, mirrored);
        break;
      case 32:
        pass_of<32>(table, done, mirrored);
        break;
      case 64:
        pass_of<64>(table, done, mirrored);
        break;
    }
    Complex* const swap = now;
    now = other;
    other = swap;
    __syncthreads();
  }
  template <int R>
  KILN_FN void pass_of(const Complex* table, int done, bool mirrored) const {
    const int butterflies = n / R;
    for (int at = int(threadIdx.x); at < lines * butterflies; at += any_threads) {
      const int g = at / butterflies, i = at % butterflies, k = i % done;
      const int natural = g * n + i, scattered = g * n + (i - k) * R + k;
      Complex x[R];
      unrolled<R>([&](auto q) {
        x[q] = now[mirrored ? scattered + int(q) * done : natural + int(q) * butterflies];
      });
      const auto powers = [&](int q) { return read_constant(table + (q - 1) * done + k); };
      if (!mirrored && done > 1) twiddle<R>(x, powers);
      butterfly<R>(x);
      if (mirrored && done > 1) twiddle<R>(x, powers);
      unrolled<R>([&](auto q) {
        other[mirrored ? natural + int(q) * butterflies : scattered + int(q) * done] = x[q];
      });
    }
  }
};

KILN_FN void run_any_line(const FftLines& job, Complex* points) {
  const int n = job.plan.points, lines_a_block = any_lines(n);
  const int first = int(blockIdx.x) * lines_a_block, buffer = n * lines_a_block;
  const int lines = first + lines_a_block <= job.lines ? lines_a_block : job.lines - first;
  AnyLine{job, points, points + buffer, points + 2 * buffer, lines, first, n}.run();
}

KILN_END
#endif
