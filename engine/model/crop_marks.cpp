// SPDX-License-Identifier: MIT
#include "engine/model/crop_marks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kiln {
namespace {

constexpr double gap_mm = 1, length_mm = 5, rule_pt = 0.25;

int pixels(double inches, double dpi) { return std::max(1, int(std::floor(inches * dpi + 0.5))); }

/// The marks of one side: places along it, from -margin to its length + margin.
class Side {
 public:
  Side(int length, int bleed, double dpi)
      : length_(length),
        bleed_(bleed),
        gap_(pixels(gap_mm / 25.4, dpi)),
        mark_(pixels(length_mm / 25.4, dpi)),
        rule_(pixels(rule_pt / 72, dpi)) {}

  int margin() const { return 2 * gap_ + mark_; }
  /// Whether lines across it are here: on both edges of the finished sheet, alike from both ends.
  bool is_on_edge(int place) const {
    const int from_end = std::min(place, length_ - 1 - place) - bleed_ + (rule_ + 1) / 2;
    return from_end >= 0 && from_end < rule_;
  }
  /// Whether lines along it are here: in its margins.
  bool is_marked(int place) const {
    const int outside = -1 - std::min(place, length_ - 1 - place);
    return outside >= gap_ && outside < gap_ + mark_;
  }

 private:
  int length_, bleed_, gap_, mark_, rule_;
};

template <class Sample>
std::vector<Sample> on_paper(const std::vector<Sample>& samples, bool opaque, const Side& across,
                             const Side& down, int width, int first, int begin, int end) {
  constexpr Sample full = std::numeric_limits<Sample>::max();
  const int margin = across.margin();
  const auto row_samples = std::size_t(width) * 4;
  std::vector<Sample> sheet;
  sheet.reserve(std::size_t(end - begin) * (row_samples + std::size_t(margin) * 8));
  const auto put = [&](int x, int y) {
    const bool marked =
        (across.is_on_edge(x) && down.is_marked(y)) || (down.is_on_edge(y) && across.is_marked(x));
    const Sample gray = marked ? 0 : full, alpha = opaque || marked ? full : 0;
    sheet.insert(sheet.end(), {gray, gray, gray, alpha});
  };
  const int rows = int(samples.size() / row_samples);
  for (int y = begin; y < end; ++y) {
    for (int x = -margin; x < 0; ++x) put(x, y);
    if (y >= first && y < first + rows) {
      const auto row = samples.begin() + std::ptrdiff_t(y - first) * std::ptrdiff_t(row_samples);
      sheet.insert(sheet.end(), row, row + std::ptrdiff_t(row_samples));
    } else {
      for (int x = 0; x < width; ++x) put(x, y);
    }
    for (int x = width; x < width + margin; ++x) put(x, y);
  }
  return sheet;
}

}  // namespace

int crop_mark_margin(double dpi) { return Side(1, 0, dpi).margin(); }

void add_crop_marks(Image& rows, int first_row, int height, int bleed, double dpi) {
  const Side across(rows.width, bleed, dpi), down(height, bleed, dpi);
  const int margin = across.margin(), last = first_row + rows.height,
            begin = first_row == 0 ? -margin : first_row,
            end = last == height ? height + margin : last;
  const auto put = [&](const auto& samples) {
    return on_paper(samples, rows.opaque, across, down, rows.width, first_row, begin, end);
  };
  if (rows.bits() == 8)
    rows.pixels8() = put(rows.pixels8());
  else
    rows.pixels16() = put(rows.pixels16());
  rows.width += 2 * margin;
  rows.height = end - begin;
}

}  // namespace kiln
