// SPDX-License-Identifier: MIT
// Which frames of a film are cleaned together (docs/inside/algorithm.md, "Cleaning").
#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>

#include "engine/animation/frame_at.h"
#include "engine/render/renderer.h"

namespace kiln {

/// Makes the windows of frames, and each frame ready once for all that have it at a time: it is kept while a
/// window has it. Several threads at once may ask.
class FilmWindows {
 public:
  using Prepare = std::function<PreparedFrame(const Frame&)>;

  /// `film` must outlive it.
  FilmWindows(const KeyFrames& film, Prepare prepare) : film_(film), prepare_(std::move(prepare)) {}

  /// The window of a film's frame: itself, and if it is cleaned as many as two before and two after
  /// it, those that the film has, whatever part of it is made.
  FilmWindow of(const FrameTime& frame);

 private:
  using Ready = std::shared_ptr<const PreparedFrame>;
  struct Known {
    std::shared_future<Ready> coming;  // valid while somebody prepares it
    std::weak_ptr<const PreparedFrame> made;
  };

  Ready ready(const FrameTime& frame);

  const KeyFrames& film_;
  const Prepare prepare_;
  std::mutex mutex_;
  std::map<int, Known> known_;  // by the number of the frame
};

}  // namespace kiln
