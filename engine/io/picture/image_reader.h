// Pictures back from their files. Any PNG is taken: gray, palette and missing alpha become RGBA, 16
// bits stay 16. An OpenEXR file is linear light. The file is not trusted: what its header promises
// is held against limits, and against the file's size, before a pixel is decoded.
#pragma once

#include <cstdint>
#include <string>

#include "engine/api/kiln/image.h"
#include "engine/io/file/input_file.h"
#include "engine/model/effects.h"

namespace kiln {

// A point spread function from a picture, for --psf.

/// "FILE.png[,STRENGTH[,SIZE%]]": the gray values of the file (the mean of r g b, times alpha) as
/// they are, without gamma. Throws Error: usage for the numbers, input for the file, also when it
/// is black or larger than 4096 pixels a side.
PointSpread read_point_spread(const std::string& option);

/// The FILE.png of it.
std::string point_spread_file(const std::string& option);

/// What is read, decided by the header.
struct ImageLimits {
  int side = 1'000'000;                          // pixels
  std::uint64_t bytes = std::uint64_t(4) << 30;  // of the decoded picture, in memory
  InputFile::Opens opens = InputFile::Opens::anything;
  const char* what = "a picture";  // in "... has at most 4096 pixels a side"
};

/// Throws Error of kind input.
Image read_png(const std::string& path, const ImageLimits& limits = {});

/// Throws Error of kind input where a picture of this size is beyond the limits; `name` is for the
/// message.
void check_limits(const std::string& name, std::uint64_t width, std::uint64_t height,
                  std::uint64_t bytes_a_pixel, const ImageLimits& limits);

}  // namespace kiln
