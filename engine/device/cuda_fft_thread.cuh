// FFT lines on CUDA (kernels/fft.h says what a pass does). A line's points live in the registers of
// its threads and change places through shared memory between passes; loads and stores touch global
// memory once. A kernel is forward, inverse, or forward x spectrum x inverse, for one length.
//
// A block takes G groups of I interleaved lines (I = 1 for rows, the two halves of a pixel for rows
// of pictures, neighbouring columns for columns), so that neighbouring threads always touch
// neighbouring addresses: thread = (g T + t) I + i. Thread t of a line does the butterflies
// t, t + T, ... of each pass.
//
// Shared memory keeps gaps between the runs of points that neighbouring threads write, a width of
// its own for every exchange: no two threads meet in one bank, for any factors. Every address with
// its gaps is one per-thread base plus a constant; left to the compiler, the gaps spill. An
// exchange may go in parts - real and imaginary parts in turn, and those in halves of the line -
// for a half or a quarter of the shared memory and more barriers.
//
// While a block computes, nothing else of its line is in flight. So where a job is more than L2
// holds, each block asks L2 for the lines of the block that will take its place (`ahead` blocks
// later), and marks its results to leave L2 first: otherwise they drive out what was asked for. And
// a queued launch may start before the last one has drained (programmatic dependent launch); it
// waits before it touches memory.
#pragma once

#include <type_traits>

#include "kernels/fft.h"

KILN_BEGIN

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
  /// Where the twiddles of pass p begin.
  static KILN_CONSTEXPR int table(int p) {
    int sum = 0;
    for (int i = 0; i < p; ++i) sum += (list[i] - 1) * before(i);
    return sum;
  }
};

/// How a kernel lays a line out: T threads a line, I lines side by side, G groups, at least
/// `Resident` blocks a multiprocessor (it bounds the registers). Step is the distance of a line's
/// points if it is always the same, else 0. Parts: 1, or exchanges in 2 (real, imaginary) or 4
/// turns.
template <class Factors_, int T_, int I_, int G_, int Resident_ = 1, int Step_ = 0, int Parts_ = 1,
          bool Sum_ = false>
struct FftShape {
  using Factors = Factors_;
  static constexpr int T = T_, I = I_, G = G_, Resident = Resident_, Step = Step_, Parts = Parts_;
  static constexpr bool Sum = Sum_;
  static constexpr int n = Factors::points;
  static constexpr int passes = Factors::passes;
  static constexpr int threads = T * I * G;
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
  /// Where point q waits in the exchange behind pass `below`: a pass writes runs of L points, R L
  /// apart, which would meet in the banks that 8-byte accesses of half a warp reach (4-byte ones:
  /// of a warp). Gaps of L points keep them apart, unless a run of I lines fills the banks anyway.
  static KILN_CONSTEXPR int gap_every(int below) {
    constexpr int turn = (Parts == 1 ? 16 : 32) / I;
    const int apart = radix(below) * Factors::before(below);
    return apart > turn ? apart : turn;
  }
  static KILN_CONSTEXPR int gap(int below) {
    return Factors::before(below) * I < (Parts == 1 ? 16 : 32) ? Factors::before(below) : 0;
  }
  static KILN_CONSTEXPR int padded(int below, int q) {
    return q + q / gap_every(below) * gap(below);
  }
  static KILN_CONSTEXPR int padded_points() {
    int most = n;
    for (int p = 0; p + 1 < passes; ++p) most = padded(p, n) > most ? padded(p, n) : most;
    return most;
  }
  // groups begin 8 points apart in the banks
  static constexpr int group_points = (padded_points() + 7) / 8 * 8;
  static constexpr int buffer_points = group_points * I * G;
  static constexpr int shared_bytes = passes > 1 ? buffer_points* int(sizeof(Complex)) / Parts : 0;
  static constexpr bool one_warp = 32 % (T * I) == 0;  // a line never leaves its warp
  static constexpr int group_threads = T * I;
  static constexpr bool own_barriers = G > 1 && G < 16 && group_threads % 32 == 0;

  /// True if every padded address is one of its thread plus a constant.
  static KILN_CONSTEXPR bool constant_offsets() {
    for (int p = 0; p + 1 < passes; ++p) {
      const int every = gap_every(p), b = butterflies(p + 1);
      if (every % (radix(p) * Factors::before(p)) || (b % every && every % b)) return false;
    }
    return true;
  }
  /// In 4 parts a butterfly must write within one half of the line, and read both.
  static KILN_CONSTEXPR bool halves() {
    for (int p = 0; p + 1 < passes; ++p) {
      if (n / 2 % (radix(p) * Factors::before(p)) || radix(p + 1) % 2) return false;
    }
    return n % 32 == 0;
  }
  static_assert(constant_offsets() && threads <= 1024);
  static_assert(Parts == 1 || Parts == 2 || (Parts == 4 && halves()));
};

enum class FftUse { forward = 1, inverse = 2, both = 4 };

/// How a launch treats data that L2 does not hold.
struct FftManner {
  i32 ahead = 0;         // asks L2 for the lines of the block so many later; 0: does not
  bool streams = false;  // marks results to leave L2 first
};

#if KILN_CUDA_CODE || KILN_EMULATES_CUDA

KILN_FN Complex read_constant(const Complex* at) {
  const float2 value = __ldg(reinterpret_cast<const float2*>(at));
  return {value.x, value.y};
}

#if KILN_CUDA_CODE
/// Waits for the `threads` threads of one of `groups` groups. Barriers by constant numbers: a
/// number in a register would reserve all sixteen for every block, and fewer blocks are resident.
template <int groups, int threads, int first = 0>
KILN_FN void group_barrier(int group) {
  if constexpr (first + 1 < groups) {
    if (group != first) return group_barrier<groups, threads, first + 1>(group);
  }
  asm volatile("bar.sync %0, %1;" ::"n"(first + 1), "n"(threads) : "memory");
}
/// Points are read once: they shall not push twiddles and spectra out of L1.
KILN_FN Complex read_point(const char* at) {
  Complex value;
  asm volatile("ld.global.L1::no_allocate.v2.f32 {%0, %1}, [%2];"
               : "=f"(value.re), "=f"(value.im)
               : "l"(at));
  return value;
}
/// For results that L2 cannot keep until somebody reads them: they leave first, and what was asked
/// for ahead stays.
KILN_FN void write_streaming(float2* at, float2 value) { __stcs(at, value); }
/// Asks L2 for the 32 bytes at `at`.
KILN_FN void prefetch(const char* at) { asm volatile("prefetch.global.L2 [%0];" ::"l"(at)); }
#else
template <int groups, int threads>
KILN_FN void group_barrier(int) {
  __syncthreads();
}
KILN_FN Complex read_point(const char* at) { return *reinterpret_cast<const Complex*>(at); }
KILN_FN void write_streaming(float2* at, float2 value) { *at = value; }
KILN_FN void prefetch(const char*) {}
#endif

#if KILN_CUDA_CODE && __CUDA_ARCH__ >= 900
/// Asks L2 for `bytes` at `at`, both multiples of 16; for few threads of a block.
KILN_FN void prefetch(const char* at, u32 bytes) {
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(at), "r"(bytes));
}
/// The next launch may begin; this one waits until the last one's results are there.
KILN_FN void wait_for_last_launch() {
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
#else
KILN_FN void prefetch(const char*, u32) {}
KILN_FN void wait_for_last_launch() {}
#endif

/// a / b for a >= 0; b is the same for all threads and mostly 1 or a power of two.
KILN_FN i32 quotient(i32 a, i32 b) {
  if ((b & (b - 1)) == 0) return a >> (31 - __clz(b));
  return a / b;
}
KILN_FN i64 begin_of(const LineAddress& address, i32 line) {
  const i32 outer = quotient(line, address.inner), outermost = quotient(outer, address.middle);
  return i64(line - outer * address.inner) * address.inner_step +
         i64(outer - outermost * address.middle) * address.middle_step +
         i64(outermost) * address.outer_step;
}

/// One thread's part of one line.
template <class Shape, FftUse use>
class FftThread {
 public:
  /// For the lines of block `block`; `memory` is shared.
  KILN_FN FftThread(const FftLines& job, FftManner manner, int block, Complex* memory)
      : job_(job), manner_(manner) {
    constexpr int T = Shape::T, I = Shape::I;
    const int thread = int(threadIdx.x), g = thread / (T * I);
    i_ = thread % I;
    t_ = thread / I % T;
    line_ = (block * Shape::G + g) * I + i_;
    there_ = line_ < job.lines;
    if constexpr (Shape::Parts == 1) {
      shared_ = memory + g * Shape::group_points * I + i_;
    } else {
      shared_ = reinterpret_cast<float*>(memory) +
                (Shape::Parts == 2 ? g * Shape::group_points : g * (Shape::group_points / 2)) * I +
                i_;
    }
  }

  KILN_FN void run() {
    constexpr int last = Shape::passes - 1;
    if constexpr (use != FftUse::inverse) {
      if constexpr (Shape::Sum) {
        Complex sum[Shape::held()];
        for (int term = 0; term < job_.terms; ++term) {
          load<0>(term);
          forward();
          multiply(job_.spectrum[term]);
          if (term == 0) {
            unrolled<Shape::held()>([&](auto s) { sum[s] = v_[s]; });
          } else {
            unrolled<Shape::held()>([&](auto s) { sum[s] = sum[s] + v_[s]; });
          }
        }
        unrolled<Shape::held()>([&](auto s) { v_[s] = sum[s]; });
      } else {
        load<0>(0);
        forward();
        if constexpr (use == FftUse::forward) {
          if (job_.rotation.low) rotate();
        } else {
          if (job_.spectrum[0].present()) multiply(job_.spectrum[0]);
        }
      }
    } else {
      load<last>(0);
    }
    if constexpr (use == FftUse::forward) {
      store<last>();
    } else {
      unrolled<Shape::held()>([&](auto s) { v_[s] = exchanged(v_[s]); });
      if constexpr (use == FftUse::inverse) {
        if (job_.rotation.low) rotate();
      }
      inverse();
      unrolled<Shape::held()>([&](auto s) { v_[s] = exchanged(v_[s]); });
      store<0>();
    }
  }

 private:
  /// body(u, i): the butterflies i of this thread in pass p.
  template <int p, class Body>
  KILN_FN void each_butterfly(const Body& body) {
    constexpr int B = Shape::butterflies(p), T = Shape::T;
    unrolled<Shape::rounds(p)>([&](auto u) {
      const int i = t_ + decltype(u)::value * T;
      if constexpr ((decltype(u)::value + 1) * T > B) {
        if (i < B) body(u, i);
      } else {
        body(u, i);
      }
    });
  }

  /// Bytes from one point of a line to the next; for points in tiles, the share of one point in
  /// the way from tile to tile: butterflies reach whole tiles.
  template <bool tiled>
  KILN_FN u32 stride(const LineAddress& address, int element) const {
    if constexpr (tiled) return u32(quotient(i32(address.tile_step), address.tile)) * u32(element);
    return u32((Shape::Step ? Shape::Step : i32(address.point_step)) * element);
  }
  /// Bytes from the beginning of a line to point i.
  template <bool tiled>
  KILN_FN u64 place(const LineAddress& address, int i, u32 step, int element) const {
    if constexpr (tiled) {
      const int within = i & (address.tile - 1);
      return u64(u32(i - within)) * step + u32(within * Shape::Step * element);
    }
    return u64(u32(i)) * step;
  }

  template <int p>
  KILN_FN void load(int term) {
    // lines beyond the last one read the first: nobody looks at them
    const char* in = reinterpret_cast<const char*>(job_.in[term]) +
                     begin_of(job_.from, there_ ? line_ : 0) * i64(sizeof(Complex));
    if constexpr (Shape::Step == 2 && use == FftUse::inverse) {
      if (job_.from.tile != 0) {
        read<p, true, true>(in);
        if (manner_.ahead > 0) fetch_tiles_ahead();
        return;
      }
    }
    if (job_.from.extent >= Shape::n) {
      read<p, false, false>(in);
    } else {
      read<p, true, false>(in);
    }
    if (manner_.ahead > 0 && term == 0) fetch_ahead<p>();
  }
  template <int p, bool padded, bool tiled>
  KILN_FN void read(const char* in) {
    constexpr int R = Shape::radix(p), B = Shape::butterflies(p);
    const u32 step = stride<tiled>(job_.from, sizeof(Complex));
    each_butterfly<p>([&](auto u, int i) {
      const char* at = in + place<tiled>(job_.from, i, step, sizeof(Complex));
      const int left = job_.from.extent - i;
      unrolled<R>([&](auto q) {
        constexpr int o = decltype(q)::value * B;
        Complex value{0, 0};
        if (!padded || o < left) value = read_point(at + u64(u32(o)) * step);
        v_[decltype(u)::value * R + q] = value;
      });
    });
  }
  KILN_FN void fetch_tiles_ahead() {
    const LineAddress& from = job_.from;
    const i32 line = line_ - i_ + manner_.ahead * Shape::I * Shape::G;
    if (line >= job_.lines) return;
    const char* in =
        reinterpret_cast<const char*>(job_.in[0]) + begin_of(from, line) * i64(sizeof(Complex));
    const u32 bytes = u32(from.tile * Shape::Step) * u32(sizeof(Complex));
    for (int at = t_ * Shape::I + i_; at * from.tile < Shape::n; at += Shape::T * Shape::I) {
      prefetch(in + at * from.tile_step * i64(sizeof(Complex)), bytes);
    }
  }
  template <int p>
  KILN_FN void fetch_ahead() {
    constexpr int I = Shape::I, n = Shape::n;
    constexpr int sector = 32 / int(sizeof(Complex));
    const i32 line = line_ + manner_.ahead * I * Shape::G;
    if (i_ % sector != 0 || line >= job_.lines) return;
    const LineAddress& from = job_.from;
    const char* in =
        reinterpret_cast<const char*>(job_.in[0]) + begin_of(from, line) * i64(sizeof(Complex));
    if constexpr (Shape::Step != 0) {
      const int points = from.extent < n ? from.extent : n;
      if (t_ == 0 && reinterpret_cast<u64>(in) % 16 == 0) {
        prefetch(in, u32(points * Shape::Step * int(sizeof(Complex))) & ~15u);
      }
    } else {
      constexpr int R = Shape::radix(p), B = Shape::butterflies(p);
      const u32 step = stride<false>(from, sizeof(Complex));
      each_butterfly<p>([&](auto, int i) {
        const char* at = in + u64(u32(i)) * step;
        const int left = from.extent - i;
        unrolled<R>([&](auto q) {
          constexpr int o = decltype(q)::value * B;
          if (o < left) prefetch(at + u64(u32(o)) * step);
        });
      });
    }
  }

  template <int p>
  KILN_FN void store() {
    if (!there_) return;
    if (job_.scale != 1) {
      const float scale = job_.scale;
      unrolled<Shape::held()>([&](auto s) { v_[s] = v_[s] * scale; });
    }
    const i64 begin = begin_of(job_.to, line_);
    if constexpr (use == FftUse::forward) {
      if (job_.real_output) {
        write<p, true, false, false, float>(begin);
        return;
      }
      if constexpr (Shape::Step == 2) {
        if (job_.to.tile != 0) {
          write<p, true, true, true, float2>(begin);  // pictures in tiles are large
          return;
        }
      }
    }
    if (manner_.streams) {
      write<p, true, false, true, float2>(begin);
    } else if (job_.to.extent >= Shape::n) {
      write<p, false, false, false, float2>(begin);
    } else {
      write<p, true, false, false, float2>(begin);
    }
  }
  template <int p, bool cropped, bool tiled, bool streams, class Element>
  KILN_FN void write(i64 begin) {
    constexpr int R = Shape::radix(p), B = Shape::butterflies(p);
    const u32 step = stride<tiled>(job_.to, sizeof(Element));
    char* const out = static_cast<char*>(job_.out) + begin * i64(sizeof(Element));
    each_butterfly<p>([&](auto u, int i) {
      char* at = out + place<tiled>(job_.to, i, step, sizeof(Element));
      const int left = job_.to.extent - i;
      unrolled<R>([&](auto q) {
        constexpr int o = decltype(q)::value * B;
        const Complex value = v_[decltype(u)::value * R + q];
        Element* const there = reinterpret_cast<Element*>(at + u64(u32(o)) * step);
        if (!cropped || o < left) {
          if constexpr (sizeof(Element) == sizeof(float)) {
            *there = value.re;
          } else if constexpr (streams) {
            write_streaming(there, make_float2(value.re, value.im));
          } else {
            *there = make_float2(value.re, value.im);
          }
        }
      });
    });
  }

  template <int R>
  KILN_FN void butterfly_at(int first) {
    Complex x[R];
    unrolled<R>([&](auto q) { x[q] = v_[first + q]; });
    butterfly<R>(x);
    unrolled<R>([&](auto q) { v_[first + q] = x[q]; });
  }
  template <int p>
  KILN_FN void twiddle_at(int first, int i) {
    constexpr int R = Shape::radix(p), L = Shape::Factors::before(p);
    if constexpr (L > 1) {
      const Complex* table = job_.plan.twiddles + Shape::Factors::table(p) + i % L;
      Complex x[R];
      unrolled<R>([&](auto q) { x[q] = v_[first + q]; });
      twiddle_by_products<R>(x, [&](int q) { return read_constant(table + (q - 1) * L); });
      unrolled<R>([&](auto q) { v_[first + q] = x[q]; });
    }
  }

  KILN_FN void forward() {
    unrolled<Shape::passes>([&](auto pass) {
      constexpr int p = decltype(pass)::value, R = Shape::radix(p);
      each_butterfly<p>([&](auto u, int i) {
        twiddle_at<p>(decltype(u)::value * R, i);
        butterfly_at<R>(decltype(u)::value * R);
      });
      if constexpr (p + 1 < Shape::passes) exchange<p, false, (p > 0 || Shape::Sum)>();
    });
  }

  KILN_FN void inverse() {
    unrolled<Shape::passes>([&](auto pass) {
      constexpr int done = decltype(pass)::value, p = Shape::passes - 1 - done;
      constexpr int R = Shape::radix(p);
      each_butterfly<p>([&](auto u, int i) {
        butterfly_at<R>(decltype(u)::value * R);
        twiddle_at<p>(decltype(u)::value * R, i);
      });
      if constexpr (p > 0) exchange<p - 1, true, (done > 0 || use == FftUse::both)>();
    });
  }

  /// From the places of pass `below` to those of the next one, or, mirrored, back. `busy`: others
  /// may still read the last exchange.
  template <int below, bool mirrored, bool busy>
  KILN_FN void exchange() {
    if constexpr (busy) wait();
    if constexpr (Shape::Parts == 1) {
      write_shared<below, mirrored, 0, 0, 1>();
      wait();
      read_shared<below, mirrored, 0, 0, 1>(v_);
    } else if constexpr (Shape::Parts == 2) {
      write_shared<below, mirrored, 1, 0, 1>();
      wait();
      read_shared<below, mirrored, 1, 0, 1>(v_);
      wait();
      write_shared<below, mirrored, 2, 0, 1>();
      wait();
      read_shared<below, mirrored, 2, 0, 1>(v_);
    } else {
      halved<below, mirrored, 1>();
      wait();
      halved<below, mirrored, 2>();
    }
  }
  /// One component by halves of the line: what the first half brings waits aside, as its place
  /// still holds what the second half needs.
  template <int below, bool mirrored, int component>
  KILN_FN void halved() {
    Complex fresh[Shape::held()];
    write_shared<below, mirrored, component, 0, 2>();
    wait();
    read_shared<below, mirrored, component, 0, 2>(fresh);
    wait();
    write_shared<below, mirrored, component, 1, 2>();
    wait();
    read_shared<below, mirrored, component, 1, 2>(fresh);
    unrolled<Shape::held()>([&](auto s) {
      if constexpr (component == 1) {
        v_[s].re = fresh[s].re;
      } else {
        v_[s].im = fresh[s].im;
      }
    });
  }

  /// body(s, place in shared memory): register s of this thread, for the side of the
  /// exchange that belongs to pass `below` (points scattered by its radix) or to the one after it
  /// (points one butterfly count apart).
  template <int below, bool scattered, int half, int halves, class Body>
  KILN_FN void each_shared(const Body& body) {
    constexpr int p = scattered ? below : below + 1;
    constexpr int R = Shape::radix(p);
    constexpr int every = Shape::gap_every(below), gap = Shape::gap(below);
    const auto base_of = [&](int point) { return (point + point / every * gap) * Shape::I; };
    each_butterfly<p>([&](auto u, int i) {
      constexpr int first = decltype(u)::value * R;
      if constexpr (scattered) {
        constexpr int L = Shape::Factors::before(p), part = Shape::n / halves;
        const int k = i % L;
        const int point = (i - k) * R + k - half * part;
        if (halves == 1 || (point >= 0 && point < part)) {
          const int base = base_of(point);
          unrolled<R>([&](auto m) {
            constexpr int offset = Shape::padded(below, decltype(m)::value * L) * Shape::I;
            body(Index<first + decltype(m)::value>{}, base + offset);
          });
        }
      } else {
        constexpr int B = Shape::butterflies(p);
        const int base = base_of(i);
        unrolled<R / halves>([&](auto q) {
          constexpr int offset = Shape::padded(below, decltype(q)::value * B) * Shape::I;
          body(Index<first + half*(R / halves) + decltype(q)::value>{}, base + offset);
        });
      }
    });
  }
  /// component: 0 both, 1 real, 2 imaginary parts.
  template <int below, bool mirrored, int component, int half, int halves>
  KILN_FN void write_shared() {
    each_shared<below, !mirrored, half, halves>([&](auto s, int at) {
      if constexpr (component == 0) {
        shared_[at] = v_[s];
      } else {
        shared_[at] = component == 1 ? v_[s].re : v_[s].im;
      }
    });
  }
  template <int below, bool mirrored, int component, int half, int halves>
  KILN_FN void read_shared(Complex (&to)[Shape::held()]) {
    each_shared<below, mirrored, half, halves>([&](auto s, int at) {
      if constexpr (component == 0) {
        to[s] = shared_[at];
      } else if constexpr (component == 1) {
        to[s].re = shared_[at];
      } else {
        to[s].im = shared_[at];
      }
    });
  }

  /// For the threads of this line and those interleaved with it: groups go at their own pace.
  KILN_FN void wait() const {
    if constexpr (Shape::one_warp) {
      __syncwarp();
    } else if constexpr (Shape::own_barriers) {
      group_barrier<Shape::G, Shape::group_threads>(int(threadIdx.x) / Shape::group_threads);
    } else {
      __syncthreads();
    }
  }

  KILN_FN void rotate() {
    constexpr int p = Shape::passes - 1, R = Shape::radix(p);
    const Rotation& rotation = job_.rotation;
    const i32 column = there_ ? line_ - quotient(line_, rotation.columns) * rotation.columns : 0;
    each_butterfly<p>([&](auto u, int i) {
      const Complex low = read_constant(rotation.low + i64(i) * rotation.columns + column);
      unrolled<R>([&](auto m) {
        constexpr int s = decltype(u)::value * R + decltype(m)::value;
        if constexpr (decltype(m)::value == 0) {
          v_[s] = v_[s] * low;
        } else {
          const Complex high =
              read_constant(rotation.high + i64(decltype(m)::value) * rotation.columns + column);
          v_[s] = v_[s] * (low * high);
        }
      });
    });
  }

  KILN_FN void multiply(const Spectrum& spectrum) {
    if (!there_) return;
    const i32 turn = quotient(line_, spectrum.share);
    const i32 x = turn - quotient(turn, spectrum.count) * spectrum.count;
    const i32 tile = Shape::Step == 1 ? 1 : spectrum.tile, tiles = quotient(x, tile);
    const i64 begin = i64(tiles) * tile * Shape::n + (x - tiles * tile);
    if (spectrum.real) {
      multiply_by(spectrum.real + begin, u32(tile),
                  [](Complex a, const float* at) KILN_INLINE { return a * __ldg(at); });
    } else {
      multiply_by(spectrum.complex + begin, u32(tile),
                  [](Complex a, const Complex* at) KILN_INLINE { return a * read_constant(at); });
    }
  }
  template <class Element, class Product>
  KILN_FN void multiply_by(const Element* begin, u32 tile, const Product& product) {
    constexpr int p = Shape::passes - 1, R = Shape::radix(p), B = Shape::butterflies(p);
    each_butterfly<p>([&](auto u, int i) {
      const Element* at = begin + u64(u32(i)) * tile;
      unrolled<R>([&](auto m) {
        constexpr int s = decltype(u)::value * R + decltype(m)::value;
        v_[s] = product(v_[s], at + u64(u32(decltype(m)::value * B)) * tile);
      });
    });
  }

  using Shared = std::conditional_t<Shape::Parts == 1, Complex, float>;

  const FftLines& job_;
  FftManner manner_;
  Shared* shared_;
  int t_, i_, line_;
  bool there_;
  Complex v_[Shape::held()];
};

#endif

KILN_END
