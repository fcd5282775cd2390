// SPDX-License-Identifier: MIT
// How flames become a film: each turns, then becomes the next.
#pragma once

#include <string>

namespace kiln {

struct SequenceOptions {
  int nframes = 100;   // frames of one turn and of one transition, at least 1
  int loops = 1;       // turns of each flame before it moves on; 0: transitions only
  double stagger = 0;  // 0..1, transitions only: xforms move one after the other
  bool smooth = true;  // transitions start and end gently (3b^2 - 2b^3 instead of b)
  double hold = 0;     // frames that each flame stands still before it becomes the next
  /// Not 0: of a turn and of a transition, in place of nframes. Where beats decide it is not whole:
  /// each part begins at the frame next to its beat.
  double part_frames = 0;
  /// Curve of transitions, in place of `smooth`: "ease-in", "bounce", "0.4 0 0.2 1" ...
  std::string easing = {};
};

}  // namespace kiln
