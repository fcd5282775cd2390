// SPDX-License-Identifier: MIT
// The file that an output is until it is whole. Where the system knows files that nobody can see (O_TMPFILE of Linux; one of
// Windows that is to be removed when it is closed), not even the end of the program by SIGKILL leaves anything behind.
// Elsewhere it is called NAME.tmp-PID-N and locked; what a killed program left, unlocked, the next one sweeps away.
#pragma once

#include <string>

namespace kiln {

constexpr std::size_t name_bytes_max = 255;  // NAME_MAX of the usual file systems

class TemporaryFile {
 public:
  /// Makes a file in the folder of `target`. Leaves descriptor() at -1 and gives back errno if it cannot be
  /// made.
  int open_for(const std::string& target);
  ~TemporaryFile() { discard(); }
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// The name by which a child process writes it that has it as its descriptor `number`.
  std::string name_for_child(int number);
  /// Gives the file its name; with `keep` an existing one is EEXIST, without a race. Returns errno.
  int name_it(bool keep);
  /// Closes and removes it, unless it has its name.
  void discard() noexcept;

 private:
  int open_named();
  int give_name_to_unnamed(bool keep);

  std::string target_, name_;  // name_ is empty while it has none
  int descriptor_ = -1;
  int slot_ = -1;  // place in the list that a signal handler cleans up
};

/// A small file that nobody else may read (mode 0600), gone when this is; what a killed program left,
/// the next one sweeps away.
class PrivateFile {
 public:
  /// Makes a file called STEM-RANDOM and the ending. path() is empty if it cannot be made.
  PrivateFile(const std::string& stem, const std::string& ending, const std::string& text);
  ~PrivateFile();
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_ = -1;  // locked
  int slot_ = -1;
};

/// Removes the named temporaries that are open, and private files. Async-signal-safe, for handlers
/// that end the program: after it no file gets a name.
void remove_unfinished_files() noexcept;

}  // namespace kiln
