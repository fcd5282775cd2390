// What an animation shows: key flames, as the files have them or made to a sequence, and the times
// of all frames.
#pragma once

#include <optional>
#include <vector>

#include "engine/animation/frame_list.h"
#include "engine/animation/sequence.h"

namespace kiln {

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

}  // namespace kiln
