// What kiln animate shows: key flames, as the files have them or made to a sequence, and the times
// of all frames.
#pragma once

#include "cli/options/animate_options.h"
#include "engine/animation/key_frames.h"

namespace kiln::cli {

/// Reads the key flames. Throws Error.
KeyFrames make_animation(const AnimateArguments& args, Talk& talk);

}  // namespace kiln::cli
