// The linear picture as OpenEXR, for compositors: R G B A premultiplied, not clamped, in half or
// single precision, and a layer with the raw counts. OpenEXR is optional: without it at build time
// exr_supported() is false and write_exr throws.
#pragma once

#include <string>
#include <vector>

#include "engine/io/atomic_file.h"
#include "engine/io/png_writer.h"
#include "engine/kiln/image.h"

namespace kiln {

enum class ExrPrecision { half_float, single_float };

bool exr_supported();

/// Writes a linear picture (image.bits() 32) under `path`, whole or not at all: channels R G B A,
/// in half precision what is above 65504 becomes 65504, and hits.X, always single. `texts` become
/// string attributes of the header. Throws Error of kind output, or usage where it is unsupported.
void write_exr(const std::string& path, const Image& image, ExrPrecision precision,
               const std::vector<PngText>& texts,
               AtomicFile::Existing existing = AtomicFile::Existing::replace);

}  // namespace kiln
