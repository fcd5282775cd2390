// SPDX-License-Identifier: MIT
// OpenEXR files: linear pictures written and read by the OpenEXR library, where kiln was built with
// it, and headers read without.
//
// What a header says: the genome and kiln's record among its attributes, the
// size and the channels. Read here, without the OpenEXR library: so kiln takes flames from its own
// pictures wherever it was built, and nothing that a file promises is believed before it was
// looked at. "OpenEXR File Layout" (openexr.com): magic, version, then attributes (name, type,
// size, value) up to an empty name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/io/picture/picture_file.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/primaries.h"

namespace kiln {

// The linear picture as OpenEXR, for compositors: R G B A premultiplied, not clamped, in half or
// single precision, and a layer with the raw counts. OpenEXR is optional: without it at build time
// exr_supported() is false and write_exr throws.

bool exr_supported();

/// A linear picture (image.bits() 32): channels R G B A, in half precision what is above 65504
/// becomes 65504, and hits.X, always single, with the compression and in the primaries of
/// `saving.exr`. `texts` become string attributes of the header, credits also its standard ones. As
/// a PictureFormat has them (picture_format.h).
void write_exr(const std::string& path, const Image& image, const FileTexts& texts,
               const Saving& saving = {});
std::unique_ptr<PictureRows> exr_rows(const std::string& path, const Image& first_rows, int height,
                                      const FileTexts& texts, const Saving& saving);
std::string exr_bytes(const Image& image, const FileTexts& texts, const Saving& saving = {});

// OpenEXR files as linear pictures, for compare: those of kiln, and any flat file of scan lines
// with R G B, or Y, with or without A.

/// Colors and alpha of the data window as floats (without A: 1), in Rec. 709 if the file says other
/// chromaticities, and the layer hits.X if it is there. Throws Error of kind input, or usage where kiln was built without OpenEXR.
Image read_exr(const std::string& path, const ImageLimits& limits = {});

/// The four bytes that every OpenEXR file begins with.
inline constexpr std::string_view exr_signature{"\x76\x2f\x31\x01", 4};

struct ExrChannel {
  std::string name;
  int type = 0;  // 0: whole numbers, 1: half, 2: float
  int x_sampling = 1, y_sampling = 1;
};

struct ExrHeader {
  bool is_flat_scanlines = true;  // neither tiles nor deep data nor several parts
  int left = 0, top = 0;          // of the data window
  int width = 0, height = 0;
  std::vector<ExrChannel> channels;
  PictureTexts texts;                            // its attributes of type string
  int compression = 3;                           // as files number it
  std::optional<Chromaticities> chromaticities;  // where it says them

  bool has(std::string_view channel) const;
  /// Colors are floats, not halves.
  bool is_single_float() const;
  /// The form that writes it so again; primaries that are none of kiln's count as the usual ones.
  ExrForm form() const;
};

/// The header of the file whose bytes after the signature come from `read`; of several parts the
/// first. `name` is for messages. Throws Error of kind input.
ExrHeader read_exr_header(const ReadBytes& read, const std::string& name);

}  // namespace kiln
