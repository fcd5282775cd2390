// SPDX-License-Identifier: MIT
// A film as a strip: one picture with a column for each frame, of drafts. Flicker, cuts, seconds in which nothing
// happens and what goes too fast are seen in it before a frame is rendered.
#pragma once

#include <optional>
#include <vector>

#include "engine/animation/frame_at.h"
#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"

namespace kiln::cli {

constexpr int strip_height = 96;

/// Frames from one column to the next, and pixels of a column.
struct StripShape {
  int step = 1, column = 1;
};
StripShape strip_shape(std::size_t frames);

/// The strip of these frames of the film. A column is the mean of its frame's pixels in each line, without motion
/// blur. `quality`: samples a pixel of drafts; none: as many as the film's, at most 10. Throws Error.
Image film_strip(const FilmKeys& keys, const std::vector<FrameTime>& frames,
                 std::optional<double> quality, const RenderOptions& options);

}  // namespace kiln::cli
