// What the header of an OpenEXR file says: the genome and kiln's record among its attributes, the
// size and the channels. Read here, without the OpenEXR library: so kiln takes flames from its own
// pictures wherever it was built, and nothing that a file promises is believed before it was
// looked at. "OpenEXR File Layout" (openexr.com): magic, version, then attributes (name, type,
// size, value) up to an empty name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/io/picture/png_texts.h"

namespace kiln {

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
  PictureTexts texts;  // its attributes of type string

  bool has(std::string_view channel) const;
  /// Colours are floats, not halves.
  bool is_single_float() const;
};

/// The header of the file whose bytes after the signature come from `read`; of several parts the
/// first. `name` is for messages. Throws Error of kind input.
ExrHeader read_exr_header(const ReadBytes& read, const std::string& name);

}  // namespace kiln
