// SPDX-License-Identifier: MIT
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
#include "engine/io/picture/picture_file.h"
#include "engine/io/picture/still_by_ffmpeg.h"
#include "engine/model/effects.h"

namespace kiln {

struct PictureFormat {
  const char* name = nullptr;        // in messages
  std::string_view ending;           // of file names
  std::string_view or_ending;        // another one that is read as well; empty: none
  std::string_view signature;        // the first bytes; ? is any
  const char* media_type = nullptr;  // for browsers, which show it; null: they do not
  bool linear = false;               // linear light, 32 bits; else 8 or 16 bits a channel
  int most_bits = 0;                 // a channel, where it is not linear
  bool has_floats = false;           // linear light, too, where it is asked for
  bool names_colors = false;         // others than sRGB's: those of P3, and HDR
  bool has_alpha = false;
  int most_side = 0;  // pixels; 0: as many as there are
  /// Flame and record; without them a picture is pixels that nobody can check.
  bool has_texts = false;
  /// Files say whether they are whole, and frames of a video come of them.
  bool can_be_resumed = false;
  const char* package = nullptr;  // Debian's, where kiln is built without the format's library
  bool (*supported)() = nullptr;

  /// Throws Error (input).
  Image (*read)(const std::string& path, const ImageLimits& limits) = nullptr;
  /// Reads the texts from the bytes after the signature; `name`: for messages. Throws Error (input).
  PictureFileTexts (*read_texts)(const ReadBytes& rest, const std::string& name) = nullptr;
  /// Whole or not at all; "-" is standard output. Throws Error (output; usage where unsupported).
  void (*write)(const std::string& path, const Image& image, const FileTexts& texts,
                const Saving& saving) = nullptr;
  /// Begins that file for a picture whose rows come piece by piece. `first_rows`: the first piece,
  /// which add() gets too; `height`: of the whole picture. The last text is not a compressed one.
  std::unique_ptr<PictureRows> (*write_rows)(const std::string& path, const Image& first_rows,
                                             int height, const FileTexts& texts,
                                             const Saving& saving) = nullptr;
  /// The bytes of that file.
  std::string (*bytes)(const Image& image, const FileTexts& texts, const Saving& saving) = nullptr;

  std::string_view or_signature = {};        // other first bytes; empty: none
  const StillByFfmpeg* by_ffmpeg = nullptr;  // which makes its files
};

/// PNG first: what a picture is where nothing else is said.
std::span<const PictureFormat> picture_formats();

/// The format of files with this ending (with its dot, in small letters), or that begin so; null: of none.
const PictureFormat* format_with_ending(std::string_view ending);
const PictureFormat* format_beginning(std::string_view start);
/// The format that the file has, whatever it is called; null: none. Throws Error (input).
const PictureFormat* format_of_file(const std::string& path, InputFile::Opens opens);
/// The format that the name's ending stands for; PNG where it has another ending or none.
const PictureFormat& format_named(const std::string& path);
/// The format of pictures of linear light, or the first of the others.
const PictureFormat& format_for(bool linear);
/// The format of the name, if it holds the picture's light; else the first that does.
const PictureFormat& format_for(const Image& image, const std::string& path = {});

/// Whether the picture fits into the format, without a bit or a pixel less.
bool can_hold(const PictureFormat& format, const Image& image);
/// Throws Error (usage) where a picture may not be called so: its ending is that of another kind of file,
/// which a player or an editor would open, or of a format that this kiln was built without. What ends in
/// nothing ("sheep.248") is a PNG, or refused too where an ending is `needed`.
enum class Ending { usual, needed };
void check_picture_name(const std::string& path, Ending ending = Ending::usual);
/// Throws Error (usage) where a picture does not fit into the format of its name.
void check_fits(const std::string& path, int width, int height, int bits, bool transparent);

/// ".png, .jpg, .tif, .webp, .avif, .jxl, .exr or .ppm", those of linear light, or of the others.
std::string picture_endings(std::optional<bool> linear = {});
/// "PNG, JPEG, TIFF, WebP, AVIF, JPEG XL, OpenEXR and PPM".
std::string picture_names();

/// Whatever picture the file is, by its first bytes. Throws Error (input).
Image read_picture(const std::string& path, const ImageLimits& limits = {});
PictureFileTexts read_picture_texts(const std::string& path,
                                    InputFile::Opens opens = InputFile::Opens::anything);

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

/// Throws Error of kind input.
Image read_png(const std::string& path, const ImageLimits& limits = {});

}  // namespace kiln
