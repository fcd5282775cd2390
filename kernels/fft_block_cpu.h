// SPDX-License-Identifier: MIT
// FFT lines on the CPU: `fft_lanes` lines side by side, point by point (fft_block_cpu.h). Two such
// buffers take turns between passes; at 2048 points they fill 256 KB of a core's cache.
//
// Radices of pictures and of powers of two (8, 12, 16, 24, 32) are compiled whole, a pass at a
// time, twiddles and butterfly in registers. The others share one pass whose butterfly is a call.
#pragma once

#include "kernels/fft.h"
#include "kernels/fft_radix.h"

// A complex number of several lines at once, on the CPU: the same point of `fft_lanes` lines side
// by side, real and imaginary parts apart, so that every operation of a butterfly is one vector
// instruction. Written with the compiler's vector types: lane loops over arrays give the same
// instructions, after four times as long in g++ 12.

KILN_BEGIN

#if !KILN_CUDA_CODE

#if defined(__AVX__)
constexpr int fft_lanes = 8;
#else
constexpr int fft_lanes = 4;
#endif

/// One float of each line.
struct LaneFloat {
  typedef float Vector __attribute__((vector_size(4 * fft_lanes)));
  Vector v;
};
KILN_FN LaneFloat operator+(LaneFloat a, LaneFloat b) { return {a.v + b.v}; }
KILN_FN LaneFloat operator-(LaneFloat a, LaneFloat b) { return {a.v - b.v}; }
KILN_FN LaneFloat operator*(LaneFloat a, LaneFloat b) { return {a.v * b.v}; }
KILN_FN LaneFloat operator*(LaneFloat a, float b) { return {a.v * b}; }
KILN_FN LaneFloat operator-(LaneFloat a) { return {-a.v}; }

#if defined(__FMA__)
KILN_FN LaneFloat fma(LaneFloat a, LaneFloat b, LaneFloat c) {
  return {__builtin_ia32_vfmaddps256(a.v, b.v, c.v)};
}
#elif defined(__wasm_relaxed_simd__)
KILN_FN LaneFloat fma(LaneFloat a, LaneFloat b, LaneFloat c) {
  return {__builtin_wasm_fma_f32x4(a.v, b.v, c.v)};
}
#elif __has_builtin(__builtin_aarch64_fmav4sf)
KILN_FN LaneFloat fma(LaneFloat a, LaneFloat b, LaneFloat c) {
  return {__builtin_aarch64_fmav4sf(a.v, b.v, c.v)};
}
#elif KILN_HAS_FMA  // ARM64 by clang, which has no such name for it
KILN_FN LaneFloat fma(LaneFloat a, LaneFloat b, LaneFloat c) {
  LaneFloat result;
  for (int lane = 0; lane < fft_lanes; ++lane) {
    result.v[lane] = __builtin_fmaf(a.v[lane], b.v[lane], c.v[lane]);
  }
  return result;
}
#else
/// The exact emulation, some twenty operations a lane: a function of its own, or the FFT compiles
/// for minutes.
KILN_OUTLINE inline LaneFloat fma(LaneFloat a, LaneFloat b, LaneFloat c) {
  LaneFloat result;
  for (int lane = 0; lane < fft_lanes; ++lane) {
    result.v[lane] = fma(a.v[lane], b.v[lane], c.v[lane]);
  }
  return result;
}
#endif
KILN_FN LaneFloat fma(LaneFloat a, float b, LaneFloat c) {
  return fma(a, LaneFloat{b - LaneFloat::Vector{}}, c);
}

/// One point of all lines of a block where it waits between passes.
struct alignas(8 * fft_lanes) LanePoint {
  float re[fft_lanes], im[fft_lanes];
};

/// One point of all lines of a block, in registers.
struct LaneComplex {
  LaneFloat re, im;
};
KILN_FN LaneComplex read(const LanePoint& point) {
  LaneComplex x;
  __builtin_memcpy(&x.re.v, point.re, sizeof point.re);
  __builtin_memcpy(&x.im.v, point.im, sizeof point.im);
  return x;
}
KILN_FN void write(LanePoint& point, LaneComplex x) {
  __builtin_memcpy(point.re, &x.re.v, sizeof point.re);
  __builtin_memcpy(point.im, &x.im.v, sizeof point.im);
}
KILN_FN LaneComplex operator+(LaneComplex a, LaneComplex b) { return {a.re + b.re, a.im + b.im}; }
KILN_FN LaneComplex operator-(LaneComplex a, LaneComplex b) { return {a.re - b.re, a.im - b.im}; }
KILN_FN LaneComplex operator*(LaneComplex a, float s) { return {a.re * s, a.im * s}; }
/// All lines by one number.
KILN_FN LaneComplex operator*(LaneComplex a, Complex b) {
  return {fma(a.re, b.re, -(a.im * b.im)), fma(a.re, b.im, a.im * b.re)};
}
KILN_FN LaneComplex exchanged(LaneComplex a) { return {a.im, a.re}; }
KILN_FN LaneComplex quarter_turn(LaneComplex a) { return {a.im, -a.re}; }

#endif

KILN_END

KILN_BEGIN

#if !KILN_CUDA_CODE

/// The butterfly as a function of its own.
template <int radix>
KILN_OUTLINE inline void butterfly_apart(LaneComplex* x) {
  butterfly<radix>(*reinterpret_cast<LaneComplex(*)[radix]>(x));
}

/// One thread transforming blocks of fft_lanes lines.
class FftBlockCpu {
 public:
  /// Points of scratch memory that a job needs.
  static i64 scratch_points(const FftLines& job) {
    return i64(job.plan.points) * (job.terms > 1 ? 3 : 2) + 64;
  }
  static i32 blocks(const FftLines& job) { return (job.lines + fft_lanes - 1) / fft_lanes; }

  FftBlockCpu(const FftLines& job, LanePoint* scratch)
      : job_(job),
        n_(job.plan.points),
        now_(scratch),
        other_(scratch + n_),
        sum_(scratch + 2 * n_) {}

  void run(int block) {
    first_ = block * fft_lanes;
    for (int term = 0; term < job_.terms; ++term) {
      load(term);
      if (job_.forward) forward();
      if (job_.spectrum[term].present()) multiply(job_.spectrum[term]);
      if (job_.terms > 1) add_up(term);
    }
    if (job_.inverse) inverse();
    store();
  }

 private:
  /// The line of a lane; lanes past the last line repeat it and write nothing.
  i32 line_of(int lane) const {
    const i32 line = first_ + lane;
    return line < job_.lines ? line : job_.lines - 1;
  }

  void load(int term) {
    const Complex* in[fft_lanes];
    bool neighbors = true;
    for (int lane = 0; lane < fft_lanes; ++lane) {
      in[lane] = job_.in[term] + job_.from.of(line_of(lane));
      neighbors = neighbors && in[lane] == in[0] + lane;
    }
    const i32 there = n_ < job_.from.extent ? n_ : job_.from.extent;
    if (neighbors) {
      for (i32 i = 0; i < there; ++i) {
        const Complex* row = in[0] + job_.from.point(i);
        LanePoint& point = now_[i];
        for (int lane = 0; lane < fft_lanes; ++lane) {
          point.re[lane] = row[lane].re;
          point.im[lane] = row[lane].im;
        }
      }
    } else {
      for (i32 i = 0; i < there; ++i) {
        LanePoint point;
        const i64 at = job_.from.point(i);
        for (int lane = 0; lane < fft_lanes; ++lane) {
          point.re[lane] = in[lane][at].re;
          point.im[lane] = in[lane][at].im;
        }
        now_[i] = point;
      }
    }
    for (i32 i = there; i < n_; ++i) now_[i] = LanePoint{};
  }

  void forward() {
    i32 done = 1;
    for (int p = 0; p < job_.plan.passes; ++p) {
      pass(p, done, false);
      done *= job_.plan.radix[p];
    }
    if (job_.rotation.low) rotate();
  }

  /// Every mirrored pass reads and writes real parts as imaginary ones: that is the exchange before
  /// and after the inverse, at no cost.
  void inverse() {
    if (job_.rotation.low) rotate_exchanged();
    i32 done = n_;
    for (int p = job_.plan.passes - 1; p >= 0; --p) {
      done /= job_.plan.radix[p];
      pass(p, done, true);
    }
  }

  void pass(int p, i32 done, bool mirrored) {
    const Complex* table = job_.plan.twiddles + job_.plan.table[p];
    switch (job_.plan.radix[p]) {
      case 2:
        return pass_apart(2, &butterfly_apart<2>, table, done, mirrored);
      case 3:
        return pass_apart(3, &butterfly_apart<3>, table, done, mirrored);
      case 4:
        return pass_apart(4, &butterfly_apart<4>, table, done, mirrored);
      case 5:
        return pass_apart(5, &butterfly_apart<5>, table, done, mirrored);
      case 6:
        return pass_apart(6, &butterfly_apart<6>, table, done, mirrored);
      case 8:
        return pass_of<8>(table, done, mirrored);
      case 9:
        return pass_apart(9, &butterfly_apart<9>, table, done, mirrored);
      case 10:
        return pass_apart(10, &butterfly_apart<10>, table, done, mirrored);
      case 12:
        return pass_of<12>(table, done, mirrored);
      case 15:
        return pass_apart(15, &butterfly_apart<15>, table, done, mirrored);
      case 16:
        return pass_of<16>(table, done, mirrored);
      case 24:
        return pass_of<24>(table, done, mirrored);
      case 32:
        return pass_of<32>(table, done, mirrored);
      case 64:
        return pass_apart(64, &butterfly_apart<64>, table, done, mirrored);
    }
  }
  template <int radix>
  void pass_of(const Complex* table, i32 done, bool mirrored) {
    if (mirrored) {
      done == 1 ? one_pass<radix, false, true>(table, done)
                : one_pass<radix, true, true>(table, done);
    } else {
      done == 1 ? one_pass<radix, false, false>(table, done)
                : one_pass<radix, true, false>(table, done);
    }
    take_turns();
  }
  void take_turns() {
    LanePoint* const swap = now_;
    now_ = other_;
    other_ = swap;
  }

  template <int radix, bool twiddled, bool mirrored>
  void one_pass(const Complex* table, i32 done) {
    const i32 butterflies = n_ / radix;
    const i32 step_in = mirrored ? done : butterflies, step_out = mirrored ? butterflies : done;
    for (i32 k = 0; k < done; ++k) {
      Complex w[radix];
      if constexpr (twiddled) {
        for (int q = 1; q < radix; ++q) w[q] = table[(q - 1) * done + k];
      }
      const auto powers = [&](int q) KILN_INLINE { return w[q]; };
      for (i32 i = k; i < butterflies; i += done) {
        const i64 scattered = i64(i - k) * radix + k;
        const LanePoint* __restrict from = now_ + (mirrored ? scattered : i);
        LanePoint* __restrict to = other_ + (mirrored ? i : scattered);
        LaneComplex x[radix];
        unrolled<radix>([&](auto q) KILN_INLINE {
          x[q] = read(from[q * step_in]);
          if constexpr (mirrored) x[q] = exchanged(x[q]);
        });
        if constexpr (twiddled && !mirrored) twiddle<radix>(x, powers);
        butterfly<radix>(x);
        if constexpr (twiddled && mirrored) twiddle<radix>(x, powers);
        unrolled<radix>([&](auto m) KILN_INLINE {
          if constexpr (mirrored) x[m] = exchanged(x[m]);
          write(to[m * step_out], x[m]);
        });
      }
    }
  }

  /// Makes a pass for a radix of few lengths: a few times slower, and hardly any code to compile.
  void pass_apart(int radix, void (*butterfly)(LaneComplex*), const Complex* table, i32 done,
                  bool mirrored) {
    const i32 butterflies = n_ / radix;
    const i32 step_in = mirrored ? done : butterflies, step_out = mirrored ? butterflies : done;
    for (i32 i = 0; i < butterflies; ++i) {
      const i32 k = i % done;
      const i64 scattered = i64(i - k) * radix + k;
      const LanePoint* from = now_ + (mirrored ? scattered : i);
      LanePoint* to = other_ + (mirrored ? i : scattered);
      LaneComplex x[64];
      for (int q = 0; q < radix; ++q) {
        x[q] = read(from[i64(q) * step_in]);
        if (mirrored) x[q] = exchanged(x[q]);
        if (!mirrored && done > 1 && q > 0) x[q] = x[q] * table[(q - 1) * done + k];
      }
      butterfly(x);
      for (int m = 0; m < radix; ++m) {
        if (mirrored && done > 1 && m > 0) x[m] = x[m] * table[(m - 1) * done + k];
        write(to[i64(m) * step_out], mirrored ? exchanged(x[m]) : x[m]);
      }
    }
    take_turns();
  }

  void rotate() { rotate_as<false>(); }
  void rotate_exchanged() { rotate_as<true>(); }
  template <bool is_exchanged>
  void rotate_as() {
    const Rotation& rotation = job_.rotation;
    i32 column[fft_lanes];
    for (int lane = 0; lane < fft_lanes; ++lane) column[lane] = line_of(lane) % rotation.columns;
    for (i32 k = 0; k < n_; ++k) {
      float(&re)[fft_lanes] = is_exchanged ? now_[k].im : now_[k].re;
      float(&im)[fft_lanes] = is_exchanged ? now_[k].re : now_[k].im;
      const i32 low = k % rotation.count, high = k / rotation.count;
      for (int lane = 0; lane < fft_lanes; ++lane) {
        const Complex turned = Complex{re[lane], im[lane]} * rotation.at(column[lane], low, high);
        re[lane] = turned.re;
        im[lane] = turned.im;
      }
    }
  }

  void multiply(const Spectrum& spectrum) {
    i64 begin[fft_lanes];
    for (int lane = 0; lane < fft_lanes; ++lane) begin[lane] = spectrum.of(line_of(lane), n_);
    if (spectrum.real) {
      const float* const factors = spectrum.real;
      for (i32 k = 0; k < n_; ++k) {
        LanePoint& point = now_[k];
        float factor[fft_lanes];
        for (int lane = 0; lane < fft_lanes; ++lane) {
          factor[lane] = factors[begin[lane] + i64(k) * spectrum.tile];
        }
        for (int lane = 0; lane < fft_lanes; ++lane) point.re[lane] = point.re[lane] * factor[lane];
        for (int lane = 0; lane < fft_lanes; ++lane) point.im[lane] = point.im[lane] * factor[lane];
      }
      return;
    }
    const Complex* const factors = spectrum.complex;
    for (i32 k = 0; k < n_; ++k) {
      LanePoint& point = now_[k];
      float re[fft_lanes], im[fft_lanes];
      for (int lane = 0; lane < fft_lanes; ++lane) {
        const Complex factor = factors[begin[lane] + i64(k) * spectrum.tile];
        re[lane] = factor.re;
        im[lane] = factor.im;
      }
      for (int lane = 0; lane < fft_lanes; ++lane) {
        const Complex product =
            Complex{point.re[lane], point.im[lane]} * Complex{re[lane], im[lane]};
        point.re[lane] = product.re;
        point.im[lane] = product.im;
      }
    }
  }

  /// sum = first product, then sum + product.
  void add_up(int term) {
    for (i32 k = 0; k < n_; ++k) {
      for (int lane = 0; lane < fft_lanes; ++lane) {
        LanePoint& sum = sum_[k];
        sum.re[lane] = term == 0 ? now_[k].re[lane] : sum.re[lane] + now_[k].re[lane];
        sum.im[lane] = term == 0 ? now_[k].im[lane] : sum.im[lane] + now_[k].im[lane];
      }
    }
    if (term + 1 == job_.terms) {
      LanePoint* const swap = now_;
      now_ = sum_;
      sum_ = swap;
    }
  }

  void store() const {
    i64 to[fft_lanes];
    bool neighbors = first_ + fft_lanes <= job_.lines;
    const int lanes = job_.lines - first_ < fft_lanes ? job_.lines - first_ : fft_lanes;
    for (int lane = 0; lane < fft_lanes; ++lane) {
      to[lane] = job_.to.of(line_of(lane));
      neighbors = neighbors && to[lane] == to[0] + lane;
    }
    const i32 there = n_ < job_.to.extent ? n_ : job_.to.extent;
    if (job_.real_output) {
      float* out = static_cast<float*>(job_.out);
      for (i32 i = 0; i < there; ++i) {
        const i64 at = job_.to.point(i);
        for (int lane = 0; lane < lanes; ++lane) out[to[lane] + at] = now_[i].re[lane] * job_.scale;
      }
      return;
    }
    Complex* out = static_cast<Complex*>(job_.out);
    for (i32 i = 0; i < there; ++i) {
      const LanePoint point = now_[i];
      const i64 at = job_.to.point(i);
      if (neighbors) {
        Complex* row = out + to[0] + at;
        for (int lane = 0; lane < fft_lanes; ++lane) {
          row[lane].re = point.re[lane] * job_.scale;
          row[lane].im = point.im[lane] * job_.scale;
        }
      } else {
        for (int lane = 0; lane < lanes; ++lane) {
          out[to[lane] + at] = Complex{point.re[lane], point.im[lane]} * job_.scale;
        }
      }
    }
  }

  const FftLines& job_;
  i32 n_;
  LanePoint *now_, *other_, *sum_;
  i32 first_ = 0;
};

#endif

KILN_END
