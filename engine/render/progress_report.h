// What a render says while it runs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/base/clock.h"
#include "engine/render/renderer.h"

namespace kiln {

/// Turns samples done into calls of RenderOptions::on_progress, at most ten a second.
class ProgressReport {
 public:
  ProgressReport(const RenderOptions& options, std::uint64_t samples)
      : options_(options), samples_(samples) {}

  /// How many samples there are to play, where it turns out to be another number.
  void samples(std::uint64_t samples) { samples_ = samples; }
  /// The chaos game has come so far.
  void iterated(std::uint64_t done) {
    report(iterate_share * double(done) / double(std::max<std::uint64_t>(samples_, 1)), "iterate",
           done);
  }
  void estimating() { report(iterate_share, "density estimation", samples_); }
  void developing() { report(0.98, "filter", samples_); }

 private:
  static constexpr double iterate_share = 0.95;  // the rest is everything after the histogram

  void report(double done, const char* stage, std::uint64_t samples) {
    if (!options_.on_progress) return;
    const double elapsed = seconds_since(start_);
    if (elapsed - last_ < 0.1 && done < 1) return;
    last_ = elapsed;
    Progress progress;
    progress.done = done;
    progress.elapsed_s = elapsed;
    progress.remaining_s = done > 0 ? elapsed * (1 - done) / done : 0;
    progress.samples_per_s = elapsed > 0 ? double(samples) / elapsed : 0;
    progress.stage = stage;
    options_.on_progress(progress);
  }

  const RenderOptions& options_;
  std::uint64_t samples_;
  Clock::time_point start_ = Clock::now();
  double last_ = 0;
};

}  // namespace kiln
