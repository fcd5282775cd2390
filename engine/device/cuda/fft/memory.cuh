// What the FFT kernels ask of a GPU's memory beyond C++: loads past L1, streaming stores, prefetch
// into L2, barriers by number and launches that start early. Emulated for the tests of the CPU.
#pragma once

#include "kernels/fft.h"

KILN_BEGIN

#if KILN_CUDA_CODE || KILN_EMULATES_CUDA

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
/// For results that L2 cannot keep until somebody reads them: they leave first, and what was asked
/// for ahead stays.
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

#endif

KILN_END
