// Butterflies: discrete Fourier transforms of 2 to 32 points that stay in registers, and the
// twiddle products around them. Every pass of every FFT, on the CPU and on CUDA, is made of these
// functions; what a device adds is only where the points wait between passes, so all devices give
// the same bits.
//
// Sizes 2, 3 and 5 are written out (the odd ones by the symmetric sums of Winograd's short
// transforms, with fma), odd products are built from two smaller ones (Cooley and Tukey 1965). Even
// sizes are halved: X[k] and X[k + n/2] are a + w b and a - w b of the transforms a, b of the even and
// odd samples, as six fused operations for two points (Linzer and Feig, "Modified FFTs for Fused
// Multiply-Add Architectures", 1993, say why that is the form for such machines); w holds the turn
// between the halves and the twiddle of the pass in one factor. Only the forward transform exists:
// exchanging real and imaginary parts before and after it gives the inverse.
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

/// body(Index<0>), ..., body(Index<count - 1>): a loop that is gone before any optimiser looks, so
/// that arrays indexed in it become registers.
template <int I>
struct Index {
  static constexpr int value = I;
  KILN_CONSTEXPR operator int() const { return I; }
};
template <int count, int first = 0, class Body>
KILN_FN void unrolled(const Body& body) {
  if constexpr (first < count) {
    body(Index<first>{});
    unrolled<count, first + 1>(body);
  }
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
template <int k, int n>
KILN_FN Complex turned(Complex a) {
  constexpr int eighths = 8 * k % n == 0 ? 8 * k / n % 8 : -1;
  constexpr float half_root = 0x1.6a09e6p-1f;
  if constexpr (eighths == 0) {
    return a;
  } else if constexpr (eighths == 1) {
    return Complex{a.re + a.im, a.im - a.re} * half_root;
  } else if constexpr (eighths == 2) {
    return quarter_turn(a);
  } else if constexpr (eighths == 3) {
    return Complex{a.im - a.re, -a.re - a.im} * half_root;
  } else if constexpr (eighths == 4) {
    return {-a.re, -a.im};
  } else {
    constexpr float c = float(cos_turn(k, n));
    constexpr float s = float(sin_turn(k, n));
    return {fma(a.re, c, a.im * s), fma(a.im, c, -(a.re * s))};
  }
}

/// a and b become a + w b and a - w b. The difference is 2 a - (a + w b), one operation.
KILN_FN void combine(Complex& a, Complex& b, Complex w) {
  const Complex sum = {fma(w.re, b.re, fma(-w.im, b.im, a.re)),
                       fma(w.re, b.im, fma(w.im, b.re, a.im))};
  b = {fma(2.0f, a.re, -sum.re), fma(2.0f, a.im, -sum.im)};
  a = sum;
}

/// X[k] and X[k + n/2] from a[k] and b[k]; w(k) = w^1 exp(-2 pi i k / n) for k below quarter(n).
template <int n, class Factor>
KILN_FN void join(Complex (&x)[n], const Complex (&a)[n / 2], const Complex (&b)[n / 2],
                  const Factor& w) {
  unrolled<n / 2>([&](auto index) KILN_INLINE {
    constexpr int k = decltype(index)::value;
    Complex low = a[k], high = b[k];
    if constexpr (n % 4 == 0 && k >= n / 4) {
      w(Index<k - n / 4>{}, low, high, Index<1>{});
    } else {
      w(Index<k>{}, low, high, Index<0>{});
    }
    x[k] = low;
    x[k + n / 2] = high;
  });
}

}  // namespace fft_detail

/// x[k] = sum over j of x[j] exp(-2 pi i j k / radix), in place, natural order.
template <int radix>
KILN_FN void butterfly(Complex (&x)[radix]);

template <>
KILN_FN void butterfly<1>(Complex (&)[1]) {}

template <>
KILN_FN void butterfly<2>(Complex (&x)[2]) {
  const Complex a = x[0], b = x[1];
  x[0] = a + b;
  x[1] = a - b;
}

template <>
KILN_FN void butterfly<3>(Complex (&x)[3]) {
  constexpr float s = float(fft_detail::sin_turn(1, 3));
  const Complex sum = x[1] + x[2], difference = x[1] - x[2];
  const Complex middle = {fma(sum.re, -0.5f, x[0].re), fma(sum.im, -0.5f, x[0].im)};
  x[0] = x[0] + sum;
  x[1] = {fma(difference.im, s, middle.re), fma(difference.re, -s, middle.im)};
  x[2] = {fma(difference.im, -s, middle.re), fma(difference.re, s, middle.im)};
}

template <>
KILN_FN void butterfly<5>(Complex (&x)[5]) {
  constexpr float c1 = float(fft_detail::cos_turn(1, 5)), c2 = float(fft_detail::cos_turn(2, 5));
  constexpr float s1 = float(fft_detail::sin_turn(1, 5)), s2 = float(fft_detail::sin_turn(2, 5));
  const Complex a = x[1] + x[4], b = x[2] + x[3], c = x[1] - x[4], d = x[2] - x[3];
  const Complex m1 = {fma(b.re, c2, fma(a.re, c1, x[0].re)), fma(b.im, c2, fma(a.im, c1, x[0].im))};
  const Complex m2 = {fma(b.re, c1, fma(a.re, c2, x[0].re)), fma(b.im, c1, fma(a.im, c2, x[0].im))};
  x[0] = x[0] + a + b;
  x[1] = {fma(d.im, s2, fma(c.im, s1, m1.re)), fma(d.re, -s2, fma(c.re, -s1, m1.im))};
  x[4] = {fma(d.im, -s2, fma(c.im, -s1, m1.re)), fma(d.re, s2, fma(c.re, s1, m1.im))};
  x[2] = {fma(d.im, -s1, fma(c.im, s2, m2.re)), fma(d.re, s1, fma(c.re, -s2, m2.im))};
  x[3] = {fma(d.im, s1, fma(c.im, -s2, m2.re)), fma(d.re, -s1, fma(c.re, s2, m2.im))};
}

/// Even: two halves. Odd: j = j1 B + j2 and k = k1 + A k2, B transforms of A points, the turns by
/// j2 k1 / (A B), A transforms of B points.
template <int radix>
KILN_FN void butterfly(Complex (&x)[radix]) {
  if constexpr (radix % 2 == 0) {
    Complex a[radix / 2], b[radix / 2];
    unrolled<radix / 2>([&](auto j) KILN_INLINE {
      a[j] = x[2 * j];
      b[j] = x[2 * j + 1];
    });
    butterfly<radix / 2>(a);
    butterfly<radix / 2>(b);
    fft_detail::join<radix>(x, a, b, [](auto k, Complex& low, Complex& high, auto turn) KILN_INLINE {
      if constexpr (decltype(turn)::value) high = quarter_turn(high);
      if constexpr (decltype(k)::value == 0) {
        const Complex sum = low + high;
        high = low - high;
        low = sum;
      } else {
        constexpr float c = float(fft_detail::cos_turn(decltype(k)::value, radix));
        constexpr float s = float(fft_detail::sin_turn(decltype(k)::value, radix));
        fft_detail::combine(low, high, Complex{c, -s});
      }
    });
  } else {
    constexpr int A = radix % 3 == 0 ? 3 : 5, B = radix / A;
    unrolled<B>([&](auto j2) KILN_INLINE {
      constexpr int j = decltype(j2)::value;
      Complex column[A];
      unrolled<A>([&](auto j1) KILN_INLINE { column[j1] = x[j1 * B + j]; });
      butterfly<A>(column);
      unrolled<A>([&](auto k1) KILN_INLINE {
        x[k1 * B + j] = fft_detail::turned<decltype(k1)::value * j, radix>(column[k1]);
      });
    });
    Complex result[radix];
    unrolled<A>([&](auto k1) KILN_INLINE {
      Complex row[B];
      unrolled<B>([&](auto j2) KILN_INLINE { row[j2] = x[k1 * B + j2]; });
      butterfly<B>(row);
      unrolled<B>([&](auto k2) KILN_INLINE { result[k1 + A * k2] = row[k2]; });
    });
    unrolled<radix>([&](auto k) KILN_INLINE { x[k] = result[k]; });
  }
}

// ---- twiddles ----

/// A butterfly whose point q is first multiplied by w^q takes these factors, each rounded from
/// double: for every halving the turned powers that join() wants, then the plain powers of the odd
/// rest. Half as many numbers as points, and no product of two of them is ever needed.
KILN_CONSTEXPR int twiddle_count(int radix) {
  int count = 0;
  for (; radix % 2 == 0; radix /= 2) count += radix % 4 == 0 ? radix / 4 : radix / 2;
  return count + radix - 1;
}

/// Factor `entry` is (w exp(-2 pi i turn / radix))^power.
struct TwiddleEntry {
  int power, turn;
};
KILN_CONSTEXPR TwiddleEntry twiddle_entry(int radix, int entry) {
  int power = 1;
  for (; radix % 2 == 0; radix /= 2, power *= 2) {
    const int count = radix % 4 == 0 ? radix / 4 : radix / 2;
    if (entry < count) return {power, entry};
    entry -= count;
  }
  return {power * (entry + 1), 0};
}

/// x[k] = sum over j of x[j] w^j exp(-2 pi i j k / radix); `table(e)` is factor first + e.
template <int radix, int first = 0, class Table>
KILN_FN void twiddled_butterfly(Complex (&x)[radix], const Table& table) {
  if constexpr (radix % 2 == 0) {
    constexpr int next = first + (radix % 4 == 0 ? radix / 4 : radix / 2);
    Complex a[radix / 2], b[radix / 2];
    unrolled<radix / 2>([&](auto j) KILN_INLINE {
      a[j] = x[2 * j];
      b[j] = x[2 * j + 1];
    });
    if constexpr (radix > 2) {
      twiddled_butterfly<radix / 2, next>(a, table);
      twiddled_butterfly<radix / 2, next>(b, table);
    }
    fft_detail::join<radix>(
        x, a, b, [&](auto k, Complex& low, Complex& high, auto turn) KILN_INLINE {
          const Complex w = table(Index<first + decltype(k)::value>{});
          if constexpr (decltype(turn)::value) high = quarter_turn(high);
          fft_detail::combine(low, high, w);
        });
  } else {
    unrolled<radix - 1>([&](auto before) KILN_INLINE {
      constexpr int q = decltype(before)::value;
      x[q + 1] = x[q + 1] * table(Index<first + q>{});
    });
    butterfly<radix>(x);
  }
}

KILN_END
