// SPDX-License-Identifier: MIT
#include "cli/making/film_strip.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.h"
#include "engine/flock/previews.h"

namespace kiln::cli {
namespace {

constexpr std::size_t most_columns = 1920;
constexpr int widest_column = 24;
constexpr double draft_quality = 10;

/// The frame's flame as a draft of the strip's height.
Flame draft_of(const FilmKeys& keys, const FrameTime& frame, std::optional<double> quality) {
  Flame flame = flame_at(keys, frame.time);
  const double scale = double(strip_height) / flame.height;
  flame.width = std::max(1, int(std::lround(flame.width * scale)));
  flame.height = strip_height;
  flame.scale *= scale;
  flame.quality = quality.value_or(std::min(flame.quality, draft_quality));
  return flame;
}

/// Puts the means of a draft's lines into the columns from `left` on.
void put_column(const Image& draft, int left, int column, Image& strip) {
  const Bytes& from = draft.pixels8();
  Bytes& to = strip.pixels8();
  for (int y = 0; y < strip_height; ++y) {
    std::array<unsigned, 4> sum = {};
    for (int x = 0; x < draft.width; ++x)
      for (std::size_t c = 0; c < 4; ++c)
        sum[c] += from[(std::size_t(y) * std::size_t(draft.width) + std::size_t(x)) * 4 + c];
    for (int x = left; x < left + column; ++x)
      for (std::size_t c = 0; c < 4; ++c)
        to[(std::size_t(y) * std::size_t(strip.width) + std::size_t(x)) * 4 + c] =
            std::uint8_t((sum[c] + unsigned(draft.width) / 2) / unsigned(draft.width));
  }
}

}  // namespace

StripShape strip_shape(std::size_t frames) {
  StripShape shape;
  shape.step = int((std::max<std::size_t>(frames, 1) + most_columns - 1) / most_columns);
  const std::size_t columns =
      (std::max<std::size_t>(frames, 1) + std::size_t(shape.step) - 1) / std::size_t(shape.step);
  shape.column = std::clamp(int(most_columns / columns), 1, widest_column);
  return shape;
}

Image film_strip(const FilmKeys& keys, const std::vector<FrameTime>& frames,
                 std::optional<double> quality, const RenderOptions& options) {
  const StripShape shape = strip_shape(frames.size());
  const std::size_t step = std::size_t(shape.step), columns = (frames.size() + step - 1) / step;
  Image strip;
  strip.width = int(columns) * shape.column;
  strip.height = strip_height;
  strip.opaque = !options.transparent;
  strip.pixels8().assign(std::size_t(strip.width) * strip_height * 4, 255);
  Previews::Steps steps;
  steps.count = columns;
  steps.flame = [&](std::size_t i) { return draft_of(keys, frames[i * step], quality); };
  steps.take = [&](std::size_t i, const Preview& preview) {
    if (preview.failure) throw *preview.failure;
    put_column(preview.image, int(i) * shape.column, shape.column, strip);
  };
  RenderOptions drafts = options;
  drafts.bits = 8;
  Previews(drafts).make(steps);
  return strip;
}

}  // namespace kiln::cli
