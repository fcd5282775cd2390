// SPDX-License-Identifier: MIT
// What a state file costs a render (docs/measurements/reliability.md): the game waits while the sums are copied,
// and a thread writes the copy beside it. On the CPU that thread takes a core's share of the game;
// on a GPU it takes nothing of it. Said as shares of the 60 seconds between two states.
// Times are wall clock on a GPU, CPU time of the threads on the CPU, where others may be at work.
//
// Usage: checkpoint_bench [cpu|cuda] [FLAME] [FOLDER, default .]
#include <fmt/format.h>
#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/state/state_file.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"

namespace {

using namespace kiln;

constexpr double seconds_between = 60;

struct Costs {
  std::vector<double> pauses_s, writes_s;
  std::uintmax_t bytes = 0;
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The clock of a thread of the CPU, or of the wall where a GPU plays.
class Stopwatch {
 public:
  Stopwatch(bool on_cpu, pthread_t thread) {
    if (on_cpu) pthread_getcpuclockid(thread, &clock_);
    start_ = now();
  }
  double seconds() const { return now() - start_; }

 private:
  double now() const {
    timespec time{};
    clock_gettime(clock_, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  }
  clockid_t clock_ = CLOCK_MONOTONIC;
  double start_ = 0;
};

/// Renders so many samples a pixel, and saves after every launch.
Costs costs_of(const Flame& flame, const RenderOptions& options, const std::string& path) {
  Costs costs;
  const bool on_cpu = options.backend == Backend::cpu;
  const pthread_t game = pthread_self();
  std::optional<Stopwatch> pause;
  Checkpoint checkpoint;
  checkpoint.ask = [&] {
    pause.emplace(on_cpu, game);
    return Checkpoint::Request::save;
  };
  checkpoint.save = [&](const SavedSums& sums) {
    costs.pauses_s.push_back(pause->seconds());
    const Stopwatch write(on_cpu, pthread_self());
    write_state(path, sums);
    costs.writes_s.push_back(write.seconds());
    costs.bytes = std::filesystem::file_size(path);
  };
  const PreparedFrame frame = prepare(Frame{flame, {}, {}, 0}, options);
  Renderer(options).make({.frame = &frame, .checkpoint = &checkpoint});
  std::filesystem::remove(path);
  return costs;
}

void report(Flame flame, int width, int height, const RenderOptions& options,
            const std::string& folder) {
  flame.scale *= double(width) / flame.width;
  flame.width = width;
  flame.height = height;
  const Costs costs = costs_of(flame, options, folder + "/checkpoint_bench.kiln");
  const double pause = median(costs.pauses_s), write = median(costs.writes_s);
  const bool on_cpu = options.backend == Backend::cpu;
  const double cores = usable_cores();
  const double cost = (pause + (on_cpu ? write / cores : 0)) / seconds_between;
  fmt::print("| {} x {} | {} | {:.1f} | {:.3f} | {:.2f} | {:.2f} % |\n", width, height,
             costs.writes_s.size(), double(costs.bytes) / 1e6, pause, write, 100 * cost);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    RenderOptions options;
    options.backend = argc > 1 && std::strcmp(argv[1], "cuda") == 0 ? Backend::cuda : Backend::cpu;
    Flame flame = read_flames(argc > 2 ? argv[2] : "flames/conch.flam3", {}).flames.at(0);
    const std::string folder = argc > 3 ? argv[3] : ".";
    fmt::print(
        "| pixels | states | MB | the game waits, s | written in, s | cost at 60 s |\n"
        "|---|---|---|---|---|---|\n");
    flame.quality = options.backend == Backend::cuda ? 4000 : 100;
    report(flame, 1920, 1080, options, folder);
    flame.quality = options.backend == Backend::cuda ? 1000 : 20;
    report(flame, 7680, 4320, options, folder);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.kind);
  }
  return 0;
}
