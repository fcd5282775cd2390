// SPDX-License-Identifier: MIT
// The FFT against sums in double, and against what every transform must obey. Tolerances: rounding
// grows with the passes; 1e-6 sqrt(log2 n) relative L2 error is what single precision must not
// exceed (measured: about a quarter of it).
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>
#include <set>

#include "engine/base/error.h"
#include "engine/fft/transform.h"
#include "tests/devices.h"

namespace kiln::test {
namespace {

using Exact = std::complex<double>;

std::vector<Complex> random_complex(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<Complex> values(n);
  for (Complex& value : values) value = {uniform(random), uniform(random)};
  return values;
}

Exact exact(Complex a) { return {a.re, a.im}; }

/// The transform of x[0], x[stride], ... in double, by the factors of n.
std::vector<Exact> dft(const std::vector<Exact>& x, int sign) {
  const std::size_t n = x.size();
  std::size_t p = 2;
  while (p < n && n % p) ++p;
  if (n == 1) return x;
  const std::size_t m = n / p;
  std::vector<std::vector<Exact>> parts(p);
  for (std::size_t j = 0; j < p; ++j) {
    std::vector<Exact> part(m);
    for (std::size_t i = 0; i < m; ++i) part[i] = x[i * p + j];
    parts[j] = dft(part, sign);
  }
  std::vector<Exact> roots(n), y(n);
  for (std::size_t i = 0; i < n; ++i)
    roots[i] = std::polar(1.0, sign * 2 * M_PI * double(i) / double(n));
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < p; ++j) y[k] += parts[j][k % m] * roots[j * k % n];
  }
  return y;
}

double relative_error(const std::vector<Complex>& got, const std::vector<Exact>& expected) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    error += std::norm(exact(got[i]) - expected[i]);
    size += std::norm(expected[i]);
  }
  return std::isfinite(error) ? std::sqrt(error / size) : INFINITY;
}

double allowed(i64 n) { return 1e-6 * std::sqrt(std::max(1.0, std::log2(double(n)))); }

std::vector<Complex> on_device(Device& device, const std::vector<Complex>& in, i64 n,
                               bool inverse) {
  const Fft fft(device, n, i32(i64(in.size()) / n));
  const DeviceArray<Complex> from(device, in);
  const DeviceArray<Complex> to(device, std::vector<Complex>(in.size(), {NAN, NAN}));
  inverse ? fft.inverse(from.data(), to.data()) : fft.forward(from.data(), to.data());
  device.wait();
  return to.download();
}

std::vector<i64> smooth_lengths(i64 up_to) {
  std::vector<i64> lengths;
  for (i64 n = 1; n <= up_to; ++n) {
    if (is_fft_length(n)) lengths.push_back(n);
  }
  return lengths;
}

/// Three lines of n points: an odd number, fewer than any block takes.
void check_length(Device& device, i64 n, i32 lines = 3) {
  const auto in = random_complex(std::size_t(n * lines), unsigned(n));
  const auto forward = on_device(device, in, n, false), back = on_device(device, in, n, true);
  for (i32 line = 0; line < lines; ++line) {
    std::vector<Exact> x;
    for (i64 i = 0; i < n; ++i) x.push_back(exact(in[std::size_t(line * n + i)]));
    const auto part = [&](const std::vector<Complex>& all) {
      return std::vector<Complex>(all.begin() + line * n, all.begin() + (line + 1) * n);
    };
    auto y = dft(x, -1);
    ASSERT_LE(relative_error(part(forward), y), allowed(n)) << n << " points, line " << line;
    y = dft(x, +1);
    for (Exact& value : y) value /= double(n);
    ASSERT_LE(relative_error(part(back), y), allowed(n)) << n << " points, inverse, line " << line;
  }
}

TEST_ON_EVERY_DEVICE(Fft, EveryLengthTo4096) {
  for (const i64 n : smooth_lengths(4096)) {
    check_length(device, n);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST_ON_EVERY_DEVICE(Fft, LongerLengths) {
  for (const i64 n :
       {4374, 4608, 5000, 6561, 8000, 8192, 8748, 9216, 15625, 16384, 19683, 32768, 65536, 78125}) {
    check_length(device, n);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST_ON_EVERY_DEVICE(Fft, LongestLengths) {
  for (const i64 n : {1 << 18, 531441}) {
    check_length(device, n, 1);
    if (::testing::Test::HasFatalFailure()) return;
  }
  // a line of a few impulses has a transform that needs no other transform to know
  for (const i64 n : {i64(14348907), i64(1) << 24}) {
    std::vector<Complex> in(std::size_t(n), Complex{0, 0});
    const i64 at[3] = {1, n / 3 + 5, n - 7};
    for (const i64 i : at) in[std::size_t(i)] = {1, 0};
    const auto got = on_device(device, in, n, false);
    double error = 0;
    for (i64 k = 0; k < n; k += 11) {
      Exact sum = 0;
      for (const i64 i : at) sum += exact(unit_root(i64(i * k % n), n));
      error = std::max(error, std::norm(sum - exact(got[std::size_t(k)])));
    }
    ASSERT_LE(std::sqrt(error), 3e-6) << n;
    const auto back = on_device(device, got, n, true);
    for (i64 i = 0; i < n; ++i) {
      const float want = in[std::size_t(i)].re;
      ASSERT_NEAR(back[std::size_t(i)].re, want, 1e-6) << n << " " << i;
    }
  }
}

TEST_ON_EVERY_DEVICE(Fft, ManyLinesAndOddCounts) {
  for (const i32 lines : {1, 2, 7, 8, 9, 31, 65}) check_length(device, 64, lines);
  for (const i32 lines : {1, 5, 17}) check_length(device, 512, lines);
}

TEST_ON_EVERY_DEVICE(Fft, ImpulseAndShift) {
  for (const i64 n : {12, 512, 1000, 2304, 32768}) {
    for (const i64 at : {i64(0), i64(1), n - 1, n / 3}) {
      std::vector<Complex> in(std::size_t(n), Complex{0, 0});
      in[std::size_t(at)] = {1, 0};
      const auto got = on_device(device, in, n, false);
      for (i64 k = 0; k < n; ++k) {
        const Complex w = unit_root(at * k, n);
        ASSERT_NEAR(got[std::size_t(k)].re, w.re, 6e-7) << n << " " << at << " " << k;
        ASSERT_NEAR(got[std::size_t(k)].im, w.im, 6e-7) << n << " " << at << " " << k;
      }
    }
  }
}

TEST_ON_EVERY_DEVICE(Fft, ParsevalAndRoundTrip) {
  for (const i64 n : {16, 360, 4096, 12288, 50000}) {
    const auto in = random_complex(std::size_t(n), 3);
    const auto frequencies = on_device(device, in, n, false);
    const auto back = on_device(device, frequencies, n, true);
    double before = 0, after = 0;
    std::vector<Exact> x;
    for (std::size_t i = 0; i < in.size(); ++i) {
      before += std::norm(exact(in[i]));
      after += std::norm(exact(frequencies[i]));
      x.push_back(exact(in[i]));
    }
    EXPECT_NEAR(after / double(n) / before, 1, 1e-6) << n;
    EXPECT_LE(relative_error(back, x), allowed(n)) << n;
  }
}

/// Lines that are columns, and lines with gaps: only the addressed points change.
TEST_ON_EVERY_DEVICE(Fft, StridesLeaveTheRestAlone) {
  for (const i64 n : {8, 60, 128, 1024, 1152, 24576}) {
    const i32 columns = 11, used = 9;
    LineAddress address;
    address.inner = used;
    address.inner_step = 1;
    address.outer_step = n * columns;
    address.point_step = columns;
    const i32 pictures = 2;
    const auto in = random_complex(std::size_t(n * columns * pictures), 5);
    const Fft fft(device, n, used * pictures, address);
    const DeviceArray<Complex> data(device, in);
    fft.forward(data.data(), data.data());
    device.wait();
    const auto got = data.download();
    for (i32 picture = 0; picture < pictures; ++picture) {
      for (i32 column = 0; column < columns; ++column) {
        std::vector<Exact> x;
        std::vector<Complex> y;
        for (i64 i = 0; i < n; ++i) {
          const std::size_t at = std::size_t((picture * n + i) * columns + column);
          x.push_back(exact(in[at]));
          y.push_back(got[at]);
        }
        if (column < used) {
          ASSERT_LE(relative_error(y, dft(x, -1)), allowed(n)) << n << " column " << column;
        } else {
          ASSERT_EQ(relative_error(y, x), 0) << n << " column " << column;
        }
      }
    }
  }
}

TEST_ON_EVERY_DEVICE(Fft, ForcedRadixGivesTheSameTransform) {
  for (const int radix : {2, 4, 8, 16, 32, 64}) {
    for (const i64 n : {1024, 4096}) {
      const Fft fft(device, n, 2, {}, radix);
      const auto in = random_complex(std::size_t(2 * n), unsigned(radix));
      const DeviceArray<Complex> data(device, in);
      fft.forward(data.data(), data.data());
      device.wait();
      auto got = data.download();
      got.resize(std::size_t(n));
      std::vector<Exact> x;
      for (i64 i = 0; i < n; ++i) x.push_back(exact(in[std::size_t(i)]));
      EXPECT_LE(relative_error(got, dft(x, -1)), allowed(n)) << n << " radix " << radix;
    }
  }
}

TEST_ON_EVERY_DEVICE(FftChain, IsACircularConvolution) {
  for (const i64 n : {16, 512, 600, 4096, 16384, 32768, 1 << 18}) {
    const i32 lines = 3;
    const auto in = random_complex(std::size_t(n * lines), 1),
               taps = random_complex(std::size_t(n), 2);
    FftChain chain(device, n, lines);
    chain.set_kernel(taps);
    const DeviceArray<Complex> data(device, in);
    chain.run(data.data(), data.data());
    device.wait();
    const auto got = data.download();
    std::vector<Exact> h;
    for (const Complex tap : taps) h.push_back(exact(tap));
    h = dft(h, -1);
    for (i32 line = 0; line < lines; ++line) {
      std::vector<Exact> x;
      for (i64 i = 0; i < n; ++i) x.push_back(exact(in[std::size_t(line * n + i)]));
      x = dft(x, -1);
      for (std::size_t k = 0; k < x.size(); ++k) x[k] *= h[k] / double(n);
      const std::vector<Complex> part(got.begin() + line * n, got.begin() + (line + 1) * n);
      ASSERT_LE(relative_error(part, dft(x, +1)), 2 * allowed(n)) << n << " line " << line;
    }
  }
}

TEST_ON_EVERY_DEVICE(Fft2d, MatchesRowsThenColumns) {
  struct Size {
    i32 width, height;
  };
  for (const Size size : {Size{1, 1}, {8, 1}, {1, 27}, {30, 18}, {64, 32}, {1024, 64}, {96, 512}}) {
    const i32 batch = 2;
    const std::size_t area = std::size_t(size.width) * std::size_t(size.height);
    const auto in = random_complex(area * batch, 8);
    const Fft2d fft(device, size.width, size.height, batch);
    const DeviceArray<Complex> data(device, in);
    fft.forward(data.data(), data.data());
    device.wait();
    const auto got = data.download();
    for (std::size_t picture = 0; picture < batch; ++picture) {
      std::vector<Exact> expected(area);
      for (i32 y = 0; y < size.height; ++y) {
        std::vector<Exact> row;
        for (i32 x = 0; x < size.width; ++x)
          row.push_back(exact(in[picture * area + std::size_t(y * size.width + x)]));
        row = dft(row, -1);
        std::copy(row.begin(), row.end(), expected.begin() + y * size.width);
      }
      for (i32 x = 0; x < size.width; ++x) {
        std::vector<Exact> column;
        for (i32 y = 0; y < size.height; ++y)
          column.push_back(expected[std::size_t(y * size.width + x)]);
        column = dft(column, -1);
        for (i32 y = 0; y < size.height; ++y)
          expected[std::size_t(y * size.width + x)] = column[std::size_t(y)];
      }
      const std::vector<Complex> part(got.begin() + i64(picture * area),
                                      got.begin() + i64((picture + 1) * area));
      ASSERT_LE(relative_error(part, expected), allowed(i64(area)))
          << size.width << "x" << size.height;
    }
    fft.inverse(data.data(), data.data());
    device.wait();
    std::vector<Exact> original;
    for (const Complex value : in) original.push_back(exact(value));
    EXPECT_LE(relative_error(data.download(), original), 2 * allowed(i64(area)));
  }
}

// ---- pictures ----

std::vector<Vec4> random_picture(i32 width, i32 height, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<Vec4> picture(std::size_t(width) * std::size_t(height));
  for (Vec4& p : picture) p = {uniform(random), uniform(random), uniform(random), uniform(random)};
  return picture;
}

FilterTaps random_filter(i32 width, i32 height, i32 center_x, i32 center_y, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-0.5f, 1);
  FilterTaps filter{width, height, center_x, center_y, {}};
  for (i32 i = 0; i < width * height; ++i) filter.values.push_back(uniform(random));
  return filter;
}
/// The filter made equal to its point reflection.
FilterTaps symmetric(FilterTaps filter) {
  const std::size_t n = filter.values.size();
  for (std::size_t i = 0; i < n / 2; ++i) filter.values[n - 1 - i] = filter.values[i];
  return filter;
}

void expect_convolution(Device& device, i32 width, i32 height,
                        const std::vector<FilterTaps>& filters) {
  std::vector<std::vector<Vec4>> pictures;
  std::vector<DeviceArray<Vec4>> arrays;
  std::vector<const Vec4*> in;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    pictures.push_back(random_picture(width, height, unsigned(i + 1)));
    arrays.emplace_back(device, pictures.back());
    in.push_back(arrays.back().data());
  }
  const Convolution convolution(device, width, height, filters);
  const std::size_t area = pictures[0].size();
  const DeviceArray<Vec4> out(device, std::vector<Vec4>(area, Vec4{NAN, NAN, NAN, NAN}));
  convolution.run(in, out.data());
  device.wait();
  const auto got = out.download();
  double error = 0, size = 0, weight = 0;
  for (const FilterTaps& filter : filters) {
    for (const float tap : filter.values) weight += tap * tap;
  }
  for (i32 y = 0; y < height; ++y) {
    for (i32 x = 0; x < width; ++x) {
      double sum[4] = {};
      for (std::size_t f = 0; f < filters.size(); ++f) {
        const FilterTaps& filter = filters[f];
        for (i32 ty = 0; ty < filter.height; ++ty) {
          for (i32 tx = 0; tx < filter.width; ++tx) {
            const i32 px = x + tx - filter.center_x, py = y + ty - filter.center_y;
            if (px < 0 || py < 0 || px >= width || py >= height) continue;
            const Vec4 p = pictures[f][std::size_t(py) * std::size_t(width) + std::size_t(px)];
            const double t = filter.values[std::size_t(ty * filter.width + tx)];
            sum[0] += t * p.r, sum[1] += t * p.g, sum[2] += t * p.b, sum[3] += t * p.a;
          }
        }
      }
      const Vec4 p = got[std::size_t(y) * std::size_t(width) + std::size_t(x)];
      const double d[4] = {p.r - sum[0], p.g - sum[1], p.b - sum[2], p.a - sum[3]};
      for (int c = 0; c < 4; ++c) error += d[c] * d[c], size += sum[c] * sum[c];
    }
  }
  ASSERT_TRUE(std::isfinite(error));
  // against the picture's light times the filter's length, the scale of the frequencies' rounding
  EXPECT_LE(std::sqrt(error), 3e-6 * std::sqrt(size + weight * double(area)))
      << width << "x" << height;
}

TEST_ON_EVERY_DEVICE(Convolution, MatchesDirectSums) {
  expect_convolution(device, 40, 30, {symmetric(random_filter(5, 5, 2, 2, 1))});
  expect_convolution(device, 37, 53, {random_filter(7, 3, 3, 1, 2)});
  expect_convolution(device, 64, 64, {random_filter(4, 6, 0, 5, 3)});    // center at the edge
  expect_convolution(device, 31, 17, {random_filter(9, 9, -3, 12, 4)});  // and outside
  expect_convolution(device, 1, 1, {random_filter(1, 1, 0, 0, 5)});
  expect_convolution(device, 1, 101, {random_filter(3, 11, 1, 5, 6)});
  expect_convolution(device, 101, 1, {symmetric(random_filter(11, 3, 5, 1, 7))});
  expect_convolution(device, 13, 11, {random_filter(61, 41, 30, 20, 8)});  // wider than the picture
  expect_convolution(device, 64, 30, {random_filter(1, 9, 0, 4, 9)});      // rows without padding
  expect_convolution(device, 62, 1000, {symmetric(random_filter(3, 5, 1, 2, 10))});  // 32 x 32
  expect_convolution(device, 62, 1000, {random_filter(3, 5, 1, 2, 11)});
}

/// The padding ends exactly at the filter's radius: one pixel less would wrap around.
TEST_ON_EVERY_DEVICE(Convolution, PaddingIsExact) {
  const Convolution fits(device, 64 - 2, 128 - 3, {random_filter(5, 7, 2, 3, 1)});
  EXPECT_EQ(fits.padded_width(), 64);
  EXPECT_EQ(fits.padded_height(), 128);
  expect_convolution(device, 64 - 2, 128 - 3, {random_filter(5, 7, 2, 3, 1)});
  const Convolution next(device, 64 - 1, 128 - 2, {random_filter(5, 7, 2, 3, 1)});
  EXPECT_EQ(next.padded_width(), 128);
  EXPECT_EQ(next.padded_height(), 256);
}

TEST_ON_EVERY_DEVICE(Convolution, SumsSeveralFilters) {
  expect_convolution(device, 50, 40,
                     {symmetric(random_filter(5, 5, 2, 2, 1)), random_filter(3, 9, 0, 4, 2),
                      symmetric(random_filter(7, 1, 3, 0, 3))});
}

TEST_ON_EVERY_DEVICE(Convolution, LargePictureWithFewTaps) {
  FilterTaps filter{129, 145, 64, 72, std::vector<float>(129 * 145, 0.0f)};
  const std::size_t last = filter.values.size() - 1;
  filter.values[0] = filter.values[last] = 0.25f;
  filter.values[last / 2] = 1;
  const i32 width = 1920, height = 1080;
  const auto picture = random_picture(width, height, 9);
  const DeviceArray<Vec4> in(device, picture);
  const DeviceArray<Vec4> out(device, std::vector<Vec4>(picture.size(), Vec4{NAN, NAN, NAN, NAN}));
  const Convolution convolution(device, width, height, {filter});
  EXPECT_EQ(convolution.padded_width(), 2048);
  EXPECT_EQ(convolution.padded_height(), 1152);
  convolution.run({in.data()}, out.data());
  device.wait();
  const auto got = out.download();
  const auto pixel = [&](i32 x, i32 y) {
    return x < 0 || y < 0 || x >= width || y >= height
               ? Vec4{0, 0, 0, 0}
               : picture[std::size_t(y) * std::size_t(width) + std::size_t(x)];
  };
  for (i32 y = 0; y < height; ++y) {
    for (i32 x = 0; x < width; ++x) {
      const Vec4 want = pixel(x, y) + (pixel(x - 64, y - 72) + pixel(x + 64, y + 72)) * 0.25f;
      const Vec4 p = got[std::size_t(y) * std::size_t(width) + std::size_t(x)];
      ASSERT_NEAR(p.r, want.r, 4e-6) << x << " " << y;
      ASSERT_NEAR(p.a, want.a, 4e-6) << x << " " << y;
    }
  }
}

TEST(FftPlan, FactorsMakeTheLength) {
  for (const i64 n : smooth_lengths(8192)) {
    i64 product = 1;
    for (const int radix : fft_radices(i32(n))) product *= radix;
    EXPECT_EQ(product, n);
  }
  EXPECT_FALSE(is_fft_length(7));
  EXPECT_FALSE(is_fft_length(0));
  EXPECT_FALSE(is_fft_length((1 << 24) + 1));
  EXPECT_THROW(Fft(*open_cpu(1), 7, 1), Error);
}

TEST(FftPlan, RootsAreSymmetric) {
  for (const i64 n : {8, 12, 1000, 4096}) {
    for (i64 k = 0; k < n; ++k) {
      const Complex w = unit_root(k, n), conjugate = unit_root(n - k, n);
      EXPECT_EQ(w.re, conjugate.re);
      EXPECT_EQ(w.im, -conjugate.im) << n << " " << k;
      const Exact exact_root = std::polar(1.0, -2 * M_PI * double(k) / double(n));
      EXPECT_NEAR(w.re, exact_root.real(), 6.1e-8);
      EXPECT_NEAR(w.im, exact_root.imag(), 6.1e-8);
    }
  }
}

}  // namespace
}  // namespace kiln::test
