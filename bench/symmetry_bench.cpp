// SPDX-License-Identifier: MIT
// What folding the symmetry is worth (engine/program/symmetry.h): flames with their rotations and
// mirrors played one by one and folded, side by side. Usage: symmetry_bench [cpu|cuda] [seeds]
// [flame files]; without files, seeded flames of several orders and flames/rosewindow.flam3 if it
// is there.
//
// Prints the number of xforms, time a sample (accumulation included, one thread), variance over
// seeds of a pixel's hits by their mean (1: independent samples) and the same of squares of 16
// pixels a side, and what both make together: time for equal noise in pixels.
#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "bench/seeded_flames.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/xform_reader.h"
#include "engine/render/plan/burn_in.h"

namespace {

using namespace kiln;

constexpr int side = 256, square = 16;
constexpr double samples = 2e6;

/// Of the process on a CPU, on which others may be busy.
double seconds(bool cuda) {
  timespec now{};
  clock_gettime(cuda ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Variance over mean of counts, all cells together.
class Counts {
 public:
  explicit Counts(std::size_t cells) : sum_(cells), squares_(cells) {}
  void add(const std::vector<double>& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      sum_[i] += counts[i];
      squares_[i] += counts[i] * counts[i];
    }
    ++times_;
  }
  double variance_by_mean() const {
    double variance = 0, mean = 0;
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      variance += (squares_[i] - sum_[i] * sum_[i] / times_) / (times_ - 1);
      mean += sum_[i] / times_;
    }
    return variance / mean;
  }
  /// The mean of the cells' own ratios, where there is light.
  double ratio_of_cells() const {
    double sum = 0, cells = 0;
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      if (sum_[i] < times_) continue;
      sum += (squares_[i] - sum_[i] * sum_[i] / times_) / (times_ - 1) / (sum_[i] / times_);
      ++cells;
    }
    return cells > 0 ? sum / cells : 0;
  }

 private:
  std::vector<double> sum_, squares_;
  double times_ = 0;
};

struct Result {
  int xforms = 0;
  double ns = 1e9, cells = 0, pixels = 0, squares = 0;
  std::uint32_t burn_in = 0;
};

Result measure(Device& device, const Flame& flame, Symmetry symmetry, int seeds, bool cuda) {
  CompiledFlame compiled = compile(flame, PlotArea{1, 0, side, side}, symmetry);
  compiled.sample_count = std::uint64_t(samples);
  plan_burn_in(compiled);
  const std::size_t channels = compiled.table.opaque ? 4 : 5;
  DeviceArray<std::uint64_t> frame(device, std::size_t(side) * side * channels);
  Accumulator runner(device, compiled, 0);
  Counts pixels(std::size_t(side) * side), squares(std::size_t(side / square) * (side / square));
  Result result{compiled.program.xform_count, 1e9, 0, 0, 0, compiled.burn_in_steps};
  for (int seed = 0; seed < seeds; ++seed) {
    frame.clear();
    device.wait();
    const double start = seconds(cuda);
    runner.play_pass(frame, std::uint64_t(seed));
    device.wait();
    result.ns = std::min(result.ns, (seconds(cuda) - start) * 1e9 / samples);
    const std::vector<std::uint64_t> sums = frame.download();
    std::vector<double> hits(std::size_t(side) * side);
    std::vector<double> large(std::size_t(side / square) * (side / square));
    for (std::size_t i = 0; i < hits.size(); ++i) {
      hits[i] = double(sums[i * channels + channels - 1]) * compiled.unit / 255;
      large[i / side / square * (side / square) + i % side / square] += hits[i];
    }
    pixels.add(hits);
    squares.add(large);
  }
  result.cells = pixels.ratio_of_cells();
  result.pixels = pixels.variance_by_mean();
  result.squares = squares.variance_by_mean();
  return result;
}

void compare(Device& device, const std::string& name, Flame flame, int seeds, bool cuda) {
  flame.scale *= double(side) / std::max(flame.width, flame.height);
  flame.width = flame.height = side;
  flame.supersample = flame.passes = 1;
  const Result played = measure(device, flame, Symmetry::iterated, seeds, cuda);
  const Result folded = measure(device, flame, Symmetry::folded, seeds, cuda);
  const auto row = [&](const char* how, const Result& r) {
    fmt::print(
        "{:<28} {:<8} {:>4} xforms, W {:>5}, {:6.2f} ns a sample, variance/mean {:6.2f} of a "
        "pixel, {:6.2f} weighted, {:6.2f} of a square\n",
        name, how, r.xforms, r.burn_in, r.ns, r.cells, r.pixels, r.squares);
  };
  row("played", played);
  row("folded", folded);
  fmt::print("{:<28} time for equal noise {:.2f}\n", name,
             folded.ns * folded.cells / (played.ns * played.cells));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  RenderOptions options;
  const bool cuda = argc > 1 && !std::strcmp(argv[1], "cuda");
  options.backend = cuda ? Backend::cuda : Backend::cpu;
  options.threads = 1;
  const int seeds = argc > 2 ? std::atoi(argv[2]) : 40;
  try {
    const auto device = open_device(options);
    fmt::print("{}\n", device->describe());
    std::vector<std::string> files(argv + std::min(argc, 3), argv + argc);
    if (files.empty()) {
      for (const int kind : {2, -1, 3, -2, 6, -5, 12, 15, 20, -25}) {
        for (const int xforms : {2, 5}) {
          bench::SeededFlame seeded{xforms, 2};
          seeded.seed = unsigned(xforms);
          Flame flame = bench::seeded_flame(seeded, side, side);
          append_symmetry(kind, flame);
          bench::fit_camera(flame);
          compare(*device, fmt::format("{} xforms, kind {}", xforms, kind), flame, seeds, cuda);
        }
      }
      if (std::filesystem::exists("flames/rosewindow.flam3"))
        files.push_back("flames/rosewindow.flam3");
    }
    for (const std::string& file : files) {
      for (const Flame& flame : read_flames(file, ReaderOptions{}).flames)
        compare(*device, flame.name, flame, seeds, cuda);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "symmetry_bench: {}\n", error.what());
    return 6;
  }
  return 0;
}
