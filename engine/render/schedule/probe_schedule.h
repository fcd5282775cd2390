// SPDX-License-Identifier: MIT
// When a still is looked at whose noise decides how many samples it gets. Probes come after units of
// work that are the same for everybody, and say the same on every device, so the picture does not
// show where or by how many threads it was rendered, nor whether it was stopped in between.
//
// A probe costs three pictures without their samples, so few are made: the first at quality 8, then,
// as noise falls by the root of the samples, where the last probe promises enough; but not more than
// eight times as far, and while that is far not the whole way, since noise of few samples follows
// no law. Units are even, so that both halves have as many, and of the form 2 m 2^e with m from 16
// to 31, so that two ways to one picture end at the same number: noise comes out at most 3 % lower
// than it had to.
#pragma once

#include <cstdint>

#include "engine/measure/noise.h"

namespace kiln {

/// The first number of units, from `units` on, at which there may be a probe.
std::uint64_t probe_from(std::uint64_t units);

/// The first probe of a picture of so many pixels of which `units` are done.
std::uint64_t first_probe(std::uint64_t pixels, std::uint64_t units);

/// Whether the picture is surely (97.5 %) no further from its limit than `goal`.
bool is_enough(const PictureNoise& noise, double goal);

/// Units that it takes to get from `noise` after `units` of them to the goal.
double units_for(std::uint64_t units, const PictureNoise& noise, double goal);

/// The power of the samples by which noise falls, as two probes tell: the root at most, less where
/// density estimation or cleaning spreads light less the more of it there is.
double fall_of(std::uint64_t units_before, const PictureNoise& before, std::uint64_t units,
               const PictureNoise& noise);

/// The units that bars expect at the goal, where noise falls by that power, and of so many pixels
/// before any probe, about (what flames usually take).
double expected_units(std::uint64_t units, const PictureNoise& noise, double goal, double fall);
double usual_units(std::uint64_t pixels, double goal);

/// The number of probes to come from the one at `next` on, as far as a probe after `units` tells.
int probes_to_come(std::uint64_t next, std::uint64_t units, const PictureNoise& noise, double goal,
                   double fall);

/// The number of units to probe at next, after a probe at `units` that found too much noise.
std::uint64_t next_probe(std::uint64_t units, const PictureNoise& noise, double goal);

/// The probes of one still.
class ProbeSchedule {
 public:
  /// `goal` 0: it is never probed. `blurs`: density estimation spreads its light far.
  ProbeSchedule(double goal, std::uint64_t pixels, bool blurs)
      : goal_(goal), pixels_(pixels), fall_(blurs ? 0.25 : 0.5) {}

  /// The units after which to probe next, even where they are more than the picture's; 0: nobody
  /// knows yet. A state has it.
  std::uint64_t next() const { return next_; }
  void next(std::uint64_t units) { next_ = units; }
  /// Units from `first` on are to be played.
  void begin(std::uint64_t first);
  /// Whether the noise of so many units is enough; where not, there will be a next probe.
  bool judge(std::uint64_t units, const PictureNoise& noise);
  /// The units at the goal that bars expect, and the probes to come.
  double expected_units() const { return expected_; }
  int probes_to_come() const;

 private:
  double goal_;
  std::uint64_t pixels_, next_ = 0;
  double fall_, expected_ = 0;
  std::uint64_t units_ = 0;  // at the last probe; 0: there was none
  PictureNoise noise_;
};

}  // namespace kiln
