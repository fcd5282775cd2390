// What the objects of kiln.h hold: the engine's own types stay behind them.
#pragma once

#include <new>

#include "engine/animation/key_frames.h"
#include "engine/base/error.h"
#include "engine/kiln.h"
#include "engine/model/flame.h"

namespace kiln {

struct Scene::Content {
  Flame flame;
};

struct Animation::Content {
  KeyFrames frames;
};

/// The frame of that index. Throws Error (usage).
const FrameTime& frame_of(const Animation& animation, int frame);

inline Scene scene_of(Flame flame) {
  return Scene(std::make_unique<Scene::Content>(Scene::Content{std::move(flame)}));
}

/// Calls `body`; memory that runs out is an Error as all else is.
template <class Body>
auto guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    fail(ErrorKind::device, "out of memory; a smaller picture needs less");
  }
}

inline void check(bool holds, const char* what) {
  if (!holds) fail(ErrorKind::usage, "{}", what);
}

}  // namespace kiln
