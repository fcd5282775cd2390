// SPDX-License-Identifier: MIT
// Frames of an animation, from the key flames to pixels in memory: frames a second with one, 50,
// 100 and 1000 temporal samples, prepared ahead as kiln animate does.
// Usage: frames_bench [cpu|cuda] [time|prepare|hash] [frames] [quality] [WxH]
//   time: 1920x1080 at quality 500 with density estimation, one renderer and two on the device; the
//         first frame of a row, which waits for compiled kernels under KILN_KERNELS=own, is not
//         counted
//   prepare: the host's part of a frame alone
//   hash: a small frame of each kind, one line with its pixel hash: the same on every device
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "bench/seeded_flames.h"
#include "engine/animation/frame_at.h"
#include "engine/base/cores.h"
#include "engine/model/image.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"

namespace {

using namespace kiln;
using Clock = std::chrono::steady_clock;

struct Kind {
  const char* name;
  int samples;  // temporal samples; 0: a still
  TemporalFilter filter = TemporalFilter::box;
  bool palette_moves = false;
  int passes = 1;
  bool xaos = false;
  double estimator_radius = 9;
  double zoom = 0;  // at the second key
};

/// The flame at time t, in frames: xforms turn, a degree a frame, and the camera drifts.
Flame at_time(const Flame& key, double t, bool palette_moves) {
  Flame flame = key;
  flame.time = t;
  const double angle = t * 0.0174532925, c = std::cos(angle), s = std::sin(angle);
  for (std::size_t f = 0; f < flame.xforms.size(); f += 2) {
    AffineD& m = flame.xforms[f].coefs;
    const AffineD old = m;
    m.a = c * old.a - s * old.d;
    m.d = s * old.a + c * old.d;
    m.b = c * old.b - s * old.e;
    m.e = s * old.b + c * old.e;
  }
  flame.center_x += 0.002 * t;
  flame.rotate_deg = 0.2 * t;
  if (palette_moves) {
    const double share = 0.5 + t / 160;  // of a transition of 160 frames
    for (std::size_t i = 0; i < 256; ++i) {
      Rgba& c0 = flame.palette[i];
      const Rgba c1 = key.palette[255 - i];
      c0 = {c0.r + share * (c1.r - c0.r), c0.g + share * (c1.g - c0.g),
            c0.b + share * (c1.b - c0.b), 1};
    }
  }
  return flame;
}

/// Two keys, 40 frames apart.
std::vector<Flame> keys_of(const Flame& key, const Kind& kind) {
  std::vector<Flame> keys = {at_time(key, 0, kind.palette_moves),
                             at_time(key, 40, kind.palette_moves)};
  for (Flame& one : keys) {
    one.passes = kind.passes;
    one.temporal_samples = kind.samples;
    one.temporal_filter = kind.filter;
    one.temporal_filter_exp = 1.5;
  }
  keys[1].zoom = kind.zoom;
  return keys;
}

Frame frame_of(const std::vector<Flame>& keys, const Kind& kind, int number) {
  return frame_at(keys, {number, double(number)},
                  kind.samples == 0 ? MotionBlur::without : MotionBlur::with);
}

/// Frames that are prepared on other threads, a few ahead, as kiln animate does.
class FramesAhead {
 public:
  FramesAhead(const std::vector<Flame>& keys, const Kind& kind, const RenderOptions& options,
              int count, int ahead)
      : keys_(keys), kind_(kind), options_(options), count_(count) {
    for (int i = 0; i < ahead; ++i) begin_next();
  }
  /// Its number, -1 after the last.
  int take(PreparedFrame& frame) {
    std::future<PreparedFrame> next;
    int number = 0;
    {
      const std::lock_guard lock(mutex_);
      if (frames_.empty()) return -1;
      next = std::move(frames_.front());
      frames_.pop_front();
      number = taken_++;
      begin_next();
    }
    frame = next.get();
    return number;
  }

 private:
  void begin_next() {
    if (begun_ == count_) return;
    frames_.push_back(std::async(std::launch::async, [this, number = begun_++] {
      return prepare(frame_of(keys_, kind_, number), options_);
    }));
  }

  const std::vector<Flame>& keys_;
  const Kind& kind_;
  const RenderOptions& options_;
  const int count_;
  std::mutex mutex_;
  std::deque<std::future<PreparedFrame>> frames_;
  int begun_ = 0, taken_ = 0;
};

/// Seconds a frame with this many renderers on the device; `one` are those of a frame with one
/// temporal sample.
double measure(std::vector<std::unique_ptr<Renderer>>& renderers, const Flame& key,
               const Kind& kind, const RenderOptions& options, int frames, double one) {
  const std::vector<Flame> keys = keys_of(key, kind);
  double iterate = 0, output = 0, packed = 0;
  RenderStatistics statistics;
  for (const auto& renderer : renderers)  // which waits for compiled kernels
    renderer->render(prepare(frame_of(keys, kind, 0), options), &statistics);
  const int workers = std::clamp(usable_cores() - 1, 1, 8);
  FramesAhead ahead(keys, kind, options, frames, workers);
  const Clock::time_point start = Clock::now();
  std::mutex mutex;
  std::vector<std::jthread> threads;
  for (const auto& renderer : renderers) {
    threads.emplace_back([&] {
      PreparedFrame frame;
      RenderStatistics own;
      while (ahead.take(frame) >= 0) {
        renderer->render(frame, &own);
        const std::lock_guard lock(mutex);
        iterate += own.iterate_s;
        output += own.output_s;
        packed += own.packed_s;
      }
    });
  }
  threads.clear();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  fmt::print(
      "{:<34} {:>8.2f} frames/s  {:8.2f} ms: iterate {:8.2f}, output {:7.2f} (packed after "
      "{:.3f})  {:.3f} G samples  ratio {:.3f}\n",
      kind.name, frames / seconds, 1e3 * seconds / frames, 1e3 * iterate / frames,
      1e3 * output / frames, 1e3 * packed / frames, double(statistics.samples) / 1e9,
      one > 0 ? seconds / frames / one : 1.0);
  std::fflush(stdout);
  return seconds / frames;
}

/// The host's part of a frame between two key flames: milliseconds on one core.
void measure_preparing(const Flame& key, const Kind& kind, const RenderOptions& options,
                       int frames) {
  const std::vector<Flame> keys = keys_of(key, kind);
  double interpolating = 0, all = 0;
  for (int number = 0; number < frames; ++number) {
    const Frame frame = frame_of(keys, kind, number);
    const Clock::time_point start = Clock::now();
    if (frame.moving) frame.moving->visit([](const Flame&) {});
    const Clock::time_point interpolated = Clock::now();
    prepare(frame, options);
    all += std::chrono::duration<double>(Clock::now() - interpolated).count();
    interpolating += std::chrono::duration<double>(interpolated - start).count();
  }
  fmt::print("{:<34} prepared in {:8.3f} ms, of it interpolation {:8.3f} ms\n", kind.name,
             1e3 * all / frames, 1e3 * interpolating / frames);
  std::fflush(stdout);
}

constexpr Kind kinds[] = {
    {"still", 0},
    {"still, no estimator", 0, TemporalFilter::box, false, 1, false, 0},
    {"1 temporal sample", 1},
    {"50, box", 50},
    {"100, box", 100},
    {"1000, box", 1000},
    {"1000, gaussian", 1000, TemporalFilter::gaussian},
    {"1000, exp", 1000, TemporalFilter::exp},
    {"1, palette moves", 1, TemporalFilter::box, true},
    {"1000, palette moves", 1000, TemporalFilter::box, true},
    {"1000, gaussian, palette moves", 1000, TemporalFilter::gaussian, true},
    {"200, gaussian, 3 passes", 200, TemporalFilter::gaussian, false, 3},
    {"1000, box, xaos", 1000, TemporalFilter::box, false, 1, true},
    {"300, box, zoom moves, 2 passes", 300, TemporalFilter::box, false, 2, false, 9, 0.5},
};

}  // namespace

int main(int argc, char** argv) {
  RenderOptions options;
  options.backend = argc > 1 && !std::strcmp(argv[1], "cuda") ? Backend::cuda : Backend::cpu;
  const bool hash = argc > 2 && !std::strcmp(argv[2], "hash");
  const bool preparing = argc > 2 && !std::strcmp(argv[2], "prepare");
  const int frames = argc > 3 ? std::atoi(argv[3]) : 10;
  const double quality = argc > 4 ? std::atof(argv[4]) : hash ? 50 : 500;
  int width = hash ? 320 : 1920, height = hash ? 180 : 1080;
  if (argc > 5 && std::sscanf(argv[5], "%dx%d", &width, &height) != 2) return 2;
  try {
    for (int count : {1, 2}) {
      if (count == 2 && (hash || preparing || options.backend == Backend::cpu)) break;
      std::vector<std::unique_ptr<Renderer>> renderers;
      for (int i = 0; i < count; ++i) renderers.push_back(std::make_unique<Renderer>(options));
      if (!hash && !preparing) fmt::print("renderers on the device: {}\n", count);
      double one = 0;
      for (const Kind& kind : kinds) {
        Flame key = bench::seeded_flame({12, 1, kind.xaos}, width, height);
        key.quality = quality;
        key.estimator_radius = kind.estimator_radius;
        if (preparing) {
          if (kind.samples > 0) measure_preparing(key, kind, options, frames);
        } else if (hash) {
          const std::vector<Flame> keys = keys_of(key, kind);
          fmt::print("{:<34} {}\n", kind.name,
                     pixel_hash(renderers[0]->render(frame_of(keys, kind, 3))));
          std::fflush(stdout);
        } else {
          const double seconds = measure(renderers, key, kind, options, frames, one);
          if (kind.samples == 1 && !kind.palette_moves) one = seconds;
        }
      }
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "frames_bench: {}\n", error.what());
    return 6;
  }
  return 0;
}
