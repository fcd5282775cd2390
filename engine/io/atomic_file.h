// A finished file is whole or absent. Data goes to a temporary name in the target folder (the same
// file system, so that the last step is one rename), is flushed to the disk, and only then gets its
// name. Whatever ends the program before that, an error, a signal, a full disk, leaves the target
// as it was; the temporary is removed by the destructor or, on a signal, by
// remove_unfinished_files(). Only SIGKILL or a power cut can leave one behind: NAME.tmp-PID-N.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

class AtomicFile {
 public:
  enum class Existing { replace, keep };

  /// Opens the temporary for `path`; "-" is standard output. What exists and is no regular file (a
  /// device, a pipe) is written directly, since a rename would replace it. Throws Error of kind
  /// output with what helps.
  explicit AtomicFile(std::string path, Existing existing = Existing::replace);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t size);
  /// The open file, for a child process that writes it; nothing else may be written then.
  int descriptor() const { return descriptor_; }
  /// Flushes, checks, renames. Without it nothing ever appears under the final name.
  void commit();

 private:
  void flush();
  void discard() noexcept;
  [[noreturn]] void fail_because(int error_number) const;

  std::string path_, temporary_;  // temporary_ is empty when the target is written directly
  Existing existing_;
  int descriptor_ = -1;
  int slot_ = -1;  // place in the list that a signal handler cleans up
  std::vector<std::uint8_t> buffer_;
};

/// Throws Error of kind output unless a file could be made at `path`: its folder exists and can be
/// written, and `path` is no folder. For use before the work whose result goes there.
void check_output_path(const std::string& path);

/// Removes the temporaries of all open AtomicFiles. Async-signal-safe, for handlers that end the
/// program.
void remove_unfinished_files() noexcept;

}  // namespace kiln
