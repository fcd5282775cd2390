// A finished picture, and what is known of how it was made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

/// RGBA, straight alpha as flam3 writes it; row 0 is the top. 16-bit values are native endian. Or
/// linear light: t / 255 of the tone curve, premultiplied, not clamped, without background.
struct Image {
  int width = 0, height = 0;
  int bits = 8;                         // 8, 16, or 32 for linear light
  std::vector<std::uint8_t> pixels8;    // [H, W, 4] when bits == 8
  std::vector<std::uint16_t> pixels16;  // [H, W, 4] when bits == 16
  std::vector<float> linear;            // [H, W, 4] when bits == 32
  std::vector<float> hits;              // [H, W] when bits == 32: samples of each pixel
  bool opaque = false;                  // alpha is full everywhere: files need not hold it
  double pixel_aspect = 1;              // width / height of a pixel, for who shows it
};

struct RenderStatistics {
  std::uint64_t samples = 0;     // recorded samples, including those outside the picture
  std::uint64_t bad_values = 0;  // attempts that left the range of numbers
  double iterate_s = 0, output_s = 0;
  double packed_s = 0;    // from the last pass's histogram to packed pixels in the device's memory
  double light_lost = 0;  // share of the light that bloom, glare and psf took out of the frame
  std::uint64_t peak_memory_bytes = 0;
  std::string device;   // "cpu (x86-64-v3, 2 threads)" or "cuda 0 (NVIDIA H200)"
  std::string warning;  // e.g. pixel pitch beyond float; empty if none
};

/// SHA-256 of size, depth and pixels (big-endian samples), as 64 hex digits: the identity of a
/// picture.
std::string pixel_hash(const Image& image);

}  // namespace kiln
