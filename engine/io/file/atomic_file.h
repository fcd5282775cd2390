// A finished file is whole or absent. Data goes to a temporary in the target folder (the same file
// system, so that the last step is one link or rename), is flushed to the disk, and only then gets
// its name. Whatever ends the program before that, an error, a signal, a full disk, leaves the
// target as it was and nothing beside it (TemporaryFile, below).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

// The file that an output is until it is whole. Where the file system knows unnamed files
// (O_TMPFILE) it has no name, so that not even SIGKILL leaves anything behind. Elsewhere it is
// called NAME.tmp-PID-N and locked; what a killed program left, unlocked, the next one sweeps away.

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
  /// Gives the file its name; with `keep` an existing one is EEXIST, without a race. Returns errno.
  int name_it(bool keep);
  /// Closes and removes it, unless it has its name.
  void discard() noexcept;

 private:
  int open_named();
  int give_name_to_unnamed(bool keep);
  std::string next_name() const;

  std::string target_, name_;  // name_ is empty while it has none
  int descriptor_ = -1;
  int slot_ = -1;  // place in the list that a signal handler cleans up
};

/// A small file that nobody else may read (mode 0600), gone when this is; what a killed program left,
/// the next one sweeps away.
class PrivateFile {
 public:
  /// Called STEM-RANDOM and the ending. path() is empty if it cannot be made.
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
/// written, and `path` is no folder. For use before the work whose result goes there.
void check_output_path(const std::string& path);

}  // namespace kiln
