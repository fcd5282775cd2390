// Makes the frames of kiln animate through the pipeline (engine/pipeline/frames.h): their files, the video,
// and what is said on the way.
#pragma once

#include <vector>

#include "cli/frame_jobs.h"
#include "cli/outcome.h"

namespace kiln::cli {

/// A 16-bit picture as it would have been with 8 bits (kernels/pack.h: 16-bit colours are the cut
/// value before its last 8 bits, alpha fills its range).
Image with_8_bits(const Image& image);

/// Frames that are `kept` are only read, for the video. What fails is noted and said.
void make_frames(const AnimateArguments& args, const KeyFrames& animation,
                 std::vector<FrameJob> jobs, Talk& talk, Outcome& outcome);

}  // namespace kiln::cli
