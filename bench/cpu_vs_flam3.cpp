// SPDX-License-Identifier: MIT
// kiln on the CPU beside the installed flam3-render, on committed seeded flames at 1920x1080. Both
// run as programs; a figure is the difference between two qualities in CPU seconds of user mode
// (getrusage of the child), so reading, allocation and PNG cancel; the two take turns and each row
// is the median of its rounds. System time is left out: it is the first touch of memory, nearly the
// same at both qualities, and on a virtual machine its scatter is larger than what is measured.
// Then kiln alone: threads, memory, cost against the number of xforms, and what comes after the
// histogram. Usage: cpu_vs_flam3 KILN [rounds, default 3] [flames, default all]
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "bench/child_process.h"
#include "bench/registers_only.h"
#include "bench/seeded_flames.h"
#include "engine/base/cores.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/program/compile.h"

namespace {

using namespace kiln;
using bench::Cost;
using bench::median;
using bench::run;
using bench::SeededFlame;

constexpr int width = 1920, height = 1080;

/// Renders flames of this folder's making.
class Bench {
 public:
  explicit Bench(std::string kiln) : kiln_(std::move(kiln)) {
    std::string pattern = std::filesystem::temp_directory_path() / "cpu_vs_flam3.XXXXXX";
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
  }
  ~Bench() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  Cost kiln(Flame flame, double quality, int threads, int bits = 8) {
    flame.quality = quality;
    write(flame);
    return run(
        {kiln_, "render", file("flame.flam3"), "-o", file("kiln.png"), "--backend", "cpu",
         "--threads", std::to_string(threads), "--bits", std::to_string(bits), "--quiet", "--json"},
        {}, file("answer.json"));
  }
  /// A number of kiln's last --json answer.
  double answer(const std::string& key) const { return bench::number_in(file("answer.json"), key); }
  Cost flam3(Flame flame, double quality) {
    flame.quality = quality;
    write(flame);
    return run({"flam3-render"},
               {"bits=64", "nthreads=1", "nstrips=1", "verbose=0", "format=png", "isaac_seed=kiln",
                "in=" + file("flame.flam3"), "out=" + file("flam3.png")},
               "/dev/null");
  }

 private:
  std::string file(const char* name) const { return folder_ + "/" + name; }
  void write(const Flame& flame) const {
    std::ofstream(file("flame.flam3")) << "<flames>\n" << genome_xml(flame) << "</flames>\n";
  }
  std::string kiln_, folder_;
};

/// Samples a second of CPU time, from what two qualities cost.
double rate(double low, double high, const Cost& at_low, const Cost& at_high) {
  return (high - low) * width * height / std::max(at_high.cpu_s - at_low.cpu_s, 1e-6);
}

/// Share of the samples inside the picture, and the hottest pixel over the mean.
struct Spread {
  double in_frame, hottest;
};
Spread spread_of(Flame flame) {
  flame.quality = 10;
  const CompiledFlame compiled = compile(flame, PlotArea{1, 0, width, height});
  const auto cpu = open_cpu(0);
  DeviceArray<std::uint64_t> frame(*cpu, std::size_t(width) * height * 4);
  frame.clear();
  const GameTotals totals = Accumulator(*cpu, compiled, 0).play_pass(frame, 0);
  double inside = 0, hottest = 0;
  for (std::size_t i = 3; i < frame.size(); i += 4) {
    inside += double(frame.data()[i]);
    hottest = std::max(hottest, double(frame.data()[i]));
  }
  return {inside / 255 / double(totals.samples), hottest / (inside / (double(width) * height))};
}

constexpr double flam3_low = 2, flam3_high = 12, kiln_low = 20, kiln_high = 120;

double compare(Bench& bench, int rounds, int flames) {
  std::vector<SeededFlame> set;
  for (int variations : {1, 2, 3}) {
    for (int xforms : {2, 4, 8, 12, 20}) set.push_back({xforms, variations, false, 1});
  }
  for (int xforms : {2, 4, 8, 12, 20}) set.push_back({xforms, 1 + xforms % 3, false, 2, 0.15});
  if (flames < int(set.size())) set.resize(std::size_t(flames));
  fmt::print("{:<28} {:>8} {:>9} {:>12} {:>12} {:>7}\n", "flame", "in frame", "hottest/", "kiln",
             "flam3", "ratio");
  fmt::print("{:<28} {:>8} {:>9} {:>12} {:>12} {:>7}\n", "xforms x variations", "", "mean",
             "M samples/s", "M samples/s", "");
  std::vector<double> ratios;
  for (const SeededFlame& options : set) {
    const Flame flame = bench::seeded_flame(options, width, height);
    const Spread spread = spread_of(flame);
    std::vector<double> ours, theirs, paired;
    for (int round = 0; round < rounds; ++round) {
      const Cost flam3_a = bench.flam3(flame, flam3_low);
      const Cost kiln_a = bench.kiln(flame, kiln_low, 1), kiln_b = bench.kiln(flame, kiln_high, 1);
      const Cost flam3_b = bench.flam3(flame, flam3_high);
      ours.push_back(rate(kiln_low, kiln_high, kiln_a, kiln_b));
      theirs.push_back(rate(flam3_low, flam3_high, flam3_a, flam3_b));
      paired.push_back(ours.back() / theirs.back());
    }
    ratios.push_back(median(paired));
    fmt::print("{:<28} {:>6.1f} % {:>9.0f} {:>12.1f} {:>12.1f} {:>7.2f}\n",
               fmt::format("{} x {}{}", options.xforms, options.variations,
                           options.size < 0.3 ? ", small maps" : ""),
               100 * spread.in_frame, spread.hottest, median(ours) / 1e6, median(theirs) / 1e6,
               ratios.back());
    std::fflush(stdout);
  }
  fmt::print("median {:.2f}, worst {:.2f}, best {:.2f} of {} flames, {} rounds each\n\n",
             median(ratios), *std::min_element(ratios.begin(), ratios.end()),
             *std::max_element(ratios.begin(), ratios.end()), ratios.size(), rounds);
  return median(ratios);
}

void equal_cost(Bench& bench, int rounds) {
  fmt::print("xforms of equal cost (swirl), ns of CPU time a sample:");
  std::vector<double> costs;
  for (int xforms : {2, 4, 8, 12, 20}) {
    SeededFlame options{xforms};
    options.only = "swirl";
    const Flame flame = bench::seeded_flame(options, width, height);
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
      const Cost a = bench.kiln(flame, kiln_low, 1), b = bench.kiln(flame, kiln_high, 1);
      times.push_back(1e9 / rate(kiln_low, kiln_high, a, b));
    }
    costs.push_back(median(times));
    fmt::print("  {}: {:.2f}", xforms, costs.back());
    std::fflush(stdout);
  }
  fmt::print("\nmost over least {:.2f}\n", *std::max_element(costs.begin(), costs.end()) /
                                               *std::min_element(costs.begin(), costs.end()));
}

void threads_and_memory(Bench& bench, int rounds) {
  const Flame flame = bench::seeded_flame({12, 1}, width, height);
  std::vector<double> gains, wall_1, wall_2, wall_all, ceilings;
  rounds = std::max(rounds, 9);  // two threads feel every neighbor of a virtual machine
  std::uint64_t peak = 0;
  const int cores = usable_cores();
  for (int round = 0; round < rounds; ++round) {
    const auto iterate = [&](int threads) {
      peak = std::max(peak, bench.kiln(flame, kiln_high, threads).peak_bytes);
      return bench.answer("iterate_s");
    };
    wall_1.push_back(iterate(1));
    wall_2.push_back(iterate(2));
    wall_all.push_back(cores > 2 ? iterate(0) : wall_2.back());
    gains.push_back(wall_1.back() / wall_2.back());
    constexpr long steps = 500'000'000;
    ceilings.push_back(bench::registers_only(2, steps) / bench::registers_only(1, 2 * steps));
  }
  fmt::print(
      "12 x 1, quality {}: wall time of the chaos game {:.2f} s on one thread, {:.2f} s on "
      "two, {:.2f} s on all {}\ntwo threads over one, median of {} pairs: {:.2f}; fastest over "
      "fastest {:.2f}; arithmetic in registers, the machine's limit: {:.2f}\n",
      kiln_high, median(wall_1), median(wall_2), median(wall_all), cores, rounds, median(gains),
      *std::min_element(wall_1.begin(), wall_1.end()) /
          *std::min_element(wall_2.begin(), wall_2.end()),
      median(ceilings));
  fmt::print("peak memory (ru_maxrss) {:.0f} MB\n", double(peak) / 1e6);
}

void after_the_histogram(Bench& bench, int rounds) {
  const Flame flame = bench::seeded_flame({12, 1}, width, height);
  for (int bits : {8, 16}) {
    std::vector<double> output, encode;
    for (int round = 0; round < std::max(rounds, 5); ++round) {
      bench.kiln(flame, kiln_low, 2, bits);
      output.push_back(bench.answer("output_s"));
      encode.push_back(bench.answer("encode_s"));
    }
    fmt::print(
        "after the histogram, {} bits, no estimator, 2 threads: {:.1f} ms wall without PNG; "
        "hash, PNG and file {:.1f} ms\n",
        bits, median(output) * 1e3, median(encode) * 1e3);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: cpu_vs_flam3 KILN [rounds] [flames]\n");
    return 2;
  }
  try {
    const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 3;
    const int flames = argc > 3 ? std::atoi(argv[3]) : 100;
    fmt::print("{}, {}x{}\n\n", open_cpu(1)->describe(), width, height);
    Bench bench(argv[1]);
    if (flames > 0) compare(bench, rounds, flames);
    equal_cost(bench, rounds);
    threads_and_memory(bench, rounds);
    after_the_histogram(bench, rounds);
  } catch (const std::exception& error) {
    fmt::print(stderr, "cpu_vs_flam3: {}\n", error.what());
    return 6;
  }
  return 0;
}
