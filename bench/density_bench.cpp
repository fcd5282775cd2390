// SPDX-License-Identifier: MIT
// Density estimation alone: direct, by the FFT with every kernel, and as kiln does it by default,
// for radii 5 to 200. Pictures: seeded flames at two qualities, and thin noise everywhere (one hit
// in every bucket), the worst case for a direct sum. On the CPU flam3-render's estimator stands
// beside it: its user CPU time with the estimator less its time without.
//
// Usage: density_bench [cpu|cuda] [1080p|4k|WIDTHxHEIGHT] [rounds, default 5] [radii as 9,50,100,]
// and any of
//   flam3   only kiln's default beside flam3-render, on the flames
//   check   on a GPU: the same light as on the CPU to the last bit?
//   error   only how far the default's picture is from --de exact's, in 255ths after tone mapping
//   short   without the flame of quality 100
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "bench/seeded_flames.h"
#include "engine/base/error.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/program/compile.h"
#include "engine/render/stages/density/density_stage.h"
#include "engine/render/stages/filter/filter_stage.h"

namespace {

using namespace kiln;

constexpr std::uint64_t usual = 1;  // products_a_bucket as the stage has it

struct Settings {
  bool cuda = false, flam3 = false, check = false, error = false;
  int width = 1920, height = 1080, rounds = 5;
  std::vector<double> radii = {5, 9, 15, 20, 30, 50, 100, 200};
};

/// User mode: what others do at the same time matters little, nor who touches memory first.
double cpu_seconds(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return double(usage.ru_utime.tv_sec) + 1e-6 * double(usage.ru_utime.tv_usec);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Milliseconds: wall on a GPU, CPU time of all threads on the CPU, where others may be at work.
double time_ms(const Settings& settings, Device& device, const std::function<void()>& run) {
  std::vector<double> times;
  run();
  for (int round = 0; round < settings.rounds; ++round) {
    device.wait();
    const auto start = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds(RUSAGE_SELF);
    run();
    device.wait();
    const double wall =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    times.push_back(1e3 * (settings.cuda ? wall : cpu_seconds(RUSAGE_SELF) - cpu));
  }
  return median(times);
}

/// A histogram in device memory.
struct Scene {
  std::string name;
  Flame flame;
  OutputPlan plan;
  double unit = 1;
  int channels = 4;
  DeviceArray<std::uint64_t> sums;

  Buckets view() const {
    return {sums.data(), plan.geometry.width, plan.geometry.height, channels, float(unit)};
  }
};

Scene thin_noise(Device& device, Flame flame) {
  Scene scene{"one hit everywhere", flame, plan_output(flame, {}), 1, 4, {}};
  const std::size_t buckets =
      std::size_t(scene.plan.geometry.width) * std::size_t(scene.plan.geometry.height);
  std::vector<std::uint64_t> sums(buckets * 4, 255);
  scene.sums = DeviceArray<std::uint64_t>(device, sums);
  return scene;
}

Scene played(Device& device, Flame flame, double quality) {
  flame.quality = quality;
  Scene scene{fmt::format("flame, quality {}", quality), flame, plan_output(flame, {}), 1, 4, {}};
  const BufferGeometry& g = scene.plan.geometry;
  const CompiledFlame compiled = compile(flame, {g.supersample, g.gutter, g.width, g.height});
  scene.unit = compiled.unit;
  scene.channels = compiled.table.opaque ? 4 : 5;
  // plays on any machine alike, and leaves the device to what is timed
  const auto cpu = open_cpu(0);
  DeviceArray<std::uint64_t> sums(
      *cpu, std::size_t(g.width) * std::size_t(g.height) * std::size_t(scene.channels));
  sums.clear();
  Accumulator(*cpu, compiled, 0).play_pass(sums, 0);
  scene.sums = DeviceArray<std::uint64_t>(device, sums.download());
  return scene;
}

/// CPU milliseconds of flam3-render's estimator.
double flam3_ms(Flame flame) {
  const std::string folder = std::filesystem::temp_directory_path() / "density_bench";
  std::filesystem::create_directories(folder);
  double times[2];
  for (int on : {0, 1}) {
    Flame wanted = flame;
    if (!on) wanted.estimator_radius = wanted.estimator_minimum = 0;
    std::ofstream(folder + "/flame.flam3") << "<flames>\n" << genome_xml(wanted) << "</flames>\n";
    const std::string command = fmt::format(
        "env bits=64 nthreads=2 nstrips=1 verbose=0 format=png isaac_seed=kiln in={0}/flame.flam3 "
        "out={0}/flam3.png flam3-render </dev/null >/dev/null 2>&1",
        folder);
    const double before = cpu_seconds(RUSAGE_CHILDREN);
    if (std::system(command.c_str()) != 0) return 0;
    times[on] = cpu_seconds(RUSAGE_CHILDREN) - before;
  }
  return 1e3 * (times[1] - times[0]);
}

/// The light of a scene on another device.
std::vector<Vec4> light_of(Device& device, const Scene& scene,
                           const std::vector<std::uint64_t>& sums, bool exact,
                           std::uint64_t products) {
  DensityStage stage(device, scene.plan, scene.unit, plan_far(scene.plan, scene.unit, exact));
  if (products != usual) stage.products_a_bucket = products;
  const DeviceArray<std::uint64_t> copy(device, sums);
  Buckets histogram = scene.view();
  histogram.sums = copy.data();
  DeviceArray<Vec4> light(device, std::size_t(histogram.width) * std::size_t(histogram.height));
  stage.run(histogram, light.data(), false);
  return light.download();
}

void print_check(const Scene& scene, Device& device, bool direct_too) {
  const std::vector<std::uint64_t> sums = scene.sums.download();
  const auto cpu = open_cpu(0);
  for (std::uint64_t products : {usual, ~std::uint64_t(0)}) {
    if (products != usual && !direct_too) continue;
    const auto a = light_of(*cpu, scene, sums, false, products),
               b = light_of(device, scene, sums, false, products);
    fmt::print(" {}",
               std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec4)) ? "DIFFERENT" : "same");
  }
}

/// Pixels after tone mapping, [H, W], without the spatial filter; what is hidden is black.
std::vector<Vec4> tone_mapped(Device& device, const Scene& scene, bool exact) {
  std::vector<Vec4> light = light_of(device, scene, scene.sums.download(), exact, 0);
  const DeviceArray<Vec4> picture(device, light);
  const ToneMap kernel{picture.data(), picture.data(), i64(light.size()), scene.plan.tone};
  device.launch(kernel, kernel.block_count());
  light = picture.download();
  for (std::size_t i = 0; i < light.size(); ++i) {
    const int width = scene.plan.geometry.width, x = int(i) % width, y = int(i) / width;
    if (!scene.plan.density_grid.is_seen(x, y)) light[i] = {0, 0, 0, 0};
  }
  return light;
}

void print_error(const Scene& scene, Device& device) {
  const auto exact = tone_mapped(device, scene, true), fast = tone_mapped(device, scene, false);
  double square = 0, worst = 0;
  std::size_t off = 0, pixels = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double d[3] = {double(exact[i].r) - fast[i].r, double(exact[i].g) - fast[i].g,
                         double(exact[i].b) - fast[i].b};
    const double largest = std::max({std::fabs(d[0]), std::fabs(d[1]), std::fabs(d[2])});
    square += (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / 3;
    worst = std::max(worst, largest);
    off += largest > 1;
  }
  pixels = std::size_t(scene.plan.width) * std::size_t(scene.plan.height);
  fmt::print("  rms {:.4f}, over 1: {:.4f} % of the pixels, worst {:.2f}",
             std::sqrt(square / double(pixels)), 100.0 * double(off) / double(pixels), worst);
}

/// Milliseconds of the spatial filter's two passes, which follow the estimator.
double filter_ms(const Settings& settings, Device& device, const Scene& scene) {
  const OutputPlan& plan = scene.plan;
  const DeviceArray<float> x(device, plan.filter.x), y(device, plan.filter.y);
  const DeviceArray<Vec4> light(
      device, std::size_t(plan.geometry.width) * std::size_t(plan.geometry.height)),
      rows(device, std::size_t(plan.filter_rows()) * std::size_t(plan.width)),
      picture(device, std::size_t(plan.width) * std::size_t(plan.height));
  return time_ms(settings, device, [&] {
    const SpatialFilter across = filter_rows(plan, light.data(), x.data(), rows.data());
    device.launch(across, across.block_count());
    const SpatialFilter down = filter_columns(plan, rows.data(), y.data(), picture.data());
    device.launch(down, down.block_count());
  });
}

void measure(const Settings& settings, Device& device, const Flame& flame, int picture) {
  for (double radius : settings.radii) {
    Flame wanted = flame;
    wanted.estimator_radius = radius;
    wanted.estimator_minimum = 0;
    wanted.estimator_curve = 0.4;
    const Scene scene = picture == 0   ? thin_noise(device, wanted)
                        : picture == 1 ? played(device, wanted, 10)
                                       : played(device, wanted, 100);
    if (radius == settings.radii.front()) {
      fmt::print("{}x{}, {}\n", flame.width, flame.height, scene.name);
      if (settings.flam3) {
        fmt::print("{:>8} {:>10} {:>10} {:>8}\n", "radius", "kiln ms", "flam3 ms", "ratio");
      } else if (!settings.error) {
        fmt::print("spatial filter: {:.3f} ms\n", filter_ms(settings, device, scene));
        fmt::print("{:>8} {:>10} {:>10} {:>10} {:>9} {:>9}\n", "radius", "direct ms", "exact ms",
                   "default ms", "direct/", "exact/");
      }
    }
    if (settings.error) {
      fmt::print("{:>8}", radius);
      print_error(scene, device);
      fmt::print("\n");
      std::fflush(stdout);
      continue;
    }
    DeviceArray<Vec4> light(
        device, std::size_t(scene.plan.geometry.width) * std::size_t(scene.plan.geometry.height));
    const auto time = [&](bool exact, std::uint64_t products, bool* used_fft) {
      DensityStage stage(device, scene.plan, scene.unit, plan_far(scene.plan, scene.unit, exact));
      if (products != usual) stage.products_a_bucket = products;
      const double ms =
          time_ms(settings, device, [&] { stage.run(scene.view(), light.data(), false); });
      *used_fft = stage.used_fft();
      return ms;
    };
    bool fft = false, ignored = false;
    if (settings.flam3) {
      const double ours = time(false, usual, &fft), theirs = flam3_ms(scene.flame);
      fmt::print("{:>8} {:>10.0f} {:>10.0f} {:>8.1f} {}\n", radius, ours, theirs, theirs / ours,
                 fft ? "fft" : "");
      std::fflush(stdout);
      continue;
    }
    const bool feasible = radius <= (settings.cuda ? 100 : picture == 0 ? 20 : 50);
    const double direct = feasible ? time(true, ~std::uint64_t(0), &ignored) : 0;
    const double exact = time(true, usual, &ignored);
    const double fast = time(false, usual, &fft);
    const std::string first = feasible ? fmt::format("{:.3f}", direct) : "-",
                      ratio = feasible ? fmt::format("{:.2f}", direct / fast) : "-";
    fmt::print("{:>8} {:>10} {:>10.3f} {:>10.3f} {:>9} {:>9.2f} {}", radius, first, exact, fast,
               ratio, exact / fast, fft ? "fft" : "   ");
    if (settings.check) print_check(scene, device, radius <= 20);
    fmt::print("\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  std::vector<int> pictures = {0, 1, 2};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "cuda") {
      settings.cuda = true;
    } else if (word == "4k") {
      settings.width = 3840, settings.height = 2160;
    } else if (word.find('x') != std::string::npos) {
      settings.width = std::atoi(word.c_str());
      settings.height = std::atoi(word.c_str() + word.find('x') + 1);
    } else if (word == "check") {
      settings.check = true;
    } else if (word == "error") {
      settings.error = true;
    } else if (word == "short") {
      pictures = {0, 1};
    } else if (word == "flam3") {
      settings.flam3 = true;
      pictures = {1, 2};
    } else if (word.find(',') != std::string::npos) {
      settings.radii.clear();
      std::stringstream list(word);
      for (std::string radius; std::getline(list, radius, ',');)
        if (!radius.empty()) settings.radii.push_back(std::atof(radius.c_str()));
    } else if (std::atoi(word.c_str()) > 0 && word != "1080p") {
      settings.rounds = std::atoi(word.c_str());
    }
  }
  try {
    const auto device = settings.cuda ? open_cuda(0, true) : open_cpu(2);
    fmt::print("{}, density estimation, {} of {} runs: {} time\n\n", device->describe(), "median",
               settings.rounds, settings.cuda ? "wall" : "user CPU");
    const Flame flame = bench::seeded_flame({12, 1}, settings.width, settings.height);
    for (int picture : pictures) measure(settings, *device, flame, picture);
  } catch (const std::exception& error) {
    fmt::print(stderr, "density_bench: {}\n", error.what());
    return 6;
  }
  return 0;
}
