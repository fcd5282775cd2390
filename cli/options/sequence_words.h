// SPDX-License-Identifier: MIT
// The times of a sequence as users say them: in frames, seconds or beats of a music; and what a video is
// asked for by every command that makes one.
#pragma once

#include <optional>
#include <string>

#include "cli/options/command.h"
#include "engine/api/kiln/sequence_options.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/video_writer.h"

namespace kiln::cli {

struct SequenceWords {
  std::string easing, hold, nframes;
  std::optional<double> bpm, beats;
  bool bpm_of_sound = false;  // "auto": of the film's sound, which whoever has it puts into `bpm`

  void add_to(Command& command);
  bool given() const { return shapes() || bpm || bpm_of_sound; }
  /// Whether they say more than how long a beat is.
  bool shapes() const { return !easing.empty() || !hold.empty() || beats; }
  /// Puts them into the options, at so many frames a second ("30", "30000/1001"). Throws Error
  /// (usage).
  void complete(const std::string& fps, SequenceOptions& options) const;
};

/// --hdr-peak, beside an option --hdr.
void add_hdr_peak(Command& command, double& peak);

/// The help of options that kiln animate and kiln video both have.
inline constexpr const char* video_options_help =
    "More options for ffmpeg's output, in place of kiln's where both have one, e.g. \"-crf 12 "
    "-preset slow\" or \"-c:v hap\"";
inline constexpr const char* max_bytes_help =
    "The largest file that the film may be, e.g. 8M: with less quality, then smaller, until it "
    "fits";

/// Standard output gets YUV4MPEG, where nothing else is said: "-" becomes "y4m:-".
void complete_film_stream(std::string& path);

/// What a video is asked for beside its name, rate and sound.
struct VideoWords {
  std::string hdr, poster;
  double peak = usual_hdr_peak;
  std::optional<int> poster_frame;

  void add_to(Command& command);
  bool given() const { return !hdr.empty() || !poster.empty(); }
  void complete(VideoSettings& video) const;
};

/// Throws Error (usage) where a frame of the video cannot be had as this file.
void check_poster(const std::string& path, bool hdr);

/// "10s", "1.5 min", "90" (frames) or, where there are beats, "4b", in frames. Throws Error (usage).
double length_in_frames(const char* option, const std::string& text, const std::string& fps,
                        std::optional<double> bpm);

}  // namespace kiln::cli
