// One frame of an animation, ready to render: the flame at its time, and at the times of the
// temporal filter around it (motion blur). flam3-pipeline.md sections 5 and 13.
#pragma once

#include <optional>
#include <vector>

#include "engine/animation/frame_list.h"
#include "engine/animation/sequence.h"
#include "engine/model/flame.h"
#include "engine/model/frame.h"

namespace kiln {

// What an animation shows: key flames, as the files have them or made to a sequence, and the times
// of all frames.

struct KeyFrames {
  std::vector<Flame> keys;
  std::vector<FrameTime> frames;
};

/// Which of the times between the keys are frames; what is left out is as in flam3-animate: from
/// the first key's, cut to a whole number, to the last one's less 1.
struct FrameSpan {
  std::optional<double> begin, end;
  double step = 1;
};

/// The frames between keys, at least one, of increasing times. Throws Error.
KeyFrames between_keys(std::vector<Flame> keys, const FrameSpan& span);

/// The frames of the sequence that the flames make; `loop`: the last becomes the first again, and
/// motion blur reaches across that seam.
KeyFrames in_sequence(const std::vector<Flame>& flames, const SequenceOptions& options, bool loop,
                      const FrameSpan& span);

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
