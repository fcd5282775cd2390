// Accumulates a still whose sums are kept (checkpoint.h): what it begins with, when it is saved, when
// its noise or its time ends it, and what is left where it fails.
#pragma once

#include <future>

#include "engine/base/resources.h"
#include "engine/render/accumulate/chaos_game.h"
#include "engine/render/accumulate/checkpoint.h"
#include "engine/render/accumulate/noise_probe.h"
#include "engine/render/plan/prepared_frame.h"

namespace kiln {

class CheckpointedGame {
 public:
  /// Measures the noise of sums in halves.
  using Probe = std::function<PictureNoise(Accumulation&)>;

  /// The game is that of `player`'s first device, whose histogram is the picture's. Throws Error
  /// (usage) where the sums that are there are not of this picture.
  CheckpointedGame(Device& device, Accumulator& game, Player& player, const PreparedFrame& frame,
                   const RenderOptions& options, Checkpoint& checkpoint,
                   DeviceArray<std::uint64_t>& histogram, Probe probe);

  /// Samples that this run has to play for a picture, as far as is known.
  std::uint64_t samples_to_play() const;
  /// How often the noise will still be measured, as far as is known.
  int probes_to_come() const;
  /// The number of units of the launch under way.
  std::uint64_t units_launched() const { return sums_.launch; }
  /// Plays what is missing of the shard, and saves it. True if with that the picture is complete:
  /// good enough, out of time, or all whole units are there and the partial one is played too; then the
  /// histogram is the picture's. on_progress gets the samples played. Where the device fails, what
  /// is finished is saved if it can be had.
  bool play(const Player::Ask& on_progress);

  /// Plays the partial unit, when all whole ones are in the histogram, those of other shares by other
  /// hands: then it is the picture's. Adds the unit's counts to `totals`.
  void play_partial_unit(GameTotals& totals);

  /// The totals of all units in the histogram, and of those that were there at the start.
  const GameTotals& totals() const { return sums_.totals; }
  const GameTotals& earlier() const { return sums_.earlier; }

 private:
  enum class Course { on, stopped, complete };

  UnitRange whole() const { return {0, game_.whole_units()}; }
  /// True if the done units are the first ones without a gap: only those make a picture.
  bool is_picture() const { return sums_.done.ranges().size() == 1 && sums_.done.contains({0, 1}); }
  SumsShape shape() const;
  void check_shape() const;
  void restore();
  void make_room();
  Course play_shard(const Player::Ask& ask);
  Course play_range(UnitRange range, const Player::Ask& ask);
  Course after_launch();
  bool noise_is_enough();
  void measure();
  bool finish();
  void rescue();
  double quality_now() const;
  void copy_sums();
  void start_saving();
  /// Waits for a save under way; `last`: its failure is the render's.
  void finish_saving(bool last);
  bool is_saving() const;

  Device& device_;
  Accumulator& game_;
  Player& player_;
  const PreparedFrame& frame_;
  const RenderOptions& options_;
  Checkpoint& checkpoint_;
  const Probe probe_;
  const Clock::time_point begun_ = Clock::now();
  Accumulation sums_;
  ProbeSchedule probes_;
  Pace pace_;                   // of several devices
  std::uint64_t measured_ = 0;  // units of checkpoint_.noise
  bool is_measuring_ = false;
  bool use_copies_ = false;  // the histogram is the finished picture's; the copies are the sums
  bool wants_save_ = false;
  std::future<void> room_;    // for the first copy, made while a GPU plays
  std::future<void> saving_;  // these last: they use checkpoint_.sums
};

}  // namespace kiln
