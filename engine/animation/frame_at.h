// One frame of an animation, ready to render: the flame at its time, and at the times of the
// temporal filter around it (motion blur). flam3-pipeline.md sections 5 and 13.
#pragma once

#include <vector>

#include "engine/animation/frame_list.h"
#include "engine/model/flame.h"
#include "engine/model/frame.h"

namespace kiln {

enum class MotionBlur { with, without };

/// The frame of the animation between `keys` (sorted by time, not empty). As in flam3 the spatial
/// filter is that of the first key, and one key alone stands still: its frames have no temporal
/// samples, since all of them would be equal. `keys` must outlive the frame, which blends its
/// samples while it is prepared.
Frame frame_at(const std::vector<Flame>& keys, const FrameTime& frame,
               MotionBlur blur = MotionBlur::with);

/// Samples that the frame at `time` takes, for estimates of the time to go.
double sample_estimate(const std::vector<Flame>& keys, double time);

}  // namespace kiln
