// SPDX-License-Identifier: MIT
// AVIF and JPEG XL: stills that the program ffmpeg makes and reads, as it makes kiln's films. Their libraries
// have other names in each release of Debian, and one package of kiln serves all. Pixels go and come through
// pipes; the file is kiln's (atomic_file.h). There is no place for flame, record and credits in what ffmpeg
// writes, so nobody can repeat a picture from these files.
#pragma once

#include <string>

#include "engine/io/picture/picture_file.h"

namespace kiln {

struct StillByFfmpeg {
  const char *name, *encoder;
  /// Words that tell ffmpeg to read such a file of so many bytes, and to write one.
  std::string (*reading)(std::size_t bytes);
  std::string (*writing)(int bits, const Saving& saving);
};
/// 8 bits a channel, or 12 of 16, each pixel with its own color (4:4:4). Without alpha, which ffmpeg 5 cannot read.
extern const StillByFfmpeg avif_still;
/// 8 or 16 bits, with or without alpha.
extern const StillByFfmpeg jxl_still;

/// A side whose square ffmpeg takes, of 8 bytes a pixel.
inline constexpr int ffmpeg_side_max = 16000;

/// Whether ffmpeg is installed.
bool has_ffmpeg();
/// Throws Error (output) where it is not, or has not the encoder; `path`: the picture's.
void check_ffmpeg_makes(const StillByFfmpeg& kind, const std::string& path);

// As a PictureFormat has them (picture_format.h).
Image read_still(const StillByFfmpeg& kind, const std::string& path, const ImageLimits& limits);
std::string still_bytes(const StillByFfmpeg& kind, const Image& image, const Saving& saving);
void write_still(const StillByFfmpeg& kind, const std::string& path, const Image& image,
                 const Saving& saving);

}  // namespace kiln
