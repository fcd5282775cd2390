// Cleaning: light of sums whose noise is averaged among equal buckets (kernels/clean.h).
//
//   TakeCounts, SumPatches, CleanLight   sums -> planes -> light [BH, BW]
//
// Of a still by the sums alone, and of a film's frames with those around each.
#pragma once

#include <array>
#include <vector>

#include "engine/device/device.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stage.h"
#include "kernels/clean.h"

namespace kiln {

/// The counts of a film's frames around the one that is cleaned, in places of which each has one frame.
class CleanWindow {
 public:
  static constexpr int frames_before = 2, frames_after = 2,
                       places = frames_before + 1 + frames_after;
  static_assert(places - 1 <= CleanLight::most_others);

  CleanWindow(Device& device, const OutputPlan& plan);

  /// The frame of this place from now on. `unit`, `clumps`: as CleanStage has them.
  void take(int place, const Buckets& histogram, double unit, double clumps, const LogCurve& curve);
  /// light [buffer] = that of the frame at place `own`, whose plan it is, of its sums and of those at
  /// `others`.
  void run(int own, const std::vector<int>& others, const OutputPlan& plan, Vec4* light);

  /// Whether frames of this plan have a place in it.
  bool holds(const OutputPlan& plan) const;
  /// Whether the sums of two frames are comparable, of buckets and of hits.
  static bool are_alike(const OutputPlan& a, const OutputPlan& b);
  /// Device memory it takes beyond what CleanStage does.
  static std::uint64_t more_bytes(const OutputPlan& plan);
  /// Why such a frame cannot be made in stripes.
  static constexpr const char* why_whole =
      "a film's frames are cleaned with two before and two after them, which are never made in "
      "stripes; without --clean they can be";

 private:
  /// Of a frame.
  struct Scale {
    double hit = 1;  // CleanPlanes: an independent one, in flam3's units
    LogCurve curve;
  };

  Device& device_;
  CleanPlanes planes_;  // of the first place
  DeviceArray<float> room_;
  std::array<Scale, places> scales_;
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
  DeviceArray<float> room_;  // of the planes
};

}  // namespace kiln
