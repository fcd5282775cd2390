// What the host finds out about a frame before a device is needed: settings, plans and the program
// at all its moments. It takes longer than many a chaos game when there are a thousand moments, so
// an animation prepares its next frames on other threads while the device plays.
#pragma once

#include "engine/program/compiled_flame.h"
#include "engine/render/light/far_plan.h"
#include "engine/render/renderer.h"

namespace kiln {

class Device;

struct PreparedFrame {
  Flame flame;      // whose settings hold for the whole frame
  OutputPlan plan;  // of the whole frame; the log scale and the estimator are those of a pass
  CompiledFlame compiled;
  std::uint32_t number = 0;
  bool quick = false;  // prepare_quickly() made it
  FarPlan far;         // of the whole frame, with the estimator of `plan`

  /// The log scale and the estimator of each pass; empty for a still, whose passes are alike.
  struct Pass {
    LogCurve log_curve;
    DensityPlan density;
    DensityGrid density_grid;
    FarPlan far;
  };
  std::vector<Pass> passes;
};

/// Interpolates, plans and compiles a frame; `moving` and `samples` are not needed afterwards. May
/// be called by several threads at once for different frames. `device`: one that the options ask
/// for and that has no game now, to find out how points settle; null: one thread does. Throws Error.
PreparedFrame prepare(const Frame& frame, const RenderOptions& options, Device* device = nullptr);
/// Of a still for a quick look: its points count as settled after the usual steps, whatever they
/// need, and its few samples are shared out among as many units as the device works on at once.
/// The same flame within noise (and what slow points remember), other bits.
PreparedFrame prepare_quickly(const Flame& flame, const RenderOptions& options);
/// Throws what prepare() throws, without making large tables.
void check_frame(const Frame& frame, const RenderOptions& options);

}  // namespace kiln
