// The frames of an animation through the pipeline, on all devices that share the work.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "engine/model/frame.h"
#include "engine/pipeline/pipeline.h"
#include "engine/render/renderer.h"

namespace kiln {

/// Bytes that a picture takes on its way from the renderer to its file and to a video.
std::size_t frame_bytes(const RenderOptions& options, const Flame& flame);

struct RenderedFrame {
  Image image;
  RenderStatistics statistics;
  double render_s = 0;
};

/// What is asked of the owner of frames, as of that of Steps.
struct FrameWork {
  int count = 0;
  std::function<std::optional<Frame>(int)> frame;  // nothing: it needs no rendering
  std::function<Report(int, RenderedFrame)> encode;
  /// Called every 0.1 s at most, with the number of frames reported and, for each renderer that
  /// works, its position and progress.
  std::function<void(int, const std::map<int, Progress>&)> progress = [](int, const auto&) {};
};

/// Makes all frames, of which `flame` is one; gives the first that could not be made. Where the
/// options have helpers, each of them makes frames of its own; with fewer frames than devices one a
/// frame, whose other devices help. A GPU alone, and each of different ones, makes two at once.
std::optional<Pipeline::Trouble> make_frames(const FrameWork& work, const RenderOptions& options,
                                             const Flame& flame);

}  // namespace kiln
