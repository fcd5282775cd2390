// SPDX-License-Identifier: MIT
// One picture of an animation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/model/flame.h"
#include "engine/model/temporal.h"

namespace kiln {

/// One picture of an animation: the flame at the frame's time, and the same flame at the times of
/// the temporal filter (engine/model/temporal.h) for motion blur.
struct Frame {
  Flame flame;  // sizes, quality, passes, filters, estimator and the rest that does not move
  /// The flame at T + delta_i, passes * temporal samples of them in the order of time; equal
  /// numbers for every pass. From them come xforms, palette, camera and what flam3 takes from a
  /// step of the filter (brightness, vibrancy, gamma, background). Empty: a still of `flame`.
  std::vector<Flame> samples;
  std::vector<double> weights;  // of the samples: flam3's color scale f_i, 0..1, the largest 1
  /// Part of the generator's seed: a frame is the same picture alone or in a sequence. Number 0
  /// without samples is the still that render(flame) gives.
  std::uint32_t number = 0;
  /// A source in place of `samples`: makes them one after the other, as often as it is asked.
  std::shared_ptr<TimeSampleSource> moving = nullptr;
  /// Buckets on each side of the picture, where sums are there already (engine/model/saved_sums.h);
  /// -1: as many as filter and estimator need.
  int gutter = -1;

  bool in_motion() const { return moving || !samples.empty(); }
};

}  // namespace kiln
