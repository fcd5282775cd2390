// SPDX-License-Identifier: MIT
// What the objects of kiln.h hold, with the engine's own types behind them, and the steps of the
// library that the program takes too.
#pragma once

#include <new>
#include <string>

#include "engine/animation/frame_at.h"
#include "engine/api/kiln.h"
#include "engine/base/error.h"
#include "engine/device/cuda/jit/warm_kernels.h"
#include "engine/io/flame/flame_parts.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/flame.h"

namespace kiln {

struct Scene::Impl {
  Flame flame;
  bool edited = false;  // its xforms, since they were read

  /// The flame as its file is read. Throws Error (input) where it cannot be rendered.
  Flame ready() const { return edited ? settled(flame) : flame; }
};

struct Animation::Impl {
  KeyFrames frames;
};

/// The frame of that index. Throws Error (usage).
const FrameTime& frame_of(const Animation& animation, int frame);

inline Scene scene_of(Flame flame) {
  return Scene(std::make_unique<Scene::Impl>(Scene::Impl{std::move(flame), false}));
}

/// Fills in what a picture says of itself: its hash, the flame, and how it was made.
void describe(const Flame& flame, const RenderOptions& options, Picture& picture);
/// The digests of a frame and of its film, as FrameDigests computes them.
struct DigestsOfFrame {
  std::string frame, film;
};

/// Describes a picture likewise, for a frame between the keys.
void describe_frame(const FilmKeys& keys, const FrameTime& frame, const DigestsOfFrame& digests,
                    const RenderOptions& options, Picture& picture);

/// The GPU of this process, where ranks of MPI share a machine that has several.
void choose_gpu_of_rank(RenderOptions& options);
/// Hides GPUs that the options do not name from the process, from now on.
void see_devices_of(const RenderOptions& options);
/// Compiles the kernels of a flame, still and moving, ahead for GPUs of these compute capabilities (90
/// for 9.0); `say` hears of each, of nothing where the flame gets none of its own. Throws Error (device).
void warm_kernels(
    const Flame& flame, const std::vector<int>& archs,
    const std::function<void(bool moving, int arch, const std::optional<WarmedKernel>&)>& say);

/// Linear light as what the file is to have of it, where the saving says HDR.
void develop_hdr(const Flame& flame, const std::optional<Window>& window, Image& image,
                 Saving& saving);
/// Writes points of a flame, whatever file is there. Throws Error.
void write_points(const Flame& flame, const std::string& path, const PointOptions& options);
/// Writes a picture that is described, in the format for its light. Throws Error.
void write_picture(const Picture& picture, const std::string& path, const Saving& saving);
/// The bytes of that file.
std::string picture_bytes(const Picture& picture, const std::string& path, const Saving& saving);

/// Calls `body`; memory that runs out is an Error as all else is.
template <class Body>
auto guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    fail(ErrorKind::device, "out of memory; a smaller picture needs less");
  }
}

inline void require(bool holds, const char* what) {
  if (!holds) fail(ErrorKind::usage, "{}", what);
}

}  // namespace kiln
