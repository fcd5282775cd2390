// SPDX-License-Identifier: MIT
// TIFF files, which print shops ask for: 8 or 16 bits a channel, with or without alpha (straight, as it is in memory),
// Deflate with the horizontal predictor, sRGB said by a profile, and the pixels of an inch. Written and read here, without
// a library: TIFF 6.0, and Adobe's technical notes for Deflate and floats. Linear light has floats of 32 bits, colors
// multiplied by alpha, and no profile, as Photoshop and OpenImageIO take it; hits have no place there.
//
// In the file: the head, our texts (the flame and the record, in a tag of their own, 65123), what tags point to, then strips of
// 64 rows, each compressed by itself on any number of threads, and the tags at the end. Pixels come back as they were.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/api/kiln/image.h"
#include "engine/io/picture/picture_file.h"

namespace kiln {

/// The bytes that every TIFF of ours begins with: little endian, version 42.
inline constexpr std::string_view tiff_signature{"II*\0", 4};

// As a PictureFormat has them (picture_format.h). Read are TIFFs of red, green, blue and alpha or not, of 8 or 16 bits or
// floats of 32, in strips, without compression or with Deflate: those of kiln, and what most programs make of them. Alpha
// is what the file says it is: colors that are multiplied by it are divided again.
Image read_tiff(const std::string& path, const ImageLimits& limits = {});
PictureFileTexts read_tiff_texts(const ReadBytes& rest, const std::string& name);
void write_tiff(const std::string& path, const Image& image, const FileTexts& texts,
                const Saving& saving = {});
std::unique_ptr<PictureRows> tiff_rows(const std::string& path, const Image& first_rows, int height,
                                       const FileTexts& texts, const Saving& saving);
std::string tiff_bytes(const Image& image, const FileTexts& texts, const Saving& saving = {});

}  // namespace kiln
