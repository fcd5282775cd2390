// SPDX-License-Identifier: MIT
#include "cli/options/sequence_words.h"

#include <cmath>

#include "cli/options/option_value.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/transfer.h"

namespace kiln::cli {
namespace {

double frames_of_beat(const std::string& fps, double bpm) {
  if (!(bpm > 0 && bpm <= 1e4))
    fail(ErrorKind::usage, "--bpm {}: must be above 0, at most 10000", shortest(bpm));
  return rate_of(fps) * 60 / bpm;
}

}  // namespace

double length_in_frames(const char* option, const std::string& text, const std::string& fps,
                        std::optional<double> bpm) {
  constexpr double most = 1e6;
  const auto seconds = seconds_in(text);
  const bool beats = text.ends_with('b');
  const auto number =
      seconds ? seconds : to_real(std::string_view(text).substr(0, text.size() - beats));
  const bool is_whole = seconds || beats || (number && *number == std::floor(*number));
  if (!number || !(*number >= 0 && *number <= most) || !is_whole)
    fail(ErrorKind::usage,
         "{} {}: must be frames such as 90, a time such as 3s or 1.5min, or beats such as 4b",
         option, printable_whole(text));
  if (seconds) return *seconds * rate_of(fps);
  if (!beats) return *number;
  if (!bpm) fail(ErrorKind::usage, "{} {}: says beats; add --bpm", option, printable_whole(text));
  return *number * frames_of_beat(fps, *bpm);
}

void add_hdr_peak(Command& command, double& peak) {
  command.number("--hdr-peak", "NITS", peak,
                 "Its brightest light, 203 to 10000 cd/m2 (default 1000); white is 203",
                 {hdr_white, most_hdr_peak});
  command.need("--hdr-peak", "--hdr");
}

void complete_film_stream(std::string& path) {
  if (is_standard_output(path) && stream_kind(path).empty()) path = "y4m:-";
}

void VideoWords::add_to(Command& command) {
  command.choice("--hdr", {"pq"}, hdr,
                 "HDR of linear light: BT.2020, PQ, 10 bits; HDR10 in .mp4 and .mkv, AV1 in .webm, "
                 "ProRes in .mov");
  add_hdr_peak(command, peak);
  command.text("--poster", "FILE", poster, "Also the first frame as a picture: .png .jpg");
  command.whole("--poster-frame", "N", poster_frame, "Take the frame of this number instead");
  command.need("--poster-frame", "--poster");
}

void VideoWords::complete(VideoSettings& video) const {
  if (!hdr.empty()) video.hdr_peak = std::floor(peak);
}

void check_poster(const std::string& path, bool hdr) {
  if (format_named(path).linear == hdr) return;
  fail(ErrorKind::usage, "--poster {}: the frames are {}; name it {}", printable_whole(path),
       hdr ? "linear light" : "of 8 or 16 bits", picture_endings(hdr));
}

void SequenceWords::add_to(Command& command) {
  command.text(
      "--easing", "E", easing,
      "How transitions are gone: linear, hold, ease-in, ease-out, ease-in-out, bounce, or a "
      "curve \"x1 y1 x2 y2\"");
  command.suggest("--easing", {"linear", "hold", "ease-in", "ease-out", "ease-in-out", "bounce"});
  command.text("--hold", "T", hold,
               "How long each flame stands still before it becomes the next: frames, or 2s, or 4b "
               "(beats)");
  command.value(
      "--bpm", "B",
      [&](const std::string& text) {
        bpm_of_sound = text == "auto";
        if (!bpm_of_sound) bpm = number_value("--bpm", text);
      },
      "Beats a minute: turns and transitions begin on a beat of the music; auto: those of --audio");
  command.suggest("--bpm", {"auto"});
  command.number("--beats", "N", beats, "Beats of a turn and of a transition (default 4)");
  command.need("--beats", "--bpm");
}

void SequenceWords::complete(const std::string& fps, SequenceOptions& options) const {
  if (beats && !(*beats > 0 && *beats <= 1e6))
    fail(ErrorKind::usage, "--beats {}: must be above 0, at most 1e6", shortest(*beats));
  if (bpm_of_sound && !bpm)
    fail(ErrorKind::usage,
         "--bpm auto: is the tempo of the sound of kiln animate --audio; say a number here");
  options.easing = easing;
  if (!nframes.empty()) {
    const double frames = length_in_frames("--nframes", nframes, fps, bpm);
    options.nframes = int(std::lround(frames));
  }
  if (!hold.empty()) options.hold = length_in_frames("--hold", hold, fps, bpm);
  if (bpm) options.part_frames = beats.value_or(4) * frames_of_beat(fps, *bpm);
}

}  // namespace kiln::cli
