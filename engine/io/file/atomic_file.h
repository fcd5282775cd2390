// SPDX-License-Identifier: MIT
// A finished file is whole or absent. Data goes to a temporary in the target folder (the same file
// system, so that the last step is one link or rename), is flushed to the disk, and only then gets
// its name. Whatever ends the program before that, an error, a signal, a full disk, leaves the
// target as it was and nothing beside it (engine/base/platform/temporary_file.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/platform/temporary_file.h"

namespace kiln {

class AtomicFile {
 public:
  enum class Existing { replace, keep };

  /// Opens the temporary for `path`. Standard output ("-"), other descriptors and what is no
  /// regular file (a device, a pipe) are written directly, since a rename would replace them; a
  /// symbolic link is followed; a replaced file keeps its permissions. Throws Error of kind output
  /// with what helps.
  explicit AtomicFile(std::string path, Existing existing = Existing::replace);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t size);
  /// Writes again what was written `at` bytes behind the begin of a file that is replaced as a whole.
  void write_again(std::size_t at, const void* data, std::size_t size);
  /// The open file, for a child process that writes it; nothing else may be written then.
  int descriptor() const { return in_place_ >= 0 ? in_place_ : temporary_.descriptor(); }
  /// The file's name in that child, where it is descriptor `number`.
  std::string name_for_child(int number);
  /// Flushes, checks, renames. Without it nothing ever appears under the final name.
  void commit();

 private:
  void flush();
  [[noreturn]] void fail_because(int error_number) const;

  std::string path_;
  Existing existing_;
  TemporaryFile temporary_;
  int in_place_ = -1;  // what is written directly, instead of the temporary
  std::vector<std::uint8_t> buffer_;
};

/// Throws Error of kind output unless a file could be made at `path`: its folder exists and can be
/// written, and `path` is no folder. Call it before the work whose result goes there.
void check_output_path(const std::string& path);

/// Throws Error (usage) where a file is there that holds a flame, XML that may be damaged, which `what`
/// would replace; `or_else`: what helps beside another name. Flames that a picture carries do not count.
void check_keeps_flames(const std::string& path, const std::string& what, const char* or_else);

}  // namespace kiln
