// SPDX-License-Identifier: MIT
// From the histogram of a pass to linear light in the supersampled buffer, by the stage of the list
// (engine/render/stages/stages.h) that makes it.
#pragma once

#include <memory>
#include <vector>

#include "engine/render/plan/picture_buffers.h"

namespace kiln {

class LightStage {
 public:
  /// Takes the memory that the stage needs. `clumps`: ClumpSums::factor() where it needs a game; 0: its
  /// frame is only taken into a window.
  LightStage(Device& device, const PreparedFrame& frame, const PictureBuffers& buffers,
             double clumps = 1);

  /// Makes buffers.light of the histogram; with a later pass adds so much more to it. Does the same
  /// with buffers.hits, if there are any.
  void run(int pass, const PictureBuffers& buffers, const HearStage& hear = {});
  /// The window's counts of this slot are the histogram's, and buffers.hits as run() makes them.
  void take(const PictureBuffers& buffers, int slot, double clumps, FrameWindow& window);
  /// light = that of the first pass from other sums of the picture, laid out as the histogram is.
  void run_of(const std::uint64_t* sums, Vec4* light);
  /// Switches to a still of another quality, whose sums count `more` times as much each.
  void set(const LogCurve& log_curve, double more);

 private:
  void set_pass(int pass);
  void make_light(const FarPlan& far);
  void count_hits(int pass, const PictureBuffers& buffers);

  Device& device_;
  const PreparedFrame& frame_;
  const double clumps_;
  Buckets histogram_;
  std::vector<std::unique_ptr<SumsMaker>> sums_;
  double unit_;                        // of the histogram
  OutputPlan plan_;                    // with the log scale and the estimator of the pass
  std::unique_ptr<LightMaker> light_;  // null: the frame is only taken into a window
};

}  // namespace kiln
