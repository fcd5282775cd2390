// SPDX-License-Identifier: MIT
// The flames of a sequence, each made where it is asked for: a film of an hour needs no more memory than
// one of a second.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/api/kiln/sequence_options.h"
#include "engine/model/flame.h"

namespace kiln {

// Sequences made of key flames: each flame turns (a loop), then becomes the next (a transition), as
// `flam3-genome` makes them with sequence=, animate=, rotate= and inter=. The flames of a sequence
// are keys themselves, one a frame: interpolate() gives what lies between them for motion blur.
// Source: flam3-pipeline.md sections 13.3 and 15; docs/inside/animation.md.

/// The flames of flam3-genome's sequence=: for each flame its loops, then a transition to the next;
/// at the end the last flame itself. Times are 0, 1, 2 ...; the names are empty. Flame k of n keys
/// and L loops: n L nframes + (n - 1) nframes + 1 in all, and `hold` for each flame. Where the
/// easing makes cuts, the last flame is there as long as the others: n L nframes + n nframes + 1.
/// What options say in frames that are not whole begins at the nearest one. Throws Error of kind
/// usage for options out of range, of kind input without keys.
std::vector<Flame> make_sequence(const std::vector<Flame>& keys, const SequenceOptions& options);

/// Such a sequence as an endless loop: after the last flame comes a transition back to the first
/// (with one flame: its turns alone, loops at least 1). Flame N, the last of the N + 1, is flame 0
/// again, so frames 0 .. N - 1 repeat without a seam.
std::vector<Flame> loop_flames(const std::vector<Flame>& keys, const SequenceOptions& options);

/// flam3-genome's animate=: the flame at every whole time begin .. end, motion elements removed. A
/// key whose time is met is taken as it is; the flames between are keys of interpolation_type
/// linear, but for those before a key.
std::vector<Flame> in_betweens(const std::vector<Flame>& keys, int begin, int end,
                               double stagger = 0);

/// Bytes of memory that these flames take, about.
std::uint64_t bytes_of(const std::vector<Flame>& flames);

/// Throws Error (input) where nothing is between the keys: there are none, or their times do not increase.
void check_between(const std::vector<Flame>& keys);

/// Flame `flame` at `phase` of its loop: motion applied, turned by 360 * phase degrees.
Flame loop_at(const Flame& flame, double phase);

/// The transition between two flames at `phase` 0..1, both turning once on the way.
Flame transition_at(const Flame& from, const Flame& to, double phase,
                    const SequenceOptions& options);

/// flam3-genome's rotate= (one key) and inter= (two keys): the flames at times frame - 1, frame and
/// frame + 1 of a loop or transition of options.nframes frames, which is what rendering that frame
/// with motion blur needs.
std::array<Flame, 3> frame_with_neighbors(const std::vector<Flame>& keys, int frame,
                                          const SequenceOptions& options);

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
