// SPDX-License-Identifier: MIT
// Cleaning: light of sums whose noise is averaged among equal buckets (kernels/clean.h).
//
//   TakeCounts, SumPatches, CleanSums, LineLight   sums -> planes -> cleaned sums -> light [BH, BW]
//
// Of a still by the sums alone, and of a film's frames with those around each.
#pragma once

#include <array>
#include <vector>

#include "engine/device/device.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stage.h"
#include "kernels/clean.h"
#include "kernels/clean_lines.h"

namespace kiln {

class CleanWindow : public FrameWindow {
 public:
  static_assert(slots - 1 <= CleanSums::most_others);

  CleanWindow(Device& device, const OutputPlan& plan);

  bool holds(const OutputPlan& plan) const override;
  void take(int slot, const Buckets& histogram, double unit, double clumps,
            const LogCurve& curve) override;
  void run(int own, const std::vector<int>& others, const OutputPlan& plan, Vec4* light) override;

  static bool are_alike(const OutputPlan& a, const OutputPlan& b);

 private:
  /// The scale of a frame's counts.
  struct Scale {
    double hit = 1;  // CleanPlanes: an independent one, in flam3's units
    LogCurve curve;
  };

  Device& device_;
  CleanPlanes planes_;  // of the first slot
  DeviceArray<float> room_;
  DeviceArray<Vec4> cleaned_;  // [buffer] the sums of the frame whose light is made
  std::array<Scale, slots> scales_;
};

class CleanStage : public LightMaker {
 public:
  /// `unit`: what a hit adds to the histogram's alpha; `clumps`: ClumpSums::factor().
  CleanStage(Device& device, const OutputPlan& plan, double unit, double clumps);

  void run(const Buckets& histogram, const LogCurve& curve, Vec4* light, bool accumulate,
           const HearStage& hear = {}) override;

 private:
  Device& device_;
  const double share_, unit_, clumps_;
  CleanPlanes planes_;
  DeviceArray<float> room_;    // of the planes
  DeviceArray<Vec4> cleaned_;  // [buffer] sums
};

}  // namespace kiln
