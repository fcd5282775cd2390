// Which devices render the frames of an animation, and how many threads serve them.
#pragma once

#include <vector>

#include "cli/animate_options.h"
#include "cli/frame_pipeline.h"

namespace kiln::cli {

/// One entry a renderer, two for each GPU unless --devices names one twice itself; with fewer frames
/// than devices one a frame, whose other devices help. Sets `threads`.
/// `flame` is one of the `frames`; `frame_bytes`: of a picture that waits for its file.
std::vector<RenderOptions> choose_renderers(const AnimateArguments& args, const Flame& flame,
                                            int frames, std::size_t frame_bytes,
                                            FramePipeline::Threads& threads);

}  // namespace kiln::cli
