// SPDX-License-Identifier: MIT
// A stage of the picture, from the sums of the chaos game to display values, and all that others have to
// know of it. They ask the list of stages (stages.h) and no single one: the gutter is the largest, memory
// and seconds are sums, progress says the name of whichever makes the light. What a stage has nothing to
// say of stays empty.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/kiln/image.h"
#include "kernels/log_scale.h"
#include "kernels/tonemap.h"

namespace kiln {

class Device;
struct DensityLoad;
struct FarPlan;
struct FarWork;
struct Flame;
struct OutputPlan;
struct OutputSettings;
struct RenderOptions;

/// The steps that the progress of a render tells apart, in the order of a picture in one pass; with
/// several passes or stripes each comes several times. Stages of the picture have one or several of them.
enum class RenderStage { iterate, select, far, gather, filter, effects, tone };
constexpr std::size_t stage_count = 7;

/// The seconds of each RenderStage, all passes and stripes together.
using StageSeconds = std::array<double, stage_count>;

/// Called with the share of a step that is done, 0..1; the steps before it are over.
using HearStage = std::function<void(RenderStage, double done)>;

/// A picture that is planned.
struct PlannedPicture {
  const Flame& flame;  // whose settings hold for the whole frame
  const OutputPlan& plan;
  const FarPlan& far;  // of its density estimation
};

/// Device memory of a stage.
struct StageBytes {
  std::uint64_t all = 0;
  std::uint64_t perhaps = 0;  // of these: taken only where the picture turns out to need it
};

/// The quantities that a stage's seconds follow from.
struct StageWork {
  const OutputPlan& plan;
  const DensityLoad& load;
  const FarWork& far;
};

/// A stage that completes sums on a device before they become light.
class SumsMaker {
 public:
  virtual ~SumsMaker() = default;
  /// Sets how the sums of its picture are read.
  virtual void set(Buckets& histogram) = 0;
  /// Completes sums [BH, BW, channels].
  virtual void run(std::uint64_t* sums, int channels) = 0;
};

/// The ingredients of a LightMaker; all of them outlive it.
struct LightSource {
  Device& device;
  const OutputPlan& plan;
  const FarPlan& far;
  double unit;    // of the sums that come
  double clumps;  // ClumpSums::factor(), where the stage needs a game
};

/// A stage that makes light of sums, on a device.
class LightMaker {
 public:
  virtual ~LightMaker() = default;
  /// light [light_rows(), BW] = that of the sums, or that much more of it.
  virtual void run(const Buckets& histogram, const LogCurve& curve, Vec4* light, bool accumulate,
                   const HearStage& hear) = 0;
  /// Switches to sums in another unit, under the log scale that the plan has now.
  virtual void set([[maybe_unused]] double unit) {}
};

/// The picture on its way from light to display values, in device memory.
struct Developing {
  const Flame& flame;
  const OutputPlan& plan;
  const ToneCurve& tone;  // the plan's, or another one in its place
  Vec4* light;            // [light_rows(), BW] before the filter, [H, W] after it; changed in place
  Vec4* scratch;          // as large as the histogram
  RenderStatistics& statistics;
};

/// Base of what a stage of pixels keeps from picture to picture.
struct KeptByStage {
  virtual ~KeptByStage() = default;
};

/// The sums of a film's frames around the one whose light is made, in slots of which each has one frame.
class FrameWindow {
 public:
  static constexpr int frames_before = 2, frames_after = 2,
                       slots = frames_before + 1 + frames_after;
  virtual ~FrameWindow() = default;

  /// Whether frames of this plan have a slot in it.
  virtual bool holds(const OutputPlan& plan) const = 0;
  /// The frame of this slot from now on. `unit`, `clumps`: as a LightSource has them.
  virtual void take(int slot, const Buckets& histogram, double unit, double clumps,
                    const LogCurve& curve) = 0;
  /// light [buffer] = that of the frame in slot `own`, whose plan it is, of its sums and of those in
  /// `others`.
  virtual void run(int own, const std::vector<int>& others, const OutputPlan& plan,
                   Vec4* light) = 0;
};

/// The part of a film's neighboring frames in a frame's light. Empty: they have none.
struct WindowOfFrames {
  std::unique_ptr<FrameWindow> (*make)(Device&, const OutputPlan&) = nullptr;
  /// Whether the sums of two frames are comparable, of buckets and of hits.
  bool (*are_alike)(const OutputPlan& a, const OutputPlan& b) = nullptr;
  /// Device memory it takes beyond what the stage does for one frame.
  std::uint64_t (*more_bytes)(const OutputPlan&) = nullptr;
  const char* why_whole = nullptr;  // why such a frame is never made in stripes
};

/// Properties of the light that a stage makes, for measurements and forecasts of noise.
struct LightNoise {
  bool blurs = false;  // light is spread less the more there is of it: noise falls slowly at first
  bool has_bias = false;    // most of what is left is one (engine/measure/noise.h)
  double small_fall = 0.5;  // by which power of the samples it falls in a forecast's small pictures
};

struct PictureStage {
  const char* name;  // Progress::stage says it where it makes the light, or filters
  /// The kernel whose progress is that of the stage's last step.
  std::optional<int> kernel = {};

  // Whether it is in a picture: the light is made by the last stage of the list that is in, each
  // other stage stands for itself; one of sums is asked is_wanted alone. Empty: in every picture.
  bool (*is_wanted)(const Flame&) = nullptr;
  bool (*is_in)(const OutputPlan&) = nullptr;

  // Its plan, made in the order of the list.
  void (*plan)(const Flame&, const OutputSettings&, OutputPlan&) = nullptr;
  /// Buckets that it reads or fills beyond the picture.
  int (*gutter)(const Flame&) = nullptr;
  /// Rows of the buffer that it reads beyond those that the filter does.
  int (*reach)(const OutputPlan&) = nullptr;
  /// Whether its bits depend on all that is in sight at once (plan_bands()).
  bool (*in_bands)(const OutputPlan&) = nullptr;
  StageBytes (*bytes)(const PlannedPicture&) = nullptr;
  /// Adds its seconds to those of its steps, on one core of the machine of stage_costs().
  void (*seconds)(const StageWork&, StageSeconds&) = nullptr;

  // What it does not go with, in words: null where it does.
  const char* (*excludes)(const RenderOptions&) = nullptr;
  /// The reason why the picture cannot be made in stripes.
  const char* (*why_whole)(const PlannedPicture&) = nullptr;

  /// Makes a stage that completes a picture's sums; `top` is the first row's place in the buffer.
  std::unique_ptr<SumsMaker> (*sums)(Device&, const PlannedPicture&, int top) = nullptr;

  // Of a stage that makes light.
  std::unique_ptr<LightMaker> (*light)(const LightSource&) = nullptr;
  bool needs_game = false;  // before the picture's own: measure_clumps()
  WindowOfFrames window = {};
  /// Makes a flame one without it.
  void (*leave_out)(Flame&) = nullptr;
  LightNoise noise = {};

  // Of a stage that makes pixels of light. `kept`: its own on this device, null at first.
  void (*pixels)(Device&, const Developing&, std::unique_ptr<KeptByStage>& kept) = nullptr;
  RenderStage step = RenderStage::tone;  // filter, effects or tone
  bool clips_early = false;              // with earlyclip it works on the light before the filter

  /// The hash of the stage's result, of those that `--stages` asks for: read of the stage that makes light, and
  /// of the last one before the tone curve that has one. Null: it has none.
  std::string StageHashes::*hash = nullptr;
};

}  // namespace kiln
