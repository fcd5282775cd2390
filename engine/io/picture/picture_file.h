// What writers of picture files have in common, whichever format they write.
#pragma once

#include <string>
#include <vector>

#include "engine/io/file/atomic_file.h"
#include "engine/api/kiln/image.h"

namespace kiln {

/// What a file says beside its pixels: a text chunk of a PNG, an attribute of an OpenEXR file.
struct FileText {
  std::string key;
  std::string value;
  bool compressed = false;  // where the format can
};
using FileTexts = std::vector<FileText>;

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

}  // namespace kiln
