// SPDX-License-Identifier: MIT
// Files of the user alone: the folders that the system has for them, and what may be believed of what lies there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace kiln {

enum class UserFolder {
  cache,    // what can be made again
  state,    // what is kept from run to run
  session,  // gone when the user leaves; empty where there is no such folder
};
/// The user's own folder of that kind, of all programs; empty if nothing says where.
std::string user_folder(UserFolder kind);

/// A variable of the environment, empty if it isn't set, or set by somebody with fewer rights than the program.
std::string trusted_variable(const char* name);

/// The bytes of a small file that nobody else can have read or put there; empty if it is another one.
std::string read_private(const std::string& path, std::size_t most_bytes);

/// A folder for files that appear whole or not at all, believed because nobody else can write in it.
class PrivateFolder {
 public:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}

  /// A file, which counts as used now; empty if it isn't there, isn't ours alone, or is larger.
  std::string read(const std::string& name, std::uint64_t most_bytes) const;
  /// Makes the folder, too. What cannot be written is not there.
  void write(const std::string& name, const std::string& bytes) const;
  /// Removes those with this ending that were unused for longest while all together have more bytes.
  void remove_oldest(const std::string& ending, std::uint64_t most_bytes) const;

 private:
  std::string path_;
};

}  // namespace kiln
