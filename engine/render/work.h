// SPDX-License-Identifier: MIT
// What a renderer is asked for, as a value: whose picture, how far its game is played, and what is made of the
// sums then. A still, a film's frame with those around it, a picture that grows under somebody's eyes, a smaller
// one of its samples and the two that its noise is measured of are works; Renderer::make (renderer.cpp) is the one
// way in which they become pictures. Those that --until-noise asks for stay on the device (MeasuredWork, noise_probe.h).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <vector>

#include "engine/render/accumulate/checkpoint.h"

namespace kiln {

/// A frame whose work on the host is done (engine/render/plan/prepared_frame.h).
struct PreparedFrame;
struct PictureSums;
class DevicePicture;

/// A frame of a film that is cleaned, with those around it whose counts join its own, in the order of
/// time. The same frame is the same object in each of its windows: so it is played once.
struct FilmWindow {
  std::vector<std::shared_ptr<const PreparedFrame>> frames;
  std::size_t own = 0;

  /// Whether others join it.
  bool is_joined() const { return frames.size() > 1; }
};

/// A picture that is asked for, or a part of the way to one. What goes with what:
///   neither sums nor a window   a still: checkpoint, to
///   a window                    a frame of a film, one of the window's: no more
///   sums that stay              divide, units, goes_on, develop, to, stop
struct RenderWork {
  /// `all`: the picture of all its samples. `none`: the game is played, and that is all. `so_far`: the picture
  /// of the samples that are there; nothing is played. `again`: that picture, packed once more, perhaps with
  /// another depth, where it is the last one that was made of these sums.
  enum class Develop { all, none, so_far, again };

  /// The picture: its plan and its look.
  const PreparedFrame* frame = nullptr;
  /// The frames around it, if they join it; null: it stands alone.
  const FilmWindow* window = nullptr;

  /// Keeps the sums of a still in a file; null: nobody does.
  Checkpoint* checkpoint = nullptr;
  /// Sums that stay from work to work (Renderer::begin); null: they are this work's own.
  PictureSums* sums = nullptr;
  /// A picture that is smaller by this factor, of one pass: their buckets are summed in squares.
  int divide = 1;

  /// The game of sums that stay ends after so many units of a pass, or where `goes_on`, which is asked after
  /// each launch, says so.
  std::uint64_t units = std::numeric_limits<std::uint64_t>::max();
  std::function<bool()> goes_on = {};

  Develop develop = Develop::all;
  /// Pixels of 8 bits stay there, and the image is without; null: they come back. Not of pictures that are made
  /// in stripes, nor of those whose sums are kept in a file.
  DevicePicture* to = nullptr;
  /// Ends a picture of sums that stay soon after it is asked to, with Error (stopped); the others have that of
  /// the options.
  std::stop_token stop = {};

  /// Whether samples are added: not of pictures of the samples that are there, nor of frames that were played before.
  bool plays() const { return !window && develop != Develop::so_far && develop != Develop::again; }
};

}  // namespace kiln
