// The identity of a picture, whatever compressor wrote its file.
#pragma once

#include <string>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/base/sha256.h"

namespace kiln {

/// SHA-256 of size, depth and pixels (big-endian samples), as 64 hex digits: the identity of a
/// picture.
std::string pixel_hash(const Image& image);

/// The same of a picture whose rows come one after the other.
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
