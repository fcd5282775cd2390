// SPDX-License-Identifier: MIT
// engine/api/kiln_fft.h as its users see it: against sums in double, the same bits on every processor,
// and clear words for wrong sizes.
#include "engine/api/kiln_fft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/device/device.h"

namespace kiln::test {
namespace {

using fft::Complex;
using fft::Memory;
using fft::Processor;

std::vector<Processor> processors() {
  std::vector<Processor> all;
  all.push_back(Processor::cpu(1));
  all.push_back(Processor::cpu());
  if (!list_cuda_devices().empty()) all.push_back(Processor::cuda());
  return all;
}

std::vector<Complex> random_points(std::size_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<Complex> points(count);
  for (Complex& point : points) point = {uniform(random), uniform(random)};
  return points;
}

/// Frequency k of a line, in double.
Complex frequency(const Complex* line, std::size_t n, std::size_t k) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    sum +=
        std::complex<double>(line[i]) * std::polar(1.0, -2 * M_PI * double(k * i % n) / double(n));
  return Complex(sum);
}

/// The result on every processor; all of them the same.
template <class T, class Run>
std::vector<T> same_everywhere(const std::vector<T>& in, const Run& run) {
  std::vector<T> first;
  for (Processor& processor : processors()) {
    SCOPED_TRACE(processor.name());
    Memory<T> memory(processor, in);
    run(processor, memory.data());
    const std::vector<T> out = memory.download();
    if (first.empty()) first = out;
    EXPECT_EQ(out, first);
  }
  return first;
}

TEST(KilnFft, lines_are_transformed_and_come_back) {
  for (const std::size_t n : {1u, 60u, 1000u, 4096u, 20000u}) {
    SCOPED_TRACE(n);
    const int lines = 3;
    const std::vector<Complex> in = random_points(n * lines);
    const std::vector<Complex> spectrum = same_everywhere(in, [&](Processor& p, Complex* at) {
      fft::Lines(p, std::int64_t(n), lines).forward(at, at);
      p.wait();
    });
    for (const std::size_t k : {std::size_t(0), n / 3, n - 1}) {
      const Complex expected = frequency(in.data() + 2 * n, n, k);
      EXPECT_NEAR(std::abs(spectrum[2 * n + k] - expected), 0, 2e-5 * std::sqrt(double(n))) << k;
    }
    const std::vector<Complex> back = same_everywhere(spectrum, [&](Processor& p, Complex* at) {
      fft::Lines(p, std::int64_t(n), lines).inverse(at, at);
      p.wait();
    });
    for (std::size_t i = 0; i < in.size(); ++i) ASSERT_NEAR(std::abs(back[i] - in[i]), 0, 1e-5);
  }
}

TEST(KilnFft, a_filter_of_one_tap_shifts_a_line) {
  const std::size_t n = 12000;
  const std::vector<Complex> in = random_points(n);
  std::vector<Complex> taps(n);
  taps[5] = 2;
  const std::vector<Complex> out = same_everywhere(in, [&](Processor& p, Complex* at) {
    fft::LineFilter(p, taps).run(at, at);
    p.wait();
  });
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_NEAR(std::abs(out[i] - 2.0f * in[(i + n - 5) % n]), 0, 2e-5) << i;
}

TEST(KilnFft, pictures_are_transformed_in_both_directions) {
  const int width = 48, height = 20, batch = 2;
  const std::vector<Complex> in = random_points(std::size_t(width * height * batch));
  const std::vector<Complex> out = same_everywhere(in, [&](Processor& p, Complex* at) {
    fft::Plane(p, width, height, batch).forward(at, at);
    p.wait();
  });
  // of the second picture: frequency (5, 3)
  std::complex<double> expected = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      expected += std::complex<double>(in[std::size_t((height + y) * width + x)]) *
                  std::polar(1.0, -2 * M_PI * (5.0 * x / width + 3.0 * y / height));
  }
  const std::size_t at = std::size_t((height + 3) * width + 5);
  EXPECT_NEAR(std::abs(std::complex<double>(out[at]) - expected), 0, 1e-4);
}

TEST(KilnFft, pictures_are_filtered_with_zeros_beyond_their_edges) {
  const int width = 70, height = 33;
  const std::vector<float> taps = {0.1f, 0.2f, 0.3f, 0.4f, -0.5f, 0.6f};  // [2, 3]
  std::vector<float> in(std::size_t(width * height * 4));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i * 37 % 101) / 101;
  const std::vector<float> out = same_everywhere(in, [&](Processor& p, float* at) {
    fft::PictureFilter(p, width, height, taps, 3, 2, 1, 0).run(at, at);
    p.wait();
  });
  for (const auto& [x, y] : {std::pair{0, 0}, {69, 32}, {20, 11}}) {
    for (int c = 0; c < 4; ++c) {
      double expected = 0;
      for (int ty = 0; ty < 2; ++ty) {
        for (int tx = 0; tx < 3; ++tx) {
          const int px = x + tx - 1, py = y + ty;
          if (px >= 0 && px < width && py < height)
            expected +=
                double(taps[std::size_t(ty * 3 + tx)]) * in[std::size_t((py * width + px) * 4 + c)];
        }
      }
      EXPECT_NEAR(out[std::size_t((y * width + x) * 4 + c)], expected, 2e-6) << x << ' ' << y;
    }
  }
}

TEST(KilnFft, wrong_sizes_are_named) {
  Processor cpu = Processor::cpu(1);
  EXPECT_TRUE(fft::is_length(1000) && !fft::is_length(7) && !fft::is_length(0));
  EXPECT_EQ(fft::next_length(7), 8);
  const auto message = [](const auto& make) {
    try {
      make();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([&] { fft::Lines(cpu, 77); }),
            "a line of 77 is not 2^a 3^b 5^c from 1 to 2^24; the next such length is 80");
  EXPECT_EQ(message([&] { fft::Lines(cpu, 64, 0); }),
            "a number of lines of 0 is not 1 to 1073741824");
  EXPECT_NE(message([&] { fft::Plane(cpu, 64, 11); }), "");
  EXPECT_NE(message([&] { fft::PictureFilter(cpu, 20000, 10, {1.0f}, 1, 1, 0, 0); }), "");
  EXPECT_EQ(message([&] { fft::PictureFilter(cpu, 10, 10, {1.0f}, 1, 1, 1, 0); }),
            "the middle (1, 0) is outside of the filter's 1x1");
  EXPECT_EQ(message([&] { fft::PictureFilter(cpu, 10, 10, {1.0f}, 2, 1, 0, 0); }),
            "1 taps for a filter of 2x1");
}

}  // namespace
}  // namespace kiln::test
