#include "engine/io/file/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/output_target.h"

namespace kiln {
namespace {

constexpr std::size_t buffer_bytes = 1 << 20;
constexpr std::size_t name_bytes_max = 255;  // NAME_MAX of the usual file systems

/// What happened and what helps.
std::string explanation(int error_number, const std::string& folder) {
  const std::string reason = std::generic_category().message(error_number);
  switch (error_number) {
    case ENOENT:
      if (std::error_code ignored; std::filesystem::is_directory(folder, ignored))
        return fmt::format("the folder \"{}\" takes no files; choose another", folder);
      return fmt::format("the folder \"{}\" does not exist; create it (mkdir -p) or choose another",
                         folder);
    case ENOTDIR:
      return fmt::format("\"{}\" is not a folder; choose another", folder);
    case EACCES:
    case EPERM:
    case EROFS:
      return fmt::format("cannot write in the folder \"{}\" ({}); choose another", folder, reason);
    case EISDIR:
      return "is a folder; give the name of a file";
    case ENOSPC:
    case EDQUOT:
      return fmt::format("cannot be written: {}; free some space or choose another folder", reason);
    case EFBIG:
      return "cannot be written: the file size limit is reached (ulimit -f)";
    case EEXIST:
      return "exists already; remove it or leave out --no-clobber";
    case ENAMETOOLONG:
      return "the file name is too long; choose a shorter one";
    case EPIPE:
      return "the reader of the pipe has gone";
    default:
      return fmt::format("cannot be written: {}", reason);
  }
}

[[noreturn]] void fail_for_path(const std::string& path, int error_number) {
  fail(ErrorKind::output, "{}: {}", printable_whole(path == "-" ? "standard output" : path),
       explanation(error_number, printable_whole(folder_of(path))));
}

void flush_folder(const std::string& path) {
  const int folder = open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);  // best effort: some file systems refuse it, and the file itself is safe already
  close(folder);
}

}  // namespace

AtomicFile::AtomicFile(std::string path, Existing existing)
    : path_(std::move(path)), existing_(existing) {
  buffer_.reserve(buffer_bytes);
  if (const int named = named_descriptor(path_); named >= 0) {
    in_place_ = fcntl(named, F_DUPFD_CLOEXEC, 3);
    if (in_place_ < 0) fail_because(errno);
    return;
  }
  check_output_path(path_);
  if (is_device_or_pipe(path_)) {
    in_place_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (in_place_ < 0) fail_because(errno);
    return;
  }
  if (const int error_number = temporary_.open_for(behind_links(path_))) fail_because(error_number);
}

AtomicFile::~AtomicFile() {
  if (in_place_ >= 0) close(in_place_);
}

void AtomicFile::write(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  if (buffer_.size() + size > buffer_bytes) flush();
  buffer_.insert(buffer_.end(), bytes, bytes + size);
  if (buffer_.size() >= buffer_bytes) flush();
}

void AtomicFile::write_again(std::size_t at, const void* data, std::size_t size) {
  flush();
  KILN_CHECK(in_place_ < 0, "{} is written in place", path_);
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  for (std::size_t done = 0; done < size;) {
    const ssize_t written =
        pwrite(descriptor(), bytes + done, size - done, static_cast<off_t>(at + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail_because(written < 0 ? errno : ENOSPC);
    done += static_cast<std::size_t>(written);
  }
}

void AtomicFile::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t written = ::write(descriptor(), buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail_because(written < 0 ? errno : ENOSPC);
    done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  // EINVAL: a pipe or device that has nothing to flush.
  if (fsync(descriptor()) != 0 && errno != EINVAL && errno != EROFS) fail_because(errno);
  if (in_place_ >= 0) {
    const int closed = close(in_place_);
    in_place_ = -1;
    if (closed != 0 && errno != EINTR) fail_because(errno);
    return;
  }
  if (const int error_number = temporary_.name_it(existing_ == Existing::keep))
    fail_because(error_number);
  temporary_.discard();
  flush_folder(behind_links(path_));
}

void AtomicFile::fail_because(int error_number) const { fail_for_path(path_, error_number); }

void check_output_path(const std::string& path) {
  if (named_descriptor(path) >= 0) return;
  struct stat status;
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail_for_path(path, EISDIR);
    if (!S_ISREG(status.st_mode)) return;
  }
  const std::string folder = folder_of(behind_links(path));
  if (stat(folder.c_str(), &status) != 0) fail_for_path(path, errno);
  if (!S_ISDIR(status.st_mode)) fail_for_path(path, ENOTDIR);
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail_for_path(path, errno);
  if (std::filesystem::path(path).filename().string().size() > name_bytes_max)
    fail_for_path(path, ENAMETOOLONG);
}

}  // namespace kiln
