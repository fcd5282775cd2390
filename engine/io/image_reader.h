// PNG files as pictures, for compare. Any PNG is taken: grey, palette and missing alpha become
// RGBA, 16 bits stay 16. The file is not trusted: sides, text and memory are bounded, and memory
// grows with the rows that really arrive.
#pragma once

#include <string>

#include "engine/render/renderer.h"

namespace kiln {

/// Throws Error of kind input.
Image read_png(const std::string& path);

}  // namespace kiln
