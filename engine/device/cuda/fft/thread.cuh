// SPDX-License-Identifier: MIT
// FFT lines on CUDA (kernels/fft.h says what a pass does). A line's points live in the registers of
// its threads and change places through shared memory between passes; loads and stores touch global
// memory once. A kernel is forward, inverse, or forward x spectrum x inverse, for one length.
//
// A block takes G groups of I interleaved lines (I = 1 for rows, the two halves of a pixel for rows
// of pictures, neighboring columns for columns), so that neighboring threads always touch
// neighboring addresses: thread = (g T + t) I + i. Thread t of a line does the butterflies
// t, t + T, ... of each pass. A thread may carry two neighboring lines: their twiddles, factors
// and addresses are the same, and every access is one of 16 bytes.
//
// While a block computes, nothing else of its line is in flight. So where a job is more than L2
// holds, each block asks L2 for the lines of the block that will take its place (`ahead` blocks
// later), and marks its results to leave L2 first: otherwise they drive out what was asked for. And
// a queued launch may start before the last one has drained (programmatic dependent launch); it
// waits before it touches memory that launches write.
#pragma once

#include "engine/device/cuda/fft/exchange.cuh"

KILN_BEGIN

#if KILN_CUDA_CODE || KILN_EMULATES_CUDA

/// One thread's part of one line, or of C neighboring ones. `may_fetch`: asks L2 for lines ahead
/// if the task says so; `may_stream`: likewise for results that leave L2 first.
template <class Shape, FftUse use, bool may_fetch = true, bool may_stream = true>
class FftThread {
 public:
  using Task = FftTask<Shape::Sum ? fft_most_terms : 1>;

  /// Takes its part of the lines of block `block`; `memory` is shared.
  KILN_FN FftThread(const Task& task, int block, Complex* memory) : task_(task) {
    constexpr int T = Shape::T, I = Shape::I;
    const int thread = int(threadIdx.x), g = thread / (T * I);
    i_ = thread % I;
    points_.t = thread / I % T;
    line_ = ((block * Shape::G + g) * I + i_) * C;
    there_ = line_ < task.lines;
    // lines beyond the last one read the first: nobody looks at them
    in_ = task.from.begin(there_ ? line_ : 0);
    if constexpr (!Shape::Sum) keep_in_register(in_);
    out_ = task.out + task.to.begin(line_);
    keep_in_register(out_);
    if constexpr (early_factors) {
      factors_ = factors();
      keep_in_register(factors_);
    }
    if constexpr (Shape::Parts == 1) {
      points_.shared =
          reinterpret_cast<typename Registers::Shared*>(memory) + g * Shape::group_points * I + i_;
    } else {
      points_.shared =
          reinterpret_cast<float*>(memory) +
          (Shape::Parts == 2 ? g * Shape::group_points : g * (Shape::group_points / 2)) * I + i_;
    }
  }

  KILN_FN void run() {
    constexpr int last = Shape::passes - 1;
    if constexpr (use != FftUse::inverse) {
      if constexpr (Shape::Sum) {
        Points sum[Shape::held()];
        for (int term = 0; term < task_.terms; ++term) {
          load<0>(term);
          forward();
          multiply(term);
          if (term == 0) {
            unrolled<Shape::held()>([&](auto s) { sum[s] = points_.v[s]; });
          } else {
            unrolled<Shape::held()>([&](auto s) {
              unrolled<C>([&](auto c) { sum[s].of[c] = sum[s].of[c] + points_.v[s].of[c]; });
            });
          }
        }
        unrolled<Shape::held()>([&](auto s) { points_.v[s] = sum[s]; });
      } else {
        load<0>(0);
        forward();
        if constexpr (use == FftUse::forward) {
          if constexpr (Shape::rotation) {
            if (task_.rotation.low) rotate();
          }
        } else {
          multiply(0);
        }
      }
    } else {
      load<last>(0);
    }
    if constexpr (use == FftUse::forward) {
      store<last>();
    } else {
      points_.map_points([](Complex a) KILN_INLINE { return exchanged(a); });
      if constexpr (use == FftUse::inverse) {
        if constexpr (Shape::rotation) {
          if (task_.rotation.low) rotate();
        }
      }
      inverse();
      points_.map_points([](Complex a) KILN_INLINE { return exchanged(a); });
      store<0>();
    }
  }

 private:
  static constexpr int C = Shape::C;
  using Registers = FftRegisters<Shape>;
  using Points = typename Registers::Points;
  static constexpr bool pictures = Shape::pictures(use == FftUse::both);

  /// Real factors of a spectrum, asked for while nothing else is in the registers.
  static constexpr bool early_factors =
      C == 2 && use == FftUse::both && !Shape::Sum && Shape::passes > 1;
  /// Elements of a spectrum before this thread's first line's.
  KILN_FN u64 factors() const {
    const i32 turn = task_.share.quotient(line_);
    const i32 x = turn - task_.count.quotient(turn) * task_.spectrum_count;
    if constexpr (Shape::Step == 1) return u64(u32(x)) * u32(Shape::n);
    const i32 tile = task_.spectrum_tile;
    return u64(u32(task_.tile.quotient(x))) * u32(tile * (Shape::n - 1)) + u32(x);
  }

  /// Bytes from one point of a line to the next, or a point's share of the way between tiles.
  template <bool tiled>
  KILN_FN u32 stride(const FftPlace& place) const {
    return Shape::Step && !tiled ? u32(Shape::Step * int(sizeof(Complex))) : place.point_step;
  }
  /// Bytes from the beginning of a line to point i: butterflies reach whole tiles.
  template <bool tiled>
  KILN_FN u64 way(const FftPlace& place, int i, u32 step) const {
    if constexpr (tiled) {
      const int within = i & (place.tile - 1);
      return u64(u32(i - within)) * step + u32(within * Shape::Step * int(sizeof(Complex)));
    }
    return u64(u32(i)) * step;
  }

  template <int p>
  KILN_FN void load(int term) {
    const char* in = task_.in[term] + in_;
    if constexpr (Shape::Step == 2 && use == FftUse::inverse) {
      if (task_.from.tile != 0) {
        read<p, true, true>(in);
        if constexpr (may_fetch) {
          if (task_.ahead > 0) fetch_tiles_ahead();
        }
        return;
      }
    }
    read<p, pictures, false>(in);
    if constexpr (may_fetch) {
      if (task_.ahead > 0 && term == 0) fetch_ahead<p>();
    }
  }
  template <int p, bool padded, bool tiled>
  KILN_FN void read(const char* in) {
    constexpr int R = Shape::radix(p), B = Shape::butterflies(p);
    const u32 step = stride<tiled>(task_.from);
    points_.template each_butterfly<p>([&](auto u, int i) {
      const char* at = in + way<tiled>(task_.from, i, step);
      const int left = task_.from.extent - i;
      unrolled<R>([&](auto q) {
        constexpr int o = decltype(q)::value * B;
        Points value{};
        if (!padded || o < left) read_points(value, at + u64(u32(o)) * step);
        points_.v[decltype(u)::value * R + q] = value;
      });
    });
  }
  KILN_FN void fetch_tiles_ahead() {
    const FftPlace& from = task_.from;
    const i32 line = line_ - i_ * C + task_.ahead * Shape::I * Shape::G * C;
    if (line >= task_.lines) return;
    const char* in = task_.in[0] + from.begin(line);
    const u32 bytes = u32(from.tile * Shape::Step) * u32(sizeof(Complex));
    for (int at = points_.t * Shape::I + i_; at * from.tile < Shape::n; at += Shape::T * Shape::I) {
      prefetch(in + u64(u32(at * from.tile)) * from.point_step, bytes);
    }
  }
  template <int p>
  KILN_FN void fetch_ahead() {
    constexpr int I = Shape::I, n = Shape::n;
    constexpr int sector = 32 / int(sizeof(Points));
    const i32 line = line_ + task_.ahead * I * Shape::G * C;
    if (i_ % sector != 0 || line >= task_.lines) return;
    const FftPlace& from = task_.from;
    const char* in = task_.in[0] + from.begin(line);
    if constexpr (Shape::Step != 0) {
      const int points = from.extent < n ? from.extent : n;
      if (points_.t == 0 && reinterpret_cast<u64>(in) % 16 == 0) {
        prefetch(in, u32(points * Shape::Step * int(sizeof(Complex))) & ~15u);
      }
    } else {
      constexpr int R = Shape::radix(p), B = Shape::butterflies(p);
      const u32 step = stride<false>(from);
      points_.template each_butterfly<p>([&](auto, int i) {
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
    if (task_.scale != 1) {
      const float scale = task_.scale;
      points_.map_points([&](Complex a) KILN_INLINE { return a * scale; });
    }
    if constexpr (use == FftUse::forward) {
      if constexpr (Shape::real_output) {
        if (task_.real_output) return write<p, false, false, false, float>();
      }
      if constexpr (Shape::Step == 2) {
        if (task_.to.tile != 0) {
          write<p, true, true, true, Stored>();  // pictures in tiles are large
          return;
        }
      }
    }
    if constexpr (may_stream) {
      if (task_.streams) return write<p, pictures, false, true, Stored>();
    }
    write<p, pictures, false, false, Stored>();
  }
  template <int p, bool cropped, bool tiled, bool streams, class Element>
  KILN_FN void write() {
    constexpr int R = Shape::radix(p), B = Shape::butterflies(p);
    const u32 step =
        sizeof(Element) == sizeof(float) ? task_.to.point_step : stride<tiled>(task_.to);
    points_.template each_butterfly<p>([&](auto u, int i) {
      char* at = out_ + way<tiled>(task_.to, i, step);
      const int left = task_.to.extent - i;
      unrolled<R>([&](auto q) {
        constexpr int o = decltype(q)::value * B;
        const Points& value = points_.v[decltype(u)::value * R + q];
        Element* const there = reinterpret_cast<Element*>(at + u64(u32(o)) * step);
        if (!cropped || o < left) {
          if constexpr (sizeof(Element) == sizeof(float)) {
            *there = value.of[0].re;
          } else if constexpr (streams) {
            write_streaming(there, stored(value));
          } else {
            *there = stored(value);
          }
        }
      });
    });
  }

  template <int p>
  KILN_FN void twiddle_at(int first, int i) {
    constexpr int R = Shape::radix(p), L = Shape::Factors::before(p);
    if constexpr (L > 1) {
      const Complex* table = task_.twiddles + Shape::Factors::table(p) + i % L;
      twiddle_by_products<R>([&](int q) { return read_constant(table + (q - 1) * L); },
                             [&](auto q, Complex w) KILN_INLINE {
                               unrolled<C>([&](auto c) {
                                 points_.v[first + q].of[c] = points_.v[first + q].of[c] * w;
                               });
                             });
    }
  }

  KILN_FN void forward() {
    unrolled<Shape::passes>([&](auto pass) {
      constexpr int p = decltype(pass)::value, R = Shape::radix(p);
      points_.template each_butterfly<p>([&](auto u, int i) {
        twiddle_at<p>(decltype(u)::value * R, i);
        points_.template butterfly_at<R>(decltype(u)::value * R);
      });
      if constexpr (p + 1 < Shape::passes) {
        points_.template exchange<p, false, (p > 0 || Shape::Sum)>([&]() KILN_INLINE {
          if constexpr (early_factors && p == Shape::passes - 2) fetch_factors();
        });
      }
    });
  }

  KILN_FN void inverse() {
    unrolled<Shape::passes>([&](auto pass) {
      constexpr int done = decltype(pass)::value, p = Shape::passes - 1 - done;
      constexpr int R = Shape::radix(p);
      points_.template each_butterfly<p>([&](auto u, int i) {
        points_.template butterfly_at<R>(decltype(u)::value * R);
        twiddle_at<p>(decltype(u)::value * R, i);
      });
      if constexpr (p > 0) points_.template exchange<p - 1, true, (done > 0)>([] {});
    });
  }

  KILN_FN void rotate() {
    constexpr int p = Shape::passes - 1, R = Shape::radix(p);
    const Rotation& rotation = task_.rotation;
    const i32 column = there_ ? line_ - task_.columns.quotient(line_) * rotation.columns : 0;
    points_.template each_butterfly<p>([&](auto u, int i) {
      const Complex low = read_constant(rotation.low + i64(i) * rotation.columns + column);
      unrolled<R>([&](auto m) {
        Complex& point = points_.v[decltype(u)::value * R + decltype(m)::value].of[0];
        if constexpr (decltype(m)::value == 0) {
          point = point * low;
        } else {
          const Complex high =
              read_constant(rotation.high + i64(decltype(m)::value) * rotation.columns + column);
          point = point * (low * high);
        }
      });
    });
  }

  KILN_FN void fetch_factors() {
    if (!there_ || !task_.real[0]) return;
    constexpr int p = Shape::passes - 1, R = Shape::radix(p), B = Shape::butterflies(p);
    const u32 tile = u32(task_.spectrum_tile);
    points_.template each_butterfly<p>([&](auto u, int i) {
      const float* at = task_.real[0] + factors_ + u64(u32(i)) * tile;
      unrolled<R>([&](auto m) {
        early_[decltype(u)::value * R + m] = __ldg(at + u64(u32(decltype(m)::value * B)) * tile);
      });
    });
  }

  KILN_FN void multiply(int term) {
    if (!there_) return;
    if constexpr (early_factors) {
      if (task_.real[0]) {
        unrolled<Shape::held()>([&](auto s) {
          unrolled<C>([&](auto c) { points_.v[s].of[c] = points_.v[s].of[c] * early_[s]; });
        });
        return;
      }
    }
    const u32 tile = Shape::Step == 1 ? 1 : u32(task_.spectrum_tile);
    const u64 before = early_factors ? factors_ : factors();
    if constexpr (Shape::real_spectrum) {
      if (task_.real[term]) {
        multiply_by(task_.real[term] + before, tile,
                    [](Complex a, const float* at) KILN_INLINE { return a * __ldg(at); });
        return;
      }
    }
    if (task_.complex[term]) {
      multiply_by(task_.complex[term] + before, tile,
                  [](Complex a, const Complex* at) KILN_INLINE { return a * read_constant(at); });
    }
  }
  template <class Element, class Product>
  KILN_FN void multiply_by(const Element* begin, u32 tile, const Product& product) {
    constexpr int p = Shape::passes - 1, R = Shape::radix(p), B = Shape::butterflies(p);
    points_.template each_butterfly<p>([&](auto u, int i) {
      const Element* at = begin + u64(u32(i)) * tile;
      unrolled<R>([&](auto m) {
        constexpr int s = decltype(u)::value * R + decltype(m)::value;
        const Element* const factor = at + u64(u32(decltype(m)::value * B)) * tile;
        unrolled<C>([&](auto c) { points_.v[s].of[c] = product(points_.v[s].of[c], factor); });
      });
    });
  }

  using Stored = Either<C == 1, float2, float4>;

  const Task& task_;
  Registers points_;
  int i_, line_;
  bool there_;
  i64 in_;       // bytes to this thread's first line
  char* out_;    // where that goes
  u64 factors_;  // elements of a spectrum before its own
  float early_[early_factors ? Shape::held() : 1];
};

#endif

KILN_END
