// SPDX-License-Identifier: MIT
// The flames of a sequence, each made where it is asked for: a film of an hour needs no more memory than
// one of a second. What a sequence is: engine/animation/frame_at.h.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/api/kiln/sequence_options.h"
#include "engine/model/flame.h"

namespace kiln {

/// Turns and transitions of flames as make_sequence() and loop_flames() give them, by their number. Several
/// threads at once may ask.
class Sequence {
 public:
  enum class Ending { last, loop };  // the last flame stands there, or becomes the first

  /// The list of flames comes `rounds` times. Throws Error: usage for options out of range, input without keys.
  Sequence(std::vector<Flame> keys, const SequenceOptions& options, Ending ending,
           std::size_t rounds = 1);

  /// The number of the last flame; of a loop it is flame 0 again.
  int end() const { return parts_.empty() ? 0 : parts_.back().end; }
  bool is_loop() const { return ending_ == Ending::loop; }
  /// Flame 0 .. end(), whose time is its number; a loop has flames before 0 and beyond its end, too.
  Flame at(int number) const;

  const std::vector<Flame>& keys() const { return keys_; }

 private:
  enum class Way { turn, stand, transition };
  struct Part {
    Way way;
    std::size_t key;  // the flame that turns, or from which the transition is
    int begin, end;   // its flames
  };
  void add(Way way, std::size_t key, double length);

  std::vector<Flame> keys_;
  SequenceOptions options_;
  Ending ending_;
  std::vector<Part> parts_;
  double ends_ = 0;  // the parts so far, in frames
};

}  // namespace kiln
