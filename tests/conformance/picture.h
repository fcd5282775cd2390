// SPDX-License-Identifier: MIT
/// Pictures as the comparison sees them, and the PNG files they come from.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace conformance {

/// A 16-bit picture on flam3's scale (0..65280 is black to white, trunc(256 * out)) and the PNG's
/// text.
struct Picture {
  int width = 0, height = 0;
  std::vector<uint16_t> rgba;               // [H, W, 4] as stored; alpha 0..65535
  std::map<std::string, std::string> text;  // uncompressed text chunks
};

/// Values that are compared: color over black (so that color under no alpha does not count) and,
/// of transparent pictures, the alpha, all on the 0..255 scale.
struct Plane {
  int width = 0, height = 0, channels = 3;
  std::vector<float> values;  // [H, W, channels]
};

/// The picture in a PNG file of 8 or 16 bits; throws std::runtime_error if it is not one.
Picture read_png(const std::string& path);

/// Four channels (color times alpha, alpha) if `transparent`, else three (color alone).
Plane plane_from_picture(const Picture& picture, bool transparent);

/// Moves the picture right by `pixels` (the first column is repeated): a prepared mistake.
Picture shifted(const Picture& picture, int pixels);

/// Writes pictures of one size beside each other, and at the right end 128 + `gain` * (last -
/// first).
void write_side_by_side(const std::string& path, const std::vector<const Plane*>& planes,
                        float gain);

}  // namespace conformance
