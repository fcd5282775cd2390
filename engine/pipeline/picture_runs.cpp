// SPDX-License-Identifier: MIT
#include "engine/pipeline/picture_runs.h"

#include <algorithm>

namespace kiln {

PictureRuns::PictureRuns(int count, int renderers, int run, int seam, int ahead)
    : count_(count),
      run_(run),
      seam_(seam),
      ahead_(std::max(ahead, 1)),
      lines_(run > 0 ? std::size_t(std::max(renderers, 1)) : 1) {
  for (Line& line : lines_) lengthen(line);
}

/// Gives a line that is at its end the next pictures that nobody has, or the latter half of another's.
void PictureRuns::lengthen(Line& line) {
  if (given_ < count_) {
    line.at = line.begun = given_;
    line.end = given_ = run_ > 0 ? std::min(given_ + run_, count_) : count_;
    return;
  }
  const auto to_begin = [](const Line& one) { return one.end - one.begun; };
  Line& longest =
      *std::max_element(lines_.begin(), lines_.end(),
                        [&](const Line& a, const Line& b) { return to_begin(a) < to_begin(b); });
  if (&longest == &line || to_begin(longest) < 3 * seam_) return;
  line.end = longest.end;
  line.at = line.begun = longest.end -= to_begin(longest) / 2;
}

std::optional<int> PictureRuns::begin() {
  Line* least = nullptr;
  const auto ahead = [](const Line& line) { return line.begun - line.at; };
  for (Line& line : lines_) {
    if (line.begun == line.end || ahead(line) >= ahead_) continue;
    if (!least || ahead(line) < ahead(*least)) least = &line;
  }
  if (!least) return std::nullopt;
  return least->begun++;
}

bool PictureRuns::are_all_begun() const {
  return given_ == count_ && std::all_of(lines_.begin(), lines_.end(),
                                         [](const Line& line) { return line.begun == line.end; });
}

std::optional<int> PictureRuns::next_of(int renderer) const {
  const Line& line = lines_[run_ > 0 ? std::size_t(renderer) : 0];
  if (line.at == line.end) return std::nullopt;
  return line.at;
}

void PictureRuns::take(int renderer) {
  Line& line = line_of(renderer);
  ++line.at;
  if (line.at == line.end) lengthen(line);
}

}  // namespace kiln
