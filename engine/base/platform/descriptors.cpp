// SPDX-License-Identifier: MIT
// What is the same on every system that has POSIX' names, Windows' libraries and a page's among them.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/base/platform/file.h"
#include "engine/base/platform/process.h"
#include "engine/base/platform/signals.h"

namespace kiln {

std::FILE* open_regular(const std::string& path) {
  const int descriptor = open_without_waiting(path);
  if (descriptor < 0) return nullptr;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) return fdopen(descriptor, "rb");
  close(descriptor);
  errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  return nullptr;
}

std::optional<std::uint64_t> size_of_file(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode)) {
    errno = ESPIPE;
    return std::nullopt;
  }
  return std::uint64_t(status.st_size);
}

std::optional<std::int64_t> changed_at(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return std::int64_t(status.st_mtime);
}

std::int64_t read_some(int descriptor, char* to, std::size_t bytes) {
  for (;;) {
    const auto size = read(descriptor, to, unsigned(std::min(bytes, std::size_t(1) << 30)));
    if (size >= 0 || errno != EINTR) return size;
  }
}

bool write_all(int descriptor, const char* from, std::size_t bytes) {
  while (bytes > 0) {
    const auto n = write(descriptor, from, unsigned(std::min(bytes, std::size_t(1) << 30)));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = ENOSPC;
    if (n <= 0) return false;
    from += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

int close_descriptor(int descriptor) {
  return close(descriptor) == 0 || errno == EINTR ? 0 : errno;
}

int process_id() { return int(getpid()); }

void end_at_signal(int signal, const char* words) {
  if (*words) [[maybe_unused]]
    const auto ignored = write(standard_error, words, unsigned(std::strlen(words)));
  _exit(128 + signal);
}

}  // namespace kiln
