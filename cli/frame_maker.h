// Makes the frames of kiln animate through the pipeline (frame_pipeline.h): their files, the video,
// and what is said on the way.
#pragma once

#include <vector>

#include "cli/frame_jobs.h"
#include "cli/outcome.h"

namespace kiln::cli {

/// Frames that are `kept` are only read, for the video. What fails is noted and said.
void make_frames(const AnimateArguments& args, const Animation& animation,
                 std::vector<FrameJob> jobs, Talk& talk, Outcome& outcome);

}  // namespace kiln::cli
