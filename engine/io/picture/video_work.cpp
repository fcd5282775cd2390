// SPDX-License-Identifier: MIT
// What ffmpeg takes for a pixel of each kind of film, so that the time to go of a film is honest. Measured
// 2026-11-26 with ffmpeg 5.1 on frames of conch, halo and rosewindow, 320 to 960 wide (HEVC 1920), on two cores
// that were both busy; grain takes up to a third more, a GIF of many colors half. A faster machine is
// measured by a piece of other work.
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <future>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/base/cores.h"
#include "engine/base/platform/process.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/video_writer.h"

namespace kiln {
namespace {

/// The factor by which this machine is slower than the one that was measured: some work of one core
/// by its own clock, all cores at once, which is how films are made. The best of some tries: on a
/// virtual machine one alone was off by a factor of two, now and then.
double slowness() {
  constexpr double reference_s = 0.0215 / 4;
  constexpr int tries = 6;
  static const double factor = [] {
    std::vector<unsigned char> in(1 << 16);
    std::uint32_t state = 1;
    for (unsigned char& byte : in) {
      state = state * 1664525u + 1013904223u;
      byte = static_cast<unsigned char>((state >> 24) & (state >> 16) & 63);
    }
    const auto seconds = [&in] {
      std::vector<unsigned char> out(compressBound(in.size()));
      double best = 1;
      for (int i = 0; i < tries; ++i) {
        uLongf size = out.size();
        const double begun = thread_seconds();
        compress2(out.data(), &size, in.data(), in.size(), 6);
        best = std::min(best, thread_seconds() - begun);
      }
      return best;
    };
    std::vector<std::future<double>> others;
    for (int i = 1; i < usable_cores(); ++i)
      others.push_back(std::async(std::launch::async, seconds));
    double sum = seconds();
    for (auto& other : others) sum += other.get();
    return sum / double(others.size() + 1) / reference_s;
  }();
  return factor;
}

}  // namespace

double VideoWork::tail_s(double frames, double pixels) const {
  const double share = std::max(last_share, std::min(ahead / std::max(frames, 1.0), 1.0));
  return share * frames * pixels * pixel_s / cores;
}

VideoWork video_work(const VideoSettings& settings) {
  constexpr VideoWork h264 = {200e-9, 8, 40, 0}, hevc = {440e-9, 4, 20, 0},
                      vp9 = {1430e-9, 4, 25, 0}, av1 = {950e-9, 8, 30, 0},
                      prores = {175e-9, 8, 1, 0}, ffv1 = {310e-9, 4, 1, 0};
  constexpr struct {
    std::string_view ending;
    VideoWork usual, hdr;
  } kinds[] = {{".mp4", h264, hevc},
               {".m4v", h264, hevc},
               {".mkv", hevc, hevc},
               {".mov", prores, prores},
               {".webm", vp9, av1},
               {".avi", ffv1, {}},
               {".gif", {500e-9, 1, 1, 0.85}, {}},  // frames are written when the palette is known
               {".webp", {180e-9, 1, 1, 0}, {}},
               {".apng", {720e-9, 1, 1, 0}, {}}};
  const std::string ending = ending_of(settings.path);
  VideoWork work;
  for (const auto& kind : kinds)
    if (ending == kind.ending) work = settings.hdr_peak > 0 ? kind.hdr : kind.usual;
  if (work.pixel_s == 0) return work;
  constexpr double busy = 0.8;  // of the cores that there are
  work.cores = std::clamp(busy * usable_cores(), 1.0, work.cores);
  work.pixel_s *= slowness();
  return work;
}

}  // namespace kiln
