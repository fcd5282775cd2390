#include "engine/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "engine/io/text.h"
#include "engine/model/error.h"

namespace kiln {
namespace {

constexpr std::size_t buffer_bytes = 1 << 20;
constexpr std::size_t name_bytes_max = 255;  // NAME_MAX of the usual file systems

// Names of open temporaries for the signal handler, which may neither lock nor allocate.
struct Unfinished {
  enum State { free_slot, filling, listed };
  std::atomic<int> state{free_slot};
  char path[PATH_MAX];
};
std::array<Unfinished, 64> unfinished;
static_assert(std::atomic<int>::is_always_lock_free);

int list_unfinished(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < unfinished.size(); ++i) {
    int expected = Unfinished::free_slot;
    if (!unfinished[i].state.compare_exchange_strong(expected, Unfinished::filling)) continue;
    std::memcpy(unfinished[i].path, path.c_str(), path.size() + 1);
    unfinished[i].state = Unfinished::listed;
    return static_cast<int>(i);
  }
  return -1;  // more files open than slots: only the destructor cleans up
}

void forget_unfinished(int slot) {
  if (slot >= 0) unfinished[static_cast<std::size_t>(slot)].state = Unfinished::free_slot;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  const std::string suffix = fmt::format(".tmp-{}-{}", getpid(), counter++);
  const std::filesystem::path target(path);
  const std::string name = target.filename().string().substr(0, name_bytes_max - suffix.size());
  return (target.parent_path() / (name + suffix)).string();
}

/// What happened and what helps.
std::string explanation(int error_number, const std::string& folder) {
  const std::string reason = std::generic_category().message(error_number);
  switch (error_number) {
    case ENOENT:
      return fmt::format(
          "the folder \"{}\" does not exist; create it (mkdir -p) or choose another with -o",
          folder);
    case ENOTDIR:
      return fmt::format("\"{}\" is not a folder; choose another with -o", folder);
    case EACCES:
    case EPERM:
    case EROFS:
      return fmt::format("cannot write in the folder \"{}\" ({}); choose another with -o", folder,
                         reason);
    case EISDIR:
      return "is a folder; give a file name with -o";
    case ENOSPC:
    case EDQUOT:
      return fmt::format("cannot be written: {}; free some space or choose another folder with -o",
                         reason);
    case EFBIG:
      return "cannot be written: the file size limit is reached (ulimit -f)";
    case EEXIST:
      return "exists already; remove it or leave out --no-clobber";
    case ENAMETOOLONG:
      return "the file name is too long; choose a shorter one with -o";
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

/// 0, or the errno of putting `from` in the place of `to`; with keep an existing `to` is EEXIST,
/// without a race.
int rename_file(const char* from, const char* to, AtomicFile::Existing existing) {
  if (existing == AtomicFile::Existing::replace) return rename(from, to) == 0 ? 0 : errno;
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (link(from, to) != 0) return errno;  // a file system without RENAME_NOREPLACE
  return unlink(from) == 0 ? 0 : errno;
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
  if (path_ == "-") {
    descriptor_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (descriptor_ < 0) fail_because(errno);
    return;
  }
  check_output_path(path_);
  struct stat status;
  if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail_because(errno);
    return;
  }
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = temporary_name(path_);
    slot_ = list_unfinished(temporary_);  // before it exists, so that no signal finds it unlisted
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return;
    const int error_number = errno;
    forget_unfinished(slot_);
    if (error_number != EEXIST || attempt == 100) fail_because(error_number);
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  if (buffer_.size() + size > buffer_bytes) flush();
  buffer_.insert(buffer_.end(), bytes, bytes + size);
  if (buffer_.size() >= buffer_bytes) flush();
}

void AtomicFile::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t written = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail_because(written < 0 ? errno : ENOSPC);
    done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  // EINVAL: a pipe or device that has nothing to flush.
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail_because(errno);
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0 && errno != EINTR) fail_because(errno);
  if (temporary_.empty()) return;
  if (const int error_number = rename_file(temporary_.c_str(), path_.c_str(), existing_)) {
    fail_because(error_number);
  }
  temporary_.clear();
  forget_unfinished(slot_);
  slot_ = -1;
  flush_folder(path_);
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
  forget_unfinished(slot_);
  descriptor_ = slot_ = -1;
}

void AtomicFile::fail_because(int error_number) const { fail_for_path(path_, error_number); }

void check_output_path(const std::string& path) {
  if (path == "-") return;
  struct stat status;
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail_for_path(path, EISDIR);
    if (!S_ISREG(status.st_mode)) return;
  }
  const std::string folder = folder_of(path);
  if (stat(folder.c_str(), &status) != 0) fail_for_path(path, errno);
  if (!S_ISDIR(status.st_mode)) fail_for_path(path, ENOTDIR);
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail_for_path(path, errno);
  if (std::filesystem::path(path).filename().string().size() > name_bytes_max)
    fail_for_path(path, ENAMETOOLONG);
}

void remove_unfinished_files() noexcept {
  for (Unfinished& file : unfinished) {
    if (file.state == Unfinished::listed) unlink(file.path);
  }
}

}  // namespace kiln
