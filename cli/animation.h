// What kiln animate shows: key flames, as the files have them or made to a sequence, and the times
// of all frames.
#pragma once

#include <vector>

#include "cli/animate_options.h"
#include "engine/animation/frame_list.h"

namespace kiln::cli {

struct Animation {
  std::vector<Flame> keys;
  std::vector<FrameTime> frames;
};

/// Reads the key flames. Throws Error.
Animation make_animation(const AnimateArguments& args, Talk& talk);

}  // namespace kiln::cli
