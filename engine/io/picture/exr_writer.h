// The linear picture as OpenEXR, for compositors: R G B A premultiplied, not clamped, in half or
// single precision, and a layer with the raw counts. OpenEXR is optional: without it at build time
// exr_supported() is false and write_exr throws.
#pragma once

#include <memory>
#include <string>

#include "engine/io/picture/picture_file.h"
#include "engine/api/kiln/image.h"

namespace kiln {

bool exr_supported();

/// A linear picture (image.bits() 32): channels R G B A, in half precision what is above 65504
/// becomes 65504, and hits.X, always single. `texts` become string attributes of the header. As a
/// PictureFormat has them (picture_format.h).
void write_exr(const std::string& path, const Image& image, const FileTexts& texts,
               const Saving& saving = {});
std::unique_ptr<PictureRows> exr_rows(const std::string& path, const Image& first_rows, int height,
                                      const FileTexts& texts, const Saving& saving);
std::string exr_bytes(const Image& image, const FileTexts& texts, const Saving& saving = {});

}  // namespace kiln
