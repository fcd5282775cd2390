// SPDX-License-Identifier: MIT
// What one run of kiln animate makes: which of the film's frames, with which names, which of them are there
// already, and what holds for all of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/animate_options.h"

namespace kiln::cli {

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
  double samples = 0;   // of its game, about
  double cost = 0;      // what it takes, in samples
};

/// The frames of one run and what holds for all of them: who makes them sees no option.
struct FilmPlan {
  std::vector<FrameJob> frames;
  std::string input;                // that a frame's report names
  RenderOptions options;            // with which frames are made, but for what a video asks of them
  Saving saving;                    // of their files, by one thread
  bool keeps_files = false;         // that are there: they are failures
  VideoSettings video;              // its path is empty where none is made
  std::string poster;               // a picture of one frame; empty: none
  std::optional<int> poster_frame;  // as it is shown; none: the first
  bool as_json = false;

  bool has_video() const { return !video.path.empty(); }
  bool is_hdr() const { return video.hdr_peak > 0; }
  /// Whether the frames go one behind the other to standard output.
  bool is_stream() const;
  /// Whether it is linear light: all frames have the ending of the first.
  bool is_linear() const;
};

/// The frames that --frames and --chunk leave, in the order in which they are played. Throws Error (usage).
std::vector<FrameTime> played_frames(const AnimateArguments& args, const KeyFrames& film);

/// Names those frames, and says what each takes. Throws Error (usage).
std::vector<FrameJob> choose_frames(const AnimateArguments& args, const KeyFrames& film);

/// The plan of these frames.
FilmPlan plan_of(const AnimateArguments& args, std::vector<FrameJob> frames);

/// Shares the frames that are still to make among the devices that --devices says. Other GPUs than those are not
/// even opened. Throws Error (usage).
void share_frames(const std::string& devices, FilmPlan& plan);

/// Marks the frames whose files are whole and made with the same settings.
void keep_finished(const RenderOptions& options, std::vector<FrameJob>& frames);

/// Makes the folders of the frames where they are missing.
void make_folders(const std::vector<FrameJob>& frames);

}  // namespace kiln::cli
