// SPDX-License-Identifier: MIT
// Butterflies: discrete Fourier transforms of 2 to 32 points that stay in registers, and the
// twiddle products around them. Every pass of every FFT, on the CPU and on CUDA, is made of these
// functions; what a device adds is only where the points wait between passes, so all devices give
// the same bits.
//
// Sizes 2, 3, 4 and 5 are written out (the odd ones by the symmetric sums of Winograd's short
// transforms, with fma); the others are built from two smaller ones (Cooley and Tukey 1965) with
// constants that the compiler evaluates in double. Products that feed a sum are explicit fma: see
// kernels/math.h. Only the forward transform exists: exchanging real and imaginary parts before and
// after it gives the inverse.
#pragma once

#include "kernels/math.h"

KILN_BEGIN

struct alignas(8) Complex {
  float re, im;
};
KILN_FN Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
KILN_FN Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
KILN_FN Complex operator*(Complex a, float s) { return {a.re * s, a.im * s}; }
KILN_FN Complex operator*(Complex a, Complex b) {
  return {fma(a.re, b.re, -(a.im * b.im)), fma(a.re, b.im, a.im * b.re)};
}
/// i times the conjugate: real and imaginary parts exchanged.
KILN_FN Complex exchanged(Complex a) { return {a.im, a.re}; }
/// -i a: a quarter turn clockwise, as a forward transform turns.
KILN_FN Complex quarter_turn(Complex a) { return {a.im, -a.re}; }

/// body(Index<0>), ..., body(Index<count - 1>): a loop that is gone before any optimizer looks, so
/// that arrays indexed in it become registers.
template <int I>
struct Index {
  static constexpr int value = I;
  KILN_CONSTEXPR operator int() const { return I; }
};
template <int... I>
struct Indices {};
template <int count, int... I>
struct IndicesTo : IndicesTo<count - 1, count - 1, I...> {};
template <int... I>
struct IndicesTo<0, I...> {
  using Type = Indices<I...>;
};
template <class Body, int... I>
KILN_FN void unrolled_over(const Body& body, Indices<I...>) {
  (body(Index<I>{}), ...);
}
template <int count, class Body>
KILN_FN void unrolled(const Body& body) {
  unrolled_over(body, typename IndicesTo<count>::Type{});
}

namespace fft_detail {

constexpr double pi_double = 3.14159265358979323846;

/// Taylor series at compile time, |x| <= pi/4: exact to the last bit of a float.
KILN_CONSTEXPR double cos_series(double x) {
  double sum = 1, term = 1;
  for (int i = 1; i < 12; ++i) {
    term *= -x * x / ((2 * i - 1) * (2 * i));
    sum += term;
  }
  return sum;
}
KILN_CONSTEXPR double sin_series(double x) {
  double sum = x, term = x;
  for (int i = 1; i < 12; ++i) {
    term *= -x * x / ((2 * i) * (2 * i + 1));
    sum += term;
  }
  return sum;
}
/// cos(2 pi k / n), reduced to the first octant.
KILN_CONSTEXPR double cos_turn(int k, int n) {
  k = ((k % n) + n) % n;
  if (2 * k > n) k = n - k;
  if (4 * k > n) return -cos_turn(n - 2 * k, 2 * n);
  if (8 * k > n) return sin_series(2 * pi_double * (n - 4 * k) / (4 * n));
  return cos_series(2 * pi_double * k / n);
}
KILN_CONSTEXPR double sin_turn(int k, int n) { return cos_turn(4 * k - n, 4 * n); }

/// a exp(-2 pi i k / n).
template <int k, int n, class C>
KILN_FN C turned(C a) {
  constexpr int eighths = 8 * k % n == 0 ? 8 * k / n % 8 : -1;
  constexpr float half_root = 0x1.6a09e6p-1f;
  if constexpr (eighths == 0) {
    return a;
  } else if constexpr (eighths == 1) {
    return C{a.re + a.im, a.im - a.re} * half_root;
  } else if constexpr (eighths == 2) {
    return quarter_turn(a);
  } else if constexpr (eighths == 3) {
    return C{a.im - a.re, -a.re - a.im} * half_root;
  } else if constexpr (eighths == 4) {
    return {-a.re, -a.im};
  } else {
    constexpr float c = float(cos_turn(k, n));
    constexpr float s = float(sin_turn(k, n));
    return {fma(a.re, c, a.im * s), fma(a.im, c, -(a.re * s))};
  }
}

/// The smaller factor of a composite butterfly.
KILN_CONSTEXPR int first_factor(int radix) {
  return radix % 4 == 0 && radix >= 12 ? 4 : radix % 2 == 0 ? 2 : radix % 3 == 0 ? 3 : 5;
}

}  // namespace fft_detail

namespace fft_detail {

template <class C>
KILN_FN void butterfly_of_2(C (&x)[2]) {
  const C a = x[0], b = x[1];
  x[0] = a + b;
  x[1] = a - b;
}

template <class C>
KILN_FN void butterfly_of_3(C (&x)[3]) {
  constexpr float s = float(sin_turn(1, 3));
  const C sum = x[1] + x[2], difference = x[1] - x[2];
  const C middle = {fma(sum.re, -0.5f, x[0].re), fma(sum.im, -0.5f, x[0].im)};
  x[0] = x[0] + sum;
  x[1] = {fma(difference.im, s, middle.re), fma(difference.re, -s, middle.im)};
  x[2] = {fma(difference.im, -s, middle.re), fma(difference.re, s, middle.im)};
}

template <class C>
KILN_FN void butterfly_of_4(C (&x)[4]) {
  const C a = x[0] + x[2], b = x[0] - x[2];
  const C c = x[1] + x[3], d = quarter_turn(x[1] - x[3]);
  x[0] = a + c;
  x[1] = b + d;
  x[2] = a - c;
  x[3] = b - d;
}

template <class C>
KILN_FN void butterfly_of_5(C (&x)[5]) {
  constexpr float c1 = float(cos_turn(1, 5)), c2 = float(cos_turn(2, 5));
  constexpr float s1 = float(sin_turn(1, 5)), s2 = float(sin_turn(2, 5));
  const C a = x[1] + x[4], b = x[2] + x[3], c = x[1] - x[4], d = x[2] - x[3];
  const C m1 = {fma(b.re, c2, fma(a.re, c1, x[0].re)), fma(b.im, c2, fma(a.im, c1, x[0].im))};
  const C m2 = {fma(b.re, c1, fma(a.re, c2, x[0].re)), fma(b.im, c1, fma(a.im, c2, x[0].im))};
  x[0] = x[0] + a + b;
  x[1] = {fma(d.im, s2, fma(c.im, s1, m1.re)), fma(d.re, -s2, fma(c.re, -s1, m1.im))};
  x[4] = {fma(d.im, -s2, fma(c.im, -s1, m1.re)), fma(d.re, s2, fma(c.re, s1, m1.im))};
  x[2] = {fma(d.im, -s1, fma(c.im, s2, m2.re)), fma(d.re, s1, fma(c.re, -s2, m2.im))};
  x[3] = {fma(d.im, s1, fma(c.im, -s2, m2.re)), fma(d.re, -s1, fma(c.re, s2, m2.im))};
}

}  // namespace fft_detail

/// x[k] = sum over j of x[j] exp(-2 pi i j k / radix), in place, natural order, of Complex or of
/// several lines at once (fft_block_cpu.h). Composite: j = j1 B + j2 and k = k1 + A k2: B transforms of
/// A points, the turns by j2 k1 / (A B), A transforms of B points.
template <int radix, class C>
KILN_FN void butterfly(C (&x)[radix]) {
  if constexpr (radix == 2) {
    fft_detail::butterfly_of_2(x);
  } else if constexpr (radix == 3) {
    fft_detail::butterfly_of_3(x);
  } else if constexpr (radix == 4) {
    fft_detail::butterfly_of_4(x);
  } else if constexpr (radix == 5) {
    fft_detail::butterfly_of_5(x);
  } else if constexpr (radix > 1) {
    constexpr int A = fft_detail::first_factor(radix), B = radix / A;
    unrolled<B>([&](auto j2) KILN_INLINE {
      constexpr int j = decltype(j2)::value;
      C column[A];
      unrolled<A>([&](auto j1) KILN_INLINE { column[j1] = x[j1 * B + j]; });
      butterfly<A>(column);
      unrolled<A>([&](auto k1) KILN_INLINE {
        x[k1 * B + j] = fft_detail::turned<decltype(k1)::value * j, radix>(column[k1]);
      });
    });
    C result[radix];
    unrolled<A>([&](auto k1) KILN_INLINE {
      C row[B];
      unrolled<B>([&](auto j2) KILN_INLINE { row[j2] = x[k1 * B + j2]; });
      butterfly<B>(row);
      unrolled<B>([&](auto k2) KILN_INLINE { result[k1 + A * k2] = row[k2]; });
    });
    unrolled<radix>([&](auto k) KILN_INLINE { x[k] = result[k]; });
  }
}

// ---- twiddles ----

/// The step of the radix - 1 twiddles of a butterfly, w^q = w^(step a) w^b with q = step a + b:
/// powers below `step` and its multiples are rounded from double, the rest is one product of two of
/// them. A device may read all (the product stands in the table) or multiply itself: the same bits.
KILN_CONSTEXPR int twiddle_step(int radix) {
  return radix <= 5 ? radix : radix % 4 == 0 ? 4 : radix % 3 == 0 ? 3 : 5;
}

/// x[q] *= w^q for q > 0; `table(q)` is w^q.
template <int radix, class C, class Table>
KILN_FN void twiddle(C (&x)[radix], const Table& table) {
  unrolled<radix - 1>([&](auto before) KILN_INLINE {
    constexpr int q = decltype(before)::value + 1;
    x[q] = x[q] * table(q);
  });
}

/// Does so with the powers alone that are rounded from double; turn(Index<q>, w) multiplies.
template <int radix, class Table, class Turn>
KILN_FN void twiddle_by_products(const Table& table, const Turn& turn) {
  constexpr int step = twiddle_step(radix);
  Complex low[step];
  unrolled<step - 1>([&](auto before) KILN_INLINE {
    constexpr int b = decltype(before)::value + 1;
    low[b] = table(b);
    turn(Index<b>{}, low[b]);
  });
  unrolled<(radix - 1) / step>([&](auto before) KILN_INLINE {
    constexpr int a = decltype(before)::value + 1;
    const Complex high = table(step * a);
    turn(Index<step * a>{}, high);
    unrolled<step - 1>([&](auto below) KILN_INLINE {
      constexpr int b = decltype(below)::value + 1;
      if constexpr (step * a + b < radix) turn(Index<step * a + b>{}, high * low[b]);
    });
  });
}

KILN_END
