// SPDX-License-Identifier: MIT
// A picture as a file: what readers and writers of all formats have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "engine/io/picture/picture_record.h"

namespace kiln {

/// Limits of a picture to read; the header decides.
struct ImageLimits {
  int side = 1'000'000;                          // pixels
  std::uint64_t bytes = std::uint64_t(4) << 30;  // of the decoded picture, in memory
  InputFile::Opens opens = InputFile::Opens::anything;
  const char* what = "a picture";  // in "... has at most 4096 pixels a side"
  const char* remedy = "raise it with --max-memory";
};

/// Throws Error of kind input where a picture of this size is beyond the limits; `name` is for the
/// message.
void check_limits(const std::string& name, std::uint64_t width, std::uint64_t height,
                  std::uint64_t bytes_a_pixel, const ImageLimits& limits);

/// A text that a file holds beside its pixels: a text chunk of a PNG, an attribute of an OpenEXR file.
struct FileText {
  std::string key;
  std::string value;
  bool compressed = false;  // where the format can
};
using FileTexts = std::vector<FileText>;

/// Throws Error (usage) where it is not one line of UTF-8 of at most 4000 bytes; `name` is what it was
/// given as.
void check_credit(std::string_view name, const std::string& text);

/// The text chunks of a rendered picture: flam3_genome (compressed), Software, the credits,
/// kiln_record. Empty texts are left out.
FileTexts picture_texts(const std::string& genome, const std::string& record,
                        const Credits& credits = {});
/// The credits among a file's texts.
Credits credits_in(const PictureTexts& texts);
/// The credits as an XMP packet (ISO 16684-1), which other programs show; empty: there are none.
std::string xmp_of(const FileTexts& texts);

/// The settings with which a picture becomes a file.
struct Saving {
  AtomicFile::Existing existing = AtomicFile::Existing::replace;
  int threads = 1;        // that compress a PNG, the bytes are the same; 0: all cores
  ExrForm exr = {};       // also of a PNG
  int jpeg_quality = 92;  // 1 to 100
  int webp_quality = 0;   // 1 to 100; 0: nothing is lost
  int avif_quality = 85;  // 1 to 100; 100: nothing of what it has bits for is lost
  int jxl_quality = 100;  // 1 to 100; 100: nothing is lost
  Credits credits = {};   // for who makes the texts
  double brightest = 0, brightest_mean = 0;  // cd/m2, of a picture that is HDR (LightLevels)
};

/// A picture file that is written while its picture is made, row by row: no more than a piece of the
/// picture and some MiB are in memory. It is the file of the whole picture, byte for byte. Only for
/// files that are replaced as a whole (not for a pipe, a device or standard output): the last of the
/// texts, which says what is known only at the end, is written again there.
class PictureRows {
 public:
  virtual ~PictureRows() = default;
  /// The next rows, from the top to the bottom.
  virtual void add(const Image& rows) = 0;
  /// Ends the file after the last rows. `last_text` replaces the last text and has the same length.
  virtual void finish(const std::string& last_text) = 0;
};

/// Rows for a format that wants the whole picture: they are kept, 8 or 16 bits, and `write` has them behind the last.
std::unique_ptr<PictureRows> kept_rows(const Image& first_rows, int height, FileTexts texts,
                                       std::function<void(const Image&, const FileTexts&)> write);

/// The texts of a picture's file, and what they say of its pixels.
struct PictureFileTexts {
  PictureTexts texts;         // flam3_genome, kiln_record and who made it
  bool ends_there = true;     // nothing follows the picture (an OpenEXR file is not looked at)
  bool holds_pixels = false;  // its samples are those that were hashed: not so for OpenEXR's halves
  ExrForm exr;                // what its colors are
  bool is_whole = false;      // every byte was verified, to the end: never so of an OpenEXR file
};

}  // namespace kiln
