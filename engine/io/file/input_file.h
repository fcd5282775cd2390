// SPDX-License-Identifier: MIT
// Bytes from a file or standard input, with errors that say what the system said.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class InputFile {
 public:
  /// A pipe that a user names is waited for. What a folder holds (or a page names) is anybody's:
  /// only a regular file is opened then, and opening never waits for whoever would fill a pipe.
  enum class Opens { anything, regular_files };

  /// Opens a file, or standard input for "-". Throws Error of kind input.
  explicit InputFile(const std::string& path, Opens opens = Opens::anything);

  /// Name for messages: the path, or "standard input".
  const std::string& name() const { return name_; }

  /// Reads up to `count` bytes; less only at the end of the file.
  std::size_t read(char* buffer, std::size_t count);

  /// The rest of the file after `already`; throws Error of kind input when both are longer than
  /// `max_bytes`, with the remedy.
  std::string read_all(
      std::uint64_t max_bytes, std::string already = {},
      const char* remedy = "raise the limit with --max-input if it is meant to be");

 private:
  std::string name_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// Opens a file as InputFile does; null, with errno (EINVAL: a pipe or a device), if it cannot.
std::FILE* open_file(const std::string& path, InputFile::Opens opens);

/// The names of the regular files of a folder that end in one of these, sorted. Throws Error of kind
/// input.
std::vector<std::string> files_in(const std::string& folder,
                                  const std::vector<std::string_view>& endings);

/// SHA-256 of these bytes.
std::string bytes_hash(std::string_view bytes);
/// SHA-256 of the file's bytes. Throws Error of kind input.
std::string file_hash(const std::string& path, InputFile::Opens opens = InputFile::Opens::anything);

}  // namespace kiln
