// SPDX-License-Identifier: MIT
// Frames that are needed again: of a film that goes there and back, and of one whose size is searched. They lie packed in a
// file without a name that is gone when this is, so that a long film takes no more memory than a short one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/platform/temporary_file.h"

namespace kiln {

class FilmSpool {
 public:
  /// `beside`: a file in whose folder the frames lie; of none and of a stream in that of temporary files. Throws Error
  /// (output).
  explicit FilmSpool(const std::string& beside);

  /// Keeps bytes and gives back their place, counted from 0.
  std::size_t add(const void* bytes, std::size_t size);
  std::size_t count() const { return pieces_.size(); }
  /// The bytes again. Throws Error (output).
  std::string read(std::size_t place) const;

 private:
  struct Piece {
    std::uint64_t at;
    std::size_t packed, size;
  };
  TemporaryFile file_;
  std::vector<Piece> pieces_;
  std::uint64_t end_ = 0;
};

}  // namespace kiln
