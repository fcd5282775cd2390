// SPDX-License-Identifier: MIT
// What can be asked of and done to the pixels of an Image, whatever file they are of: their identity,
// and a window of them.
#pragma once

#include <string>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/base/sha256.h"

namespace kiln {

// A window of a picture. The whole picture is rendered and cut, so that density estimation, bloom
// and all else see what lies around the window: its pixels are those of the whole. It saves no
// time and no memory but that of the file.

/// "40,30,640x360".
std::string window_text(const Window& window);

/// "[40,30,640,360]", as records and results have it.
std::string window_json(const Window& window);

/// Throws Error (usage) if a picture of this size does not have the whole window.
void check_window(const Window& window, int width, int height);

/// Leaves only the window of the picture, which has it.
void crop(Image& image, const Window& window);
/// Crops some rows of the picture, `first_row` and those below: perhaps none are left.
void crop_rows(Image& rows, int first_row, const Window& window);

/// A 16-bit picture as it would have been with 8 bits (kernels/tonemap.h: 16-bit colors are the cut value before its last 8 bits,
/// alpha fills its range).
Image with_8_bits(const Image& image);

/// SHA-256 of size, depth and pixels (big-endian samples), as 64 hex digits: the identity of a
/// picture.
std::string pixel_hash(const Image& image);

/// The pixel hash of a picture whose rows come one after the other.
class PixelHash {
 public:
  PixelHash(int width, int height, int bits);
  void add(const Image& rows);
  /// Call once, last.
  std::string hex();

 private:
  Sha256 sha_;
  std::vector<float> hits_;  // of linear rows: they follow the last one
};

}  // namespace kiln
