#include "engine/model/crop.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/base/error.h"

namespace kiln {
namespace {

/// The window's rows move to the front, each from behind the place it goes to.
template <class Sample>
void cut(std::vector<Sample>& samples, int channels, int picture_width, const Window& window) {
  if (samples.empty()) return;
  const auto place = [&](int x, int y, int width) {
    return (static_cast<std::ptrdiff_t>(y) * width + x) * channels;
  };
  for (int row = 0; row < window.height; ++row) {
    const auto from = samples.begin() + place(window.x, window.y + row, picture_width);
    const auto to = samples.begin() + place(0, row, window.width);
    if (to != from) std::copy(from, from + place(window.width, 0, 0), to);
  }
  samples.resize(static_cast<std::size_t>(place(0, window.height, window.width)));
  samples.shrink_to_fit();
}

}  // namespace

std::string window_text(const Window& window) {
  return fmt::format("{},{},{}x{}", window.x, window.y, window.width, window.height);
}

std::string window_json(const Window& window) {
  return fmt::format("[{},{},{},{}]", window.x, window.y, window.width, window.height);
}

void check_window(const Window& window, int width, int height) {
  const bool is_inside = window.x >= 0 && window.y >= 0 && window.width > 0 && window.height > 0 &&
                         std::int64_t(window.x) + window.width <= width &&
                         std::int64_t(window.y) + window.height <= height;
  if (is_inside) return;
  fail(ErrorKind::usage,
       "--crop {}: the picture is {} x {} pixels and does not have the whole window; give one "
       "inside of it",
       window_text(window), width, height);
}

void crop(Image& image, const Window& window) {
  check_window(window, image.width, image.height);
  crop_rows(image, 0, window);
}

void crop_rows(Image& rows, int first_row, const Window& window) {
  const int begin = std::clamp(window.y - first_row, 0, rows.height),
            end = std::clamp(window.y + window.height - first_row, 0, rows.height);
  const Window part{window.x, begin, window.width, end - begin};
  constexpr int rgba = 4;
  if (auto* light = std::get_if<LinearLight>(&rows.pixels)) {
    cut(light->rgba, rgba, rows.width, part);
    cut(light->hits, 1, rows.width, part);
  } else if (rows.bits() == 16) {
    cut(rows.pixels16(), rgba, rows.width, part);
  } else {
    cut(rows.pixels8(), rgba, rows.width, part);
  }
  rows.width = part.width;
  rows.height = part.height;
}

}  // namespace kiln
