// SPDX-License-Identifier: MIT
// The kinds of films, and the film that is to be made: its place, rate, sound, light, size and codec.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/api/kiln/image.h"
#include "engine/io/file/atomic_file.h"

namespace kiln {

/// A kind of film: what ffmpeg makes of an ending.
struct VideoFormat {
  std::string_view ending;
  const char* name;        // for a list that one is chosen of
  const char* says;        // what it is
  const char* media_type;  // for browsers, which show it; null: they do not
  const char* muxer;
  const char* codec;                // with its quality: hard to tell from the frames
  const char* alpha_codec;          // null: cannot be transparent
  const char* audio;                // codec of the sound; null: has none
  bool even = false;                // sides must be even
  bool rgb = false;                 // pixels go in as they are: sRGB, not the YCbCr of video
  const char* hdr = nullptr;        // codec of PQ; null: cannot be HDR. {0}: the peak
  bool goes_back = true;            // to its begin when it ends, as no pipe can
  std::string_view or_ending = {};  // another one of the same

  bool has_alpha() const { return alpha_codec; }
  bool has_sound() const { return audio; }
  bool can_be_piped() const { return !goes_back; }
  bool is_for_pipes() const { return ending == ".y4m" || ending == ".raw"; }
};
std::span<const VideoFormat> video_formats();
/// The one with this ending (with its dot, in small letters); null: none.
const VideoFormat* video_format_with(std::string_view ending);
/// ".mp4 .mkv": of those that have it, or of all.
std::string video_endings(bool (VideoFormat::*has)() const = nullptr);

/// Settings that make a film smaller than kiln makes it by itself, to have no more than so many bytes.
struct VideoFit {
  int width = 0, height = 0;  // 0: as the frames are
  int colors = 256;           // of a GIF
  bool is_coarse = false;     // its dither, which packs better
  std::string options;        // of the codec, in place of kiln's
};

struct VideoSettings {
  std::string path;
  int width = 0, height = 0;
  std::string fps = "30";    // frames a second: a number or a fraction such as 30000/1001
  bool transparent = false;  // keep the alpha channel
  double hdr_peak = 0;       // cd/m2; not 0: frames are PQ of BT.2020 (engine/render/develop/hdr.h)
  std::string audio;  // a file with the sound, cut or filled with silence to the film's length
  double audio_start_s = 0;  // of that file, at the first frame
  std::string options;       // of ffmpeg's output, in place of kiln's or beside them (words_in())
  Credits credits;           // title, author and copyright, where the file has room for them
  std::size_t frames = 0;    // how many there will be; 0: not known yet
  bool is_sphere = false;    // the frames are whole spheres, which .mp4 and .mov say to players
  std::uint64_t max_bytes = 0;  // the most that the file may have; 0: no matter (FittedVideo)
  VideoFit fit = {};
  AtomicFile::Existing existing = AtomicFile::Existing::replace;
};

/// 8 for the endings that keep sRGB pixels as they are (.gif, .webp, .apng), else 16.
int video_bits(const std::string& path);

}  // namespace kiln
