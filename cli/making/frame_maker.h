// SPDX-License-Identifier: MIT
// Makes the frames of kiln animate through the pipeline (engine/pipeline/frames.h): their files, the video,
// and what is said on the way.
#pragma once

#include "cli/making/film_plan.h"
#include "cli/says/outcome.h"

namespace kiln::cli {

/// Makes the frames of the plan, which are of `film`. Those that are `kept` are only read, for the video. What
/// fails is noted and said.
void make_frames(const FilmPlan& plan, const KeyFrames& film, Console& console, Outcome& outcome);

}  // namespace kiln::cli
