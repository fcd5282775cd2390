// SPDX-License-Identifier: MIT
// What comes next of a still whose sums are kept: which units are played, when its noise is measured, when it is
// saved, and what ends it. It follows from the units that are there, the seconds that have passed and what somebody
// asks for, without a device and without a clock.
#pragma once

#include <cstdint>

#include "engine/model/saved_sums.h"
#include "engine/render/accumulate/checkpoint.h"
#include "engine/render/schedule/probe_schedule.h"

namespace kiln {

/// The goals of a still.
struct StillGoals {
  UnitSet shard;                  // its units that are played here (units_of_shard)
  std::uint64_t whole_units = 0;  // of the picture
  std::uint64_t all_units = 0;    // with the partial one
  double noise = 0;               // it ends where that is surely reached; 0: at its quality
  double time_limit_s = 0;        // it ends after so long; 0: it never does
};

class StillSchedule {
 public:
  using End = Checkpoint::End;

  enum class Kind { play, measure, finish };
  struct Work {
    Kind kind = Kind::finish;
    UnitRange units = {};  // to be played
  };
  enum class After { go_on, save, stop, finish };

  StillSchedule(StillGoals goals, ProbeSchedule probes)
      : goals_(std::move(goals)), probes_(probes) {}

  /// The next step where these units are there. After `measure` judge() is told what came of it.
  Work next(const UnitSet& done);
  void judge(const UnitSet& done, const PictureNoise& noise);
  /// The step after a launch, `seconds` after the begin. `is_saving`: somebody still writes the sums before.
  After launched(const UnitSet& done, double seconds, Checkpoint::Request request, bool is_saving);
  /// Whether the noise of the finished picture, in halves, is still to be measured.
  bool wants_last_measure(const UnitSet& done) const;

  /// The reason why it ended; quality as long as it has not.
  End end() const { return end_; }
  /// Whether more samples than its quality asks for may follow, in another run.
  bool is_open() const { return goals_.noise > 0 || end_ != End::quality; }
  /// Whether its picture is complete, with these units: good enough, out of time, or all whole ones are there.
  bool is_complete(const UnitSet& done) const;

  /// Units that are to be played in this run, which began with `earlier` of them, as far as is known.
  std::uint64_t units_of_run(const UnitSet& done, std::uint64_t earlier) const;
  /// The number of times that the noise of sums in halves will be measured, as far as is known.
  int probes_to_come() const { return goals_.noise > 0 ? probes_.probes_to_come() : 1; }

  /// The units at which the noise is measured next, which a state has (ProbeSchedule).
  std::uint64_t next_probe() const { return probes_.next(); }
  void next_probe(std::uint64_t units) { probes_.next(units); }

 private:
  const StillGoals goals_;
  ProbeSchedule probes_;
  std::size_t complete_ = 0;    // ranges of the shard that lack nothing, from the first on
  std::uint64_t measured_ = 0;  // units of the last measurement
  bool wants_save_ = false;
  End end_ = End::quality;
};

}  // namespace kiln
