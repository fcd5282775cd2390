// The linear picture as OpenEXR, for compositors: R G B A premultiplied, not clamped, in half or
// single precision, and a layer with the raw counts. OpenEXR is optional: without it at build time
// exr_supported() is false and write_exr throws.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/io/atomic_file.h"
#include "engine/io/picture_rows.h"
#include "engine/io/png_writer.h"
#include "engine/kiln/image.h"

namespace kiln {

bool exr_supported();

/// A linear picture (image.bits() 32): channels R G B A, in half precision what is above 65504
/// becomes 65504, and hits.X, always single. `texts` become string attributes of the header. Throws
/// Error of kind output, or usage where it is unsupported.
std::string exr_bytes(const Image& image, ExrPrecision precision,
                      const std::vector<PngText>& texts);

/// The same under `path` of a picture whose rows come piece by piece. `first_rows`: the first piece,
/// which add() gets too; `height`: of the whole picture.
std::unique_ptr<PictureRows> exr_rows(const std::string& path, const Image& first_rows, int height,
                                      ExrPrecision precision, const std::vector<PngText>& texts,
                                      AtomicFile::Existing existing);

/// The same under `path`, whole or not at all.
void write_exr(const std::string& path, const Image& image, ExrPrecision precision,
               const std::vector<PngText>& texts,
               AtomicFile::Existing existing = AtomicFile::Existing::replace);

}  // namespace kiln
