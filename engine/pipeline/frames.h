// SPDX-License-Identifier: MIT
// The frames of a film through the pipeline, on all devices that share the work.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "engine/animation/frame_at.h"
#include "engine/pipeline/pipeline.h"
#include "engine/render/renderer.h"

namespace kiln {

struct RenderedFrame {
  Image image;
  RenderStatistics statistics;
  double render_s = 0;
};

/// Questions for the owner of frames, as Steps has them for that of pictures.
struct FrameWork {
  int count = 0;
  const KeyFrames* film = nullptr;
  std::function<std::optional<FrameTime>(int)> frame;  // of it; nothing: it needs no rendering
  std::function<Report(int, RenderedFrame)> encode;
  /// Called every 0.1 s at most, with the number of frames reported and, for each renderer that
  /// works, its position and progress.
  std::function<void(int, const std::map<int, Progress>&)> progress = [](int, const auto&) {};
};

/// Makes all frames, as their schedule says (film_schedule.h); gives the first that could not be made.
std::optional<Pipeline::Trouble> make_frames(const FrameWork& work, const RenderOptions& options);

}  // namespace kiln
