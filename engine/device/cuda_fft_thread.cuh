// FFT lines on CUDA (kernels/fft.h says what a pass does). A line's points live in the registers of
// its threads and change places through shared memory between passes; loads and stores touch global
// memory once. One kernel is forward, inverse, or forward x spectrum x inverse.
//
// A block takes G groups of I interleaved lines (I = 1 for rows, the two halves of a pixel for rows
// of pictures, neighbouring columns for columns), so that neighbouring threads always touch
// neighbouring addresses: thread = (g T + t) I + i. Thread t of a line does the butterflies
// t, t + T, ... of each pass.
//
// Shared memory holds point q at q + q/16: threads 16 points apart would otherwise meet in one
// bank. Every padded address is one per-thread base plus a constant; left to the compiler, q + q/16
// spills.
#pragma once

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
/// points if it is always the same, else 0. Buffers: 2 saves a barrier an exchange.
template <class Factors_, int T_, int I_, int G_, int Resident_ = 1, int Step_ = 0,
          int Buffers_ = 1, bool Sum_ = false>
struct FftShape {
  using Factors = Factors_;
  static constexpr int T = T_, I = I_, G = G_, Resident = Resident_, Step = Step_,
                       Buffers = Buffers_;
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
  static KILN_CONSTEXPR int padded(int q) { return q + q / 16; }
  // groups begin 8 points apart in the banks
  static constexpr int group_points = (padded(n) + 7) / 8 * 8;
  static constexpr int buffer_points = group_points * I * G;
  static constexpr int shared_bytes = passes > 1 ? buffer_points* Buffers* int(sizeof(Complex)) : 0;
  static constexpr bool one_warp = 32 % (T * I) == 0;  // a line never leaves its warp

  /// True if padded(base + m L) = padded(base) + padded(m L) in every pass.
  static KILN_CONSTEXPR bool constant_offsets() {
    for (int p = 0; p < passes; ++p) {
      const int r = radix(p), l = Factors::before(p), b = butterflies(p), rl = r * l;
      if (l % 16 && !(16 % l == 0 && (rl % 16 == 0 || 16 % rl == 0))) return false;
      if (b % 16 && 16 % b) return false;
    }
    return true;
  }
  static_assert(constant_offsets() && threads <= 1024);
};

#if KILN_CUDA_CODE || KILN_EMULATES_CUDA

KILN_FN Complex read_constant(const Complex* at) {
  const float2 value = __ldg(reinterpret_cast<const float2*>(at));
  return {value.x, value.y};
}

/// One thread's part of one line.
template <class Shape>
class FftThread {
 public:
  KILN_FN FftThread(const FftLines& job, Complex* memory) : job_(job) {
    constexpr int T = Shape::T, I = Shape::I;
    const int thread = int(threadIdx.x), i = thread % I, g = thread / (T * I);
    t_ = thread / I % T;
    line_ = (int(blockIdx.x) * Shape::G + g) * I + i;
    there_ = line_ < job.lines;
    shared_ = memory + g * Shape::group_points * I + i;
  }

  KILN_FN void run() {
    constexpr int last = Shape::passes - 1;
    if (job_.forward) {
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
        if (job_.rotation.low) rotate();
        if (job_.spectrum[0].present()) multiply(job_.spectrum[0]);
      }
      if (!job_.inverse) {
        store<last>();
        return;
      }
      unrolled<Shape::held()>([&](auto s) { v_[s] = exchanged(v_[s]); });
    } else {
      load<last>(0);
      unrolled<Shape::held()>([&](auto s) { v_[s] = exchanged(v_[s]); });
      if (job_.rotation.low) rotate();
    }
    inverse();
    unrolled<Shape::held()>([&](auto s) { v_[s] = exchanged(v_[s]); });
    store<0>();
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

  KILN_FN i64 step(i64 of_job) const { return Shape::Step ? i64(Shape::Step) : of_job; }

  template <int p>
  KILN_FN void load(int term) {
    constexpr int R = Shape::radix(p), B = Shape::butterflies(p);
    const LineAddress& from = job_.from;
    const i64 point = step(from.point_step);
    const Complex* in = job_.in[term] + (there_ ? from.of(line_) : 0);
    each_butterfly<p>([&](auto u, int i) {
      const Complex* at = in + i * point;
      unrolled<R>([&](auto q) {
        constexpr int o = decltype(q)::value * B;
        Complex value{0, 0};
        if (there_ && i + o < from.extent) {
          const float2 pair = *reinterpret_cast<const float2*>(at + o * point);
          value = {pair.x, pair.y};
        }
        v_[decltype(u)::value * R + q] = value;
      });
    });
  }

  template <int p>
  KILN_FN void store() {
    constexpr int R = Shape::radix(p), B = Shape::butterflies(p);
    if (!there_) return;
    const LineAddress& to = job_.to;
    const i64 point = step(to.point_step);
    const i64 begin = to.of(line_);
    const float scale = job_.scale;
    each_butterfly<p>([&](auto u, int i) {
      unrolled<R>([&](auto q) {
        constexpr int o = decltype(q)::value * B;
        const Complex value = v_[decltype(u)::value * R + q] * scale;
        if (i + o < to.extent) {
          const i64 at = begin + i * point + o * point;
          if (job_.real_output) {
            static_cast<float*>(job_.out)[at] = value.re;
          } else {
            static_cast<float2*>(job_.out)[at] = make_float2(value.re, value.im);
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
      constexpr int p = decltype(pass)::value, R = Shape::radix(p), L = Shape::Factors::before(p);
      each_butterfly<p>([&](auto u, int i) {
        twiddle_at<p>(decltype(u)::value * R, i);
        butterfly_at<R>(decltype(u)::value * R);
      });
      if constexpr (p + 1 < Shape::passes) {
        constexpr int next = p + 1, R2 = Shape::radix(next), B2 = Shape::butterflies(next);
        Complex* const memory = buffer<p>();
        before_writing<p>();
        each_butterfly<p>([&](auto u, int i) {
          const int k = i % L;
          Complex* at = memory + Shape::padded((i - k) * R + k) * Shape::I;
          unrolled<R>([&](auto m) {
            at[Shape::padded(decltype(m)::value * L) * Shape::I] = v_[decltype(u)::value * R + m];
          });
        });
        wait();
        each_butterfly<next>([&](auto u, int i) {
          const Complex* at = memory + Shape::padded(i) * Shape::I;
          unrolled<R2>([&](auto q) {
            v_[decltype(u)::value * R2 + q] = at[Shape::padded(decltype(q)::value * B2) * Shape::I];
          });
        });
      }
    });
  }

  KILN_FN void inverse() {
    unrolled<Shape::passes>([&](auto pass) {
      constexpr int done = decltype(pass)::value, p = Shape::passes - 1 - done;
      constexpr int R = Shape::radix(p), B = Shape::butterflies(p);
      each_butterfly<p>([&](auto u, int i) {
        butterfly_at<R>(decltype(u)::value * R);
        twiddle_at<p>(decltype(u)::value * R, i);
      });
      if constexpr (p > 0) {
        constexpr int next = p - 1, R2 = Shape::radix(next), L2 = Shape::Factors::before(next);
        constexpr int count = Shape::passes - 1 + done;
        Complex* const memory = buffer<count>();
        before_writing<count>();
        each_butterfly<p>([&](auto u, int i) {
          Complex* at = memory + Shape::padded(i) * Shape::I;
          unrolled<R>([&](auto q) {
            at[Shape::padded(decltype(q)::value * B) * Shape::I] = v_[decltype(u)::value * R + q];
          });
        });
        wait();
        each_butterfly<next>([&](auto u, int i) {
          const int k = i % L2;
          const Complex* at = memory + Shape::padded((i - k) * R2 + k) * Shape::I;
          unrolled<R2>([&](auto m) {
            v_[decltype(u)::value * R2 + m] = at[Shape::padded(decltype(m)::value * L2) * Shape::I];
          });
        });
      }
    });
  }

  /// The buffer of the exchange number `count` since the block began.
  template <int count>
  KILN_FN Complex* buffer() const {
    return shared_ + (count % Shape::Buffers) * Shape::buffer_points;
  }
  /// With one buffer, all must have read the last exchange.
  template <int count>
  KILN_FN void before_writing() const {
    if constexpr (Shape::Buffers == 1 && (count > 0 || Shape::Sum)) wait();
  }
  KILN_FN void wait() const {
    if constexpr (Shape::one_warp) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  KILN_FN void rotate() {
    constexpr int p = Shape::passes - 1, R = Shape::radix(p);
    const Rotation& rotation = job_.rotation;
    const i32 column = there_ ? line_ % rotation.columns : 0;
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
    constexpr int p = Shape::passes - 1, R = Shape::radix(p), B = Shape::butterflies(p);
    if (!there_) return;
    const i64 begin = spectrum.of(line_, Shape::n);
    const i32 tile = spectrum.tile;
    each_butterfly<p>([&](auto u, int i) {
      if (spectrum.real) {
        const float* at = spectrum.real + begin + i64(i) * tile;
        unrolled<R>([&](auto m) {
          constexpr int s = decltype(u)::value * R + decltype(m)::value;
          v_[s] = v_[s] * __ldg(at + decltype(m)::value * B * tile);
        });
      } else {
        const Complex* at = spectrum.complex + begin + i64(i) * tile;
        unrolled<R>([&](auto m) {
          constexpr int s = decltype(u)::value * R + decltype(m)::value;
          v_[s] = v_[s] * read_constant(at + decltype(m)::value * B * tile);
        });
      }
    });
  }

  const FftLines& job_;
  Complex* shared_;
  int t_, line_;
  bool there_;
  Complex v_[Shape::held()];
};

#endif

KILN_END
