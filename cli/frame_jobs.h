// The frames of one run of kiln animate: which of the animation's, with which names, and which of
// them are there already.
#pragma once

#include <string>
#include <vector>

#include "cli/animation.h"

namespace kiln::cli {

struct FrameJob {
  FrameTime frame;
  std::string path;      // empty: for the video alone
  std::string settings;  // digest of all that decides the pixels
  bool kept = false;     // the file is there already
  double cost = 0;       // what it takes, in samples
};

/// The frames that --frames and --chunk leave, with their names. Throws Error (usage).
std::vector<FrameJob> choose_frames(const AnimateArguments& args, const KeyFrames& animation);

/// Marks the frames whose files are whole and made with the same settings.
void keep_finished(const AnimateArguments& args, std::vector<FrameJob>& jobs);

/// Makes the folder of the frames where it is missing: one level, since a wrong path is more likely
/// than two missing levels.
void make_folders(const std::vector<FrameJob>& jobs);

}  // namespace kiln::cli
