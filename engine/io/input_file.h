// Bytes from a file or standard input, with errors that say what the system said.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace kiln {

class InputFile {
 public:
  /// Opens a file, or standard input for "-". Throws Error of kind input.
  explicit InputFile(const std::string& path);

  /// Name for messages: the path, or "standard input".
  const std::string& name() const { return name_; }

  /// Reads up to `count` bytes; less only at the end of the file.
  std::size_t read(char* buffer, std::size_t count);

  /// The rest of the file after `already`; throws Error of kind input when both are longer than
  /// `max_bytes`.
  std::string read_all(std::uint64_t max_bytes, std::string already = {});

 private:
  std::string name_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace kiln
