// The identity of a picture, whatever compressor wrote its file.
#pragma once

#include <string>

#include "engine/kiln/image.h"

namespace kiln {

/// SHA-256 of size, depth and pixels (big-endian samples), as 64 hex digits: the identity of a
/// picture.
std::string pixel_hash(const Image& image);

}  // namespace kiln
