// SPDX-License-Identifier: MIT
// Motion blur as flam3 samples it: a frame at time T is the mean of the flame at N = passes *
// temporal samples time samples around T, each with a color scale (flam3-pipeline.md section 5). The
// scale multiplies red, green, blue and alpha of a sample, not its hit; the mean of all scales,
// flam3's sumfilt, is divided out again by the log scale, so that a filter's shape does not change
// the brightness of what stands still.
#pragma once

#include <functional>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

// The flame at the time samples of a frame, one after the other: a thousand genomes in the memory of
// one, and each is compiled while it is in the cache. Whoever makes them also says what they can
// hold, so that the structure of the program is known before the first of them.

class TimeSampleSource {
 public:
  virtual ~TimeSampleSource() = default;

  /// Flames which, taken together, have every xform, variation, post affine and xaos that any
  /// time sample has. They live as long as this.
  virtual std::vector<const Flame*> bounds() = 0;

  /// Calls `see` with every time sample in the order of time, each call with the same ones; the
  /// flame is another one afterwards.
  virtual void visit(const std::function<void(const Flame&)>& see) = 0;
};

/// One time sample of a frame.
struct TemporalStep {
  double time_offset = 0;  // from the frame's time, in the unit of the genomes' times
  double weight = 1;       // color scale, 0..1; the largest of a frame is 1
};

/// The time samples of a frame of this flame in the order of time: passes * temporal_samples of them,
/// the first temporal_samples for the first pass and so on. A single one lies at the frame's time.
std::vector<TemporalStep> temporal_steps(const Flame& flame);

/// flam3's sumfilt: the mean of the weights, 1 for none.
double mean_weight(const std::vector<double>& weights);

}  // namespace kiln
