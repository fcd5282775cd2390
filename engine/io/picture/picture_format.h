// The formats of pictures, a row each: all that the rest of kiln asks of one. A format is chosen once,
// by its row: for a name by the ending, for a picture by whether it is linear light, for a file by
// its first bytes. A new one is its reader, its writer and a row.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "engine/io/picture/picture_record.h"
#include "engine/model/effects.h"

namespace kiln {

// Pictures back from their files. Any PNG is taken: gray, palette and missing alpha become RGBA, 16
// bits stay 16. An OpenEXR file is linear light. The file is not trusted: what its header promises
// is held against limits, and against the file's size, before a pixel is decoded.

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

// What writers of picture files have in common, whichever format they write.

/// What a file says beside its pixels: a text chunk of a PNG, an attribute of an OpenEXR file.
struct FileText {
  std::string key;
  std::string value;
  bool compressed = false;  // where the format can
};
using FileTexts = std::vector<FileText>;

/// The text chunks of a rendered picture: flam3_genome (compressed), Software, kiln_record. Empty
/// texts are left out.
FileTexts picture_texts(const std::string& genome, const std::string& record);

/// How a picture becomes a file.
struct Saving {
  AtomicFile::Existing existing = AtomicFile::Existing::replace;
  int threads = 1;  // that compress a PNG, the bytes are the same; 0: all cores
  ExrPrecision precision = ExrPrecision::half_float;
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
  /// After the last rows. `last_text`: what takes the place of the last text, of the same length.
  virtual void finish(const std::string& last_text) = 0;
};

/// What a picture's file says of itself.
struct PictureFileTexts {
  PictureTexts texts;         // flam3_genome, kiln_record and who made it
  bool ends_there = true;     // nothing follows the picture (an OpenEXR file is not looked at)
  bool holds_pixels = false;  // its samples are those that were hashed: not so for OpenEXR's halves
  bool is_whole = false;      // every byte was verified, to the end: never so of an OpenEXR file
};

struct PictureFormat {
  const char* name;            // in messages
  std::string_view ending;     // of file names
  std::string_view signature;  // the first bytes
  bool linear;                 // linear light, 32 bits; else 8 or 16 bits a channel
  bool can_be_resumed;  // files say whether they are whole, and frames of a video come of them
  const char* package;  // Debian's, where kiln is built without the format's library
  bool (*supported)();

  /// Throws Error (input).
  Image (*read)(const std::string& path, const ImageLimits& limits);
  /// Reads the texts from the bytes after the signature; `name`: for messages. Throws Error (input).
  PictureFileTexts (*read_texts)(const ReadBytes& rest, const std::string& name);
  /// Whole or not at all; "-" is standard output. Throws Error (output; usage where unsupported).
  void (*write)(const std::string& path, const Image& image, const FileTexts& texts,
                const Saving& saving);
  /// The same file of a picture whose rows come piece by piece. `first_rows`: the first piece, which
  /// add() gets too; `height`: of the whole picture. The last text is not a compressed one.
  std::unique_ptr<PictureRows> (*write_rows)(const std::string& path, const Image& first_rows,
                                             int height, const FileTexts& texts,
                                             const Saving& saving);
  /// The same file in memory.
  std::string (*bytes)(const Image& image, const FileTexts& texts, const Saving& saving);
};

/// PNG first: what a picture is where nothing else is said.
std::span<const PictureFormat> picture_formats();

/// The format of files with this ending (with its dot, in small letters), or that begin so; null: of none.
const PictureFormat* format_with_ending(std::string_view ending);
const PictureFormat* format_beginning(std::string_view start);
/// The format that the name's ending stands for; PNG where it has another ending or none.
const PictureFormat& format_named(const std::string& path);
/// The format of pictures of linear light, or that of the others.
const PictureFormat& format_for(bool linear);
inline const PictureFormat& format_for(const Image& image) {
  return format_for(image.bits() == 32);
}

/// ".png or .exr", those of pictures of linear light, or of the others.
std::string picture_endings(std::optional<bool> linear = {});

/// Whatever picture the file is, by its first bytes. Throws Error (input).
Image read_picture(const std::string& path, const ImageLimits& limits = {});
PictureFileTexts read_picture_texts(const std::string& path,
                                    InputFile::Opens opens = InputFile::Opens::anything);

}  // namespace kiln
