// SPDX-License-Identifier: MIT
// JPEG files: small pictures to be shown, which any program opens. 8 bits a channel, 4:4:4, opaque,
// sRGB, which a profile says, with the shape of their pixels; those of an inch for Exif, too. Pixels come back nearly
// as they were: the hash in the record is that of the rendered ones.
//
// Texts lie in segments APP10: "kiln" 0 KEY 0 and a piece of the text, of which a long one has
// several. So flame and record are read without the JPEG library, as those of PNG and OpenEXR are.
//
// 64 rows each are compressed by themselves, on any number of threads, and joined by restart markers
// (ITU-T T.81, E.1.4): rows that come piece by piece need not be kept, the bytes are the same whoever
// made them, and the file is 0.04 % larger (1001 x 701). The library is libturbojpeg, which is optional.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/api/kiln/image.h"
#include "engine/io/picture/picture_file.h"
#include "engine/io/picture/picture_record.h"

namespace kiln {

/// The bytes that every JPEG begins with: its start, and that of its first segment.
inline constexpr std::string_view jpeg_signature{"\xFF\xD8\xFF", 3};
inline constexpr int jpeg_side_max = 65500;  // of the library; the format has 65535

bool jpeg_supported();

// As a PictureFormat has them (picture_format.h).
Image read_jpeg(const std::string& path, const ImageLimits& limits = {});
PictureFileTexts read_jpeg_texts(const ReadBytes& rest, const std::string& name);
void write_jpeg(const std::string& path, const Image& image, const FileTexts& texts,
                const Saving& saving = {});
std::unique_ptr<PictureRows> jpeg_rows(const std::string& path, const Image& first_rows, int height,
                                       const FileTexts& texts, const Saving& saving);
std::string jpeg_bytes(const Image& image, const FileTexts& texts, const Saving& saving = {});

/// The quality that the JPEG was saved with, by its tables; the usual one of a file that is none. Throws
/// Error (input).
int jpeg_quality_of(const std::string& path);

// PPM (P6, 8 bits, opaque), which flam3 writes too: for programs that read nothing else. It has no texts.
Image read_ppm(const std::string& path, const ImageLimits& limits = {});
void write_ppm(const std::string& path, const Image& image, const FileTexts& texts,
               const Saving& saving = {});
std::unique_ptr<PictureRows> ppm_rows(const std::string& path, const Image& first_rows, int height,
                                      const FileTexts& texts, const Saving& saving);
std::string ppm_bytes(const Image& image, const FileTexts& texts, const Saving& saving = {});

}  // namespace kiln
