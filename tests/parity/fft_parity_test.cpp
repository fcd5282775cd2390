// SPDX-License-Identifier: MIT
// The FFT gives the same bits with every instruction set and on a GPU, whatever kernel takes the
// job.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>

#include "engine/fft/jobs.h"
#include "engine/fft/transform.h"
#include "tests/devices.h"

namespace kiln::test {
namespace {

std::vector<Complex> random_points(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<Complex> points(count);
  for (Complex& p : points) p = {uniform(random), uniform(random)};
  return points;
}

class Arithmetics {
 public:
  Arithmetics() : devices_(open_every_arithmetic()) {}

  /// run(device) must give the same bits on every device.
  void expect_equal(const std::string& name,
                    const std::function<std::vector<Complex>(Device&)>& run) const {
    const std::vector<Complex> first = run(*devices_[0]);
    for (std::size_t i = 1; i < devices_.size(); ++i) {
      const std::vector<Complex> other = run(*devices_[i]);
      ASSERT_EQ(first.size(), other.size());
      std::size_t wrong = 0;
      for (std::size_t k = 0; k < first.size(); ++k) {
        wrong += std::memcmp(&first[k], &other[k], sizeof(Complex)) != 0;
      }
      EXPECT_EQ(wrong, 0u) << name << ": " << devices_[0]->describe() << " and "
                           << devices_[i]->describe();
    }
  }

 private:
  std::vector<std::unique_ptr<Device>> devices_;
};

TEST(FftParity, Lines) {
  const Arithmetics all;
  for (i64 n = 1; n <= 40000; n = n < 128 ? n + 1 : n + 1 + n / 16) {
    while (!is_fft_length(n)) ++n;
    for (const bool inverse : {false, true}) {
      const auto in = random_points(std::size_t(n * 5), unsigned(n));
      all.expect_equal(std::to_string(n), [&](Device& device) {
        Fft fft(device, n, 5);
        const DeviceArray<Complex> data(device, in);
        inverse ? fft.inverse(data.data(), data.data()) : fft.forward(data.data(), data.data());
        device.wait();
        return data.download();
      });
    }
  }
}

TEST(FftParity, LinesWithKernelsOfTheirOwn) {
  const Arithmetics all;
  for (const i64 n : {64, 128, 256, 512, 1024, 1152, 2048, 2304, 4096, 4608, 8192, 16384, 262144}) {
    for (const int layout : {0, 1, 2}) {
      const i32 lines = layout == 1 ? 6 : 11;
      LineAddress address;
      address.outer_step = n;
      if (layout == 1) address = {2, 1, 1 << 30, 1, 0, 2 * n, 2};
      if (layout == 2) address = {lines, 1, 1 << 30, 1, 0, 0, lines};
      const auto in = random_points(std::size_t(n * lines), unsigned(n));
      all.expect_equal(std::to_string(n) + " layout " + std::to_string(layout),
                       [&](Device& device) {
                         Fft fft(device, n, lines, address);
                         const DeviceArray<Complex> data(device, in);
                         fft.forward(data.data(), data.data());
                         fft.inverse(data.data(), data.data());
                         fft.forward(data.data(), data.data());
                         device.wait();
                         return data.download();
                       });
    }
  }
}

TEST(FftParity, ForcedRadices) {
  const Arithmetics all;
  for (const int radix : {2, 4, 8, 16, 32, 64}) {
    for (const i32 n : {1024, 4096}) {
      const auto in = random_points(std::size_t(n) * 3, unsigned(radix));
      all.expect_equal("radix " + std::to_string(radix), [&](Device& device) {
        const Fft fft(device, n, 3, {}, radix);
        const DeviceArray<Complex> data(device, in);
        fft.forward(data.data(), data.data());
        device.wait();
        return data.download();
      });
    }
  }
}

TEST(FftParity, Chains) {
  const Arithmetics all;
  for (const i64 n : {100, 512, 1024, 2048, 4096, 8192, 16384, 1 << 18, 1 << 20}) {
    const auto in = random_points(std::size_t(n * 2), 1), taps = random_points(std::size_t(n), 2);
    all.expect_equal("chain of " + std::to_string(n), [&](Device& device) {
      FftChain chain(device, n, 2);
      chain.set_kernel(taps);
      const DeviceArray<Complex> data(device, in);
      chain.run(data.data(), data.data());
      device.wait();
      return data.download();
    });
  }
}

TEST(FftParity, Convolutions) {
  const Arithmetics all;
  struct Case {
    i32 width, height, filter_w, filter_h, terms;
    bool symmetric = true;
  };
  for (const Case c : {Case{50, 40, 5, 7, 1},
                       {1000, 500, 9, 5, 1},
                       {1100, 900, 31, 64, 1},
                       {1920, 1080, 129, 145, 1},
                       {300, 2200, 9, 63, 1},
                       {200, 4500, 3, 101, 1},
                       {300, 600, 5, 333, 1},  // 1024 columns, the last ones zeros alone
                       {300, 990, 5, 33, 1},
                       {2048, 990, 1, 33, 1},  // no padding: in place
                       {2048, 1024, 1, 1, 1},
                       {2300, 1000, 3, 25, 1},  // five tiles for a multiprocessor of an H200
                       {4000, 1000, 3, 25, 1},
                       {1500, 1000, 25, 25, 3},
                       {300, 990, 5, 33, 1, false},
                       {300, 2030, 5, 33, 1},
                       {4090, 2030, 9, 33, 1},
                       {100, 4080, 3, 31, 1},
                       {900, 1000, 25, 25, 3}}) {
    std::vector<FilterTaps> filters;
    for (int i = 0; i < c.terms; ++i) {
      FilterTaps filter{c.filter_w, c.filter_h, (c.filter_w - 1) / 2, (c.filter_h - 1) / 2, {}};
      for (const Complex tap :
           random_points(std::size_t(c.filter_w * c.filter_h), unsigned(i + 1))) {
        filter.values.push_back(c.symmetric && i % 2 == 0 ? 0.5f : tap.re);
      }
      filters.push_back(filter);
    }
    const auto in = random_points(std::size_t(c.width) * std::size_t(c.height) * 2, 7);
    all.expect_equal("convolution of " + std::to_string(c.width) + "x" + std::to_string(c.height),
                     [&](Device& device) {
                       Convolution convolution(device, c.width, c.height, filters);
                       const DeviceArray<Complex> data(device, in);
                       auto* pixels = reinterpret_cast<Vec4*>(data.data());
                       convolution.run(std::vector<const Vec4*>(filters.size(), pixels), pixels);
                       device.wait();
                       return data.download();
                     });
  }
}

/// Columns padded when read and cropped when written.
TEST(FftParity, ColumnsTimesASpectrum) {
  const Arithmetics all;
  struct Case {
    i32 columns, rows_in, rows_out;
    bool in_tiles = false;
  };
  for (const Case c : {Case{8, 1, 1024},
                       {64, 700, 513},
                       {60, 1024, 1000},  // no whole tiles
                       {8800, 40, 30},    // nine tiles for a multiprocessor of an H200
                       {72, 700, 513, true},
                       {8800, 40, 30, true}}) {
    constexpr i32 n = 1024;
    const i64 from_step = c.columns + 8, to_step = c.columns + 22;  // in a picture
    const auto in = random_points(std::size_t(from_step) * std::size_t(c.rows_in), 1);
    const auto spectrum = random_points(std::size_t(n) * std::size_t(c.columns + 7) / 4, 2);
    const std::vector<Complex> untouched(
        std::size_t(to_step) * std::size_t(c.rows_out) + std::size_t(c.columns), {7, -7});
    all.expect_equal(std::to_string(c.columns) + " columns", [&](Device& device) {
      const FftPlan plan(device, n, convolution_column_radix(n));
      const DeviceArray<Complex> from(device, in), factors(device, spectrum), to(device, untouched);
      FftLines job = job_of(plan.line(), c.columns, true, true);
      job.from.inner = job.to.inner = c.columns;
      job.from.inner_step = job.to.inner_step = 1;
      job.from.point_step = from_step;
      job.to.point_step = to_step;
      if (c.in_tiles) {
        job.from.inner = job.to.inner = 8;
        job.from.point_step = job.to.point_step = 8;
        job.from.outer_step = 8 * c.rows_in;
        job.to.outer_step = 8 * c.rows_out + 2;
      }
      job.from.extent = c.rows_in;
      job.to.extent = c.rows_out;
      job.in[0] = from.data();
      job.out = to.data();
      job.scale = 0.3f;
      job.spectrum[0].real = &factors.data()->re;
      job.spectrum[0].share = 2;
      job.spectrum[0].count = c.columns / 2;
      job.spectrum[0].tile = 4;
      device.transform(job);
      device.wait();
      return to.download();
    });
  }
}

/// Jobs of more than L2 holds are launched another way (they fetch ahead and write streaming).
TEST(FftParity, LargeJobsHaveTheBitsOfSmallOnes) {
  std::unique_ptr<Device> cuda = open_cuda(0, false);
  if (!cuda) GTEST_SKIP() << "no GPU";
  constexpr std::size_t count = std::size_t(12) << 20;  // 96 MB
  constexpr int slices = 8;
  const auto block = random_points(1 << 20, 9);
  std::vector<Complex> in;
  for (std::size_t i = 0; i < count; i += block.size()) {
    in.insert(in.end(), block.begin(), block.end());
  }
  const DeviceArray<Complex> from(*cuda, in);
  for (const i32 n : {64, 256, 512, 1024, 2048, 4096, 8192, 16384}) {
    const FftPlan plan(*cuda, n);
    const i32 lines = i32(count) / n;
    for (const int layout : {0, 1, 2}) {
      for (const int use : {1, 2, 3}) {
        FftLines job = job_of(plan.line(), lines, (use & 1) != 0, (use & 2) != 0);
        if (layout == 0) {
          job.from.outer_step = n;
        } else if (layout == 1) {
          job.from = pixel_rows(n, n);
        } else {
          job.from.inner = lines;
          job.from.inner_step = 1;
          job.from.point_step = lines;
        }
        job.to = job.from;
        const i64 slice_step = layout == 2 ? lines / slices : i64(count) / slices;
        const DeviceArray<Complex> whole(*cuda, count), sliced(*cuda, count);
        job.in[0] = from.data();
        job.out = whole.data();
        cuda->transform(job);
        job.lines = lines / slices;
        for (int i = 0; i < slices; ++i) {
          job.in[0] = from.data() + i * slice_step;
          job.out = sliced.data() + i * slice_step;
          cuda->transform(job);
        }
        cuda->wait();
        const auto a = whole.download(), b = sliced.download();
        EXPECT_EQ(std::memcmp(a.data(), b.data(), count * sizeof(Complex)), 0)
            << n << " points, layout " << layout << ", use " << use;
      }
    }
  }
}

}  // namespace
}  // namespace kiln::test
