// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/platform/file.h"

namespace kiln {

bool is_out_of_space(int error_number) { return error_number == ENOSPC || error_number == EDQUOT; }

bool is_special_file(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_other(std::filesystem::status(path, none));
}

std::FILE* open_to_read(const std::string& path) { return std::fopen(path.c_str(), "rb"); }

int open_without_waiting(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

int open_in_place(const std::string& path) { return open(path.c_str(), O_WRONLY | O_CLOEXEC); }

int duplicate_descriptor(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

std::int64_t read_at(int file, char* to, std::size_t bytes, std::uint64_t at) {
  return pread(file, to, bytes, static_cast<off_t>(at));
}

bool write_at(int file, const char* from, std::size_t bytes, std::uint64_t at) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t written = pwrite(file, from + done, bytes - done, static_cast<off_t>(at + done));
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

int flush_to_disk(int file) {
  // EINVAL: a pipe or device that has nothing to flush.
  return fsync(file) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

void flush_folder(const std::string& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

bool takes_files(const std::string& folder) { return access(folder.c_str(), W_OK | X_OK) == 0; }

std::filesystem::path real_path(const std::filesystem::path& path, std::error_code& error) {
  return std::filesystem::weakly_canonical(path, error);
}

int hold_file(const std::string& path, bool make) {
  const int file = open(path.c_str(), (make ? O_CREAT : 0) | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  if (file >= 0) close(file);
  return -1;
}

bool matches_pattern(const std::string& name, const std::string& pattern) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace kiln
