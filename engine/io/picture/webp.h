// SPDX-License-Identifier: MIT
// WebP files: stills for web pages, 8 bits a channel, with or without alpha, sRGB said by a profile. Without a loss unless a
// quality is asked for; then about half a JPEG, and pixels come back nearly as they were: the hash in the record
// is that of the rendered ones.
//
// In the file (RFC 9649): VP8X, the profile, two chunks of our own, "KLNQ" with the quality and "KILN" with KEY 0, length,
// text of each of our texts, then what the library made, and an XMP packet. So flame and record are read without the library, which is libwebp and optional.
// It wants the whole picture: rows that come one after the other are kept.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/api/kiln/image.h"
#include "engine/io/picture/picture_file.h"

namespace kiln {

/// The bytes that every file in a RIFF begins with; read_webp() looks at the rest.
inline constexpr std::string_view webp_signature{"RIFF", 4};
inline constexpr int webp_side_max = 16383;

bool webp_supported();

// As a PictureFormat has them (picture_format.h).
Image read_webp(const std::string& path, const ImageLimits& limits = {});
PictureFileTexts read_webp_texts(const ReadBytes& rest, const std::string& name);
void write_webp(const std::string& path, const Image& image, const FileTexts& texts,
                const Saving& saving = {});
std::unique_ptr<PictureRows> webp_rows(const std::string& path, const Image& first_rows, int height,
                                       const FileTexts& texts, const Saving& saving);
std::string webp_bytes(const Image& image, const FileTexts& texts, const Saving& saving = {});

/// The quality that kiln saved it with; 0: nothing is lost, or it is another program's. Throws Error (input).
int webp_quality_of(const std::string& path);

}  // namespace kiln
