// SPDX-License-Identifier: MIT
#include "engine/pipeline/film_window.h"

#include "engine/render/plan/prepared_frame.h"
#include "engine/render/stages/stages.h"

namespace kiln {

FilmWindow FilmWindows::of(const FrameTime& frame) {
  FilmWindow window;
  const Ready own = ready(frame);
  if (!joins_frames(*own)) {
    const std::lock_guard lock(mutex_);
    ready_.erase(frame.number);
    return {{own}, 0};
  }
  for (const FrameTime& other : frames_around(film_.frames, frame)) {
    const Ready one = other.number == frame.number ? own : ready(other);
    if (one == own) window.own = window.frames.size();
    if (one == own ||
        (one->flame.passes == 1 && light_stage(own->plan).window.are_alike(own->plan, one->plan)))
      window.frames.push_back(one);
  }
  return window;
}

void FilmWindows::forget_done(const FrameTime& frame) {
  const std::span<const FrameTime> window = frames_around(film_.frames, frame);
  const std::lock_guard lock(mutex_);
  if (backwards_)
    ready_.erase(ready_.upper_bound(window.back().number), ready_.end());
  else
    ready_.erase(ready_.begin(), ready_.lower_bound(window.front().number));
}

FilmWindows::Ready FilmWindows::ready(const FrameTime& frame) {
  std::promise<Ready> promise;
  {
    std::unique_lock lock(mutex_);
    const auto [found, is_new] = ready_.try_emplace(frame.number);
    if (!is_new) {
      const std::shared_future<Ready> other = found->second;
      lock.unlock();
      return other.get();
    }
    found->second = promise.get_future().share();
  }
  try {
    const Ready made = std::make_shared<const PreparedFrame>(prepare_(frame_at(film_.keys, frame)));
    promise.set_value(made);
    return made;
  } catch (...) {
    promise.set_exception(std::current_exception());
    throw;
  }
}

}  // namespace kiln
