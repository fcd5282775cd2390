// SPDX-License-Identifier: MIT
// What a render says while it runs: what its stages are expected to take, how much is done, and how
// long the rest takes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/base/resources.h"
#include "engine/device/device.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/stages/density/density_load.h"
#include "engine/render/stages/stage.h"

namespace kiln {

// How much of a render is done and how long the rest takes, from what its stages are expected to
// take (at the end) and what those took that are under way or over. It asks no clock: whoever
// calls says when it is.
//
// What a stage takes follows, once a twentieth of it is done, from what that took; until then from
// what was expected of it, which all stages after the game that are over correct: they run on the
// same machine. The share that is done is one of time, so bar and time to go say the same.

/// The name that Progress::stage has in a picture of this plan.
const char* name_of(RenderStage stage, const OutputPlan& plan);

class StageClock {
 public:
  explicit StageClock(const StageSeconds& expected) : expected_(expected) {}

  /// Corrects the seconds that a stage which is not over is expected to take.
  void expect(RenderStage stage, double seconds) { expected_[std::size_t(stage)] = seconds; }
  /// The game ends after so many seconds, if it has not before.
  void limit(double seconds) { limit_ = seconds; }
  /// Before the game ends its picture will be looked at for so long; for `spent` it was, in what the
  /// game took.
  void looks(double spent, double to_come);
  /// `done` of the stage, 0..1, is behind, and it is under way: so it is `now`, in seconds since the
  /// render began.
  void at(RenderStage stage, double done, double now);
  /// The stage under way goes on; how far it is nobody says.
  void pass(double now);

  RenderStage stage() const { return stage_; }
  /// Seconds that a stage took until now.
  double spent(RenderStage stage) const { return spent_[std::size_t(stage)]; }
  double remaining() const;
  /// Share of the time, 0..1; never less than it was.
  double done();

 private:
  double correction() const;
  double seconds_of(RenderStage stage) const;

  StageSeconds expected_;
  StageSeconds spent_{}, spent_when_said_{};  // until now; when `done_` was said
  StageSeconds done_{};
  RenderStage stage_ = RenderStage::iterate;
  double now_ = 0, limit_ = 0, looked_s_ = 0, looks_s_ = 0, most_done_ = 0;
};

/// Turns samples done and stages begun into calls of RenderOptions::on_progress, at most ten a second.
class ProgressReport {
 public:
  /// `samples` to play in all.
  ProgressReport(const RenderOptions& options, std::uint64_t samples)
      : options_(options), samples_(samples) {
    clock_.limit(options.time_limit_s);
  }

  /// Sets the plan whose stages these are; it outlives this.
  void plan(const OutputPlan& plan) { plan_ = &plan; }
  /// Sets the number of parts of the picture: the passes of all stripes.
  void parts(int count) { parts_ = count; }
  bool is_wanted() const { return bool(options_.on_progress); }
  /// Sets the seconds expected for the stages of a part, and for the game of all parts.
  void expect(StageSeconds seconds);
  /// Corrects the number of samples to play.
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
  /// Reports so much of a stage of this part as done. Stages in between were left out.
  void at(RenderStage stage, double done);
  HearStage listener() {
    return [this](RenderStage stage, double done) { at(stage, done); };
  }
  /// The part is made, as far as it goes before the next one.
  void next_part();
  /// The factor by which the machine is slower than alone, by the game's share of its cores; 1
  /// where a GPU plays the game.
  double contention(const Device& device) const;
  /// Whether it is so soon after the begin that a histogram is not worth reading: nothing was
  /// reported yet, or on a GPU what is left takes less than the reading.
  bool is_young(const Device& device) const;
  /// Device::Listener.
  void hear(int kernel, double done);

 private:
  static constexpr double report_s = 0.1;  // between two reports, and before the first

  double now() const { return seconds_since(start_); }
  double of_all(double done) const { return (part_ + done) / parts_; }
  void report();

  const RenderOptions& options_;
  const OutputPlan* plan_ = nullptr;
  std::uint64_t samples_, played_ = 0, launch_ = 0;
  double a_look_s_ = 0, a_sample_s_ = 0;  // expected
  int part_ = 0, parts_ = 1;
  StageClock clock_{{}};
  Clock::time_point start_ = Clock::now();
  std::clock_t cpu_start_ = std::clock();
  double last_ = 0;
};

// What the stages of a picture are expected to take, before any of them has begun: operations by the
// plan, at rates of one core of the machine that they were measured on (2026-11-23), times how slow
// this device is, which a small transform measures. StageClock corrects it as stages go by.

class Device;

/// Seconds of one core of that machine. `samples`: of all passes; the rest is of one.
StageSeconds stage_costs(const PreparedFrame& frame, double samples, const DensityLoad& load,
                         const FarWork& far);

/// Seconds of this device for one of those: below 1 for several cores. Takes milliseconds.
double slowness_of(Device& device);

}  // namespace kiln
