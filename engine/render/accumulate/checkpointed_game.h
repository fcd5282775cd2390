// SPDX-License-Identifier: MIT
// Accumulates a still whose sums are kept (checkpoint.h), as its schedule (still_schedule.h) says: what it begins
// with, how it is saved beside the game, and what is left where it fails.
#pragma once

#include <future>

#include "engine/base/resources.h"
#include "engine/render/accumulate/chaos_game.h"
#include "engine/render/accumulate/checkpoint.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/schedule/still_schedule.h"

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
  std::uint64_t samples_to_play() const {
    return schedule_.units_of_run(sums_.done, sums_.earlier.samples / unit_samples) * unit_samples;
  }
  /// Expected number of noise measurements that are still to come.
  int probes_to_come() const { return sums_.in_halves() ? schedule_.probes_to_come() : 0; }
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
  SumsShape shape() const;
  void check_shape() const;
  void restore();
  void make_room();
  void check_nothing_is_missing(const UnitSet& shard) const;
  bool play_shard(const Player::Ask& ask);
  StillSchedule::After after_launch();
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
  StillSchedule schedule_;
  Pace pace_;  // of several devices
  bool is_measuring_ = false;
  bool use_copies_ = false;   // the histogram is the finished picture's; the copies are the sums
  std::future<void> room_;    // for the first copy, made while a GPU plays
  std::future<void> saving_;  // these last: they use checkpoint_.sums
};

}  // namespace kiln
