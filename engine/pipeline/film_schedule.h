// SPDX-License-Identifier: MIT
// Who makes the frames of a film, and how many of them are under way: a matter of the devices, of the threads that
// there are and of the film, without a device.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/animation/frame_at.h"
#include "engine/api/kiln/render_options.h"
#include "engine/pipeline/pipeline.h"

namespace kiln {

struct FilmSchedule {
  std::vector<RenderOptions> renderers;  // of each, its device and those that help it
  Pipeline::Threads threads;
};

/// The schedule of a film. Each helper of the options makes frames of its own; with fewer frames than devices one a frame,
/// whose other devices help. A GPU alone, and each of different ones, makes two at once. Frames that are cleaned have the
/// counts of those around them: each renderer makes runs of neighbors, which are played once but at the ends of a run; a few
/// frames are made by fewer renderers, with the other devices' help. `has_gpu`: one is there, for who takes what is there.
FilmSchedule schedule_film(RenderOptions options, const FilmKeys& keys, int frames, bool has_gpu);

/// Bytes that a picture takes on its way from the renderer to its file and to a video.
std::size_t frame_bytes(const RenderOptions& options, const Flame& flame);

}  // namespace kiln
