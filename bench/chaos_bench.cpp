// SPDX-License-Identifier: MIT
// The chaos game alone: plotted points a second, accumulation included, and the hash of the integer
// histogram, which must be the same on every device. Usage: chaos_bench [cpu|cuda] [threads] [G
// samples] [all|first N flames|FILE...]. Files are measured at 1920x1080, 3840x2160 and 7680x4320
// (bench/genome_flames.py makes ten; KILN_BENCH_1080P=1: at the first alone); the seeded flames at 1920x1080, with `all` one at all three. Beside it
// the burn-in as one core finds it, nothing known, and what the first pass waited for: kernels of the flame's
// own are compiled then, where they are asked for (KILN_KERNELS=own) and the cache (XDG_CACHE_HOME) has none.
#include <fmt/core.h>

#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "bench/seeded_flames.h"
#include "engine/device/cuda/jit/flame_code.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/program/compile.h"
#include "engine/render/plan/burn_in.h"

namespace {

using namespace kiln;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::uint64_t hash(const std::vector<std::uint64_t>& values) {
  std::uint64_t h = 1469598103934665603u;
  for (std::uint64_t v : values) h = (h ^ v) * 1099511628211u + (h >> 29);
  return h;
}

/// `flame` at another width, the same part of the plane.
Flame at_width(Flame flame, int width) {
  const double factor = double(width) / flame.width;
  flame.scale *= factor;
  flame.width = width;
  flame.height = int(std::lround(flame.height * factor));
  flame.supersample = 1;
  return flame;
}

void measure(Device& device, Flame flame, double samples) {
  const int width = flame.width, height = flame.height;
  flame.quality = samples / (double(width) * height);
  const CompiledFlame compiled = compile(flame, PlotArea{1, 0, width, height});
  if (std::getenv("KILN_PRINT_CODE")) {
    fmt::print("{}\n", flame_code(compiled)->source);
    return;
  }
  Clock::time_point start = Clock::now();
  const std::uint32_t burn_in = burn_in_steps(compiled);
  const double burn_in_ms = seconds_since(start) * 1e3;
  DeviceArray<std::uint64_t> frame(device, std::size_t(width) * std::size_t(height) * 4);
  start = Clock::now();
  Accumulator runner(device, compiled, 0);
  double first = 0, best = 1e9;
  std::uint64_t inside = 0, fingerprint = 0;
  GameTotals totals;
  for (int repeat = 0; repeat < 3; ++repeat) {
    frame.clear();
    device.wait();
    if (repeat > 0) start = Clock::now();
    totals = runner.play_pass(frame, 0);
    device.wait();
    if (repeat == 0) first = seconds_since(start);
    best = std::min(best, seconds_since(start));
  }
  const std::vector<std::uint64_t> sums = frame.download();
  fingerprint = hash(sums);
  std::uint64_t hottest = 0;
  for (std::size_t i = 3; i < sums.size(); i += 4) {
    inside += sums[i];
    hottest = std::max(hottest, sums[i]);
  }
  const double in_frame = double(inside) / 255 / double(totals.samples);
  fmt::print(
      "{:<20} {:>5}x{:<5} {:>8.3f} G samples {:>9.3f} G/s   in frame {:5.1f} %  hottest/mean "
      "{:8.0f}  bad {:>9}  hash {:016x}  burn-in {:5} in {:4.1f} ms  ready {:5.2f} s\n",
      flame.source, width, height, double(totals.samples) / 1e9,
      double(totals.samples) / best / 1e9, 100 * in_frame,
      double(hottest) / 255 / (double(totals.samples) * in_frame / (double(width) * height)),
      totals.bad_values, fingerprint, burn_in, burn_in_ms, first - best);
  std::fflush(stdout);
}

/// The first `most` seeded flames; all_sizes: one of them also at 4K and 8K.
void measure_seeded(Device& device, int most, bool all_sizes, double samples) {
  for (const bench::SeededFlame& flame : {bench::SeededFlame{12},
                                          {2},
                                          {4},
                                          {8},
                                          {20},
                                          {32},
                                          {8, 2},
                                          {12, 3},
                                          {8, 1, true},
                                          {20, 1, true}}) {
    if (most-- <= 0) break;
    measure(device, bench::seeded_flame(flame, 1920, 1080), samples);
  }
  if (!all_sizes) return;
  measure(device, bench::seeded_flame({12}, 3840, 2160), samples);
  measure(device, bench::seeded_flame({12}, 7680, 4320), samples);
}

void measure_files(Device& device, char** first, char** last, double samples) {
  const bool one_size = std::getenv("KILN_BENCH_1080P");
  for (const int width : {1920, 3840, 7680}) {
    if (one_size && width > 1920) break;
    for (char** file = first; file < last; ++file) {
      for (Flame& flame : read_flames(*file, {}).flames) {
        flame.source = flame.name;
        measure(device, at_width(flame, width), samples);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  RenderOptions options;
  options.backend = argc > 1 && !std::strcmp(argv[1], "cuda") ? Backend::cuda : Backend::cpu;
  options.threads = argc > 2 ? std::atoi(argv[2]) : 0;
  const double samples = (argc > 3                           ? std::atof(argv[3])
                          : options.backend == Backend::cuda ? 4
                                                             : 0.1) *
                         1e9;
  const bool all_sizes = argc > 4 && !std::strcmp(argv[4], "all");
  const bool files = argc > 4 && !all_sizes && !std::isdigit(argv[4][0]);
  try {
    const auto device = open_device(options);
    fmt::print("{}\n", device->describe());
    if (files)
      measure_files(*device, argv + 4, argv + argc, samples);
    else
      measure_seeded(*device, argc > 4 && !all_sizes ? std::atoi(argv[4]) : 100, all_sizes,
                     samples);
  } catch (const std::exception& error) {
    fmt::print(stderr, "chaos_bench: {}\n", error.what());
    return 6;
  }
  return 0;
}
