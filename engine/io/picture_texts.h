// What a picture's file says of itself, whichever format it is in.
#pragma once

#include <string>

#include "engine/io/input_file.h"
#include "engine/io/png_texts.h"

namespace kiln {

struct PictureFileTexts {
  PictureTexts texts;         // flam3_genome and kiln_record
  bool ends_there = true;     // nothing follows the picture (an OpenEXR file is not looked at)
  bool holds_pixels = false;  // its samples are those that were hashed: not so for OpenEXR's halves
};

/// Of a PNG, every checksum of which is verified, or an OpenEXR file. Throws Error of kind input.
PictureFileTexts read_picture_texts(const std::string& path,
                                    InputFile::Opens opens = InputFile::Opens::anything);

/// SHA-256 of the file's bytes. Throws Error of kind input.
std::string file_hash(const std::string& path, InputFile::Opens opens = InputFile::Opens::anything);

}  // namespace kiln
