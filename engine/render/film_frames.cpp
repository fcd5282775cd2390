// SPDX-License-Identifier: MIT
#include "engine/render/film_frames.h"

#include <algorithm>
#include <vector>

#include "engine/base/error.h"
#include "engine/render/stages/stages.h"

namespace kiln {

void FilmFrames::keep(const FilmWindow& window) {
  KILN_CHECK(window.frames.size() <= slots_.size(), "{} frames", window.frames.size());
  if (counts_ && !counts_->holds(window.frames[window.own]->plan)) forget_all();
  for (Slot& slot : slots_)
    if (std::find(window.frames.begin(), window.frames.end(), slot.frame) == window.frames.end())
      slot = {};
}

void FilmFrames::forget_all() {
  counts_.reset();
  slots_ = {};
}

void FilmFrames::make_room(const OutputPlan& plan) {
  counts_ = light_stage(plan).window.make(device_, plan);
}

/// -1: it is not played.
int FilmFrames::slot_of(const PreparedFrame* frame) const {
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    if (slots_[slot].frame.get() == frame) return int(slot);
  return -1;
}

/// The slot of a frame that was played.
std::size_t FilmFrames::at(const PreparedFrame& frame) const {
  const int slot = slot_of(&frame);
  KILN_CHECK(slot >= 0, "frame {} was not played", frame.number);
  return std::size_t(slot);
}

void FilmFrames::take(std::shared_ptr<const PreparedFrame> frame, double clumps, PictureSums& sums,
                      const Played& played) {
  const int free = slot_of(nullptr);
  KILN_CHECK(free >= 0, "{} frames", slots_.size());
  sums.light->take(sums.buffers, free, clumps, *counts_);
  slots_[std::size_t(free)] = {std::move(frame), std::move(sums.buffers.hits), played};
}

void FilmFrames::make_light(const FilmWindow& window, PictureBuffers& buffers) {
  const PreparedFrame& own = *window.frames[window.own];
  std::vector<int> others;
  for (const auto& frame : window.frames)
    if (frame.get() != &own) others.push_back(int(at(*frame)));
  counts_->run(int(at(own)), others, own.plan, buffers.light.data());
}

void FilmFrames::tell(const PreparedFrame& frame, RenderStatistics& figures) const {
  const Played& played = slots_[at(frame)].played;
  figures.samples = played.samples;
  figures.bad_values = played.bad_values;
  figures.iterate_s = played.iterate_s;
  figures.gather_s = played.gather_s;
}

}  // namespace kiln
