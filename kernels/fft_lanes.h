// A complex number of several lines at once, on the CPU: the same point of `fft_lanes` lines side
// by side, real and imaginary parts apart, so that every operation of a butterfly is one vector
// instruction. Written with the compiler's vector types: lane loops over arrays give the same
// instructions, after four times as long in g++ 12.
#pragma once

#include "kernels/fft_radix.h"

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

/// The same in registers.
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
