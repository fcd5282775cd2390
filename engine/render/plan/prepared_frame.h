// SPDX-License-Identifier: MIT
// What the host finds out about a frame before a device is needed: settings, plans and the program
// at all its time samples. It takes longer than many a chaos game when there are a thousand time samples, so
// an animation prepares its next frames on other threads while the device plays.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/api/kiln/render_options.h"
#include "engine/model/flame.h"
#include "engine/model/frame.h"
#include "engine/program/compiled_flame.h"
#include "engine/render/stages/density/far_plan.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stage.h"

namespace kiln {

// What flam3 takes from which of a frame's genomes (flam3-pipeline.md section 5): sizes, quality,
// passes, supersampling and the spatial filter from the one at the frame's time, the log scale's
// brightness and scale from the last time sample of a pass, the estimator from its first, vibrancy,
// gamma and background from the mean of all time samples, the gamma threshold from the last.

/// The settings of one pass's time samples for its log scale and its estimator.
struct PassSettings {
  double brightness = 0, scale = 0, zoom = 0, quality = 0;                  // of its last
  double estimator_radius = 0, estimator_minimum = 0, estimator_curve = 0;  // of its first

  /// The frame's settings with those of the pass.
  Flame applied_to(const Flame& frame) const;
};

/// Gathers the settings of a frame while its time samples go by.
class FrameSettings {
 public:
  /// `flame` is that at the frame's time; `time_samples` are divided evenly between its passes.
  FrameSettings(const Flame& flame, std::size_t time_samples);

  void add(const Flame& time_sample);

  /// The flame whose settings hold for the whole frame, when all time samples are added. Its estimator radius is the
  /// largest of all time samples: the buffer must be large enough for every pass.
  const Flame& frame() const { return frame_; }
  /// One a pass.
  const std::vector<PassSettings>& passes() const { return passes_; }

 private:
  Flame frame_;
  std::vector<PassSettings> passes_;
  std::size_t time_samples_, added_ = 0;
};

class Device;

struct PreparedFrame {
  Flame flame;      // whose settings hold for the whole frame
  OutputPlan plan;  // of the whole frame; the log scale and the estimator are those of a pass
  CompiledFlame compiled;
  std::uint32_t number = 0;
  bool quick = false;   // prepare_quickly() made it
  int quick_units = 0;  // that share its samples then; 0: as many as the device works on at once
  double clumps = 0;    // ClumpSums::factor() if it is cleaned; 0: to be measured
  FarPlan far;          // of the whole frame, with the estimator of `plan`

  /// The log scale and the estimator of each pass; empty for a still, whose passes are alike.
  struct Pass {
    LogCurve log_curve;
    DensityPlan density;
    DensityGrid density_grid;
    FarPlan far;
  };
  std::vector<Pass> passes;

  PlannedPicture picture() const { return {flame, plan, far}; }
};

/// The samples of all its passes.
std::uint64_t samples_of(const PreparedFrame& frame);
/// Whether a film's frames around it have part in its light (FilmWindow).
bool joins_frames(const PreparedFrame& frame);

/// The options that a frame's plan depends on. `temporal_weight`: the mean of its time samples'.
OutputSettings output_settings(const RenderOptions& options, double temporal_weight);
/// The plans of the frame's look, for its flame and its sums as they are compiled. Throws Error.
void plan_look(const OutputSettings& settings, PreparedFrame& frame);

/// Plans and compiles a frame; `moving` and `samples` are not needed afterwards. May
/// be called by several threads at once for different frames. `device`: one that the options ask
/// for and that has no game now, to find out how points settle; null: one thread does. Throws Error.
PreparedFrame prepare(const Frame& frame, const RenderOptions& options, Device* device = nullptr);
/// Prepares a quick preview of a still: its points count as settled after the usual steps, whatever
/// they need, and its few samples are shared among as many units as the device works on at once.
/// The picture is the same within noise (and what slow points remember), with other bits, which are
/// the same on every machine where `units` says among how many. A stage that needs a game has a part in it
/// where `clumps` is above 0: PreparedFrame::clumps, which takes longer to measure than the picture.
PreparedFrame prepare_quickly(const Flame& flame, const RenderOptions& options, int units = 0,
                              double clumps = 0);
/// Prepares a frame without the tables of its look, for its sums' shape alone (sums_shape()).
PreparedFrame prepare_for_shape(const Flame& flame, const RenderOptions& options);
/// Throws what prepare() throws, without making large tables. Returns resolution_warning().
std::string check_plan(const Frame& frame, const RenderOptions& options);

}  // namespace kiln
