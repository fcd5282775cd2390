// SPDX-License-Identifier: MIT
// A finished picture, and what is known of how it was made.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace kiln {

/// t / 255 of the tone curve, premultiplied, not clamped, without background; and what was counted.
struct LinearLight {
  std::vector<float> rgba;  // [H, W, 4]
  std::vector<float> hits;  // [H, W]: samples of each pixel; empty in files that do not say
  bool operator==(const LinearLight&) const = default;
};

using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint16_t>;

/// Row 0 is the top. Pixels are RGBA with straight alpha as flam3 writes it, 8 or 16 bits a channel
/// ([H, W, 4], native endian), or linear light. Asking for a kind that it is not throws
/// std::bad_variant_access.
struct Image {
  using Pixels = std::variant<Bytes, Words, LinearLight>;
  int width = 0, height = 0;
  Pixels pixels;
  bool opaque = false;      // files leave alpha out: whoever changes alpha clears this
  double pixel_aspect = 1;  // width / height of a pixel, for who shows it
  double dpi = 0;           // pixels per inch across, for who prints it; 0: not said

  /// 8, 16, or 32 for linear light.
  int bits() const {
    return std::holds_alternative<Bytes>(pixels)   ? 8
           : std::holds_alternative<Words>(pixels) ? 16
                                                   : 32;
  }
  Bytes& pixels8() { return std::get<Bytes>(pixels); }
  const Bytes& pixels8() const { return std::get<Bytes>(pixels); }
  Words& pixels16() { return std::get<Words>(pixels); }
  const Words& pixels16() const { return std::get<Words>(pixels); }
  LinearLight& linear() { return std::get<LinearLight>(pixels); }
  const LinearLight& linear() const { return std::get<LinearLight>(pixels); }
};

/// The precision of colors in an OpenEXR file; a half is 65504 at most.
enum class ExrPrecision { half_float, single_float };

/// The author of a picture, in words of its maker: one line each, in UTF-8. Those that are not
/// empty are written as texts and XMP, in the terms of the file's format (docs/use/print.md).
struct Credits {
  std::string title, author, copyright, source;
};

/// SHA-256 of what the stages of a picture made of each other (docs/inside/algorithm.md, "Which stage
/// differs"), 64 hex digits each; the last one's is the hash of the pixels. Empty: not asked for.
struct StageHashes {
  std::string histogram, light, filtered;
};

struct RenderStatistics {
  std::uint64_t samples = 0;          // recorded samples, including those outside the picture
  std::uint64_t earlier_samples = 0;  // of these, what a state file brought
  std::uint64_t bad_values = 0;       // attempts that left the range of numbers
  double iterate_s = 0, output_s = 0;
  double gather_s = 0;  // of iterate_s: the sums of several devices became one histogram
  double packed_s = 0;  // from the last pass's histogram to packed pixels in the device's memory
  // how far the picture is from the one with samples without end, and on which side of that an
  // interval of 95 % ends (engine/measure/noise.h), fractions of full scale; -1: not measured
  double noise = -1, noise_error = -1;
  std::string ended_by;   // "noise" or "time" where that ended it before its quality did
  double quality = 0;     // samples per pixel that it came to, of a still
  double light_lost = 0;  // share of the light that bloom, glare and psf took out of the frame
  std::uint64_t peak_memory_bytes = 0;
  StageHashes stages;   // with RenderOptions::stages
  std::string device;   // "cpu (x86-64-v3, 2 threads)" or "cuda 0 (NVIDIA H200)"
  std::string warning;  // e.g. pixel pitch beyond float; empty if none
};

}  // namespace kiln
