// SPDX-License-Identifier: MIT
// A film of no more than so many bytes (--max-bytes): its frames are kept, and the film is made of them again, with less
// quality as long as that hardly shows, then smaller, until it fits. Without such a limit it is a VideoWriter.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/io/picture/film_spool.h"
#include "engine/io/picture/video_writer.h"

namespace kiln {

class FittedVideo {
 public:
  /// Throws what VideoWriter throws.
  explicit FittedVideo(const VideoSettings& settings);

  void write(const std::vector<std::uint16_t>& frame);
  void set_light(double brightest, double brightest_frame);
  /// Makes the film, whole, with its name. Throws Error (output), also where nothing fits.
  void finish(const std::function<void()>& waiting = {});
  /// The size and quality of the film in words: "7.6 MB of 8 MB: quality 26, 400 x 300 of 480 x 360 pixels"; empty without a limit.
  const std::string& said() const { return said_; }

 private:
  /// Makes the film at this step; nothing where it has too many bytes, which `bytes_` then says.
  std::unique_ptr<VideoWriter> attempt(std::size_t step, double scale);

  VideoSettings settings_;
  std::optional<VideoWriter> plain_;
  std::optional<FilmSpool> spool_;
  std::function<void()> waiting_;
  double brightest_ = 0, brightest_frame_ = 0;
  std::uint64_t bytes_ = 0;
  std::string said_;
};

}  // namespace kiln
