// SPDX-License-Identifier: MIT
// What every kernel header needs to be compiled twice: by g++/clang for the CPU device (once per
// instruction set) and by nvcc for CUDA. KILN_ISA names an inline namespace, so that the same
// function compiled for x86-64-v2 and v3 never meets itself at link time. Headers in kernels/
// therefore use nothing of the standard library but <cstdint>: a std:: template instantiated for v3
// could be picked by the linker for a v2 machine.
#pragma once

#include <cstdint>

#if !defined(KILN_ISA)
#define KILN_ISA generic
#endif

/// Opens namespace kiln and the instruction set's inline namespace.
#define KILN_BEGIN \
  namespace kiln { \
  inline namespace KILN_ISA {
#define KILN_END \
  }              \
  }

#if defined(__CUDACC__)
#define KILN_FN __device__ __forceinline__
#define KILN_SHARED_FN __host__ __device__ __forceinline__
#define KILN_INLINE __attribute__((always_inline))
#define KILN_OUTLINE __device__ __forceinline__
#define KILN_CALLED __device__ __noinline__
#define KILN_RARE inline __device__ __noinline__
#define KILN_CONSTEXPR __host__ __device__ constexpr
#define KILN_CUDA_CODE 1
#else
#if KILN_EMULATES_CUDA  // in tests/parity/fft_emulation.h: inlined by force it compiles for minutes
#define KILN_FN inline
#else
#define KILN_FN inline __attribute__((always_inline))
#endif
#define KILN_SHARED_FN KILN_FN  // for small things that the host asks too, in CUDA's files
#define KILN_INLINE \
  __attribute__((   \
      always_inline))  // g++ vectorizes a lane loop only when its lambda is inlined by force
#define KILN_OUTLINE \
  __attribute__((    \
      noinline))  // a function of its own where a call costs nothing beside its lane loops
#define KILN_CALLED KILN_OUTLINE  // there and on GPUs: so large that it shall stand once
#define KILN_RARE KILN_FN         // what GPUs branch to and CPUs, whose lanes take all ways, do not
#define KILN_CONSTEXPR constexpr
#define KILN_CUDA_CODE 0
#endif

/// Whether the CPU has an instruction for a b + c with one rounding: x86-64 from v3 on, ARM64 always,
/// WebAssembly with relaxed vectors where the machine below has it.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__wasm_relaxed_simd__)
#define KILN_HAS_FMA 1
#else
#define KILN_HAS_FMA 0
#endif
/// Whether it has one for doubles (kernels/fine_math.h).
#if KILN_HAS_FMA && !defined(__wasm__)
#define KILN_HAS_FINE_FMA 1
#else
#define KILN_HAS_FINE_FMA 0
#endif

/// KILN_OF_ISA(name_) is name_v3: for what is named the same in every instruction set.
#define KILN_JOIN(a, b) a##b
#define KILN_JOIN_EXPANDED(a, b) KILN_JOIN(a, b)
#define KILN_OF_ISA(name) KILN_JOIN_EXPANDED(name, KILN_ISA)

/// The compiler shall keep what follows out of the way.
#define KILN_UNLIKELY(condition) (__builtin_expect(!!(condition), 0))

KILN_BEGIN

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

/// Coordinates of the chaos game; of deep zooms they are doubles (kernels/fine_xform.h).
using Real = float;

struct Vec2 {
  Real x, y;
};
KILN_FN Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
KILN_FN Vec2 operator*(Vec2 a, Real s) { return {a.x * s, a.y * s}; }

/// Linear light: r g b and a (palette alpha), premultiplied; 16-byte aligned so that a pixel is one
/// load.
struct alignas(16) Vec4 {
  float r, g, b, a;
};
KILN_FN Vec4 operator+(Vec4 p, Vec4 q) { return {p.r + q.r, p.g + q.g, p.b + q.b, p.a + q.a}; }
KILN_FN Vec4 operator*(Vec4 p, float s) { return {p.r * s, p.g * s, p.b * s, p.a * s}; }

/// x' = a x + b y + c, y' = d x + e y + f: flam3's coefs="a d b e c f" (flam3-variations.md section
/// 1).
struct Affine {
  Real a = 1, d = 0, b = 0, e = 1, c = 0, f = 0;
};

KILN_END
