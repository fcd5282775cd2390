// How flames become a film: each turns, then becomes the next.
#pragma once

namespace kiln {

struct SequenceOptions {
  int nframes = 100;   // frames of one turn and of one transition, at least 1
  int loops = 1;       // turns of each flame before it moves on; 0: transitions only
  double stagger = 0;  // 0..1, transitions only: xforms move one after the other
  bool smooth = true;  // transitions start and end gently (3b^2 - 2b^3 instead of b)
};

}  // namespace kiln
