// What a render says while it runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>

#include "engine/base/clock.h"
#include "engine/device/device.h"
#include "engine/render/renderer.h"
#include "engine/render/stage_clock.h"

namespace kiln {

/// Turns samples done and stages begun into calls of RenderOptions::on_progress, at most ten a second.
class ProgressReport {
 public:
  /// `samples` to play in all.
  ProgressReport(const RenderOptions& options, std::uint64_t samples)
      : options_(options), samples_(samples) {
    clock_.limit(options.time_limit_s);
  }

  /// Of how many parts the picture is made: passes of all stripes.
  void parts(int count) { parts_ = count; }
  bool is_wanted() const { return bool(options_.on_progress); }
  /// What the stages of a part are expected to take, those of the game of all parts.
  void expect(StageSeconds seconds);
  /// How many samples there are to play, where it turns out to be another number.
  void samples(std::uint64_t samples) {
    samples_ = samples;
    clock_.expect(RenderStage::iterate, double(samples) * a_sample_s_);
  }
  std::uint64_t samples() const { return samples_; }
  /// The picture was looked at `count` times in the midst of the game, for so long in all; `to_come`:
  /// how often it will be.
  void looks(int count, double seconds, int to_come);
  /// The chaos game has come so far; a launch plays `a_launch` of them.
  void iterated(std::uint64_t done, std::uint64_t a_launch);
  /// So much of a stage of this part is done. Stages in between were left out.
  void at(RenderStage stage, double done);
  HearStage listener() {
    return [this](RenderStage stage, double done) { at(stage, done); };
  }
  /// The part is made, as far as it goes before the next one.
  void next_part();
  /// How many times as long as alone the machine takes, by the game's share of its cores; 1 where a
  /// GPU plays it.
  double contention(const Device& device) const;
  /// Device::Listener.
  void hear(int kernel, double done);

 private:
  double now() const { return seconds_since(start_); }
  double of_all(double done) const { return (part_ + done) / parts_; }
  void report();

  const RenderOptions& options_;
  std::uint64_t samples_, played_ = 0, launch_ = 0;
  double a_look_s_ = 0, a_sample_s_ = 0;  // expected
  int part_ = 0, parts_ = 1;
  StageClock clock_{{}};
  Clock::time_point start_ = Clock::now();
  std::clock_t cpu_start_ = std::clock();
  double last_ = 0;
};

}  // namespace kiln
