// SPDX-License-Identifier: MIT
// Makes the frames of kiln animate through the pipeline (engine/pipeline/frames.h): their files, the video,
// and what is said on the way.
#pragma once

#include <string>
#include <vector>

#include "cli/options/animate_options.h"
#include "cli/outcome.h"

namespace kiln::cli {

// The frames of one run of kiln animate: which of the animation's, with which names, and which of
// them are there already.

struct FrameJob {
  FrameTime frame;
  int shown = 0;         // the number in the film as it is played, which names have
  std::string path;      // empty: for the video alone
  std::string settings;  // digest of all that decides the pixels
  std::string film;      // and of what all frames of the film have in common
  bool kept = false;     // the file is there already
  bool is_again =
      false;  // the same frame came before in this run (--ping-pong): it is not rendered again
  std::string copy_of;  // whose file it had
  double cost = 0;      // what it takes, in samples
};

/// The frames that --frames and --chunk leave, with their names. Throws Error (usage).
std::vector<FrameJob> choose_frames(const AnimateArguments& args, const KeyFrames& animation);

/// Marks the frames whose files are whole and made with the same settings.
void keep_finished(const AnimateArguments& args, std::vector<FrameJob>& jobs);

/// Makes the folder of the frames where it is missing.
void make_folders(const std::vector<FrameJob>& jobs);

/// Frames that are `kept` are only read, for the video. What fails is noted and said.
void make_frames(const AnimateArguments& args, const KeyFrames& animation,
                 std::vector<FrameJob> jobs, Console& console, Outcome& outcome);

}  // namespace kiln::cli
