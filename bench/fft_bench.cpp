// SPDX-License-Identifier: MIT
// Our FFTs beside their peers, on the CPU (FFTW, one thread, estimated plans) or on CUDA (cuFFT, a
// device copy). Times are medians in milliseconds; "x copy" is the time in device copies of the
// same data, "x cuFFT" how many times faster than cuFFT we are.
//
//   fft_bench --device cpu|cuda [--table lines|chains|pictures|parts|convolutions] [--radix R]
//             [--quick]
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <optional>
#include <random>
#include <string>

#include "engine/fft/transform.h"

#if KILN_BENCH_RADIX
#include "bench/fft_radix.h"
#endif
#if KILN_BENCH_CUFFT
#include "bench/fft_peers.h"
#endif
#if KILN_BENCH_FFTW
#include <fftw3.h>
#endif

namespace kiln {
namespace {

struct Options {
  bool cuda = false, quick = false;
  int radix = 0;
  std::string table;
};

double milliseconds() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double median_ms(Device& device, const std::function<void()>& run) {
  run();
  device.wait();
  double begin = milliseconds();
  run();
  device.wait();
  const double once = milliseconds() - begin;
  const bool cpu = device.describe().starts_with("cpu");
  const int repeats = cpu ? 1 : std::clamp(int(4 / std::max(once, 0.001)), 1, 200);
  std::vector<double> times;
  for (int sample = 0; sample < 7; ++sample) {
    begin = milliseconds();
    for (int i = 0; i < repeats; ++i) run();
    device.wait();
    times.push_back((milliseconds() - begin) / repeats);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

DeviceArray<Complex> random_points(Device& device, std::size_t count) {
  std::mt19937 random(1);
  std::vector<Complex> block(std::min<std::size_t>(count, 1 << 18));
  for (Complex& value : block) {
    value = {float(random()) * 0x1p-32f - 0.5f, float(random()) * 0x1p-32f - 0.5f};
  }
  DeviceArray<Complex> data(device, count);
  for (std::size_t at = 0; at < count; at += block.size()) {
    device.upload(data.data() + at, block.data(),
                  std::min(block.size(), count - at) * sizeof(Complex));
  }
  return data;
}

struct Peers {
  double copy = 0, peer = 0;
};

void print_row(const std::string& name, double ours, const Peers& peers) {
  fmt::print("| {:<24} | {:9.4f} | {:9.4f} | {:9.4f} | {:>6} | {:>6} |\n", name, ours, peers.peer,
             peers.copy, peers.copy > 0 ? fmt::format("{:.2f}", ours / peers.copy) : "",
             peers.peer > 0 ? fmt::format("{:.2f}", peers.peer / ours) : "");
  std::fflush(stdout);
}
void print_head(const char* title) {
  fmt::print(
      "\n{}\n| {:<24} | {:>9} | {:>9} | {:>9} | {:>6} | {:>6} |\n|---|---|---|---|---|---|\n",
      title, "case", "ours ms", "peer ms", "copy ms", "x copy", "x peer");
}

/// A row of a table; time_on(device) is the milliseconds of its case. Gives them back.
double bench_row(Device& device, const std::string& name, const Peers& peers,
                 const std::function<double(Device&)>& time_on) {
  const double ours = time_on(device);
  print_row(name, ours, peers);
  return ours;
}

struct LineCase {
  i64 points;
  i32 lines;
};

std::vector<LineCase> line_cases(const Options& options, bool with_long) {
  std::vector<LineCase> cases;
  const i64 total = options.quick ? i64(1) << 22 : options.cuda ? i64(1) << 27 : i64(1) << 22;
  for (i64 n = 512; n <= 16384; n *= 2) cases.push_back({n, i32(total / n)});
  if (options.radix) return {{1024, i32(total / 1024)}, {4096, i32(total / 4096)}};
  if (with_long) {
    for (const i64 n : {1 << 18, 1 << 20, 1 << 22, 1 << 24}) {
      cases.push_back({n, i32(std::max<i64>(total / n, 1))});
    }
    if (options.cuda) {
      for (const i64 n : {1 << 20, 1 << 24}) cases.push_back({n, 1});
    }
  }
  return cases;
}

#if KILN_BENCH_FFTW
double fftw_ms(const std::function<void()>& run) {
  std::vector<double> times;
  run();
  for (int sample = 0; sample < 5; ++sample) {
    const double begin = milliseconds();
    run();
    times.push_back(milliseconds() - begin);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

struct FftwMemory {
  explicit FftwMemory(std::size_t floats) : data(fftwf_alloc_real(floats)) {
    std::mt19937 random(1);
    for (std::size_t i = 0; i < floats; ++i) data[i] = float(random()) * 0x1p-32f - 0.5f;
  }
  ~FftwMemory() { fftwf_free(data); }
  fftwf_complex* complex() const { return reinterpret_cast<fftwf_complex*>(data); }
  float* data;
};

double fftw_lines(i64 points, i32 lines, bool chain) {
  const std::size_t count = std::size_t(points) * std::size_t(lines);
  const FftwMemory data(count * 2), spectrum(std::size_t(points) * 2);
  int n = int(points);
  const auto plan = [&](int sign) {
    return fftwf_plan_many_dft(1, &n, lines, data.complex(), nullptr, 1, n, data.complex(), nullptr,
                               1, n, sign, FFTW_ESTIMATE);
  };
  const fftwf_plan forward = plan(FFTW_FORWARD), inverse = plan(FFTW_BACKWARD);
  const double ms = fftw_ms([&] {
    fftwf_execute(forward);
    if (!chain) return;
    const float scale = 1 / float(points);
    for (std::size_t i = 0; i < count; ++i) {
      const float* h = spectrum.data + i % std::size_t(points) * 2;
      float* x = data.data + i * 2;
      const float re = (x[0] * h[0] - x[1] * h[1]) * scale,
                  im = (x[0] * h[1] + x[1] * h[0]) * scale;
      x[0] = re, x[1] = im;
    }
    fftwf_execute(inverse);
  });
  fftwf_destroy_plan(forward);
  fftwf_destroy_plan(inverse);
  return ms;
}

double fftw_pictures(i32 width, i32 height, i32 batch) {
  const FftwMemory data(std::size_t(width) * std::size_t(height) * std::size_t(batch) * 2);
  const int n[2] = {height, width};
  const fftwf_plan plan =
      fftwf_plan_many_dft(2, n, batch, data.complex(), nullptr, 1, width * height, data.complex(),
                          nullptr, 1, width * height, FFTW_FORWARD, FFTW_ESTIMATE);
  const double ms = fftw_ms([&] { fftwf_execute(plan); });
  fftwf_destroy_plan(plan);
  return ms;
}

/// Four planes real-to-complex, and two complex numbers a pixel; the faster of the two.
double fftw_convolution(i32 width, i32 height) {
  const std::size_t pixels = std::size_t(width) * std::size_t(height);
  const std::size_t bins = std::size_t(width / 2 + 1) * std::size_t(height);
  const FftwMemory spectrum(pixels);
  const int n[2] = {height, width};
  double planar = 0, interleaved = 0;
  {
    const FftwMemory planes(pixels * 4), frequencies(bins * 8);
    const fftwf_plan forward =
        fftwf_plan_many_dft_r2c(2, n, 4, planes.data, nullptr, 1, int(pixels),
                                frequencies.complex(), nullptr, 1, int(bins), FFTW_ESTIMATE);
    const fftwf_plan inverse =
        fftwf_plan_many_dft_c2r(2, n, 4, frequencies.complex(), nullptr, 1, int(bins), planes.data,
                                nullptr, 1, int(pixels), FFTW_ESTIMATE);
    planar = fftw_ms([&] {
      fftwf_execute(forward);
      for (int plane = 0; plane < 4; ++plane) {
        float* f = frequencies.data + std::size_t(plane) * bins * 2;
        for (std::size_t i = 0; i < bins; ++i) {
          const float h = spectrum.data[i] * 1e-6f;
          f[2 * i] *= h, f[2 * i + 1] *= h;
        }
      }
      fftwf_execute(inverse);
    });
    fftwf_destroy_plan(forward);
    fftwf_destroy_plan(inverse);
  }
  {
    const FftwMemory data(pixels * 4);
    const auto plan = [&](int sign) {
      return fftwf_plan_many_dft(2, n, 2, data.complex(), nullptr, 2, 1, data.complex(), nullptr, 2,
                                 1, sign, FFTW_ESTIMATE);
    };
    const fftwf_plan forward = plan(FFTW_FORWARD), inverse = plan(FFTW_BACKWARD);
    interleaved = fftw_ms([&] {
      fftwf_execute(forward);
      for (std::size_t i = 0; i < pixels; ++i) {
        const float h = spectrum.data[i] * 1e-6f;
        for (std::size_t c = 0; c < 4; ++c) data.data[4 * i + c] *= h;
      }
      fftwf_execute(inverse);
    });
    fftwf_destroy_plan(forward);
    fftwf_destroy_plan(inverse);
  }
  fmt::print("|   FFTW planar real {:.2f}, interleaved complex {:.2f}\n", planar, interleaved);
  return std::min(planar, interleaved);
}
#endif

Peers line_peers([[maybe_unused]] const Options& options, [[maybe_unused]] const LineCase& c,
                 [[maybe_unused]] bool chain) {
  Peers peers;
#if KILN_BENCH_CUFFT
  if (options.cuda) {
    peers.copy = peers::copy(std::uint64_t(c.points) * std::uint64_t(c.lines) * 8);
    peers.peer = peers::lines(c.points, c.lines, chain);
  }
#endif
#if KILN_BENCH_FFTW
  if (!options.cuda) peers.peer = fftw_lines(c.points, c.lines, chain);
#endif
  return peers;
}

void bench_lines(Device& device, const Options& options) {
  print_head("Complex lines, forward, in place");
  for (const LineCase& c : line_cases(options, true)) {
    const Peers peers = line_peers(options, c, false);
    bench_row(device, fmt::format("{} x {}", c.points, c.lines), peers, [&](Device& on) {
      const auto data = random_points(on, std::size_t(c.points) * std::size_t(c.lines));
      Fft fft(on, c.points, c.lines, {}, options.radix);
      return median_ms(on, [&] { fft.forward(data.data(), data.data()); });
    });
  }
}

void bench_chains(Device& device, const Options& options) {
  print_head("Forward, times a complex spectrum, inverse, in place");
  for (const LineCase& c : line_cases(options, true)) {
    std::vector<Complex> taps(std::size_t(c.points), Complex{0, 0});
    taps[1] = {1, 0};
    bench_row(device, fmt::format("{} x {}", c.points, c.lines), line_peers(options, c, true),
              [&](Device& on) {
                const auto data = random_points(on, std::size_t(c.points) * std::size_t(c.lines));
                FftChain chain(on, c.points, c.lines, options.radix);
                chain.set_kernel(taps);
                return median_ms(on, [&] { chain.run(data.data(), data.data()); });
              });
  }
}

void bench_pictures(Device& device, const Options& options) {
  print_head("Complex pictures, forward, in place");
  struct Case {
    i32 width, height, batch;
  };
  std::vector<Case> cases = {{1024, 1024, 1}, {1024, 1024, 8}};
  if (options.cuda) {
    cases.push_back({1024, 1024, 128});
    if (!options.radix) {
      cases.push_back({4096, 4096, 1});
      cases.push_back({8192, 8192, 2});
    }
  }
  for (const Case& c : cases) {
    const std::size_t count = std::size_t(c.width) * std::size_t(c.height) * std::size_t(c.batch);
    Peers peers;
#if KILN_BENCH_CUFFT
    if (options.cuda) {
      peers = {peers::copy(count * 8), peers::pictures(c.width, c.height, c.batch)};
    }
#endif
#if KILN_BENCH_FFTW
    if (!options.cuda) peers.peer = fftw_pictures(c.width, c.height, c.batch);
#endif
    bench_row(device, fmt::format("{} x {} x {}", c.width, c.height, c.batch), peers,
              [&](Device& on) {
                const auto data = random_points(on, count);
                const Fft2d fft(on, c.width, c.height, c.batch, options.radix);
                return median_ms(on, [&] { fft.forward(data.data(), data.data()); });
              });
  }
}

void bench_convolutions(Device& device, const Options& options) {
  print_head("Pictures of four floats convolved with a real spectrum (peer: its best layout)");
  struct Case {
    i32 width, height;         // padded
    i32 picture_w, picture_h;  // what is in it; the rest is the filter's
  };
  std::vector<Case> cases = {{2048, 1024, 2048 - 2, 1024 - 2},
                             {2048, 1024, 2048, 1024},
                             {2048, 1152, 2048 - 2, 1152 - 2},
                             {2048, 1152, 1920, 1080}};
  if (options.cuda) {
    for (const Case& c : {Case{4096, 1024, 4094, 1022},
                          {4096, 2048, 4094, 2046},
                          {4096, 2304, 4094, 2302},
                          {4096, 2304, 3840, 2160},
                          {4096, 4096, 4094, 4094},
                          {8192, 4096, 8190, 4094},
                          {8192, 4608, 8190, 4606},
                          {8192, 4608, 7680, 4320}}) {
      cases.push_back(c);
    }
  }
  for (const Case& c : cases) {
    Peers peers;
    [[maybe_unused]] const std::uint64_t pixels = std::uint64_t(c.width) * std::uint64_t(c.height);
#if KILN_BENCH_CUFFT
    double same_layout = 0;
    if (options.cuda) {
      using peers::Layout;
      const double planar = peers::convolution(c.width, c.height, Layout::planar_real);
      const double complex = peers::convolution(c.width, c.height, Layout::planar_complex);
      same_layout = peers::convolution(c.width, c.height, Layout::interleaved);
      fmt::print("|   cuFFT planar real {:.4f}, planar complex {:.4f}, interleaved {:.4f}\n",
                 planar, complex, same_layout);
      peers = {peers::copy(pixels * 16), std::min(planar, complex)};
    }
#endif
#if KILN_BENCH_FFTW
    if (!options.cuda) peers.peer = fftw_convolution(c.width, c.height);
#endif
    const i32 rx = c.width - c.picture_w, ry = c.height - c.picture_h;
    FilterTaps filter{2 * rx + 1, 2 * ry + 1, rx, ry, {}};
    filter.values.assign(std::size_t(filter.width) * std::size_t(filter.height), 1e-4f);
    [[maybe_unused]] const double ours = bench_row(
        device, fmt::format("{}x{} of {}x{}", c.picture_w, c.picture_h, c.width, c.height), peers,
        [&](Device& on) {
          const Convolution convolution(on, c.picture_w, c.picture_h, {filter});
          const auto picture =
              random_points(on, 2 * std::size_t(c.picture_w) * std::size_t(c.picture_h));
          Vec4* const pixels_in_place = reinterpret_cast<Vec4*>(picture.data());
          return median_ms(on, [&] { convolution.run({pixels_in_place}, pixels_in_place); });
        });
#if KILN_BENCH_CUFFT
    if (options.cuda) fmt::print("|   x cuFFT on the same layout: {:.2f}\n", same_layout / ours);
#endif
  }
}

/// The three launches of a convolution, each alone: where its time goes.
void bench_parts(Device& device, const Options& options) {
  print_head("Parts of a convolution of pictures of four floats: rows, columns x spectrum");
  for (const i32 n : {512, 1024, 1152, 2048, 2304, 4096, 4608, 8192, 16384}) {
    const i32 others = (options.cuda ? 1 << 23 : 1 << 19) / n / 4 * 4;  // pixels across, 128 MB
    const std::size_t pixels = std::size_t(n) * std::size_t(others);
    Peers peers;
#if KILN_BENCH_CUFFT
    if (options.cuda) peers.copy = peers::copy(pixels * 16);
#endif
    const auto time_on = [&](Device& on, bool columns, bool forward, bool inverse) {
      const auto data = random_points(on, 2 * pixels);
      const auto spectrum = random_points(on, (pixels + 1) / 2);
      const FftPlan plan(on, n, forward && inverse ? convolution_column_radix(n) : 0);
      FftLines job;
      job.plan = plan.line();
      job.lines = 2 * others;
      job.forward = forward;
      job.inverse = inverse;
      job.in[0] = data.data();
      job.out = data.data();
      job.scale = 0.01f;
      job.from = columns ? LineAddress{2 * others, 1, 1 << 30, 1, 0, 0, 2 * i64(others)}
                         : LineAddress{2, 1, 1 << 30, 1, 0, 2 * i64(n), 2};
      job.to = job.from;
      if (forward && inverse) {
        job.spectrum[0].real = &spectrum.data()->re;
        job.spectrum[0].share = 2;
        job.spectrum[0].count = others;
        job.spectrum[0].tile = 4;
      }
      return median_ms(on, [&] { on.transform(job); });
    };
    const auto row = [&](const char* name, bool columns, bool forward, bool inverse) {
      bench_row(device, fmt::format("{} {}", name, n), peers,
                [&](Device& on) { return time_on(on, columns, forward, inverse); });
    };
    row("rows forward", false, true, false);
    row("rows inverse", false, false, true);
    row("columns inverse", true, false, true);
    row("columns x spectrum", true, true, true);
  }
}

int run(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--device")
      options.cuda = value == "cuda", ++i;
    else if (word == "--table")
      options.table = value, ++i;
    else if (word == "--radix")
      options.radix = std::atoi(value.c_str()), ++i;
    else if (word == "--quick")
      options.quick = true;
    else
      return fmt::print(stderr, "fft_bench: unknown option {}\n", word), 2;
  }
  const auto device = options.cuda ? open_cuda(0, true) : open_cpu(1);
  fmt::print("{}{}\n", device->describe(),
             options.radix ? fmt::format(", radix {}", options.radix) : "");
#if KILN_BENCH_RADIX
  if (options.cuda && options.radix) use_radix_kernels();
#endif
  const auto wanted = [&](const char* name) {
    return options.table.empty() || options.table == name;
  };
  if (wanted("lines")) bench_lines(*device, options);
  if (wanted("chains") && !options.radix) bench_chains(*device, options);
  if (wanted("pictures")) bench_pictures(*device, options);
  if (wanted("parts") && !options.radix) bench_parts(*device, options);
  if (wanted("convolutions") && !options.radix) bench_convolutions(*device, options);
  return 0;
}

}  // namespace
}  // namespace kiln

int main(int argc, char** argv) { return kiln::run(argc, argv); }
