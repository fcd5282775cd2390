// SPDX-License-Identifier: MIT
#include "engine/render/film_frames.h"

#include <algorithm>
#include <vector>

#include "engine/base/error.h"
#include "engine/render/stages/stages.h"

namespace kiln {

void FilmFrames::keep(const FilmWindow& window) {
  KILN_CHECK(window.frames.size() <= places_.size(), "{} frames", window.frames.size());
  if (counts_ && !counts_->holds(window.frames[window.own]->plan)) forget_all();
  for (Place& place : places_)
    if (std::find(window.frames.begin(), window.frames.end(), place.frame) == window.frames.end())
      place = {};
}

void FilmFrames::forget_all() {
  counts_.reset();
  places_ = {};
}

void FilmFrames::make_room(const OutputPlan& plan) {
  counts_ = light_stage(plan).window.make(device_, plan);
}

/// -1: it is not played.
int FilmFrames::place_of(const PreparedFrame* frame) const {
  for (std::size_t place = 0; place < places_.size(); ++place)
    if (places_[place].frame.get() == frame) return int(place);
  return -1;
}

/// The place of a frame that was played.
std::size_t FilmFrames::index_of(const PreparedFrame& frame) const {
  const int place = place_of(&frame);
  KILN_CHECK(place >= 0, "frame {} was not played", frame.number);
  return std::size_t(place);
}

void FilmFrames::take(std::shared_ptr<const PreparedFrame> frame, double clumps, PictureSums& sums,
                      const Played& played) {
  const int free = place_of(nullptr);
  KILN_CHECK(free >= 0, "{} frames", places_.size());
  sums.light->take(sums.buffers, free, clumps, *counts_);
  places_[std::size_t(free)] = {std::move(frame), std::move(sums.buffers.hits), played};
}

void FilmFrames::make_light(const FilmWindow& window, PictureBuffers& buffers) {
  const PreparedFrame& own = *window.frames[window.own];
  std::vector<int> others;
  for (const auto& frame : window.frames)
    if (frame.get() != &own) others.push_back(int(index_of(*frame)));
  counts_->run(int(index_of(own)), others, own.plan, buffers.light.data());
}

}  // namespace kiln
