// SPDX-License-Identifier: MIT
// Which renderer makes which pictures: all take the next one of a single line, or each makes runs of neighbors, where what
// one picture leaves serves the next. It has no thread and no lock: the pipeline locks.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace kiln {

class PictureRuns {
 public:
  /// The pictures 0 .. count - 1. `run`: the most of a run; 0: one line for all renderers. `seam`: pictures that
  /// beginning another run costs; a renderer that has none left takes half of what another has not begun, where
  /// that is worth it. At most `ahead` of a line are begun before its renderer took the first of them.
  PictureRuns(int count, int renderers, int run, int seam, int ahead);

  /// Begins the next picture, of the line that has least ahead; none while each has enough.
  std::optional<int> begin();
  /// Whether no picture is left to begin.
  bool are_all_begun() const;

  /// The picture that the renderer makes next; none: it has made all of its.
  std::optional<int> next_of(int renderer) const;
  /// The renderer makes it now, and has a line as long as there is something for one.
  void take(int renderer);

 private:
  /// The pictures [at, end) that a renderer has not taken, of which those before `begun` are begun.
  struct Line {
    int at = 0, begun = 0, end = 0;
  };
  void lengthen(Line& line);
  Line& line_of(int renderer) { return lines_[run_ > 0 ? std::size_t(renderer) : 0]; }

  const int count_, run_, seam_, ahead_;
  int given_ = 0;  // the pictures before it are in a line
  std::vector<Line> lines_;
};

}  // namespace kiln
