// SPDX-License-Identifier: MIT
#include "engine/pipeline/film_window.h"

#include "engine/render/plan/prepared_frame.h"
#include "engine/render/stages/stages.h"

namespace kiln {

FilmWindow FilmWindows::of(const FrameTime& frame) {
  FilmWindow window;
  const Ready own = ready(frame);
  if (!joins_frames(*own)) return {{own}, 0};
  for (const FrameTime& other : frames_around(film_.frames, frame)) {
    const Ready one = other.number == frame.number ? own : ready(other);
    if (one == own) window.own = window.frames.size();
    if (one == own ||
        (one->flame.passes == 1 && light_stage(own->plan).window.are_alike(own->plan, one->plan)))
      window.frames.push_back(one);
  }
  return window;
}

FilmWindows::Ready FilmWindows::ready(const FrameTime& frame) {
  std::promise<Ready> promise;
  {
    std::unique_lock lock(mutex_);
    Known& known = known_[frame.number];
    if (Ready made = known.made.lock()) return made;
    if (const std::shared_future<Ready> other = known.coming; other.valid()) {
      lock.unlock();
      return other.get();
    }
    known.coming = promise.get_future().share();
    std::erase_if(known_, [](const auto& one) {
      return !one.second.coming.valid() && one.second.made.expired();
    });
  }
  const auto made_known = [&](Ready made) {
    const std::lock_guard lock(mutex_);
    known_[frame.number] = {{}, std::move(made)};
  };
  try {
    const Ready made = std::make_shared<const PreparedFrame>(prepare_(frame_at(film_.keys, frame)));
    promise.set_value(made);
    made_known(made);
    return made;
  } catch (...) {
    promise.set_exception(std::current_exception());
    made_known({});
    throw;
  }
}

}  // namespace kiln
