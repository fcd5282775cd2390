// SPDX-License-Identifier: MIT
// Bloom and glare alone: milliseconds a picture for radii from 0.5 to 50 per cent of the height,
// with the passes before and after the convolution; the time to make the kernel's spectrum, once a
// process; the convolution by itself. Usage: effects_bench [cpu|cuda] [threads] [width height]
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "engine/device/device.h"
#include "engine/render/stages/effects/effects_plan.h"
#include "engine/render/stages/effects/effects_stage.h"

namespace {

using namespace kiln;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A dim ground with bright points: what a flame looks like to a lens.
std::vector<Vec4> test_picture(int width, int height) {
  std::vector<Vec4> picture(std::size_t(width) * std::size_t(height));
  std::uint32_t state = 1;
  for (Vec4& pixel : picture) {
    state = state * 1664525u + 1013904223u;
    const float light = state >> 22 == 0 ? 2000.0f : float(state >> 24) / 16;
    pixel = {light, light / 2, light / 3, light};
  }
  return picture;
}

std::uint64_t hash(const std::vector<Vec4>& picture) {
  std::uint64_t h = 1469598103934665603u;
  for (const Vec4& p : picture) {
    for (const float c : {p.r, p.g, p.b, p.a})
      h = (h ^ __builtin_bit_cast(std::uint32_t, c)) * 1099511628211u;
  }
  return h;
}

/// Milliseconds that all threads of the program have computed.
double processor_ms() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& t) { return double(t.tv_sec) * 1e3 + double(t.tv_usec) / 1e3; };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

template <class Body>
double median_ms(Device& device, int runs, Body body) {
  body();  // first touch, clocks
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    device.wait();
    const Clock::time_point start = Clock::now();
    body();
    device.wait();
    times.push_back(milliseconds_since(start));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

struct Case {
  const char* name;
  Effects effects;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const double radius : {0.5, 2.0, 10.0, 50.0}) {
    Case c{"bloom", {}};
    c.effects.bloom = {0.2, radius, 0};
    list.push_back(c);
  }
  Case above = list[1];
  above.name = "bloom above a threshold";
  above.effects.bloom.threshold = 0.5;
  list.push_back(above);
  Case star = list[1];
  star.name = "bloom and glare, 8 points";
  star.effects.glare = {8, 15, 0.1};
  list.push_back(star);
  return list;
}

void measure(Device& device, const Case& c, int width, int height, int runs) {
  const EffectsFrame frame{width, height, height / 100.0, 1, false};
  const EffectsPlan plan = plan_effects(c.effects, nullptr, frame);
  device.wait();
  const Clock::time_point start = Clock::now();
  const EffectsStage stage(device, plan);
  device.wait();
  const double setup = milliseconds_since(start);
  const std::vector<Vec4> picture = test_picture(width, height);
  const DeviceArray<Vec4> light(device, picture), scratch(device, 2 * picture.size());
  const EffectsReport report = stage.run(plan, light.data(), scratch.data());
  const std::uint64_t fingerprint = hash(light.download());
  // the light changes from run to run; the time does not
  const double begin = processor_ms();
  const double all =
      median_ms(device, runs, [&] { stage.run(plan, light.data(), scratch.data()); });
  const double processor = (processor_ms() - begin) / (runs + 1);
  const double convolution =
      median_ms(device, runs, [&] { stage.convolve(light.data(), scratch.data()); });
  fmt::print(
      "{:>5}x{:<5} {:<26} radius {:>4} %  {:8.3f} ms (threads {:7.1f})  convolution {:8.3f}  "
      "spectrum once "
      "{:8.2f}  lost {:.4f}  hash {:016x}\n",
      width, height, c.name, c.effects.bloom.radius, all, processor, convolution, setup,
      report.lost(), fingerprint);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  RenderOptions options;
  options.backend = argc > 1 && !std::strcmp(argv[1], "cuda") ? Backend::cuda : Backend::cpu;
  options.threads = argc > 2 ? std::atoi(argv[2]) : 0;
  try {
    const auto device = open_device(options);
    fmt::print("{}\n", device->describe());
    const bool cuda = options.backend == Backend::cuda;
    const int width = argc > 4 ? std::atoi(argv[3]) : cuda ? 3840 : 1920;
    const int height = argc > 4 ? std::atoi(argv[4]) : cuda ? 2160 : 1080;
    for (const Case& c : cases()) measure(*device, c, width, height, cuda ? 21 : 3);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
