// SPDX-License-Identifier: MIT
#include "engine/animation/film_keys.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/animation/film.h"
#include "engine/animation/frame_at.h"
#include "engine/model/temporal.h"

namespace kiln {

FilmKeys::FilmKeys(std::vector<Flame> flames)
    : flames_(std::make_shared<const std::vector<Flame>>(std::move(flames))) {}

FilmKeys::FilmKeys(Sequence sequence)
    : sequence_(std::make_shared<const Sequence>(std::move(sequence))),
      flames_(std::make_shared<const std::vector<Flame>>(1, made(first()))) {}

Flame FilmKeys::made(int number) const {
  Flame flame = sequence_->at(number);
  for (const auto& change : changes_) change(flame);
  return flame;
}

std::size_t FilmKeys::size() const {
  return sequence_ ? std::size_t(last() - first() + 1) : flames_->size();
}

void FilmKeys::each(const std::function<void(const Flame&)>& see) const {
  if (!sequence_)
    for (const Flame& flame : *flames_) see(flame);
  else
    for (int number = first(); number <= last(); ++number) see(made(number));
}

const std::vector<Flame>& FilmKeys::read() const {
  return sequence_ ? sequence_->keys() : *flames_;
}

FilmKeys::Some FilmKeys::around(double begin, double end) const {
  if (!sequence_ || size() == 1) return flames_;
  // the flame before a time, as interpolate() finds it: outer parts go on beyond their flames
  const auto before = [&](double time) {
    return int(std::clamp(std::ceil(time) - 1, double(first()), double(last() - 1)));
  };
  std::vector<Flame> flames = *flames_;
  std::vector<Missing>& missing = flames.front().missing;
  for (const Flame& key : read())  // a frame says what any flame of the film lacks
    missing.insert(missing.end(), key.missing.begin(), key.missing.end());
  for (int number = std::max(before(begin), first() + 1); number <= before(end) + 1; ++number)
    flames.emplace_back(made(number)).missing.clear();
  return std::make_shared<const std::vector<Flame>>(std::move(flames));
}

FilmKeys::Some FilmKeys::of_frame(const FrameTime& frame) const {
  Some keys = around(frame.time, frame.time);
  if (!sequence_ || size() == 1) return keys;
  double begin = frame.time, end = frame.time;
  for (const TemporalStep& step :
       temporal_steps(frame_at(*keys, frame, MotionBlur::without).flame)) {
    begin = std::min(begin, frame.time + step.time_offset);
    end = std::max(end, frame.time + step.time_offset);
  }
  return begin == end ? keys : around(begin, end);
}

void FilmKeys::change(std::function<void(Flame&)> how) {
  std::vector<Flame> flames = *flames_;  // of a copy of this film, too
  for (Flame& flame : flames) how(flame);
  flames_ = std::make_shared<const std::vector<Flame>>(std::move(flames));
  if (sequence_) changes_.push_back(std::move(how));
}

Flame flame_at(const FilmKeys& keys, double time) {
  return flame_at(*keys.around(time, time), time);
}

std::uint64_t bytes_of(const FilmKeys& keys) { return bytes_of(keys.read()); }

bool is_cleaned(const FilmKeys& keys) {
  if (!keys.is_sequence()) return is_cleaned(keys.read());
  // a sequence's flames are between those that it is made of, and have no tracks
  return keys.front().is_cleaned() ||
         std::any_of(keys.read().begin(), keys.read().end(),
                     [](const Flame& flame) { return flame.is_cleaned(); });
}

}  // namespace kiln
