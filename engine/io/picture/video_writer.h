// SPDX-License-Identifier: MIT
// Frames as a film, through the program ffmpeg: 16-bit RGB pictures go to its standard input as
// they are, and it chooses nothing itself; codec and quality follow from the file's ending. The
// video is a file like every other of kiln's (atomic_file.h): ffmpeg writes to a temporary name,
// and only a video that ffmpeg ended well, and that has its end (video_end.h), gets its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/picture/video_settings.h"

namespace kiln {

class Child;

/// Checks what can be checked before rendering: the ending is known, keeps alpha and sound if it
/// has to, fps is a rate, ffmpeg is installed. Throws Error of kind usage, input where the sound
/// cannot be read, or output where ffmpeg is missing.
void check_video(const VideoSettings& settings);

/// The work of ffmpeg for a film of its kind, to forecast times.
struct VideoWork {
  double pixel_s = 0;  // seconds of one core that a pixel takes
  double cores = 1;    // that the encoder keeps busy
  double ahead = 1;    // frames that it holds back to look ahead: still to do behind the last one
  double last_share = 0;  // of the work, what can only begin when the last frame is there

  /// Seconds from the last frame until the film is finished.
  double tail_s(double frames, double pixels) const;
};
VideoWork video_work(const VideoSettings& settings);

/// Frames a second. Throws Error (usage) for what is no rate.
double rate_of(const std::string& fps);

/// The number of frames of `fps` that a sound lasts, by ffprobe. Throws Error of kind input or output.
std::size_t frames_of_sound(const std::string& audio, const std::string& fps);

/// A picture as ffmpeg gets it: rgb48 or rgba64, native endian, 65535 is full (the pixels of kiln's
/// and flam3's 16-bit pictures end at 65280). Takes pictures of 8 bits too. Of kinds that hold 8 bits
/// a channel (video_bits()) each value is that of kiln's 8-bit picture, times 257.
std::vector<std::uint16_t> video_frame(const Image& image, bool alpha, int bits = 16);

class VideoWriter {
 public:
  /// Starts ffmpeg, which dies with the calling thread. Throws Error of kind usage (also where the
  /// frames of a .gif do not fit into memory together) or output.
  explicit VideoWriter(const VideoSettings& settings);
  /// Deletes the video unless finish() was called.
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  /// Appends video_frame()'s samples of one frame. Throws Error of kind output with ffmpeg's words.
  void write(const std::vector<std::uint16_t>& frame);
  /// The light of the film of PQ, in cd/m2, for what the file says of itself: to be told before finish().
  void set_light(double brightest, double brightest_frame);
  /// Ends the film, which has no name yet, and gives back how many bytes it has.
  std::uint64_t end(const std::function<void()>& waiting = {});
  /// Gives an ended film its name.
  void commit() { file_.commit(); }
  /// Ends the video; it has its name then. Calls `waiting` every 0.1 s until ffmpeg is ready. Throws
  /// Error of kind output.
  void finish(const std::function<void()>& waiting = {});

 private:
  /// Waits for ffmpeg and throws unless it ended well.
  void close_and_wait(const std::function<void()>& waiting = {});
  /// Throws ReaderGone where a pipe is no longer read.
  void check_reader() const;
  /// Throws where the end of the film is not there, though ffmpeg ended well.
  void check_end();

  std::string path_;
  bool bytes_;  // ffmpeg gets 8 bits a channel
  bool is_sphere_;
  double brightest_ = 0, brightest_frame_ = 0;
  AtomicFile file_;
  std::unique_ptr<Child> child_;
  int pipe_ = -1;
  std::string complaints_;  // the end of what ffmpeg said
  std::jthread listener_;
};

}  // namespace kiln
