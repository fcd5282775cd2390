// SPDX-License-Identifier: MIT
// The permutation method against the divergent reference, both with the records' way to the
// picture and without it, and what exact arithmetic costs; the worst flames for accumulation;
// xforms of equal cost. Usage: method_bench [cpu|cuda] [G samples]
// [methods|worst|equal|all] [flames of methods]
//
// "Without accumulation" is the rate of warm-up, which is the same code without records. "fast" is
// the same kernel compiled by NVRTC with --use_fast_math and contraction, which kiln never does.
#include <fmt/core.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "bench/seeded_flames.h"
#include "engine/program/compile.h"
#include "kernels/divergent.h"
#if KILN_BENCH_NVRTC
#include "engine/device/cuda/jit/runtime_compiler.h"
#endif

namespace {

using namespace kiln;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Setting {
  RenderOptions options;
  double samples = 1e9;
  bool fast = false;  // kernels with fast-math

  std::unique_ptr<Device> open(Game game) const {
#if KILN_BENCH_NVRTC
    compile_with_fast_math(fast);
#endif
    std::unique_ptr<Device> device = open_device(options);
    device->choose_game(game);
    return device;
  }
  bool cuda() const { return options.backend == Backend::cuda; }
};

struct Rate {
  double samples = 0, attempts = 0;  // G a second
};

/// Plotted samples and attempts a second, warm-up and accumulation included: the best of three.
Rate plotted(const Setting& setting, Flame flame, Game game) {
  flame.quality = setting.samples / (double(flame.width) * flame.height);
  const CompiledFlame compiled = compile(flame, PlotArea{1, 0, flame.width, flame.height});
  const auto device = setting.open(game);
  DeviceArray<std::uint64_t> frame(*device, std::size_t(flame.width) * std::size_t(flame.height) *
                                                (compiled.table.opaque ? 4 : 5));
  Accumulator runner(*device, compiled, 0);
  Rate best;
  for (int repeat = 0; repeat < 3; ++repeat) {
    frame.clear();
    device->wait();
    const Clock::time_point start = Clock::now();
    const GameTotals totals = runner.play_pass(frame, 0);
    device->wait();
    const double ns = seconds_since(start) * 1e9;
    best.samples = std::max(best.samples, double(totals.samples) / ns);
    best.attempts = std::max(best.attempts, double(totals.samples + totals.bad_values) / ns);
  }
  return best;
}

/// Moves a second without accumulation, G: the best of several warm-ups of many units.
double iterated(const Setting& setting, const Flame& flame, Game game) {
  const CompiledFlame compiled = compile(flame, PlotArea{1, 0, flame.width, flame.height});
  const auto device = setting.open(game);
  const LoadedFlame loaded(*device, compiled);
  const DeviceArray<std::uint16_t> permutations(*device, make_permutations());
  const int units = setting.cuda() ? 132 * 24 : 8;  // whole waves of 2 or 3 blocks on 132
  GamePlan plan = device->game().plan(compiled, std::uint64_t(units), 0);
  device->game().begin(plan, compiled);
  const std::size_t n = std::size_t(units);
  const DeviceArray<Point> points(*device, n * pool_slots);
  const DeviceArray<std::uint32_t> random0(*device, n * pool_lanes),
      random1(*device, n * pool_lanes), step(*device, n), recorded(*device, n);
  const DeviceArray<std::uint64_t> bad(*device, n);
  ChaosGame play{};
  play.program = loaded.program();
  play.state = {points.data(),   random0.data(), random1.data(), step.data(),
                recorded.data(), bad.data(),     nullptr,        nullptr};
  play.permutations = permutations.data();
  play.total_samples = n * unit_samples;
  const double steps =  // of a pool; of orbits each step makes several moves
      game == Game::divergent ? double(warm_up_steps) / orbit_moves : warm_up_steps;
  double best = 0;
  for (int repeat = 0; repeat < (setting.cuda() ? 12 : 3); ++repeat) {
    device->wait();
    const Clock::time_point start = Clock::now();
    device->game().warm_up(play, units);
    device->wait();
    best = std::max(best, double(n) * pool_slots * steps / seconds_since(start) / 1e9);
  }
  device->game().end();
  return best;
}

void compare_methods(const Setting& exact, int flames) {
  fmt::print("permutation over divergent, {}x{}, G/s\n", 1920, 1080);
  fmt::print("{:<16} {:>12} {:>10} {:>6} {:>13} {:>10} {:>6}\n", "", "permutation", "divergent",
             "ratio", "no plot: perm", "divergent", "ratio");
  const auto row = [](const std::string& name, const Setting& setting, const Flame& flame) {
    const double p = plotted(setting, flame, Game::permutation).samples,
                 d = plotted(setting, flame, Game::divergent).samples,
                 pi = iterated(setting, flame, Game::permutation),
                 di = iterated(setting, flame, Game::divergent);
    fmt::print("{:<16} {:>12.3f} {:>10.3f} {:>6.2f} {:>13.3f} {:>10.3f} {:>6.2f}\n", name, p, d,
               p / d, pi, di, pi / di);
    std::fflush(stdout);
  };
  for (const bench::SeededFlame& kind :
       {bench::SeededFlame{12}, {20}, {12, 3}, {12, 1, true}, {4}}) {
    if (flames-- <= 0) break;
    const Flame flame = bench::seeded_flame(kind, 1920, 1080);
    const std::string name = flame.source.substr(7);
    row(name, exact, flame);
    if (!exact.cuda()) continue;
    Setting fast = exact;
    fast.fast = true;
    row(name + ", fast", fast, flame);
  }
}

/// Xforms that send every point to (x, y).
Flame point_flame(Flame flame, double x, double y) {
  for (Xform& xform : flame.xforms) {
    xform.variations.assign(xform.variations.size(), 0.0);
    xform.variations[std::size_t(*find_variation("linear"))] = 1;
    xform.coefs = {1e-4, 0, 0, 1e-4, x, y};
  }
  return flame;
}

/// Adds an xform whose results are all bad, drawn `share` of the time.
Flame storm_flame(Flame flame, double share) {
  double weights = 0;
  for (const Xform& xform : flame.xforms) weights += xform.weight;
  Xform bad = point_flame(flame, 1e20, 0).xforms[0];
  bad.weight = weights * share / (1 - share);
  flame.xforms.push_back(bad);
  return flame;
}

void worst_flames(const Setting& setting) {
  const Flame normal = bench::seeded_flame({12}, 1920, 1080);
  Flame outside = normal;
  outside.center_x += 1e6;
  fmt::print("worst flames, attempts counted\n{:<34} {:>10} {:>12} {:>12}\n", "", "samples/s",
             "attempts/s", "time/normal");
  double usual = 0;
  for (const auto& [name, flame] :
       {std::pair<const char*, Flame>{"12 xforms", normal},
        {"all points in one pixel", point_flame(normal, normal.center_x, normal.center_y)},
        {"all points outside", outside},
        {"half of the attempts bad", storm_flame(normal, 0.5)},
        {"nine attempts of ten bad", storm_flame(normal, 0.9)}}) {
    const Rate rate = plotted(setting, flame, Game::permutation);
    if (usual == 0) usual = rate.attempts;
    fmt::print("{:<34} {:>10.3f} {:>12.3f} {:>12.2f}\n", name, rate.samples, rate.attempts,
               usual / rate.attempts);
    std::fflush(stdout);
  }
}

/// `count` xforms that are copies of the flame's two: the same picture.
Flame copies(Flame flame, int count) {
  for (int i = 2; i < count; ++i) flame.xforms.push_back(flame.xforms[std::size_t(i % 2)]);
  return flame;
}

/// Copies have equal cost and the same picture, so their records go the same ways. Maps of their
/// own make other pictures, and how records spread over tiles is part of their cost.
void equal_xforms(const Setting& setting) {
  fmt::print("xforms of equal cost (swirl): G/s, and time over the fastest's\n");
  fmt::print("{:<8} {:>16} {:>16} {:>16} {:>16}\n", "xforms", "copies of 2 maps", "no plot",
             "maps of their own", "no plot");
  constexpr std::size_t kinds = 4;
  const int counts[] = {2, 4, 8, 12, 20, 32};
  const auto flame_of = [](int count) {
    bench::SeededFlame kind{count};
    kind.only = "swirl";
    return bench::seeded_flame(kind, 1920, 1080);
  };
  const Flame two = flame_of(2);
  std::vector<std::array<double, kinds>> rates;
  std::array<double, kinds> best{};
  for (int count : counts) {
    const Flame same = copies(two, count), own = flame_of(count);
    rates.push_back({plotted(setting, same, Game::permutation).samples,
                     iterated(setting, same, Game::permutation),
                     plotted(setting, own, Game::permutation).samples,
                     iterated(setting, own, Game::permutation)});
    for (std::size_t k = 0; k < kinds; ++k) best[k] = std::max(best[k], rates.back()[k]);
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    fmt::print("{:<8}", counts[i]);
    for (std::size_t k = 0; k < kinds; ++k)
      fmt::print(" {:>9.3f} {:>6.3f}", rates[i][k], best[k] / rates[i][k]);
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  Setting setting;
  setting.options.backend =
      argc > 1 && !std::strcmp(argv[1], "cuda") ? Backend::cuda : Backend::cpu;
  setting.samples = (argc > 2 ? std::atof(argv[2]) : setting.cuda() ? 8 : 0.05) * 1e9;
  setenv("KILN_KERNELS", "own", 0);  // the flame's own kernels, unless told otherwise
  try {
    fmt::print("{}\n", open_device(setting.options)->describe());
    const std::string part = argc > 3 ? argv[3] : "all";
    const bool all = part == "all";
    if (all || part == "methods") compare_methods(setting, argc > 4 ? std::atoi(argv[4]) : 100);
    if (all || part == "worst") worst_flames(setting);
    if (all || part == "equal") equal_xforms(setting);
  } catch (const std::exception& error) {
    fmt::print(stderr, "method_bench: {}\n", error.what());
    return 6;
  }
  return 0;
}
