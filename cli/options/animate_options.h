// SPDX-License-Identifier: MIT
// The options of kiln animate, beside those of every command that renders pictures.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/picture_options.h"
#include "cli/options/sequence_words.h"
#include "engine/animation/frame_at.h"
#include "engine/api/kiln/sequence_options.h"
#include "engine/base/ranks.h"
#include "engine/io/picture/video_writer.h"

namespace kiln::cli {

struct AnimateArguments : PictureOptions {
  std::vector<std::string> inputs;
  std::string output, strip, flame, frames, chunk, manifest, spin;
  std::optional<double> begin, end;
  double dtime = 1;
  std::optional<int> temporal_samples;
  std::optional<double> until_noise_percent;
  std::optional<int> start_number;
  bool reverse = false, ping_pong = false;
  bool sequence = false, loop = false, steady = false, resume = false, dry_run = false,
       fit_audio = false;
  SequenceOptions sequence_options;
  SequenceWords sequence_words;
  VideoSettings video;
  VideoWords video_words;
  std::shared_ptr<Ranks> ranks;  // that share the frames
};

void add_animate_options(Command& command, AnimateArguments& args);

/// Completes the arguments. Throws Error (usage) for those that do not go together.
void complete_arguments(AnimateArguments& args);

/// Fails where frames of this format cannot be had. `path` is the template, or the name of a frame:
/// a flame's name in it may end in .exr as well.
void check_format(const AnimateArguments& args, const std::string& path, const Flame& key);

// What kiln animate shows: key flames, as the files have them or made to a sequence, and the times
// of all frames.

/// Reads the key flames. Throws Error.
KeyFrames make_animation(const AnimateArguments& args, Console& console);

/// Gives the video of a film with a song that song as its sound, from where `first` is in it, and its rate, where the
/// command line says no others.
void take_song(AnimateArguments& args, const KeyFrames& film, const FrameTime& first,
               Console& console);

}  // namespace kiln::cli
