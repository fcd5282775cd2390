// SPDX-License-Identifier: MIT
// The key flames of a film: those that were read, or those of a sequence, one a frame, which are made where
// a frame is between them. What asks for all of a sequence sees one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/animation/sequence.h"
#include "engine/model/flame.h"

namespace kiln {

struct FrameTime;

class FilmKeys {
 public:
  using Some = std::shared_ptr<const std::vector<Flame>>;

  FilmKeys() = default;
  FilmKeys(std::vector<Flame> flames);
  /// A loop has a flame more on both sides of its seam, for motion blur across it.
  explicit FilmKeys(Sequence sequence);

  std::size_t size() const;
  const Flame& front() const { return flames_->front(); }
  /// Calls `see` with each of them, in the order of their times.
  void each(const std::function<void(const Flame&)>& see) const;
  /// Those that files have: all of them, or what a sequence is made of.
  const std::vector<Flame>& read() const;
  bool is_sequence() const { return sequence_ != nullptr; }

  /// The first of them, and all between which a film is at the times from `begin` to `end`. There it is what it is
  /// between all of them.
  Some around(double begin, double end) const;
  /// Those that a frame with its motion blur is made of.
  Some of_frame(const FrameTime& frame) const;

  /// Changes each, also those that are made later.
  void change(std::function<void(Flame&)> how);

 private:
  int first() const { return sequence_->is_loop() ? -1 : 0; }
  int last() const { return sequence_->end() + (sequence_->is_loop() ? 1 : 0); }
  Flame made(int number) const;

  std::shared_ptr<const Sequence> sequence_;
  std::vector<std::function<void(Flame&)>> changes_;  // of its flames
  Some flames_ =
      std::make_shared<const std::vector<Flame>>();  // all of them; of a sequence the first
};

/// The flame at `time`, as a frame shows it.
Flame flame_at(const FilmKeys& keys, double time);

/// Bytes of memory that they take, about.
std::uint64_t bytes_of(const FilmKeys& keys);

/// Whether any frame between the keys may be cleaned.
bool is_cleaned(const FilmKeys& keys);

}  // namespace kiln
