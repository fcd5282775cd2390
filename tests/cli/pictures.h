// SPDX-License-Identifier: MIT
// Small pictures with known contents.
#pragma once

#include "engine/render/renderer.h"

namespace kiln::test {

/// Every sample differs from its neighbors; all 256 (65536) values occur in larger pictures.
inline Image pattern_picture(int width, int height, int bits, bool opaque = false) {
  Image image;
  image.width = width;
  image.height = height;
  const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4;
  if (bits == 16) image.pixels.emplace<Words>();
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    const bool alpha = opaque && i % 4 == 3;
    if (bits == 8) image.pixels8().push_back(alpha ? 255 : static_cast<std::uint8_t>(state >> 24));
    if (bits == 16)
      image.pixels16().push_back(alpha ? 65535 : static_cast<std::uint16_t>(state >> 16));
  }
  return image;
}

/// A smooth opaque picture, 8 bits: what a small shift or a wrong gamma does to it is visible but
/// not extreme.
inline Image smooth_picture(int width, int height) {
  Image image;
  image.width = width;
  image.height = height;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int dx = x - width / 2, dy = y - height / 3;
      const int bump = 255 * 200 / (200 + dx * dx + dy * dy);
      for (int value : {bump, bump * x / width, 255 - 255 * y / height, 255}) {
        image.pixels8().push_back(static_cast<std::uint8_t>(value));
      }
    }
  }
  return image;
}

}  // namespace kiln::test
