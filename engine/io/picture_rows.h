// A picture file that is written while its picture is made, row by row: no more than a piece of the
// picture and some MiB are in memory. It is the file of the whole picture, byte for byte.
#pragma once

#include <string>

#include "engine/kiln/image.h"

namespace kiln {

/// Only for files that are replaced as a whole (not for a pipe, a device or standard output): the
/// last of the texts, which says what is known only at the end, is written again there.
class PictureRows {
 public:
  virtual ~PictureRows() = default;
  /// The next rows, from the top to the bottom.
  virtual void add(const Image& rows) = 0;
  /// After the last rows. `last_text`: what takes the place of the last text, of the same length.
  virtual void finish(const std::string& last_text) = 0;
};

}  // namespace kiln
