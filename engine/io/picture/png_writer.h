// Pictures as PNG: RGB where they are opaque, else RGBA, 8 or 16 bits, marked as sRGB and with the
// shape of their pixels, with text chunks. The settings of the compressor trade a few per cent of
// size for several times the speed of the usual defaults: flame pictures are noise to a compressor
// anyway. Equal pictures give equal files (of one build of zlib): nothing in the file depends on
// time or machine. PNG specification, third edition, sections 11.2 and 11.3.
#pragma once

#include <memory>
#include <string>

#include "engine/io/picture/picture_file.h"
#include "engine/api/kiln/image.h"

namespace kiln {

/// The text chunks of a rendered picture: flam3_genome (compressed), Software, kiln_record. Empty
/// texts are left out.
FileTexts picture_texts(const std::string& genome, const std::string& record);

// As a PictureFormat has them (picture_format.h).
void write_png(const std::string& path, const Image& image, const FileTexts& texts,
               const Saving& saving = {});
std::unique_ptr<PictureRows> png_rows(const std::string& path, const Image& first_rows, int height,
                                      const FileTexts& texts, const Saving& saving);
std::string png_bytes(const Image& image, const FileTexts& texts = {}, const Saving& saving = {});

}  // namespace kiln
