// SPDX-License-Identifier: MIT
// The points of a line in the registers of its threads, and their way through shared memory from
// the places that one pass leaves them at to those that the next one takes them from. shape.h says
// where they wait on the way.
#pragma once

#include "engine/device/cuda/fft/shape.h"
#include "kernels/fft.h"

// What the FFT kernels ask of a GPU's memory beyond C++: loads past L1, streaming stores, prefetch
// into L2, barriers by number and launches that start early. Emulated for the tests of the CPU.

KILN_BEGIN

#if KILN_CUDA_CODE || KILN_EMULATES_CUDA

/// One of two types; NVRTC knows no std::conditional.
template <bool first, class A, class B>
struct EitherOf {
  using Type = A;
};
template <class A, class B>
struct EitherOf<false, A, B> {
  using Type = B;
};
template <bool first, class A, class B>
using Either = typename EitherOf<first, A, B>::Type;

/// A point of C neighboring lines.
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
/// Writes a result that L2 cannot keep until somebody reads it: it leaves first, and data fetched
/// ahead stay.
KILN_FN void write_streaming(float2* at, float2 value) { __stcs(at, value); }
KILN_FN void write_streaming(float4* at, float4 value) { __stcs(at, value); }
/// The value (8 bytes) is worked out here, before what follows waits.
template <class Value>
KILN_FN void keep_in_register(Value& value) {
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
KILN_FN void keep_in_register(Value&) {}
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

/// One thread's points of one line, or of C neighboring ones.
template <class Shape>
struct FftRegisters {
  static constexpr int C = Shape::C;
  using Points = FftPoints<C>;
  using Shared = Either<Shape::Parts == 1, Points, float>;

  Shared* shared;  // where the line's points wait
  int t;           // which of the line's threads
  Points v[Shape::held()];

  template <class Body>
  KILN_FN void map_points(const Body& body) {
    unrolled<Shape::held()>(
        [&](auto s) { unrolled<C>([&](auto c) { v[s].of[c] = body(v[s].of[c]); }); });
  }

  /// body(u, i): the butterflies i of this thread in pass p.
  template <int p, class Body>
  KILN_FN void each_butterfly(const Body& body) {
    constexpr int B = Shape::butterflies(p), T = Shape::T;
    if constexpr (Shape::local && p < 2) {
      constexpr int W = Shape::lanes, groups = Shape::warp_groups;
      const int w = int(u32(t) / W), l = int(u32(t) % W);
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
      const int i = t + decltype(u)::value * T;
      if constexpr ((decltype(u)::value + 1) * T > B) {
        if (i < B) body(u, i);
      } else {
        body(u, i);
      }
    });
  }

  template <int R>
  KILN_FN void butterfly_at(int first) {
    unrolled<C>([&](auto c) {
      Complex x[R];
      unrolled<R>([&](auto q) { x[q] = v[first + q].of[c]; });
      butterfly<R>(x);
      unrolled<R>([&](auto q) { v[first + q].of[c] = x[q]; });
    });
  }
  /// Moves values from pass `below` to the places of the next one, or, mirrored, back. `busy`:
  /// others may still read the last exchange. `meanwhile` is done where a whole exchange waits.
  template <int below, bool mirrored, bool busy, class Meanwhile>
  KILN_FN void exchange(const Meanwhile& meanwhile) {
    // within warps, what the first exchange and the near side of the second one read is the warp's
    if constexpr (Shape::local && mirrored == (below == 0)) {
      __syncwarp();
    } else if constexpr (busy) {
      wait();
    }
    if constexpr (Shape::local && below == 0) {
      write_shared<below, mirrored, 0, 0, 1>();
      __syncwarp();
      read_shared<below, mirrored, 0, 0, 1>(v);
    } else if constexpr (Shape::Parts == 1) {
      write_shared<below, mirrored, 0, 0, 1>();
      meanwhile();
      wait();
      read_shared<below, mirrored, 0, 0, 1>(v);
    } else if constexpr (Shape::Parts == 2) {
      write_shared<below, mirrored, 1, 0, 1>();
      wait();
      read_shared<below, mirrored, 1, 0, 1>(v);
      wait();
      write_shared<below, mirrored, 2, 0, 1>();
      wait();
      read_shared<below, mirrored, 2, 0, 1>(v);
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
        v[s].of[0].re = fresh[s].of[0].re;
      } else {
        v[s].of[0].im = fresh[s].of[0].im;
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
  /// Does the same where the first two passes stay in their warp.
  template <int below, bool scattered, class Body>
  KILN_FN void each_local(const Body& body) {
    constexpr int p = scattered ? below : below + 1, R = Shape::radix(p), I = Shape::I;
    constexpr int W = Shape::lanes, groups = Shape::warp_groups;
    constexpr auto pitch = Shape::pitch;
    const int w = t / W, l = t % W;
    int base = t;
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
        if (t + u * Shape::T < Shape::butterflies(2)) unrolled<R>(points);
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
        shared[at] = v[s];
      } else {
        shared[at] = component == 1 ? v[s].of[0].re : v[s].of[0].im;
      }
    });
  }
  template <int below, bool mirrored, int component, int half, int halves>
  KILN_FN void read_shared(Points (&to)[Shape::held()]) {
    each_shared<below, mirrored, half, halves>([&](auto s, int at) {
      if constexpr (component == 0) {
        to[s] = shared[at];
      } else if constexpr (component == 1) {
        to[s].of[0].re = shared[at];
      } else {
        to[s].of[0].im = shared[at];
      }
    });
  }

  /// Waits for the threads of this line and those interleaved with it: groups go at their own pace.
  KILN_FN void wait() const {
    if constexpr (Shape::one_warp) {
      __syncwarp();
    } else if constexpr (Shape::own_barriers) {
      group_barrier<Shape::G, Shape::group_threads>(int(threadIdx.x) / Shape::group_threads);
    } else {
      __syncthreads();
    }
  }
};

#endif

KILN_END
