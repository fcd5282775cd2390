// FFT lines on CUDA (kernels/fft.h says what a pass does). A line's points live in the registers of
// its threads and change places through shared memory between passes; loads and stores touch global
// memory once. A kernel is forward, inverse, or forward x spectrum x inverse, for one length.
//
// A block takes G groups of I interleaved lines (I = 1 for rows, the two halves of a pixel for rows
// of pictures, neighbouring columns for columns), so that neighbouring threads always touch
// neighbouring addresses: thread = (g T + t) I + i. Thread t of a line does the butterflies
// t, t + T, ... of each pass. A thread may carry two neighbouring lines: their twiddles, factors
// and addresses are the same, and every access is one of 16 bytes.
//
// Shared memory keeps gaps between the runs of points that neighbouring threads write, a width of
// its own for every exchange: no two threads meet in one bank, for any factors. Every address with
// its gaps is one per-thread base plus a constant; left to the compiler, the gaps spill. An
// exchange may go in parts - real and imaginary parts in turn, and those in halves of the line -
// for a half or a quarter of the shared memory and more barriers. Columns of three passes share the
// butterflies out so that the first exchange stays within a warp: one barrier of the block remains
// each way. Between forward and inverse there is none: a thread writes where it has just read.
//
// While a block computes, nothing else of its line is in flight. So where a job is more than L2
// holds, each block asks L2 for the lines of the block that will take its place (`ahead` blocks
// later), and marks its results to leave L2 first: otherwise they drive out what was asked for. And
// a queued launch may start before the last one has drained (programmatic dependent launch); it
// waits before it touches memory that launches write.
#pragma once

#include <type_traits>

#include "engine/device/cuda/fft/task.h"
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
/// turns. Sum: products of several spectra and one inverse. A thread carries C neighbouring lines,
/// 1 or 2. Warps: the first exchange of columns may stay within warps.
template <class Factors_, int T_, int I_, int G_, int Resident_ = 1, int Step_ = 0, int Parts_ = 1,
          bool Sum_ = false, int C_ = 1, bool Warps_ = true>
struct FftShape {
  using Factors = Factors_;
  static constexpr int T = T_, I = I_, G = G_, Resident = Resident_, Step = Step_, Parts = Parts_;
  static constexpr int C = C_;
  static constexpr bool Sum = Sum_;
  static constexpr int n = Factors::points;
  static constexpr int passes = Factors::passes;
  static constexpr int threads = T * I * G;
  /// What nobody asks for isn't compiled; AnyLine does it if somebody comes. Columns of long lines
  /// are rotated, the taps of a convolution leave their real parts (AnyLine takes shorter lines).
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
    if (!Warps_ || Step != 0 || passes != 3 || Parts != 1) return false;
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

  /// Where point q waits in the exchange behind pass `below`: a pass writes runs of L points, R L
  /// apart, which would meet in the banks that 8-byte accesses of half a warp reach (4-byte ones:
  /// of a warp, 16-byte ones: of a quarter). Gaps of L points keep them apart, unless a run of I
  /// lines fills the banks anyway.
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
  /// In 4 parts a butterfly must write within one half of the line, and read both.
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

#if KILN_CUDA_CODE || KILN_EMULATES_CUDA

/// A point of C neighbouring lines.
template <int C>
struct alignas(8 * C) FftPoints {
  Complex of[C];
};

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
KILN_FN void read_points(FftPoints<1>& to, const char* at) {
  asm volatile("ld.global.L1::no_allocate.v2.f32 {%0, %1}, [%2];"
               : "=f"(to.of[0].re), "=f"(to.of[0].im)
               : "l"(at));
}
KILN_FN void read_points(FftPoints<2>& to, const char* at) {
  asm volatile("ld.global.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to.of[0].re), "=f"(to.of[0].im), "=f"(to.of[1].re), "=f"(to.of[1].im)
               : "l"(at));
}
/// For results that L2 cannot keep until somebody reads them: they leave first, and what was asked
/// for ahead stays.
KILN_FN void write_streaming(float2* at, float2 value) { __stcs(at, value); }
KILN_FN void write_streaming(float4* at, float4 value) { __stcs(at, value); }
/// The value (8 bytes) is worked out here, before what follows waits.
template <class Value>
KILN_FN void settle(Value& value) {
  asm volatile("" : "+l"(value));
}
/// Asks L2 for the 32 bytes at `at`.
KILN_FN void prefetch(const char* at) { asm volatile("prefetch.global.L2 [%0];" ::"l"(at)); }
#else
template <int groups, int threads>
KILN_FN void group_barrier(int) {
  __syncthreads();
}
template <int C>
KILN_FN void read_points(FftPoints<C>& to, const char* at) {
  to = *reinterpret_cast<const FftPoints<C>*>(at);
}
template <class Value>
KILN_FN void write_streaming(Value* at, Value value) {
  *at = value;
}
template <class Value>
KILN_FN void settle(Value&) {}
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

KILN_FN float2 stored(const FftPoints<1>& p) { return make_float2(p.of[0].re, p.of[0].im); }
KILN_FN float4 stored(const FftPoints<2>& p) {
  return make_float4(p.of[0].re, p.of[0].im, p.of[1].re, p.of[1].im);
}

/// One thread's part of one line, or of C neighbouring ones. `may_fetch`: asks L2 for lines ahead
/// if the task says so; `may_stream`: likewise for results that leave L2 first.
template <class Shape, FftUse use, bool may_fetch = true, bool may_stream = true>
class FftThread {
 public:
  using Task = FftTask<Shape::Sum ? fft_most_terms : 1>;

  /// For the lines of block `block`; `memory` is shared.
  KILN_FN FftThread(const Task& task, int block, Complex* memory) : task_(task) {
    constexpr int T = Shape::T, I = Shape::I;
    const int thread = int(threadIdx.x), g = thread / (T * I);
    i_ = thread % I;
    t_ = thread / I % T;
    line_ = ((block * Shape::G + g) * I + i_) * C;
    there_ = line_ < task.lines;
    // lines beyond the last one read the first: nobody looks at them
    in_ = task.from.begin(there_ ? line_ : 0);
    if constexpr (!Shape::Sum) settle(in_);
    out_ = task.out + task.to.begin(line_);
    settle(out_);
    if constexpr (early_factors) {
      factors_ = factors();
      settle(factors_);
    }
    if constexpr (Shape::Parts == 1) {
      shared_ = reinterpret_cast<Shared*>(memory) + g * Shape::group_points * I + i_;
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
        Points sum[Shape::held()];
        for (int term = 0; term < task_.terms; ++term) {
          load<0>(term);
          forward();
          multiply(term);
          if (term == 0) {
            unrolled<Shape::held()>([&](auto s) { sum[s] = v_[s]; });
          } else {
            unrolled<Shape::held()>([&](auto s) {
              unrolled<C>([&](auto c) { sum[s].of[c] = sum[s].of[c] + v_[s].of[c]; });
            });
          }
        }
        unrolled<Shape::held()>([&](auto s) { v_[s] = sum[s]; });
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
      map_points([](Complex a) KILN_INLINE { return exchanged(a); });
      if constexpr (use == FftUse::inverse) {
        if constexpr (Shape::rotation) {
          if (task_.rotation.low) rotate();
        }
      }
      inverse();
      map_points([](Complex a) KILN_INLINE { return exchanged(a); });
      store<0>();
    }
  }

 private:
  static constexpr int C = Shape::C;
  using Points = FftPoints<C>;
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

  template <class Body>
  KILN_FN void map_points(const Body& body) {
    unrolled<Shape::held()>(
        [&](auto s) { unrolled<C>([&](auto c) { v_[s].of[c] = body(v_[s].of[c]); }); });
  }

  /// body(u, i): the butterflies i of this thread in pass p.
  template <int p, class Body>
  KILN_FN void each_butterfly(const Body& body) {
    constexpr int B = Shape::butterflies(p), T = Shape::T;
    if constexpr (Shape::local && p < 2) {
      constexpr int W = Shape::lanes, groups = Shape::warp_groups;
      const int w = int(u32(t_) / W), l = int(u32(t_) % W);
      unrolled<Shape::rounds(p)>([&](auto u) {
        if constexpr (p == 0) {
          constexpr int N = Shape::last_radix;
          body(u, w * groups + l % groups + l / groups * N + decltype(u)::value * (W / groups * N));
        } else {
          body(u, w * (groups * Shape::radix(0)) + l + decltype(u)::value * W);
        }
      });
      return;
    }
    unrolled<Shape::rounds(p)>([&](auto u) {
      const int i = t_ + decltype(u)::value * T;
      if constexpr ((decltype(u)::value + 1) * T > B) {
        if (i < B) body(u, i);
      } else {
        body(u, i);
      }
    });
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
    each_butterfly<p>([&](auto u, int i) {
      const char* at = in + way<tiled>(task_.from, i, step);
      const int left = task_.from.extent - i;
      unrolled<R>([&](auto q) {
        constexpr int o = decltype(q)::value * B;
        Points value{};
        if (!padded || o < left) read_points(value, at + u64(u32(o)) * step);
        v_[decltype(u)::value * R + q] = value;
      });
    });
  }
  KILN_FN void fetch_tiles_ahead() {
    const FftPlace& from = task_.from;
    const i32 line = line_ - i_ * C + task_.ahead * Shape::I * Shape::G * C;
    if (line >= task_.lines) return;
    const char* in = task_.in[0] + from.begin(line);
    const u32 bytes = u32(from.tile * Shape::Step) * u32(sizeof(Complex));
    for (int at = t_ * Shape::I + i_; at * from.tile < Shape::n; at += Shape::T * Shape::I) {
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
      if (t_ == 0 && reinterpret_cast<u64>(in) % 16 == 0) {
        prefetch(in, u32(points * Shape::Step * int(sizeof(Complex))) & ~15u);
      }
    } else {
      constexpr int R = Shape::radix(p), B = Shape::butterflies(p);
      const u32 step = stride<false>(from);
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
    if (task_.scale != 1) {
      const float scale = task_.scale;
      map_points([&](Complex a) KILN_INLINE { return a * scale; });
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
    each_butterfly<p>([&](auto u, int i) {
      char* at = out_ + way<tiled>(task_.to, i, step);
      const int left = task_.to.extent - i;
      unrolled<R>([&](auto q) {
        constexpr int o = decltype(q)::value * B;
        const Points& value = v_[decltype(u)::value * R + q];
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

  template <int R>
  KILN_FN void butterfly_at(int first) {
    unrolled<C>([&](auto c) {
      Complex x[R];
      unrolled<R>([&](auto q) { x[q] = v_[first + q].of[c]; });
      butterfly<R>(x);
      unrolled<R>([&](auto q) { v_[first + q].of[c] = x[q]; });
    });
  }
  template <int p>
  KILN_FN void twiddle_at(int first, int i) {
    constexpr int R = Shape::radix(p), L = Shape::Factors::before(p);
    if constexpr (L > 1) {
      const Complex* table = task_.twiddles + Shape::Factors::table(p) + i % L;
      twiddle_by_products<R>(
          [&](int q) { return read_constant(table + (q - 1) * L); },
          [&](auto q, Complex w) KILN_INLINE {
            unrolled<C>([&](auto c) { v_[first + q].of[c] = v_[first + q].of[c] * w; });
          });
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
      if constexpr (p > 0) exchange<p - 1, true, (done > 0)>();
    });
  }

  /// From the places of pass `below` to those of the next one, or, mirrored, back. `busy`: others
  /// may still read the last exchange.
  template <int below, bool mirrored, bool busy>
  KILN_FN void exchange() {
    // within warps, what the first exchange and the near side of the second one read is the warp's
    if constexpr (Shape::local && mirrored == (below == 0)) {
      __syncwarp();
    } else if constexpr (busy) {
      wait();
    }
    if constexpr (Shape::local && below == 0) {
      write_shared<below, mirrored, 0, 0, 1>();
      __syncwarp();
      read_shared<below, mirrored, 0, 0, 1>(v_);
    } else if constexpr (Shape::Parts == 1) {
      write_shared<below, mirrored, 0, 0, 1>();
      if constexpr (early_factors && !mirrored && below == Shape::passes - 2) fetch_factors();
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
    Points fresh[Shape::held()];
    write_shared<below, mirrored, component, 0, 2>();
    wait();
    read_shared<below, mirrored, component, 0, 2>(fresh);
    wait();
    write_shared<below, mirrored, component, 1, 2>();
    wait();
    read_shared<below, mirrored, component, 1, 2>(fresh);
    unrolled<Shape::held()>([&](auto s) {
      if constexpr (component == 1) {
        v_[s].of[0].re = fresh[s].of[0].re;
      } else {
        v_[s].of[0].im = fresh[s].of[0].im;
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
    if constexpr (Shape::local) {
      each_local<below, scattered>(body);
    } else {
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
  }
  /// The same where the first two passes stay in their warp.
  template <int below, bool scattered, class Body>
  KILN_FN void each_local(const Body& body) {
    constexpr int p = scattered ? below : below + 1, R = Shape::radix(p), I = Shape::I;
    constexpr int W = Shape::lanes, groups = Shape::warp_groups;
    constexpr auto pitch = Shape::pitch;
    const int w = t_ / W, l = t_ % W;
    int base = t_;
    if constexpr (p == 0) {
      base = (w * groups + l % groups) * pitch.group + l / groups * pitch.butterfly;
    } else if constexpr (p == 1) {
      base = (w * groups + l / Shape::radix(0)) * pitch.group + l % Shape::radix(0);
    }
    unrolled<Shape::rounds(p)>([&](auto round) {
      constexpr int u = decltype(round)::value, first = u * R;
      constexpr int turn = p == 0 ? u * (W / groups) * pitch.butterfly
                           : p == 1
                               ? u * W / Shape::radix(0) * pitch.group + u * W % Shape::radix(0)
                               : u * Shape::T;
      constexpr int apart = p == 0      ? 1
                            : p == 2    ? pitch.group
                            : scattered ? Shape::radix(0)
                                        : pitch.butterfly;
      const auto points = [&](auto q) {
        body(Index<first + decltype(q)::value>{}, (base + turn + decltype(q)::value * apart) * I);
      };
      if constexpr (p == 2 && (u + 1) * Shape::T > Shape::butterflies(2)) {
        if (t_ + u * Shape::T < Shape::butterflies(2)) unrolled<R>(points);
      } else {
        unrolled<R>(points);
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
        shared_[at] = component == 1 ? v_[s].of[0].re : v_[s].of[0].im;
      }
    });
  }
  template <int below, bool mirrored, int component, int half, int halves>
  KILN_FN void read_shared(Points (&to)[Shape::held()]) {
    each_shared<below, mirrored, half, halves>([&](auto s, int at) {
      if constexpr (component == 0) {
        to[s] = shared_[at];
      } else if constexpr (component == 1) {
        to[s].of[0].re = shared_[at];
      } else {
        to[s].of[0].im = shared_[at];
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
    const Rotation& rotation = task_.rotation;
    const i32 column = there_ ? line_ - task_.columns.quotient(line_) * rotation.columns : 0;
    each_butterfly<p>([&](auto u, int i) {
      const Complex low = read_constant(rotation.low + i64(i) * rotation.columns + column);
      unrolled<R>([&](auto m) {
        Complex& point = v_[decltype(u)::value * R + decltype(m)::value].of[0];
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
    each_butterfly<p>([&](auto u, int i) {
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
        unrolled<Shape::held()>(
            [&](auto s) { unrolled<C>([&](auto c) { v_[s].of[c] = v_[s].of[c] * early_[s]; }); });
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
    each_butterfly<p>([&](auto u, int i) {
      const Element* at = begin + u64(u32(i)) * tile;
      unrolled<R>([&](auto m) {
        constexpr int s = decltype(u)::value * R + decltype(m)::value;
        const Element* const factor = at + u64(u32(decltype(m)::value * B)) * tile;
        unrolled<C>([&](auto c) { v_[s].of[c] = product(v_[s].of[c], factor); });
      });
    });
  }

  using Shared = std::conditional_t<Shape::Parts == 1, Points, float>;
  using Stored = std::conditional_t<C == 1, float2, float4>;

  const Task& task_;
  Shared* shared_;
  int t_, i_, line_;
  bool there_;
  i64 in_;       // bytes to this thread's first line
  char* out_;    // where that goes
  u64 factors_;  // elements of a spectrum before its own
  Points v_[Shape::held()];
  float early_[early_factors ? Shape::held() : 1];
};

#endif

KILN_END
