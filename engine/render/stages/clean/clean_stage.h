// Cleaning on a device: from the histogram to linear light (kernels/clean.h), and the one number
// that it has to know of the game.
#pragma once

#include <array>
#include <vector>

#include "engine/render/plan/picture_buffers.h"
#include "engine/render/stages/output_plan.h"
#include "kernels/clean.h"

namespace kiln {

// How much hits come in clumps: the variance of a bucket's hits, 1 where each is by itself. Orbits
// that come back to the same bucket hit it several times or not at all, and hits of little visibility
// count for little. It belongs to the flame and its camera and not to the number of samples, so it is
// measured by two small units of the same game, played before the picture. Each of them shows all time
// samples of a frame in motion: with a half of them each, what moved would be clumps. So sums in halves
// are needed nowhere: a state, a shard's or that of a picture without cleaning, is cleaned as well.

/// What MeasureClumps has summed; that of a picture is the sum of its stripes'.
struct ClumpSums {
  std::uint64_t squares = 0, hits = 0;

  ClumpSums& operator+=(const ClumpSums& more);
  double factor() const;
};

/// Of the rows of the picture that a frame or a stripe of it has. No game may be on the device now;
/// the buffers' histogram and light are used up.
ClumpSums measure_clumps(Device& device, const PreparedFrame& frame, const RenderOptions& options,
                         const std::uint16_t* permutations, PictureBuffers& buffers);

/// The counts of a film's frames around the one that is cleaned, in places of which each has one frame.
class CleanWindow {
 public:
  static constexpr int frames_before = 2, frames_after = 2,
                       places = frames_before + 1 + frames_after;
  static_assert(places - 1 <= CleanLight::most_others);

  CleanWindow(Device& device, const OutputPlan& plan);

  /// The frame of this place from now on. `unit`, `clumps`: as CleanStage has them.
  void take(int place, const Buckets& histogram, double unit, double clumps, const LogCurve& curve);
  /// light [buffer] = that of the frame at place `own`, of its sums and of those at `others`.
  void run(int own, const std::vector<int>& others, double share, Vec4* light);

  /// Whether frames of this plan have a place in it.
  bool holds(const OutputPlan& plan) const;
  /// Whether the sums of two frames are comparable, of buckets and of hits.
  static bool are_alike(const OutputPlan& a, const OutputPlan& b);
  /// Device memory it takes.
  static std::uint64_t bytes(const OutputPlan& plan);

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

class CleanStage {
 public:
  /// `a_hit`: what a hit adds to the histogram's alpha; `clumps`: ClumpSums::factor().
  CleanStage(Device& device, const OutputPlan& plan, double unit, double clumps);

  /// light [buffer] = that of the cleaned sums, or that much more of it.
  void run(const Buckets& histogram, const LogCurve& curve, Vec4* light, bool accumulate);

  /// Device memory it takes.
  static std::uint64_t bytes(const OutputPlan& plan);

 private:
  Device& device_;
  const double share_, unit_, clumps_;
  CleanPlanes planes_;
  DeviceArray<float> room_;  // of the planes
};

}  // namespace kiln
