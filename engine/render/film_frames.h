// SPDX-License-Identifier: MIT
// The frames of a film that are cleaned together: one is played two frames before its light is made, and its
// counts stay until two frames after it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "engine/render/picture_sums.h"
#include "engine/render/stages/stage.h"
#include "engine/render/work.h"

namespace kiln {

class FilmFrames {
 public:
  explicit FilmFrames(Device& device) : device_(device) {}

  /// The figures of a frame's own game.
  struct Played {
    std::uint64_t samples = 0, bad_values = 0;
    double iterate_s = 0, gather_s = 0;
  };

  /// Frames that are not in this window are forgotten.
  void keep(const FilmWindow& window);
  void forget_all();
  /// Whether there is memory for frames of this plan, taken by make_room().
  bool has_room(const OutputPlan& plan) const { return counts_ && counts_->holds(plan); }
  void make_room(const OutputPlan& plan);

  bool has(const PreparedFrame& frame) const { return slot_of(&frame) >= 0; }
  /// The counts of a frame that was played, and its hits if it has any, which are gone from `sums` then.
  void take(std::shared_ptr<const PreparedFrame> frame, double clumps, PictureSums& sums,
            const Played& played);
  /// buffers.light = that of the window's own frame, of its counts and of those around it.
  void make_light(const FilmWindow& window, PictureBuffers& buffers);
  /// Sets what a frame's game came to; its hits. has() says whether they are there.
  void tell(const PreparedFrame& frame, RenderStatistics& figures) const;
  DeviceArray<float>& hits(const PreparedFrame& frame) { return slots_[at(frame)].hits; }

 private:
  struct Slot {
    std::shared_ptr<const PreparedFrame> frame;  // null: it is free
    DeviceArray<float> hits;                     // PictureBuffers::hits
    Played played;
  };
  int slot_of(const PreparedFrame* frame) const;
  std::size_t at(const PreparedFrame& frame) const;

  Device& device_;
  std::unique_ptr<FrameWindow> counts_;
  std::array<Slot, FrameWindow::slots> slots_;
};

}  // namespace kiln
