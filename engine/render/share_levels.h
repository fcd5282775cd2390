// SPDX-License-Identifier: MIT
// How many points of each layer (engine/render/layers.h) a pixel has, and the pixels of ever smaller pictures. In 64 bits: the
// last pixel has all points of the flame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kiln {

/// The sums of one size.
struct ShareLevel {
  int width, height;
  std::vector<std::uint64_t> counts;  // [layers][height][width]
  std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
};

/// Half of the size: sums of up to four pixels.
inline ShareLevel half_of(const ShareLevel& large, std::size_t layers) {
  ShareLevel small{(large.width + 1) / 2, (large.height + 1) / 2, {}};
  small.counts.resize(layers * small.pixels());
  for (std::size_t layer = 0; layer < layers; ++layer)
    for (int y = 0; y < large.height; ++y)
      for (int x = 0; x < large.width; ++x)
        small.counts[layer * small.pixels() + std::size_t(y / 2) * std::size_t(small.width) +
                     std::size_t(x / 2)] +=
            large.counts[layer * large.pixels() + std::size_t(y) * std::size_t(large.width) +
                         std::size_t(x)];
  return small;
}

/// Memory for layers of a picture, at most: while they are made the sums of all sizes and the results, when they are written
/// the results and twice the bytes of the file, which grow as they come; and what the game itself takes.
constexpr std::uint64_t layers_bytes(std::uint64_t pixels, std::uint64_t layers) {
  const std::uint64_t results = (layers + 2) * sizeof(float);
  const std::uint64_t making = layers * 8 * 4 / 3 + 8 + results, writing = 3 * results;
  return pixels * (making > writing ? making : writing) + (std::uint64_t(32) << 20);
}

}  // namespace kiln
